"""``trees parse`` as a stage: stretches of sentences, given to an external parser.

The sentences stand in the folder of the run, one a line, so that it can go on without its input. A
parser lives on from one shard to the next: models take long to load. A shard that ends in failures
is done once the parser has shown that it still works.
"""

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import msgspec

from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing
from vermeil.parsers.answers import Failure, Sentence
from vermeil.parsers.parser import KeptParser, Parser
from vermeil.runs.engines import before_end
from vermeil.runs.manifest import GIVEN
from vermeil.runs.parts import Part, opened
from vermeil.runs.shards import Shard
from vermeil.runs.stages import Stage
from vermeil.runs.tasks import HopelessError, Reading

SHARD = 20
"""Unparsed of a shard; a run that was interrupted parses at most so many of a worker again."""

FAILED = "(())"


@dataclass(frozen=True, slots=True)
class Parsed:
    """Trees in the order of their sentences, and of each failure its number, reason and detail.

    Add two to have one after the other.
    """

    trees: list[str] = field(default_factory=list)
    failures: list[tuple[int, str, str]] = field(default_factory=list)

    def __add__(self, other: "Parsed") -> "Parsed":
        return _joined((self, other))

    @property
    def n_parsed(self) -> int:
        """Unparsed that have a tree."""
        return len(self.trees) - len(self.failures)

    @property
    def reasons(self) -> Counter[str]:
        """How many failures there are for each reason."""
        return Counter(why for _, why, _ in self.failures)

    def write(self, stream: BinaryIO) -> None:
        """Write the trees, one a line."""
        stream.writelines(tree.encode() + b"\n" for tree in self.trees)

    def publish(self, target: Path) -> None:
        """Write trees to ``target``, failures to a table beside it."""
        with replacing(target) as stream:
            self.write(stream)
        table = target.with_name(target.name + ".failures.tsv")
        table.unlink(missing_ok=True)
        if self.failures:
            with replacing(table) as stream:
                stream.write(b"sentence\treason\tdetail\n")
                rows = ("\t".join(map(str, row)) for row in self.failures)
                stream.writelines(row.encode() + b"\n" for row in rows)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Unparsed to parse, as a source."""

    sentences: Sequence[Sentence]

    def read(self, ledger: Ledger) -> Iterator[Sentence]:
        """Pass the sentences on."""
        return iter(self.sentences)


class ParseStage(Stage[Parsed, Parsed, None], frozen=True):
    """How to run the parser; its options are those of ``Parser``."""

    name: ClassVar[str] = "trees parse"
    observes: ClassVar[bool] = True
    is_dear: ClassVar[bool] = True
    noun: ClassVar[str] = "sentences"
    may_change: ClassVar[frozenset[str]] = frozenset({"timeout", "startup", "memory", "at_once"})

    command: tuple[str, ...]
    timeout: float = 60.0
    startup: float = 60.0
    memory: int | None = None
    at_once: int = 0

    @property
    def parser(self) -> Parser:
        """The parser to run."""
        return Parser(**msgspec.structs.asdict(self))

    def observe(self, items: Iterator[Sentence]) -> Parsed:
        """Parse sentences; raise HopelessError where the parser itself does not work."""
        try:
            kept = _kept(self.parser)
            answers = kept.parse(list(items))
            kept.settle()
        except UsageError as error:
            raise HopelessError(str(error)) from error
        failures = [
            (number, answer.reason, " ".join(answer.detail.split()))
            for number, answer in enumerate(answers, start=1)
            if isinstance(answer, Failure)
        ]
        trees = [FAILED if isinstance(answer, Failure) else answer for answer in answers]
        return Parsed(trees, failures)

    def finish(self, seen: Parsed) -> Parsed:
        """There is nothing to learn."""
        return seen

    def total(self, parts: Iterable[Parsed]) -> Parsed:
        """Join the trees of all shards."""
        return _joined(parts)

    def identity(self, source: Unparsed) -> Mapping[str, Any]:
        """Tell sentences from others."""
        digest = hashlib.sha256()
        for words in source.sentences:
            digest.update(" ".join(words).encode() + b"\n")
        return {"sentences": digest.hexdigest()[:32]}

    def shards(self, source: Unparsed, folder: Path, size: int) -> list[Shard]:
        """Store sentences in the folder of the run, and cut them into shards.

        Those that are given to a parser at once stay together.
        """
        path, sentences = folder / GIVEN, source.sentences
        n_each = max(1, SHARD // self.at_once) * self.at_once if self.at_once else SHARD
        shards, place = [], 0
        with replacing(path) as stream:
            for first in range(0, len(sentences), n_each):
                some = sentences[first : first + n_each]
                text = b"".join(msgspec.json.encode(words) + b"\n" for words in some)
                stream.write(text)
                part = Part(
                    str(path),
                    "jsonl",
                    start=place,
                    end=place + len(text),
                    first=first + 1,
                    size=len(text),
                )
                shards.append(Shard((part,)))
                place += len(text)
        return shards

    def read(self, shard: Shard, reading: Reading, ledger: Ledger) -> Iterator[Sentence]:
        """Read the sentences of a shard."""
        [part] = shard.parts
        with opened(Path(part.path)) as stream:
            stream.seek(part.start)
            lines = stream.read(part.end - part.start).splitlines()
        return (msgspec.json.decode(line, type=tuple[str, ...]) for line in lines)


def _joined(parts: Iterable[Parsed]) -> Parsed:
    trees: list[str] = []
    failures: list[tuple[int, str, str]] = []
    for part in parts:
        failures += [(number + len(trees), why, detail) for number, why, detail in part.failures]
        trees += part.trees
    return Parsed(trees, failures)


_OF_THREAD = threading.local()
_EVERY: set[KeptParser] = set()


def _kept(parser: Parser) -> KeptParser:
    """Return the parser of this thread; the one it had for another run ends."""
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
