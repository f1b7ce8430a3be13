"""``vermeil trees parse``: feed sentences to any external parser."""

from __future__ import annotations

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
from vermeil.cli.showing.terminal import print_json, print_table, say
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import guess_format, read
from vermeil.formats.files.source import Source, head
from vermeil.formats.kinds.treebanks import penn
from vermeil.tree import TRACE, unescape

if TYPE_CHECKING:
    from vermeil.parsers.parser import Parser, Sentence
    from vermeil.parsers.stage import ParseStage
    from vermeil.runs.driver import Engagement

FORMS = ("words", "tagged", "slashed", "collins", "bikel")
"""The names in ``parsers.tagged.FORMS``, which is not loaded for the help."""

TAG_SOURCES = ("trees", "inline")
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
    commands: Annotated[
        list[str],
        option("COMMAND", "How to start the parser; further ones get what failed.", "--cmd"),
    ],
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
    form: Annotated[
        str,
        option("FORM", f"How sentences are written: {', '.join(FORMS)}.", "--input", offered=FORMS),
    ] = "words",
    tags: Annotated[
        str,
        option("trees|inline|N", "Where tags are: in IN's trees, its words (p53_NN) or a column."),
    ] = "trees",
    tagger: Annotated[
        str | None, option("COMMAND", "Tag with a program that writes word_TAG, a line each.")
    ] = None,
    source_format: SourceFormat = None,
    as_json: AsJson = False,
) -> None:
    """Parse sentences with an external program.

    It reads a sentence a line and writes a tree a line; for a pipeline: --cmd "sh -c '… | …'".
    With several --cmd a sentence goes to the next where those before failed; one that fails is (())
    in OUT, its reason in OUT.failures.tsv. An interrupted run goes on where it stopped when it is
    given again.
    """
    from vermeil.parsers.parser import check_parser
    from vermeil.parsers.stage import ParseStage
    from vermeil.programs.kept import words_of_command

    check_output(output, as_json=as_json)
    if output != "-" and Path(output) == Path(source):
        raise UsageError(f"{output}: is the input; write to another file")
    engagement = running.engagement()
    _check_tags(form, tags, tagger)
    stage = ParseStage(
        tuple(words_of_command(command) for command in commands),
        timeout=timeout,
        startup=startup,
        memory=memory,
        at_once=one_shot,
        form=form,
    )
    for parser in stage.parsers:
        check_parser(parser)
    if form == "words":
        sentences: list[Sentence] = list(_sentences(source, source_format))
    else:
        sentences = _tagged(source, source_format, tags, tagger)
    begun = monotonic()
    if output == "-" and not engagement.is_asked_for and len(commands) == 1:
        summary = _print_trees(sentences, stage.parsers[0])
    else:
        summary = _parse(stage, sentences, engagement, output, restart=restart)
    if output == "-":
        say(f"vermeil: {_in_words(summary)}")
    elif as_json:
        print_json(_as_data(summary, monotonic() - begun))
    else:
        _show(summary, monotonic() - begun)
    if sentences and not summary.n_parsed:
        see = f"; see {output}.failures.tsv" if output != "-" else ""
        raise UsageError(f"{source}: nothing could be parsed: {_in_words(summary)}{see}")


def _check_tags(form: str, tags: str, tagger: str | None) -> None:
    if form not in FORMS:
        raise UsageError(f"--input takes {', '.join(FORMS)}, not {form!r}")
    if tags not in TAG_SOURCES and not (tags.isdecimal() and int(tags) > 1):
        raise UsageError(f"--tags takes trees, inline or the number of a column, not {tags!r}")
    if form == "words" and (tagger is not None or tags != "trees"):
        raise UsageError("--tags and --tagger are for tagged input; add --input tagged")
    if tagger is not None and tags != "trees":
        raise UsageError("--tagger makes the tags; leave --tags out")


def _tagged(source: str, format: str | None, tags: str, tagger: str | None) -> list[Sentence]:
    """Read sentences with their tags."""
    from vermeil.parsers.tagged import columns, inline, tagged_by
    from vermeil.programs.kept import words_of_command

    if tagger is not None:
        plain = list(_sentences(source, format))
        return list(tagged_by(words_of_command(tagger, "--tagger"), plain))
    if tags.isdecimal():
        lines = (line for _, line in Source(Path(source), "").lines())
        return list(columns(lines, int(tags), source))
    if tags == "inline":
        words = enumerate(_sentences(source, format), start=1)
        return [inline(each, f"{source}, sentence {number}") for number, each in words]
    found: list[Sentence] = []
    for document in read(Path(source), format=format or _format_of(Path(source))):
        if not document.trees:
            raise UsageError(f"{source}: has no trees to take tags from; say --tags or --tagger")
        for trees in zip(*document.trees.values(), strict=True):
            tree = next((tree for tree in trees if tree is not None), None)
            leaves = tree.leaves() if tree is not None else ()
            found.append([(unescape(word), tag) for tag, word in leaves if tag != TRACE])
    return found


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
    sentences: list[Sentence],
    engagement: Engagement,
    output: str,
    *,
    restart: bool,
) -> ParseSummary:
    from vermeil.cli.showing.long_runs import worked_through
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


def _print_trees(sentences: list[Sentence], parser: Parser) -> ParseSummary:
    from vermeil.parsers.parser import parse_sentences
    from vermeil.parsers.stage import FAILED
    from vermeil.programs import Failure

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
