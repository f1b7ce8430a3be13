"""``vermeil demo``: the main jobs on the sample passages, in seconds."""

import sys
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from vermeil.cli.showing.terminal import print_blocks
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import write
from vermeil.formats.corpus import read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing

MODELS, MODEL_NAMES = "models", ("chem", "gene")


def demo(
    folder: Annotated[Path, typer.Argument(help="Folder for the files it makes.")] = Path(
        "vermeil-demo"
    ),
) -> None:
    """Try the main commands on sample passages, in seconds.

    Five annotators in five formats and the models of the package are brought together, combined,
    scored against gold and put on a page.
    """
    from vermeil.consensus import ConsensusStage, voting
    from vermeil.reports.page import make_page
    from vermeil.reports.spans.findings import find_spans
    from vermeil.runs.streaming import Held, Streaming
    from vermeil.samples import ANNOTATORS, GOLD
    from vermeil.scoring.scores import score
    from vermeil.scoring.stage import ScoreStage
    from vermeil.verbs.tables.consensus import reliability_blocks
    from vermeil.verbs.tables.scores import Doubts, score_blocks

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
    work = Streaming(ConsensusStage(chosen=tuple(names)), Held(documents))
    combined = list(work.documents())
    scores = score(combined, standard="gold")

    corpus, report = folder / "corpus.jsonl", folder / "report.html"
    disputed = folder / "annotators.jsonl"
    write(combined, corpus, ledger=ledger)
    write([voting(document, names) for document in documents], disputed, ledger=ledger)
    findings = find_spans(documents, gold="gold", annotators=names)
    with replacing(report) as stream:
        page = make_page("The sample passages", spans=findings, inputs=[str(corpus)])
        stream.write(page.encode())
    for line in ledger.summary():
        typer.echo(f"note: {line}")
    typer.echo("\nvermeil consensus: what they agree on, without looking at gold\n")
    print_blocks(reliability_blocks(work.known.model))
    typer.echo("\nvermeil score: everybody against gold\n")
    sums = ScoreStage("gold").sums_of(scores)
    print_blocks(score_blocks("gold", sums, "", Doubts()))
    typer.echo(f"all layers: {corpus}\nreport:     {report}")
    program = "vermeil" if which("vermeil") else Path(sys.executable).with_name("vermeil")
    typer.echo(f"settle what is disputed: {program} review {folder / 'review.db'} {disputed}")


def _with_models(documents: list[Document]) -> list[Document]:
    """Add a layer with the names that the models of the package find."""
    from vermeil.models import path_of
    from vermeil.recognise.recogniser import load
    from vermeil.recognise.tagging import tag

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
