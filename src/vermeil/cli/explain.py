"""``vermeil explain``: why a span got its confidence."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.documents import ReadingOptions, SourceFormat
from vermeil.cli.options.recognisers import Model, figure, open_model
from vermeil.cli.showing.terminal import AsJson, print_json, print_table
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.text.tokens import tokenise

if TYPE_CHECKING:
    from vermeil.recognise.judging.explanation import Explanation, Opinions


def explain(
    model: Model,
    inputs: Annotated[
        list[str] | None, typer.Argument(metavar="IN…", help="Files that hold the document.")
    ] = None,
    document: Annotated[
        str | None, typer.Option(metavar="ID", help="Which document, if there are several.")
    ] = None,
    sentence: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Explain a name in this text instead of in files."),
    ] = None,
    span: Annotated[
        str | None,
        typer.Option(metavar="START-END", help="Where the name is, in characters from 0."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name as it is written in the text.")
    ] = None,
    occurrence: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Which one, if the text has --name several times."),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="LABEL", help="Label to explain; without this the surest one."),
    ] = None,
    show: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the N strongest features of each stage.")
    ] = 6,
    source_format: SourceFormat = None,
    as_json: AsJson = False,
) -> None:
    """Show why a model is as sure of a name as it is.

    Spelling, sequence and document speak one after the other. Weights of features are those for
    the tag the token has in the span, less those for no name. Of a committee each member is
    explained.
    """
    from vermeil.recognise.cascade import Cascade
    from vermeil.recognise.committee import Committee
    from vermeil.recognise.judging.explanation import explain as find_reasons
    from vermeil.recognise.judging.explanation import explain_members

    if sentence is None and not inputs:
        raise UsageError("give files, or a text with --sentence")
    if sentence is not None and inputs:
        raise UsageError("--sentence takes the place of files; drop it or drop the files")
    if (span is None) == (name is None):
        raise UsageError("give the span as --span START-END or as --name NAME")
    if occurrence is not None and name is None:
        raise UsageError("--occurrence goes with --name; a --span is one already")
    text = (
        Document(id="sentence", text=sentence)
        if sentence is not None
        else _chosen(inputs or [], document, source_format)
    )
    recogniser = open_model(model)
    if not isinstance(recogniser, Cascade | Committee):
        raise UsageError(f"{model}: only cascades can be explained; train one with --by cascade")
    start, end = (
        _bounds(span)
        if span is not None
        else _found(text, name or "", occurrence, tokeniser=recogniser.recipe.tokeniser)
    )
    if isinstance(recogniser, Cascade):
        explanation = find_reasons(recogniser, text, start, end, label=label)
        print_json(explanation) if as_json else show_explanation(explanation, n_shown=show)
        return
    opinions = explain_members(recogniser, text, start, end, label=label)
    if as_json:
        print_json(opinions)
    else:
        _show_members(opinions, n_shown=show)


def _show_members(opinions: "Opinions", *, n_shown: int) -> None:
    mean = figure(opinions.confidence, n_digits=4)
    typer.echo(f"mean opinion of {len(opinions.members)} cascades: {mean}")
    for tokens, explanation in opinions.members:
        typer.echo(f"\nOver the tokens {tokens!r}:")
        if explanation is None:
            typer.echo("the span does not begin and end where these tokens do")
        else:
            show_explanation(explanation, n_shown=n_shown)


def show_explanation(explanation: "Explanation", *, n_shown: int = 6) -> None:
    """Print what each stage says as tables."""
    span = explanation.span
    typer.echo(
        f"{explanation.text!r} ({span.start}-{span.end}) as {span.label}: "
        f"confidence {figure(span.confidence or 0.0, n_digits=4)}\n"
    )
    print_table(
        "Spelling and sequence",
        ["token", "spelling", "outside", "begins", "goes on", "tag in the span"],
        [
            [
                each.word,
                figure(each.spelling, n_digits=1),
                *map(figure, (each.outside, each.begins, each.inside)),
                each.tag,
            ]
            for each in explanation.tokens
        ],
    )
    _show_features(explanation, n_shown)
    _show_lattice(explanation)
    _show_rescorer(explanation, n_shown)
    if explanation.rivals:
        typer.echo()
        print_table(
            "What else it could be",
            ["name", "span", "label", "confidence"],
            [
                [text, f"{each.start}-{each.end}", each.label, figure(each.confidence or 0.0)]
                for text, each in explanation.rivals
            ],
            wide="name",
        )


def _show_features(explanation: "Explanation", n_shown: int) -> None:
    rows: list[Sequence[object]] = []
    for token in explanation.tokens:
        shown = [each for each in token.features if each.towards][:n_shown]
        rows += [
            [
                token.word if not place else "",
                each.view,
                each.name,
                *(
                    figure(weight, n_digits=2)
                    for weight in (each.towards, each.outside, each.begins, each.inside)
                ),
            ]
            for place, each in enumerate(shown)
        ]
    if rows:
        typer.echo()
        print_table(
            "What speaks for the tag, by where it is seen from",
            ["token", "views"],
            [[token.word, _views(token.views)] for token in explanation.tokens],
            wide="views",
        )
        typer.echo()
        head = ["token", "seen from", "feature", "for the tag", "outside", "begins", "goes on"]
        print_table("Strongest features", head, rows, wide="feature")


def _views(totals: Mapping[str, float]) -> str:
    return ", ".join(f"{view} {total:+.2f}" for view, total in totals.items())


def _show_lattice(explanation: "Explanation") -> None:
    begins, *further, ends = explanation.steps
    parts = [f"begins {begins:.4f}", *(f"goes on {each:.4f}" for each in further)]
    product = " × ".join([*parts, f"ends {ends:.4f}"])
    typer.echo(f"\nlattice: {product} = {explanation.lattice_confidence:.4f}")


def _show_rescorer(explanation: "Explanation", n_shown: int) -> None:
    if not explanation.evidence:
        why = "the model has none" if explanation.is_candidate else "the span is no candidate"
        typer.echo(f"rescorer: {why}, so this is the confidence")
        return
    typer.echo(f"rescorer: log odds {explanation.log_odds:+.3f}\n")
    print_table(
        "What the document says (worth: log odds lost if the feature were missing)",
        ["feature", "value", "worth"],
        [
            [each.name, figure(each.value), figure(each.worth)]
            for each in explanation.evidence[:n_shown]
        ],
    )


def _chosen(inputs: Sequence[str], id: str | None, source_format: str | None) -> Document:
    """Give the document of that id, or the only one."""
    source = ReadingOptions(source_format).of(inputs)
    only, ids = None, []
    for only in source.documents(Ledger()):
        if only.id == id:
            return only
        ids.append(only.id)
    if id is not None:
        raise UnknownNameError("document", id, ids)
    if only is None or len(ids) > 1:
        raise UsageError(f"there are {len(ids)} documents; choose one with --document ID")
    return only


def _bounds(span: str) -> tuple[int, int]:
    start, dash, end = span.partition("-")
    if not (dash and start.isdecimal() and end.isdecimal()):
        raise UsageError(f"--span takes START-END in characters, as in 13-20, not {span!r}")
    return int(start), int(end)


def _found(
    document: Document, name: str, occurrence: int | None, *, tokeniser: str
) -> tuple[int, int]:
    """Give the span of a name; say so where there were others to choose from."""
    starts = _occurrences(document.text, name, tokeniser)
    n = len(starts)
    if not n:
        raise UsageError(f"{name!r} does not occur in document {document.id!r}")
    if occurrence is not None and occurrence > n:
        times = "once" if n == 1 else f"{n} times"
        raise UsageError(f"{name!r} occurs {times}, and --occurrence {occurrence} was wanted")
    start = starts[(occurrence or 1) - 1]
    end = start + len(name)
    if n > 1 and occurrence is None:
        typer.echo(
            f"vermeil: {name!r} occurs {n} times; this is the first, {start}-{end}; "
            "choose with --occurrence N",
            err=True,
        )
    return start, end


def _occurrences(text: str, name: str, tokeniser: str) -> list[int]:
    """Find where a name begins: where it is made of whole tokens, or else anywhere."""
    starts = [each.start() for each in re.finditer(f"(?={re.escape(name)})", text)] if name else []
    tokens = tokenise(text, by=tokeniser)
    begins, ends = {start for start, _ in tokens}, {end for _, end in tokens}
    whole = [start for start in starts if start in begins and start + len(name) in ends]
    return whole or starts
