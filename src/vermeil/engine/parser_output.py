"""The trees of a parser as a file that an interrupted run can take up again.

While the run lasts, its answers grow in ``OUT.partial``: Penn brackets, one tree a line and
``(())`` for a failure, below a comment that says which command and which sentences they belong
to; a comment before each failure gives its reason. How far the run came is what stands there, so
no second file can disagree with it. At the end the comments are left out: the trees become
``OUT``, the failures a table, ``OUT.failures.tsv`` (sentence number, reason, detail).
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from vermeil.engine.parser_answers import Failure, Sentence
from vermeil.engine.parser_runs import Parser, parse_sentences
from vermeil.errors import UsageError
from vermeil.formats.sink import replacing

COMMENT = b";;"
FAILED = b"(())\n"

Answers = Iterator[str | Failure]


class Manifest(msgspec.Struct, frozen=True):
    """Which run a partial file belongs to."""

    command: tuple[str, ...]
    n_sentences: int
    digest: str

    @staticmethod
    def of(parser: Parser, sentences: Sequence[Sentence]) -> "Manifest":
        """Describe a run. Time-outs and workers are no part of it and may change on the way."""
        digest = hashlib.sha256()
        for words in sentences:
            digest.update(" ".join(words).encode() + b"\n")
        return Manifest(parser.command, len(sentences), digest.hexdigest())


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


def parse_to_file(
    sentences: Sequence[Sentence],
    target: Path,
    parser: Parser,
    *,
    n_workers: int = 1,
    restart: bool = False,
    watch: Callable[[Answers], Answers] = iter,
) -> RunSummary:
    """Parse the sentences into ``target``, going on where the same run was interrupted.

    ``restart`` forgets an earlier run; ``watch`` sees the answers go by. Raise UsageError where
    the partial file is that of another run or is being written by one.
    """
    manifest = Manifest.of(parser, sentences)
    partial = target.with_name(target.name + ".partial")
    with _opened(partial) as stream:
        n_before = _take_up(stream, partial, manifest, restart=restart)
        with closing(parse_sentences(sentences[n_before:], parser, n_workers=n_workers)) as answers:
            try:
                for number, answer in enumerate(watch(answers), start=n_before + 1):
                    _add(stream, partial, _lines(number, answer))
            except UsageError:
                _forget_last_failures(stream, partial)
                raise
        failures = _publish(partial, target)
        partial.unlink()
    return RunSummary(len(sentences), n_before, failures)


@contextmanager
def _opened(partial: Path) -> Iterator[BinaryIO]:
    """Open for adding, and keep other runs out."""
    import fcntl  # not on every system, and neither are the parsers

    try:
        stream = partial.open("ab")
    except OSError as error:
        raise UsageError(f"{partial}: cannot be written: {error.strerror}") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{partial}: another run is writing there; wait for it") from None
        yield stream


def _take_up(stream: BinaryIO, partial: Path, manifest: Manifest, *, restart: bool) -> int:
    """Bring the partial file to the end of its last whole answer; give the number of answers."""
    found = None if restart else _manifest_in(partial)
    if found is None:
        stream.truncate(0)
        _add(stream, partial, COMMENT + b" " + msgspec.json.encode(manifest) + b"\n")
        return 0
    if found != manifest:
        same = found.command == manifest.command
        raise UsageError(
            f"{partial}: left by a run {'over other sentences' if same else 'of another command'}; "
            "repeat that one to go on, or start over with --restart"
        )
    n_done, end = _last(partial, _is_answer)
    stream.truncate(end)
    return n_done


def _manifest_in(partial: Path) -> Manifest | None:
    with partial.open("rb") as stream:
        line = stream.readline()
    if not line.endswith(b"\n") and COMMENT.startswith(line[:2]):
        return None  # new, or cut off before anything was done
    try:
        return msgspec.json.decode(line.removeprefix(COMMENT), type=Manifest)
    except msgspec.MsgspecError:
        raise UsageError(
            f"{partial}: was not left by a run of a parser; move it away, or overwrite it with "
            "--restart"
        ) from None


def _last(partial: Path, is_wanted: Callable[[bytes], bool]) -> tuple[int, int]:
    """Find the last whole line wanted: the answers up to it, and the offset of its end."""
    n_answers = n_found = 0
    with partial.open("rb") as lines:
        end = place = len(lines.readline())
        for line in lines:
            if not line.endswith(b"\n"):
                break
            place += len(line)
            n_answers += _is_answer(line)
            if is_wanted(line):
                n_found, end = n_answers, place
    return n_found, end


def _is_answer(line: bytes) -> bool:
    return not line.startswith(COMMENT)


def _is_tree(line: bytes) -> bool:
    return _is_answer(line) and line != FAILED


def _lines(number: int, answer: str | Failure) -> bytes:
    if isinstance(answer, str):
        return answer.encode() + b"\n"
    cells = (str(number), answer.reason, " ".join(answer.detail.split()))
    return COMMENT + "\t".join(cells).encode() + b"\n" + FAILED


def _add(stream: BinaryIO, partial: Path, lines: bytes) -> None:
    """Write at once, so that what is done outlives a sudden end."""
    try:
        stream.write(lines)
        stream.flush()
    except OSError as error:
        raise UsageError(f"{partial}: cannot be written: {error.strerror}") from error


def _forget_last_failures(stream: BinaryIO, partial: Path) -> None:
    """Drop the failures a broken parser ended with: they are not those of the sentences."""
    n_answers, end = _last(partial, _is_tree)
    stream.truncate(end)
    if not n_answers:
        partial.unlink()


def _publish(partial: Path, target: Path) -> Counter[str]:
    """Write the trees and the table of failures; count the failures by reason."""
    rows = []
    with partial.open("rb") as lines, replacing(target) as trees:
        lines.readline()
        for line in lines:
            if _is_answer(line):
                trees.write(line)
            else:
                rows.append(line.removeprefix(COMMENT))
    table = target.with_name(target.name + ".failures.tsv")
    table.unlink(missing_ok=True)
    if rows:
        with replacing(table) as stream:
            stream.writelines([b"sentence\treason\tdetail\n", *rows])
    return Counter(row.decode().split("\t")[1] for row in rows)
