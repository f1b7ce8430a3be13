"""``vermeil train``: a recogniser from annotated documents."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil import __version__
from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import RECOGNISERS, RESCORERS, SEQUENCES, offering
from vermeil.cli.options.documents import LedgerOptions, ReadingOptions
from vermeil.cli.options.reading import Inputs
from vermeil.cli.options.recognisers import LayerOption, believed_layer, count_labels
from vermeil.cli.options.writing import check_picture, check_target
from vermeil.cli.showing.terminal import (
    AsJson,
    print_json,
    print_table,
)
from vermeil.cli.showing.train_tables import cross_validated, figures_of, rankings_of, show_figures
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.sink import replacing
from vermeil.formats.files.source import Source

if TYPE_CHECKING:
    from vermeil.recognise.judging.cross_validation import Validation

NO_WORDS = "none"


def train(
    inputs: Inputs,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL", help="File for the model.")
    ],
    *,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            "--label", metavar="LABEL", help="Learn only this label; may be given several times."
        ),
    ] = None,
    layer: LayerOption = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help=f"Kind of recogniser: {', '.join(RECOGNISERS)}.",
            autocompletion=offering(*RECOGNISERS),
        ),
    ] = "cascade",
    sequence: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help=f"How a cascade tags a sentence: {' or '.join(SEQUENCES)}.",
            autocompletion=offering(*SEQUENCES),
        ),
    ] = "crf",
    rescorer: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help=f"How a cascade looks at the document: {', '.join(RESCORERS)}.",
            autocompletion=offering(*RESCORERS),
        ),
    ] = "trees",
    lexicon: Annotated[
        list[str] | None,
        typer.Option(metavar="[LABEL=]FILE", help="Known names of a label, one a line."),
    ] = None,
    words: Annotated[
        str,
        typer.Option(
            metavar="FILE|none", help="English words, one a line; without this the system's."
        ),
    ] = "",
    tokeniser: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How texts are cut into tokens: fine or chemistry.",
            autocompletion=offering("fine", "chemistry"),
        ),
    ] = "fine",
    seed: Seed = 0,
    folds: Annotated[
        int, typer.Option(metavar="N", min=0, help="Also cross-validate, in N folds.")
    ] = 0,
    ablate: Annotated[
        bool, typer.Option(help="With --folds, also try it without each stage, and rivals.")
    ] = True,
    curves: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --folds, draw precision and recall as SVG."),
    ] = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the model, kept in its file.")
    ] = "",
    licence: Annotated[
        str, typer.Option(metavar="TEXT", help="Licence of the model, kept in its file.")
    ] = "",
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Train a recogniser of names on annotated documents.

    It learns from all documents that the annotator looked at. The model holds
    weights and hashes, and no text of the documents.
    """
    from vermeil.recognise.cascade import unreachable
    from vermeil.recognise.judging.cross_validation import trainer
    from vermeil.recognise.recipe import Recipe
    from vermeil.recognise.recogniser import save
    from vermeil.recognise.words.knowledge import Resources
    from vermeil.report.drawing.reliability import draw_curves

    _check_names(by, sequence, rescorer, tokeniser)
    _check_output(output)
    if folds == 1 or (curves is not None and not folds):
        raise UsageError("to cross-validate, and to draw curves, give --folds 2 or more")
    check_picture(curves)
    lexicons = [_read_lexicon(each) for each in lexicon or ()]
    english = _english(words)
    source = reading.of(inputs)
    with keeping.ledger(beside=output) as ledger:
        documents = list(source.documents(ledger))
    believed = believed_layer(documents, layer)
    looked = [each for each in documents if believed in each.layers]
    if folds > len(looked):
        raise UsageError(f"{len(looked)} documents cannot be dealt into {folds} folds")
    there = count_labels(looked, believed)
    recipe = Recipe(
        _wanted(labels, there),
        annotator=believed,
        tokeniser=tokeniser,
        sequence=sequence,
        rescorer=rescorer,
        seed=seed,
    )
    resources = Resources(_by_label(lexicons, recipe.labels), english)

    begun = monotonic()
    validations: dict[str, Validation] = {}
    with _watching() as watch:
        recogniser: Any = trainer(by, recipe, resources, watch=watch)(looked)
        seconds = monotonic() - begun
        if folds:
            validations = cross_validated(
                by, looked, recipe, resources, n_folds=folds, ablate=ablate, watch=watch
            )
    if curves is not None:
        with replacing(curves) as stream:
            stream.write(draw_curves(rankings_of(validations)).encode())
    card = {
        "name": name or output.stem,
        "licence": licence,
        "trained_by": f"vermeil {__version__}",
        "trained_on": sorted(each.path.name for each in source.inputs),
        "lexicons": sorted(each.path.name for each in lexicons),
        "documents": len(looked),
        "names": {label: there[label] for label in recipe.labels},
        "folds": folds,
        "figures": figures_of(validations),
    }
    save(replace(recogniser, card=card), output)
    n_unreachable, n_names = unreachable(looked, recipe)
    report = Report(by, card, n_names, n_unreachable, output.stat().st_size, seconds)
    if as_json:
        print_json(report.as_data(output))
    else:
        show_report(report, output)


@dataclass(frozen=True, slots=True)
class Report:
    """What a training was and what came of it.

    ``n_unreachable`` counts the names that begin or end where no token does.
    """

    by: str
    card: Mapping[str, Any]
    n_names: int
    n_unreachable: int
    n_bytes: int
    seconds: float

    def as_data(self, output: Path) -> dict[str, Any]:
        """Give everything as JSON has it."""
        return {
            "output": str(output),
            "by": self.by,
            "card": self.card,
            "names": self.n_names,
            "unreachable": self.n_unreachable,
            "bytes": self.n_bytes,
            "seconds": round(self.seconds, 2),
        }


def show_report(report: Report, output: Path) -> None:
    """Print a training as tables."""
    share = report.n_unreachable / report.n_names if report.n_names else 0.0
    typer.echo(
        f"{report.card['documents']:,} documents, {report.n_names:,} names; "
        f"{report.n_unreachable:,} ({share:.2%}) begin or end where no token does\n"
    )
    print_table("Learned", ["label", "names"], list(report.card["names"].items()))
    if report.card["figures"]:
        typer.echo()
        show_figures(report.card["figures"], n_folds=report.card["folds"])
    size = f"{report.n_bytes / 1e6:.1f} MB" if report.n_bytes > 1e6 else f"{report.n_bytes:,} bytes"
    typer.echo(f"\n{output}: {size}, trained in {report.seconds:.1f} s")


def _check_names(by: str, sequence: str, rescorer: str, tokeniser: str) -> None:
    from vermeil.recognise.cascade import NO_RESCORER, RESCORERS, SEQUENCES
    from vermeil.recognise.recogniser import RECOGNISERS
    from vermeil.text.tokens import TOKENISERS

    for kind, chosen, known in (
        ("recogniser", by, RECOGNISERS),
        ("sequence model", sequence, SEQUENCES),
        ("rescorer", rescorer, (*RESCORERS, NO_RESCORER)),
        ("tokeniser", tokeniser, TOKENISERS),
    ):
        if chosen not in known:
            raise UnknownNameError(kind, chosen, known)


def _check_output(output: Path) -> None:
    """Refuse what could not be written, before training rather than after it."""
    from vermeil.recognise.model_files import refuse_compressed

    if str(output) == "-":
        raise UsageError("a model cannot be written to standard output; give -o FILE")
    refuse_compressed(output)
    check_target(output)
    if output.is_dir():
        raise UsageError(f"{output}: is a folder, and a model is one file")


def _wanted(given: Sequence[str] | None, there: Mapping[str, int]) -> tuple[str, ...]:
    for label in given or ():
        if label not in there:
            raise UnknownNameError("label", label, there)
    return tuple(dict.fromkeys(given)) if given else tuple(sorted(there))


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """Names from a file; without a label they are of the only one there is."""

    label: str
    path: Path
    names: list[str]

    def label_among(self, labels: Sequence[str]) -> str:
        if self.label and self.label not in labels:
            raise UnknownNameError("label", self.label, labels)
        if not self.label and len(labels) != 1:
            raise UsageError(
                f"{self.path}: of which label are these names? There are {', '.join(labels)}; "
                f"give --lexicon LABEL={self.path}"
            )
        return self.label or labels[0]


def _read_lexicon(given: str) -> _Lexicon:
    """Read LABEL=FILE; what is itself a file has no label."""
    label, equals, path = given.partition("=")
    if not equals or Path(given).exists():
        label, path = "", given
    return _Lexicon(label, Path(path), _lines(Path(path)))


def _english(words: str) -> Collection[str]:
    from vermeil.recognise.words.preclassifier import english_words
    from vermeil.recognise.words.token_sets import words_of

    if words == NO_WORDS:
        return ()
    return words_of(_lines(Path(words)), tokeniser="words") if words else english_words()


def _lines(path: Path) -> list[str]:
    lines = (line.strip() for _, line in Source(path, "").lines())
    return [line for line in lines if line and not line.startswith("#")]


def _by_label(lexicons: Sequence[_Lexicon], labels: Sequence[str]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for each in lexicons:
        names.setdefault(each.label_among(labels), []).extend(each.names)
    return names


@contextmanager
def _watching() -> Iterator[Callable[[str], None] | None]:
    """Show on a terminal's stderr which stage is being trained."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
