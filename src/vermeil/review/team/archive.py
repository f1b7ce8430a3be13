"""What is put aside: documents, and annotators; all of it is kept, to be restored.

A document that is put aside is neither listed, counted nor exported. An annotator that is has no
vote: the consensus, the queue and the desk are as if it had never been brought in. What curators
decided stays in both cases.
"""

import sqlite3
from datetime import UTC, datetime

import msgspec

from vermeil.errors import UnknownNameError, UsageError
from vermeil.review.importing import follow_annotators
from vermeil.review.schema import ARCHIVED_ANNOTATORS, set_setting
from vermeil.review.store import Store


def set_archived(store: Store, curator: str, document: int, archived: bool) -> None:
    """Put a document aside, or restore it; who did it, and when, is kept for good."""
    content = store.document(document)
    with store.writing() as connection:
        connection.execute(
            "UPDATE ranks SET is_archived = ? WHERE document = ?", (archived, document)
        )
        note_act(connection, curator, "archive" if archived else "restore", content.id)


def is_archived(store: Store, document: int) -> bool:
    """Tell whether a document was put aside."""
    with store.reading() as connection:
        row = connection.execute(
            "SELECT is_archived FROM ranks WHERE document = ?", (document,)
        ).fetchone()
    return row is not None and bool(row[0])


def set_annotator_archived(store: Store, curator: str, annotator: str, archived: bool) -> None:
    """Put an annotator aside, or restore it, and put everything in order without or with it."""
    aside = store.archived_annotators()
    present = annotators(store)
    known = aside if not archived else frozenset(present)
    if annotator not in known:
        raise UnknownNameError("annotator", annotator, sorted(known))
    if archived and len(present) == 1:
        raise UsageError(f"{annotator} is the last annotator; there would be nothing to review")
    now = aside | {annotator} if archived else aside - {annotator}
    with store.writing() as connection:
        set_setting(connection, ARCHIVED_ANNOTATORS, msgspec.json.encode(sorted(now)).decode())
        # To be heard again, also if all ends here.
        connection.execute(
            "UPDATE ranks SET hearts = NULL WHERE document IN "
            "(SELECT number FROM documents WHERE instr(content, ?))",
            (msgspec.json.encode(annotator),),
        )
        action = "archive annotator" if archived else "restore annotator"
        note_act(connection, curator, action, annotator)
    follow_annotators(store)


def annotators(store: Store) -> list[str]:
    """Name the annotators that have a vote."""
    with store.reading() as connection:
        rows = connection.execute("SELECT DISTINCT annotators FROM ranks").fetchall()
    return sorted({name for (names,) in rows for name in msgspec.json.decode(names)})


def note_act(connection: sqlite3.Connection, curator: str, action: str, subject: str) -> None:
    """Keep for good who did what to the review as a whole, within a transaction."""
    connection.execute(
        "INSERT INTO acts (time, curator, action, subject, details) VALUES (?, ?, ?, ?, '')",
        (datetime.now(UTC).isoformat(timespec="milliseconds"), curator, action, subject),
    )
