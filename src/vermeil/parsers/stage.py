"""``trees parse`` by shards: stretches of sentences, given to an external parser.

The sentences stand in the folder of the run, one a line, so that it can go on without its input. A
parser lives on from one shard to the next: models take long to load. A shard that ends in failures
is done once the parser has shown that it still works.
"""

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from vermeil.errors import UsageError
from vermeil.formats.files.sink import replacing
from vermeil.parsers.answers import Failure, Sentence
from vermeil.parsers.parser import KeptParser, Parser
from vermeil.runs.engines import before_end
from vermeil.runs.manifest import GIVEN
from vermeil.runs.parts import Part, opened
from vermeil.runs.results import Result, read_result
from vermeil.runs.shards import Shard
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import HopelessError, Task

SHARD = 20
"""Sentences of a shard; a run that was interrupted parses at most so many of a worker again."""

FAILED = "(())"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What came of a run: ``n_before`` of the sentences had been done by an earlier one."""

    n_sentences: int
    n_before: int
    failures: Counter[str]

    @property
    def n_parsed(self) -> int:
        """Sentences that have a tree."""
        return self.n_sentences - self.failures.total()


def digest_of(sentences: Iterable[Sentence]) -> str:
    """Tell sentences from others."""
    digest = hashlib.sha256()
    for words in sentences:
        digest.update(" ".join(words).encode() + b"\n")
    return digest.hexdigest()[:32]


def lay_out(sentences: Sequence[Sentence], folder: Path, *, at_once: int) -> list[Shard]:
    """Store sentences in the folder of a run, and cut them into shards.

    Those that are given to a parser at once stay together.
    """
    path = folder / GIVEN
    size = max(1, SHARD // at_once) * at_once if at_once else SHARD
    shards, place = [], 0
    with replacing(path) as stream:
        for first in range(0, len(sentences), size):
            lines = [msgspec.json.encode(words) for words in sentences[first : first + size]]
            text = b"\n".join([*lines, b""])
            stream.write(text)
            part = Part(str(path), "jsonl", None, place, place + len(text), first + 1, len(text))
            shards.append(Shard((part,)))
            place += len(text)
    return shards


def parse_shard(task: Task, parser: Parser) -> Result:
    """Parse the sentences of a shard."""
    [part] = task.shard.parts
    sentences = _sentences(part)
    try:
        kept = _kept(parser)
        answers = kept.parse(sentences)
        kept.settle()
    except UsageError as error:
        raise HopelessError(str(error)) from error
    failures = [
        (number, answer.reason, " ".join(answer.detail.split()))
        for number, answer in enumerate(answers, start=part.first)
        if isinstance(answer, Failure)
    ]
    trees = [FAILED if isinstance(answer, Failure) else answer for answer in answers]
    return Result({"n_documents": len(trees), "trees": trees, "failures": failures})


def write_trees(results: Iterable[Path], stream: BinaryIO) -> list[tuple[int, str, str]]:
    """Write the trees of all shards, one a line; give the failures."""
    failures = []
    for result in map(read_result, results):
        stream.writelines(tree.encode() + b"\n" for tree in result.facts["trees"])
        failures += [(number, why, detail) for number, why, detail in result.facts["failures"]]
    return failures


def publish(results: Iterable[Path], target: Path) -> Counter[str]:
    """Write trees to ``target``, failures to a table beside it; count failures by reason."""
    with replacing(target) as stream:
        failures = write_trees(results, stream)
    table = target.with_name(target.name + ".failures.tsv")
    table.unlink(missing_ok=True)
    if failures:
        with replacing(table) as stream:
            stream.write(b"sentence\treason\tdetail\n")
            stream.writelines("\t".join(map(str, row)).encode() + b"\n" for row in failures)
    return Counter(why for _, why, _ in failures)


def _sentences(part: Part) -> list[tuple[str, ...]]:
    with opened(Path(part.path)) as stream:
        stream.seek(part.start)
        lines = stream.read(part.end - part.start).splitlines()
    return [msgspec.json.decode(line, type=tuple[str, ...]) for line in lines]


_OF_THREAD = threading.local()
_EVERY: set[KeptParser] = set()


def _kept(parser: Parser) -> KeptParser:
    """Give the parser of this thread; the one it had for another run ends."""
    kept: KeptParser | None = getattr(_OF_THREAD, "kept", None)
    if kept is None or kept.is_stopped or kept.parser != parser:
        _close_own()
        kept = _OF_THREAD.kept = KeptParser(parser)
        _EVERY.add(kept)
        before_end(_stop)
    return kept


def _stop(at_once: bool) -> None:
    """Stop the parsers of this process; those that are parsing go on unless it is ``at_once``."""
    for kept in [each for each in _EVERY if at_once or not each.is_busy]:
        kept.stop()
    if at_once:
        _close_own()


def _close_own() -> None:
    kept: KeptParser | None = getattr(_OF_THREAD, "kept", None)
    if kept is not None:
        kept.close()
        _EVERY.discard(kept)
        _OF_THREAD.kept = None


STAGE = Stage(
    "trees-parse",
    __name__,
    Parser,
    (Step("parse", parse_shard),),
    may_change=frozenset({"timeout", "startup", "memory", "at_once"}),
)
