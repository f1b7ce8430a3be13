"""``vermeil demo``: the main jobs on the sample passages, in seconds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.consensus import show_reliability
from vermeil.cli.score_tables import Doubts, print_scores
from vermeil.consensus import Options, combine, observe, voting
from vermeil.consensus.reliability import Reliability
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import write
from vermeil.formats.corpus import read_corpus
from vermeil.formats.ledger import Ledger
from vermeil.formats.sink import replacing
from vermeil.samples import ANNOTATORS, GOLD
from vermeil.scoring.scores import Scores, score

MODELS, MODEL_NAMES = "models", ("chem", "gene")


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put what it makes.")] = Path(
        "vermeil-demo"
    ),
) -> None:
    """Bring five annotators in five formats and our own models together, and score them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}") from error
    typer.echo("Five annotators of the sample passages, and the gold standard to judge them by:")
    for each in (*ANNOTATORS, GOLD):
        typer.echo(f"  {each.path.name:<22}{each.format or 'jsonl'}")
    typer.echo("A sixth, our models chem and gene, reads them now: vermeil tag --model gene …")
    ledger = Ledger()
    documents = _with_models(list(read_corpus([GOLD, *ANNOTATORS], ledger=ledger)))
    names = [*(each.annotator for each in ANNOTATORS if each.annotator), MODELS]
    learned = observe(
        (voting(document, names) for document in documents), by="hearts", options=Options()
    )
    combined = combine(documents, annotators=names)
    scores = score(combined, standard="gold")

    corpus, report = folder / "corpus.jsonl", folder / "report.md"
    write(combined, corpus, ledger=ledger)
    with replacing(report) as stream:
        stream.write(_report(scores, learned, ledger).encode())
    for line in ledger.summary():
        typer.echo(f"note: {line}")
    typer.echo("\nvermeil consensus: what they agree on, without looking at gold\n")
    show_reliability(learned)
    typer.echo("\nvermeil score: everybody against gold\n")
    print_scores(scores, "", Doubts())
    typer.echo(f"all layers: {corpus}\nreport:     {report}")


def _with_models(documents: list[Document]) -> list[Document]:
    """Add a layer with the names that the models of the package find."""
    from vermeil.models import path_of
    from vermeil.recognise.found import tag
    from vermeil.recognise.table import load

    for name in MODEL_NAMES:
        documents = list(tag(load(path_of(name)), documents, name=name))
    return [
        document.replace(
            layers={
                **{key: layer for key, layer in document.layers.items() if key not in MODEL_NAMES},
                MODELS: tuple(span for name in MODEL_NAMES for span in document.layers[name]),
            }
        )
        for document in documents
    ]


def _report(scores: Mapping[str, Scores], learned: Reliability, ledger: Ledger) -> str:
    first = next(iter(scores.values()))
    rows = [
        f"| {name} | {exact.precision:.3f} | {exact.recall:.3f} | {exact.f1:.3f} | {near.f1:.3f} |"
        for name, each in sorted(scores.items(), key=lambda item: -item[1].counts("exact").f1)
        for exact, near in [(each.counts("exact"), each.counts("centroid"))]
    ]
    coins = learned.existence
    trust = [
        f"| {name} | {coins.hit[k]:.3f} | {coins.alarm[k]:.3f} | {learned.left.share[1, k]:.2f} "
        f"| {learned.right.share[1, k]:.2f} |"
        for k, name in enumerate(learned.annotators)
    ]
    notes = [f"- {line}" for line in ledger.summary()] or ["- nothing"]
    return "\n".join(
        [
            "# The sample passages",
            "",
            f"{len(first.documents)} documents; five annotators, our models and their consensus "
            "against gold.",
            "",
            "| | precision | recall | F1, exact | F1, centroid |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "## What their agreement says about them, without gold",
            "",
            "| annotator | finds | invents | cuts too wide on the left | on the right |",
            "|---|---|---|---|---|",
            *trust,
            "",
            "## What happened on the way in",
            "",
            *notes,
            "",
        ]
    )
