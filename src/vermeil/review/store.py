"""The file of a review: documents with their layers, and every decision as an event.

Events are append-only, and the database itself refuses to change or delete one. ``works`` is what
the events of one layer on one document come to; it is a cache that can be made again from
the events. ``ranks`` is apart from ``documents`` so that a new order does not write the texts
again; it keeps the votes of each document (see ``voices``), from which the order is made without
the texts.

Commits are synchronous: what is committed survives the loss of the process and of power. One
process at a time may write (see ``lock``); its threads take turns through ``Store.writing``. A file
of an earlier version is brought up to date when it is opened, also to be read.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock

import msgspec

from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UsageError, VermeilError
from vermeil.formats.kinds.own.jsonl import DocumentRow, from_row, to_row
from vermeil.review.schema import ARCHIVED_ANNOTATORS, MIGRATIONS, migrate

LARGEST_NUMBER = 1 << 63
"""SQLite's whole numbers end before this."""


class UnknownDocumentError(UsageError):
    """There is no document with this number."""


@contextmanager
def made_or_gone(path: Path | str) -> Iterator[None]:
    """Let a block make a review; where it cannot, for a reason it can name, nothing is left of it.

    A review that was there before stays as it is, and so does one whose process is stopped: the
    next import goes on with that.
    """
    target = Path(path)
    is_new = not target.exists()
    try:
        yield
    except VermeilError:
        for suffix in ("", "-wal", "-shm", "-journal", ".lock") if is_new else ():
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        raise


class Store:
    """An open review file."""

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock = RLock()
        if read_only and not self.path.is_file():
            raise UsageError(f"{path}: there is no such review; give it inputs to make one")
        try:
            if read_only and not _is_newest(self.path):
                Store(path).close()
            self.connection = _connect(self.path, read_only=read_only)
            if not read_only:
                migrate(self.connection)
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{path}: cannot be opened as a review: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self.connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one thread at a time."""
        with self._lock, self._undamaged():
            yield self.connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run a block as one transaction: when it ends well all of it is on disk, else nothing."""
        with self._lock:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def setting(self, name: str, default: str = "") -> str:
        """Look up a setting."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT value FROM settings WHERE name = ?", (name,)
            ).fetchone()
        return str(row[0]) if row else default

    def n_documents(self) -> int:
        """Count the documents."""
        with self.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM ranks").fetchone()[0])

    def document(self, number: int) -> Document:
        """Read a document by its number; UnknownDocumentError where there is none.

        Annotators that were put aside are not in it, here and in ``documents``.
        """
        row = None
        if 0 < number < LARGEST_NUMBER:
            with self.reading() as connection:
                row = connection.execute(
                    "SELECT content FROM documents WHERE number = ?", (number,)
                ).fetchone()
        if row is None:
            raise UnknownDocumentError("there is no such document")
        with self._undamaged():
            return present(decoded(row[0]), self.archived_annotators())

    def documents(self) -> Iterator[tuple[int, Document]]:
        """Yield documents that are not put aside with their numbers, by a connection of its own."""
        aside = self.archived_annotators()
        with closing(_connect(self.path, read_only=True)) as connection, self._undamaged():
            for number, content in connection.execute(
                "SELECT number, content FROM documents WHERE number NOT IN "
                "(SELECT document FROM ranks WHERE is_archived) ORDER BY number"
            ):
                yield number, present(decoded(content), aside)

    def archived_annotators(self) -> frozenset[str]:
        """Name the annotators that were put aside."""
        raw = self.setting(ARCHIVED_ANNOTATORS)
        return msgspec.json.decode(raw, type=frozenset[str]) if raw else frozenset()

    def layers(self, *, but: Iterable[str] = ()) -> list[str]:
        """Name the layers on which decisions were made."""
        with self.reading() as connection:
            rows = connection.execute("SELECT DISTINCT layer FROM works ORDER BY layer").fetchall()
        left_out = set(but)
        return [name for (name,) in rows if name not in left_out]

    @contextmanager
    def _undamaged(self) -> Iterator[None]:
        """Say in one line that a file holds what no review does."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise
            raise UsageError(f"{self.path}: is no review or is damaged: {error}") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise UsageError(f"{self.path}: is damaged: {error}") from error


def decoded(content: bytes) -> Document:
    """Make the document of a stored row."""
    return from_row(_DECODER.decode(content))


def present(document: Document, aside: frozenset[str]) -> Document:
    """Leave out what annotators said who were put ``aside``."""
    if not aside:
        return document
    left_out = {*aside, *(name + ALTERNATIVES for name in aside)}
    return document.replace(
        layers={name: layer for name, layer in document.layers.items() if name not in left_out},
        standards={k: v for k, v in document.standards.items() if k not in left_out},
    )


def encoded(document: Document) -> bytes:
    """Make the stored row of a document."""
    return _ENCODER.encode(to_row(document))


def _is_newest(path: Path) -> bool:
    with closing(_connect(path, read_only=True)) as connection:
        [(version,)] = connection.execute("PRAGMA user_version")
    return bool(version >= len(MIGRATIONS))


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rw"
    if not read_only:
        # The secret behind cookies and the hashes of passwords are for their owner alone.
        path.touch(mode=0o600)
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=10,
    )
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    return connection


_DECODER = msgspec.json.Decoder(DocumentRow)
_ENCODER = msgspec.json.Encoder()
