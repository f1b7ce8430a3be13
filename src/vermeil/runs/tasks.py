"""A task: one shard in one step of a stage, with all that a worker needs to know.

Doing it twice does the same again: documents and result are written under a temporary name and
renamed, the result last.
"""

import errno
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from vermeil.document import Document
from vermeil.errors import OUT_OF_MEMORY, UsageError, VermeilError
from vermeil.formats import get_format, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import clear_left_behind
from vermeil.formats.labels import Labels
from vermeil.runs.fingerprints import Fingerprint, changed_file, digest_of_file
from vermeil.runs.results import sync_folder
from vermeil.runs.shards import Shard, read_shard

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Errors after which no other shard can be written either."""

MAKE_ROOM = "; the shards that are done are kept: make room and repeat the command to go on"


class HopelessError(UsageError):
    """What went wrong with this shard would go wrong with every other."""


class Reading(msgspec.Struct, frozen=True):
    """How shards are read."""

    fuzzy: bool = False
    options: dict[str, str] = {}
    skip_bad: bool = False
    labels: Labels = Labels()

    def documents(
        self, shard: Shard, ledger: Ledger, *, in_columns: bool = False
    ) -> Iterator[Document]:
        """Read the documents of a shard."""
        found = read_shard(
            shard, ledger, fuzzy=self.fuzzy, options=self.options, in_columns=in_columns
        )
        return self.labels.apply(found, ledger)


class Output(msgspec.Struct, frozen=True):
    """Where the documents of shards go: a file each in ``folder``."""

    folder: str
    format: str = "jsonl"
    layer: str | None = None
    options: dict[str, str] = {}
    prefix: str = ""

    def path(self, number: int) -> Path:
        """Return the file of a shard."""
        suffix = next(iter(get_format(self.format).suffixes), "")
        return Path(self.folder) / f"{self.prefix}{number:06}{suffix}"

    def clear_partial(self) -> None:
        """Remove what workers that were killed left half-written."""
        clear_left_behind(Path(self.folder), rf"{self.prefix}\d{{6}}[^/]*")


class Task(msgspec.Struct, frozen=True):
    """Some work for a worker: where its stage is, and the options of that as JSON.

    ``files`` are those it reads, as they were when the run began.
    """

    stage: str
    step: str
    number: int
    shard: Shard
    options: bytes
    reading: Reading
    folder: str
    output: Output | None = None
    files: tuple[Fingerprint, ...] = ()

    @property
    def result(self) -> Path:
        """Where the result goes; the task is done when it is there."""
        return Path(self.folder) / self.step / f"{self.number:06}.npz"

    def write(self, documents: Iterable[Document], ledger: Ledger) -> str:
        """Write the documents that come of the shard, and return a digest of the file.

        Without a target they are but counted.
        """
        output = self.output
        if output is None:
            for _ in documents:
                pass
            return ""
        path = output.path(self.number)
        write(
            documents,
            path,
            format=output.format,
            layer=output.layer,
            ledger=ledger.toward(output.folder) if output.prefix else ledger,
            options=output.options,
        )
        sync_folder(path.parent)
        return digest_of_file(path)

    def refuse_changed(self) -> None:
        """Raise HopelessError where a file has changed since the run began."""
        path = changed_file(self.files)
        if path is not None:
            raise HopelessError(
                f"{path}: was changed while it was read, so this run would mix the old with the "
                f"new; put it back and repeat the command to go on, or remove {self.folder} to "
                "begin anew"
            )


class TaskEnd(msgspec.Struct, frozen=True):
    """How a task ended: with so many items done, or with an error.

    ``ends_run`` says that it is no use to go on with other shards. Bugs come with a traceback.
    """

    n_items: int = 0
    error: str = ""
    ends_run: bool = False
    trace: str = ""


def failed(error: Exception) -> TaskEnd:
    """Describe an error. It is told as text, for not every error can be sent as it is."""
    if isinstance(error, MemoryError):
        return TaskEnd(error=OUT_OF_MEMORY)
    is_ours = isinstance(error, VermeilError)
    said = str(error) if is_ours else f"{type(error).__name__}: {error}"
    if _is_full(error):
        return TaskEnd(error=said + MAKE_ROOM, ends_run=True)
    return TaskEnd(
        error=said,
        ends_run=isinstance(error, HopelessError),
        trace="" if is_ours else traceback.format_exc(),
    )


def _is_full(error: BaseException | None) -> bool:
    """Tell whether an error comes of a disk without room."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        error = error.__cause__
    return False
