"""``vermeil trees parse``: feed sentences to any external parser."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.reading import SourceFormat
from vermeil.cli.options.running import EngineOptions
from vermeil.cli.options.writing import AsJson, check_output
from vermeil.cli.showing.terminal import print_json, print_table
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import guess_format, read
from vermeil.formats.files.source import head
from vermeil.formats.kinds.treebanks import penn

if TYPE_CHECKING:
    from vermeil.parsers.parser import Parser
    from vermeil.parsers.stage import ParseStage
    from vermeil.runs.driver import Engagement

PLAIN = ("", ".lines", ".tok", ".txt")
"""Suffixes of files with a sentence a line."""


@dataclass(frozen=True, slots=True)
class ParseSummary:
    """What came of a run: ``n_before`` of the sentences had been done by an earlier one."""

    n_sentences: int
    n_before: int
    failures: Counter[str]

    @property
    def n_parsed(self) -> int:
        """Sentences that have a tree."""
        return self.n_sentences - self.failures.total()


def parse(
    source: Annotated[
        str, argument("IN", "File with a sentence a line, in words, or trees; - is stdin.")
    ],
    command: Annotated[str, option("COMMAND", "How to start the parser.", "--cmd")],
    output: Annotated[str, option("OUT", "File for the trees; - is stdout.", "-o", "--output")],
    *,
    running: EngineOptions,
    timeout: Annotated[
        float, option("SECONDS", "Give up a sentence after this time.", min=0.001)
    ] = 60.0,
    startup: Annotated[
        float, option("SECONDS", "Wait longer for the first answer of a parser.", min=0.0)
    ] = 60.0,
    memory: Annotated[
        int | None, option("MB", "Memory that a parser may take, in megabytes.", min=1)
    ] = None,
    one_shot: Annotated[
        int,
        option(
            "N",
            "Start the parser anew for every N sentences, if it answers only at their end.",
            min=0,
        ),
    ] = 0,
    restart: Annotated[
        bool, flag("Begin anew instead of where an earlier run stopped.", "--restart")
    ] = False,
    source_format: SourceFormat = None,
    as_json: AsJson = False,
) -> None:
    """Parse sentences with an external program.

    It reads a sentence a line and writes a tree a line; for a pipeline: --cmd "sh -c '… | …'". A
    sentence that fails is (()) in OUT, its reason in OUT.failures.tsv. An interrupted run goes on
    where it stopped when it is given again.
    """
    from vermeil.parsers.parser import check_parser
    from vermeil.parsers.stage import ParseStage

    check_output(output, as_json=as_json)
    if output != "-" and Path(output) == Path(source):
        raise UsageError(f"{output}: is the input; write to another file")
    engagement = running.engagement()
    stage = ParseStage(
        _words_of_command(command),
        timeout=timeout,
        startup=startup,
        memory=memory,
        at_once=one_shot,
    )
    check_parser(stage.parser)
    sentences = list(_sentences(source, source_format))
    begun = monotonic()
    if output == "-" and not engagement.is_asked_for:
        summary = _print_trees(sentences, stage.parser)
    else:
        summary = _parse(stage, sentences, engagement, output, restart=restart)
    if output == "-":
        typer.echo(f"vermeil: {_in_words(summary)}", err=True)
    elif as_json:
        print_json(_as_data(summary, monotonic() - begun))
    else:
        _show(summary, monotonic() - begun)
    if sentences and not summary.n_parsed:
        see = f"; see {output}.failures.tsv" if output != "-" else ""
        raise UsageError(f"{source}: nothing could be parsed: {_in_words(summary)}{see}")


def _words_of_command(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"--cmd {command!r}: {error}") from error


def _sentences(source: str, format: str | None) -> Iterator[tuple[str, ...]]:
    path = Path(source)
    documents = list(read(path, format=format or _format_of(path)))
    if source == "-" and not format and penn.sniff("\n".join(each.text for each in documents[:9])):
        raise UsageError("-: these look like trees; say --from penn, or lines if they are not")
    for document in documents:
        yield from _sentences_of(document)


def _format_of(path: Path) -> str:
    if str(path) == "-":
        return "lines"
    if not path.exists() or path.is_dir():
        return guess_format(path)
    if penn.sniff(head(path)):
        return "penn"
    return "lines" if path.suffix in PLAIN else guess_format(path)


def _sentences_of(document: Document) -> Iterator[tuple[str, ...]]:
    """Return the words of a document's trees, or of its text; none where all parsers failed."""
    if not document.trees:
        yield tuple(document.text.split())
        return
    for trees in zip(*document.trees.values(), strict=True):
        yield next((tree.words for tree in trees if tree is not None), ())


def _parse(
    stage: ParseStage,
    sentences: list[tuple[str, ...]],
    engagement: Engagement,
    output: str,
    *,
    restart: bool,
) -> ParseSummary:
    from vermeil.cli.long_runs import worked_through
    from vermeil.formats.files.ledger import Ledger
    from vermeil.parsers.stage import Unparsed
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target

    with worked_through(
        Job(
            stage,
            Unparsed(sentences),
            ledger=Ledger(),
            target=Target(output),
            engagement=engagement,
            restart=restart,
        )
    ) as done:
        if output == "-":
            done.known.write(sys.stdout.buffer)
        else:
            done.known.publish(Path(output))
    return ParseSummary(len(sentences), done.n_before, done.known.reasons)


def _print_trees(sentences: list[tuple[str, ...]], parser: Parser) -> ParseSummary:
    from vermeil.parsers.answers import Failure
    from vermeil.parsers.parser import parse_sentences
    from vermeil.parsers.stage import FAILED

    failures: Counter[str] = Counter()
    for answer in parse_sentences(sentences, parser):
        if isinstance(answer, Failure):
            failures[answer.reason] += 1
        sys.stdout.buffer.write((answer if isinstance(answer, str) else FAILED).encode() + b"\n")
        sys.stdout.buffer.flush()
    return ParseSummary(len(sentences), 0, failures)


def _as_data(summary: ParseSummary, seconds: float) -> dict[str, object]:
    return {
        "sentences": summary.n_sentences,
        "parsed": summary.n_parsed,
        "failures": dict(summary.failures.most_common()),
        "done_before": summary.n_before,
        "seconds": round(seconds, 3),
    }


def _show(summary: ParseSummary, seconds: float) -> None:
    n_new = summary.n_sentences - summary.n_before
    rows: list[tuple[str, int]] = [("parsed", summary.n_parsed), *summary.failures.most_common()]
    print_table(f"{summary.n_sentences:,} sentences", ["", "n"], rows)
    before = f"; {summary.n_before:,} had been done before" if summary.n_before else ""
    typer.echo(f"{n_new:,} in {seconds:.1f} s{before}")


def _in_words(summary: ParseSummary) -> str:
    counts = {"parsed": summary.n_parsed, **dict(summary.failures.most_common())}
    return ", ".join(f"{n:,} {what}" for what, n in counts.items())
