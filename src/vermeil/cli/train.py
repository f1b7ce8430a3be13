"""``vermeil train``: a recogniser from annotated documents."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import RECOGNISERS, RESCORERS, SEQUENCES
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.recognisers import LayerOption
from vermeil.cli.options.writing import AsJson, check_picture, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, print_table
from vermeil.errors import UsageError
from vermeil.formats.files.sink import replacing

if TYPE_CHECKING:
    from vermeil.verbs.training import LabelNames, Trained


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
    sequence: Annotated[
        str,
        option(
            "MODEL", f"How a cascade tags a sentence: {' or '.join(SEQUENCES)}.", offered=SEQUENCES
        ),
    ] = "crf",
    rescorer: Annotated[
        str,
        option(
            "MODEL",
            f"How a cascade looks at the document: {', '.join(RESCORERS)}.",
            offered=RESCORERS,
        ),
    ] = "trees",
    lexicon: Annotated[
        list[str] | None, option("[LABEL=]FILE", "Known names of a label, one a line.")
    ] = None,
    words: Annotated[
        str, option("FILE|none", "English words, one a line; without this the system's.")
    ] = "",
    tokeniser: Annotated[
        str,
        option(
            "NAME",
            "How texts are cut into tokens: fine or chemistry.",
            offered=("fine", "chemistry"),
        ),
    ] = "fine",
    seed: Seed = 0,
    folds: Annotated[int, option("N", "Also cross-validate, in N folds.", min=0)] = 0,
    ablate: Annotated[
        bool, flag("With --folds, also try it without each stage, and rivals.")
    ] = True,
    curves: Annotated[
        Path | None, option("FILE", "With --folds, draw precision and recall as SVG.")
    ] = None,
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
    from vermeil.reports.drawing.reliability import draw_curves
    from vermeil.verbs.naming import believed_layer
    from vermeil.verbs.training import Training, by_label, check_kinds, english, recipe_for, trained
    from vermeil.verbs.validation import rankings_of

    check_kinds(by, sequence, rescorer, tokeniser)
    _check_output(output)
    if folds == 1 or (curves is not None and not folds):
        raise UsageError("to cross-validate, and to draw curves, give --folds 2 or more")
    check_picture(curves)
    lexicons = [_read_lexicon(each) for each in lexicon or ()]
    common = english(words)
    source = reading.of(inputs)
    with keeping.ledger(beside=output) as ledger:
        documents = list(source.documents(ledger))
    recipe = recipe_for(
        documents,
        believed_layer(documents, layer),
        labels or (),
        tokeniser=tokeniser,
        sequence=sequence,
        rescorer=rescorer,
        seed=seed,
    )
    names = by_label(lexicons, recipe.labels)
    files = tuple(sorted(each.file for each in lexicons))
    with _watching() as watch:
        done = trained(
            documents,
            Training(
                by,
                recipe,
                names,
                files,
                common,
                n_folds=folds,
                ablate=ablate,
                watch=watch,
            ),
            name=name or output.stem,
            licence=licence,
            trained_on=[each.path.name for each in source.inputs],
        )
    if curves is not None:
        with replacing(curves) as stream:
            stream.write(draw_curves(rankings_of(done.validations)).encode())
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
    from vermeil.verbs.validation import figures_table

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
    size = f"{n_bytes / 1e6:.1f} MB" if n_bytes > 1e6 else f"{n_bytes:,} bytes"
    typer.echo(f"\n{output}: {size}, trained in {done.seconds:.1f} s")


def _check_output(output: Path) -> None:
    """Refuse what could not be written, before training rather than after it."""
    from vermeil.recognise.model_files import refuse_compressed

    if str(output) == "-":
        raise UsageError("a model cannot be written to standard output; give -o FILE")
    refuse_compressed(output)
    check_target(output)
    if output.is_dir():
        raise UsageError(f"{output}: is a folder, and a model is one file")


def _read_lexicon(given: str) -> "LabelNames":
    """Read LABEL=FILE; what is itself a file has no label."""
    from vermeil.verbs.training import LabelNames

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
