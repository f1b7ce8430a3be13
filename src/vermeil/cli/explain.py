"""``vermeil explain``: why a span got its confidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.reading import ReadingOptions, SourceFormat
from vermeil.cli.options.recognisers import Model, open_model
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger

if TYPE_CHECKING:
    pass


def explain(
    model: Model,
    inputs: Annotated[list[str] | None, argument("IN…", "Files that hold the document.")] = None,
    document: Annotated[str | None, option("ID", "Which document, if there are several.")] = None,
    sentence: Annotated[
        str | None, option("TEXT", "Explain a name in this text instead of in files.")
    ] = None,
    span: Annotated[
        str | None, option("START-END", "Where the name is, in characters from 0.")
    ] = None,
    name: Annotated[str | None, option("NAME", "The name as it is written in the text.")] = None,
    occurrence: Annotated[
        int | None, option("N", "Which one, if the text has --name several times.", min=1)
    ] = None,
    label: Annotated[
        str | None, option("LABEL", "Label to explain; without this the surest one.")
    ] = None,
    show: Annotated[int, option("N", "Show the N strongest features of each stage.", min=0)] = 6,
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
    from vermeil.verbs.tables.explanation import explanation_blocks, opinion_blocks

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
        blocks = explanation_blocks(explanation, n_shown=show)
        print_json(explanation) if as_json else print_blocks(blocks)
        return
    opinions = explain_members(recogniser, text, start, end, label=label)
    print_json(opinions) if as_json else print_blocks(opinion_blocks(opinions, n_shown=show))


def _chosen(inputs: Sequence[str], id: str | None, source_format: str | None) -> Document:
    """Find the document of that id, or the only one."""
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
    """Find the span of a name; say so where there were others to choose from."""
    from vermeil.verbs.trials import place_of

    start, end, n = place_of(document, name, occurrence, tokeniser=tokeniser)
    if n > 1 and occurrence is None:
        say(
            f"vermeil: {name!r} occurs {n} times; this is the first, {start}-{end}; "
            "choose with --occurrence N",
        )
    return start, end
