"""``vermeil train``: a recogniser from annotated documents."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import RECOGNISERS, RESCORERS, SEQUENCES, tokeniser_names
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.recognisers import LayerOption
from vermeil.cli.options.writing import AsJson, check_picture, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, print_table
from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.verbs.recognisers.resources import LabelNames
    from vermeil.verbs.training import Trained


def train(
    inputs: Inputs,
    output: Annotated[Path, option("MODEL", "File for the model.", "-o", "--output")],
    *,
    labels: Annotated[
        list[str] | None,
        option("LABEL", "Learn only this label; may be given several times.", "--label"),
    ] = None,
    layer: LayerOption = None,
    by: Annotated[
        str, option("KIND", f"Kind of recogniser: {', '.join(RECOGNISERS)}.", offered=RECOGNISERS)
    ] = "cascade",
    like_paper: Annotated[
        bool,
        flag(
            "Train as the paper does, unless told: --tokeniser chemistry --sequence memms "
            "--rescorer logistic --features paper --keep-features 0.5 --parts 2 --deals 1 "
            "--filters --resolve before --threshold 0.3.",
            "--like-paper",
        ),
    ] = False,
    sequence: Annotated[
        str | None,
        option(
            "MODEL",
            "How a cascade tags: crf (unless told), memm, or memms (a model for each tag before).",
            offered=SEQUENCES,
        ),
    ] = None,
    rescorer: Annotated[
        str | None,
        option(
            "MODEL",
            "How a cascade looks at the document: trees (unless told), logistic, none.",
            offered=RESCORERS,
        ),
    ] = None,
    features: Annotated[
        str | None,
        option("usual|paper", "How a cascade describes words and names: our way, or the paper's."),
    ] = None,
    keep_features: Annotated[
        float | None,
        option("SHARE", "Keep the most telling features.", min=0, max=1),
    ] = None,
    parts: Annotated[
        int | None,
        option(
            "N",
            "Parts that are described by each other; 4.",
            min=2,
        ),
    ] = None,
    deals: Annotated[
        int | None,
        option(
            "N",
            "Times documents are dealt to learn from; 2.",
            min=1,
        ),
    ] = None,
    filters: Annotated[bool | None, flag("Drop absurd names, as those that end in 'the'.")] = None,
    resolve: Annotated[
        str | None,
        option("after|before", "Settle overlaps after rescoring, or before."),
    ] = None,
    threshold: Annotated[
        float | None,
        option("P", "Confidence that tag asks for; 0.5.", min=0, max=1),
    ] = None,
    corpus_wide: Annotated[
        bool,
        flag(
            "Let a cascade ask other documents about a name, for tag --corpus-wide.",
            "--corpus-wide",
        ),
    ] = False,
    lexicon: Annotated[
        list[str] | None, option("[LABEL=]FILE", "Known names of a label, one a line.")
    ] = None,
    words: Annotated[
        str | None, option("WORDS", "Words that learn-words learned from texts.")
    ] = None,
    english: Annotated[
        str, option("FILE|none", "English words, one a line; else the system's.")
    ] = "",
    inside: Annotated[str, option("FILE", "More words like parts of names, one a line.")] = "",
    outside: Annotated[
        str, option("FILE", "More words that look so and are not, one a line.")
    ] = "",
    tags: Annotated[
        str | None,
        option(
            "FILE|spacy:NAME",
            "Give the linear tagger parts of speech and chunks: of trees tagger, or of spaCy.",
        ),
    ] = None,
    tokeniser: Annotated[
        str | None,
        option(
            "NAME",
            "How texts are cut into tokens: fine (for linear punctuation), unless told.",
            offered=tokeniser_names,
        ),
    ] = None,
    seed: Seed = 0,
    folds: Annotated[int, option("N", "Also cross-validate, in N folds.", min=0)] = 0,
    balance: Annotated[
        str,
        option("FIELD", "With --folds, deal a field of metadata evenly."),
    ] = "",
    ablate: Annotated[
        bool, flag("With --folds, also try it without each stage, and rivals.")
    ] = True,
    curves: Annotated[
        Path | None, option("FILE", "With --folds, draw precision and recall as SVG.")
    ] = None,
    learning_curve: Annotated[
        Path | None, option("FILE", "With --folds, learn from less, and draw it.")
    ] = None,
    shares: Annotated[
        str, option("LIST", "Shares of the documents that --learning-curve learns from.")
    ] = "0.125,0.25,0.5",
    name: Annotated[str, option("NAME", "Name of the model, kept in its file.")] = "",
    licence: Annotated[str, option("TEXT", "Licence of the model, kept in its file.")] = "",
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Train a recogniser of names on annotated documents.

    It learns from all documents that the annotator looked at. The model holds
    weights and hashes, and no text of the documents.
    """
    from vermeil.verbs.naming import believed_layer
    from vermeil.verbs.recognisers.resources import by_label, resources_of
    from vermeil.verbs.recognisers.validation import shares_of
    from vermeil.verbs.training import (
        Training,
        check_tags,
        check_words,
        draw_validations,
        recipe_for,
        settled_way,
        trained,
    )

    way = settled_way(
        by,
        like_paper=like_paper,
        corpus_wide=corpus_wide,
        sequence=sequence,
        rescorer=rescorer,
        features=features,
        keep_features=keep_features,
        parts=parts,
        deals=deals,
        filters=filters,
        resolve=resolve,
        threshold=threshold,
        tokeniser=tokeniser,
    )
    _check_output(output)
    if folds == 1 or ((curves or learning_curve or balance) and not folds):
        raise UsageError("to cross-validate, and to draw curves, give --folds 2 or more")
    check_picture(curves)
    check_picture(learning_curve)
    learned_shares = shares_of(shares) if learning_curve is not None else ()
    lexicons = [_read_lexicon(each) for each in lexicon or ()]
    check_tags(by, tags)
    check_words(by, words, like_paper=features == "paper" or like_paper)
    given = resources_of({}, english, inside, outside, tags=tags, words=words)
    source = reading.of(inputs)
    with keeping.ledger(beside=output) as ledger:
        documents = list(source.documents(ledger))
    believed = believed_layer(documents, layer)
    recipe = recipe_for(documents, believed, labels or (), **way, seed=seed)
    resources = replace(given, names=by_label(lexicons, recipe.labels))
    files = tuple(sorted(each.file for each in lexicons))
    with _watching() as watch:
        done = trained(
            documents,
            Training(
                by,
                recipe,
                resources,
                files,
                n_folds=folds,
                balance=balance,
                ablate=ablate,
                shares=learned_shares,
                watch=watch,
            ),
            name=name or output.stem,
            licence=licence,
            trained_on=[each.path.name for each in source.inputs],
        )
    draw_validations(done, curves, learning_curve)
    done.model.save(output)
    if as_json:
        print_json(_as_data(done, output))
    else:
        _show(done, output)


def _as_data(done: "Trained", output: Path) -> dict[str, Any]:
    return {
        "output": str(output),
        "by": done.by,
        "card": done.model.card,
        "names": done.n_names,
        "unreachable": done.n_unreachable,
        "bytes": output.stat().st_size,
        "seconds": round(done.seconds, 2),
    }


def _show(done: "Trained", output: Path) -> None:
    from vermeil.verbs.recognisers.validation import figures_table, learning_table

    share = done.n_unreachable / done.n_names if done.n_names else 0.0
    card, n_bytes = done.model.card, output.stat().st_size
    typer.echo(
        f"{card['documents']:,} documents, {done.n_names:,} names; "
        f"{done.n_unreachable:,} ({share:.2%}) begin or end where no token does\n"
    )
    print_table("Learned", ["label", "names"], list(card["names"].items()))
    if card["figures"]:
        typer.echo()
        print_blocks([figures_table(card["figures"], n_folds=card["folds"])])
    if "learning" in card:
        typer.echo()
        print_blocks([learning_table(card["learning"], n_folds=card["folds"])])
    size = f"{n_bytes / 1e6:.1f} MB" if n_bytes > 1e6 else f"{n_bytes:,} bytes"
    typer.echo(f"\n{output}: {size}, trained in {done.seconds:.1f} s")


def _check_output(output: Path) -> None:
    """Refuse what could not be written, before training rather than after it."""
    from vermeil.models.model_files import refuse_compressed

    if str(output) == "-":
        raise UsageError("a model cannot be written to standard output; give -o FILE")
    refuse_compressed(output)
    check_target(output)
    if output.is_dir():
        raise UsageError(f"{output}: is a folder, and a model is one file")


def _read_lexicon(given: str) -> "LabelNames":
    """Read LABEL=FILE; what is itself a file has no label."""
    from vermeil.verbs.recognisers.resources import LabelNames

    label, equals, path = given.partition("=")
    if not equals or Path(given).exists():
        label, path = "", given
    return LabelNames.read(label, path)


@contextmanager
def _watching() -> Iterator[Callable[[str], None] | None]:
    """Show on a terminal's stderr which stage is being trained."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
