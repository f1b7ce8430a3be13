"""Documents put aside: neither listed, counted nor exported, and all of it kept to be restored."""

from datetime import UTC, datetime

from vermeil.review.store import Store


def set_archived(store: Store, curator: str, document: int, archived: bool) -> None:
    """Put a document aside, or restore it; who did it, and when, is kept for good."""
    content = store.document(document)
    with store.writing() as connection:
        connection.execute(
            "UPDATE ranks SET is_archived = ? WHERE document = ?", (archived, document)
        )
        connection.execute(
            "INSERT INTO acts (time, curator, action, subject, details) VALUES (?, ?, ?, ?, '')",
            (
                datetime.now(UTC).isoformat(timespec="milliseconds"),
                curator,
                "archive" if archived else "restore",
                content.id,
            ),
        )


def is_archived(store: Store, document: int) -> bool:
    """Tell whether a document was put aside."""
    with store.reading() as connection:
        row = connection.execute(
            "SELECT is_archived FROM ranks WHERE document = ?", (document,)
        ).fetchone()
    return row is not None and bool(row[0])
