"""Finding documents: by their text and id, and by what was said of them.

Words are looked for by how they begin, in everything; ``name:aspirin``, ``label:Gene``,
``annotator:ben``, ``comment:why``, ``id:12`` and ``text:mice`` in one thing. All of it must be
found. Several words in quotation marks stand side by side.
"""

import re
import sqlite3
from collections.abc import Sequence

from vermeil.review.history import works_on
from vermeil.review.store import Store, decoded

FIELDS = {
    "id": "id",
    "name": "names",
    "label": "labels",
    "annotator": "annotators",
    "comment": "comments",
}
"""What can be asked for, by the column it is in; ``text`` is a table of its own."""

BATCH = 200
MOST_TERMS = 20
_TERM = re.compile(r'(?:(\w+):)?(?:"([^"]*)"|(\S+))')


def condition(search: str) -> tuple[str, dict[str, str]]:
    """Spell what is looked for as SQL on ``r.document``, with its values.

    >>> condition("")
    ('1', {})
    """
    parts: list[str] = []
    values: dict[str, str] = {}
    for number, (field, phrase, word) in enumerate(_TERM.findall(search)[:MOST_TERMS]):
        said = phrase or word
        if field and field not in FIELDS and field != "text":
            field, said = "", f"{field} {said}"
        has_words = re.search(r"\w", said) is not None
        if not has_words and field not in ("", "id"):
            continue
        # Quotation marks make all of it words, whatever the language of FTS5 would make of it.
        quoted = '"' + said.replace('"', '""') + '"*'
        column = FIELDS.get(field)
        finders = []
        if has_words:
            values[f"said{number}"] = f"{column} : {quoted}" if column else quoted
        if has_words and field in ("", "text"):
            finders.append(f"SELECT rowid FROM search_texts WHERE search_texts MATCH :said{number}")
        if has_words and field != "text":
            finders.append(f"SELECT rowid FROM search_said WHERE search_said MATCH :said{number}")
        if field in ("", "id"):
            escaped = said.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            values[f"part{number}"] = f"%{escaped}%"
            finders.append(f"SELECT number FROM documents WHERE id LIKE :part{number} ESCAPE '\\'")
        parts.append(f"r.document IN ({' UNION '.join(finders)})")
    return " AND ".join(parts) or "1", values


def forget(connection: sqlite3.Connection, documents: Sequence[int]) -> None:
    """Note that something else is said of documents, within a transaction."""
    connection.executemany(
        "DELETE FROM search_said WHERE rowid = ?", [(number,) for number in documents]
    )


def catch_up(store: Store) -> None:
    """Index what is new or was changed since."""
    while True:
        with store.writing() as connection:
            rows = connection.execute(
                "SELECT number, id, content FROM documents WHERE number IN "
                "(SELECT number FROM documents EXCEPT SELECT rowid FROM search_said LIMIT ?)",
                (BATCH,),
            ).fetchall()
            if not rows:
                return
            for number, id, content in rows:
                _index(store, connection, number, id, content)


def _index(
    store: Store, connection: sqlite3.Connection, number: int, id: str, content: bytes
) -> None:
    document = decoded(content)
    known = connection.execute("SELECT 1 FROM search_texts WHERE rowid = ?", (number,)).fetchone()
    if known is None:
        connection.execute(
            "INSERT INTO search_texts (rowid, text) VALUES (?, ?)", (number, document.text)
        )
    spans = [span for layer in document.layers.values() for span in layer]
    names = {span.marked(document.text) for span in spans}
    labels = {span.label for span in spans}
    comments: list[str] = []
    for work, _ in works_on(store, number).values():
        for answer in work:
            if answer.comment:
                comments.append(answer.comment)
            if answer.name is not None:
                names.add(document.text[answer.name.start : answer.name.end])
                labels.add(answer.name.label)
    said = (sorted(names), sorted(labels), sorted(document.layers), comments)
    connection.execute(
        "INSERT INTO search_said (rowid, id, names, labels, annotators, comments) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (number, id, *("\n".join(each) for each in said)),
    )
