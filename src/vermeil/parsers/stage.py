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
from vermeil.parsers.parser import KeptParser, Parser, Sentence
from vermeil.parsers.tagged import Token, line_of
from vermeil.programs import Failure
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
    """How to run the parsers; options are those of ``Parser``.

    A sentence goes to the next of the ``commands`` only where those before have no tree for it.
    """

    name: ClassVar[str] = "trees parse"
    observes: ClassVar[bool] = True
    is_dear: ClassVar[bool] = True
    noun: ClassVar[str] = "sentences"
    may_change: ClassVar[frozenset[str]] = frozenset({"timeout", "startup", "memory", "at_once"})

    commands: tuple[tuple[str, ...], ...]
    timeout: float = 60.0
    startup: float = 60.0
    memory: int | None = None
    at_once: int = 0
    form: str = "words"

    @property
    def parsers(self) -> tuple[Parser, ...]:
        """The parsers to run, in order."""
        options = msgspec.structs.asdict(self)
        commands = options.pop("commands")
        return tuple(Parser(command, **options) for command in commands)

    def observe(self, items: Iterator[Sentence]) -> Parsed:
        """Parse sentences; raise HopelessError where the parser itself does not work."""
        try:
            answers = _cascaded(self.parsers, list(items))
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
            digest.update(line_of(words, self.form).encode() + b"\n")
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
        return (msgspec.json.decode(line, type=tuple[Token, ...]) for line in lines)


def _joined(parts: Iterable[Parsed]) -> Parsed:
    trees: list[str] = []
    failures: list[tuple[int, str, str]] = []
    for part in parts:
        failures += [(number + len(trees), why, detail) for number, why, detail in part.failures]
        trees += part.trees
    return Parsed(trees, failures)


def _cascaded(parsers: Sequence[Parser], sentences: Sequence[Sentence]) -> list[str | Failure]:
    """Take each sentence to one parser after the other until one has a tree for it.

    Where none has, the failure is that of the first, and its detail says what the others said.
    """
    answers: list[str | Failure] = []
    for number, parser in enumerate(parsers, start=1):
        kept = _kept(parser)
        if number == 1:
            answers = kept.ask(sentences)
        else:
            failed = [at for at, answer in enumerate(answers) if isinstance(answer, Failure)]
            found = kept.ask([sentences[at] for at in failed])
            for at, answer in zip(failed, found, strict=True):
                answers[at] = _of_both(answers[at], answer, number)
        kept.settle()
    return answers


def _of_both(first: str | Failure, answer: str | Failure, number: int) -> str | Failure:
    if isinstance(answer, str) or isinstance(first, str):
        return answer
    said = f"{answer.reason} {answer.detail}".strip()
    return Failure(first.reason, f"{first.detail}; parser {number}: {said}".removeprefix("; "))


_OF_THREAD = threading.local()
_EVERY: set[KeptParser] = set()


def _kept(parser: Parser) -> KeptParser:
    """Return the parser as this thread keeps it."""
    own = _own()
    kept = own.get(parser)
    if kept is None or kept.is_stopped:
        kept = own[parser] = KeptParser(parser)
        _EVERY.add(kept)
        before_end(_stop)
    return kept


def _stop(at_once: bool) -> None:
    """Stop the parsers of this process; those that are parsing go on unless it is ``at_once``."""
    for kept in [each for each in _EVERY if at_once or not each.is_busy]:
        kept.stop()
    if at_once:
        _close_own()


def _own() -> dict[Parser, KeptParser]:
    """Return the parsers of this thread."""
    if not hasattr(_OF_THREAD, "kept"):
        _OF_THREAD.kept = {}
    own: dict[Parser, KeptParser] = _OF_THREAD.kept
    return own


def _close_own() -> None:
    own = _own()
    for kept in own.values():
        kept.close()
        _EVERY.discard(kept)
    own.clear()
