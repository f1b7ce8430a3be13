"""The tables of a review file, and how files of earlier versions come to have them.

``acts`` is what is done to the review as a whole, by those who may: like ``events``, it is only
ever added to. ``search_texts`` finds texts, which never change; ``search_said`` finds what is said
of them, which does. The rows of both are numbered as the documents.
"""

import secrets
import sqlite3
from collections.abc import Callable

APPLICATION = 0x7665726D
"""Stands in the header of the file, so that other SQLite files are told apart."""

ARCHIVED_ANNOTATORS = "archived annotators"
"""The setting that names the annotators without a vote."""


HERE = (
    "NOT r.is_archived AND (NOT EXISTS (SELECT 1 FROM assignments WHERE curator = :layer) OR "
    "EXISTS (SELECT 1 FROM assignments a WHERE a.curator = :layer AND a.document = r.document))"
)
"""Tells of ranks ``r`` what is not put aside and, where work was given out, is for ``:layer``."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest schema; refuse one that is newer or not ours."""
    [(application,)] = connection.execute("PRAGMA application_id")
    [(version,)] = connection.execute("PRAGMA user_version")
    [(n_tables,)] = connection.execute("SELECT count(*) FROM sqlite_master")
    if application != APPLICATION and n_tables:
        raise sqlite3.DatabaseError("it is a database of another program")
    if version > len(MIGRATIONS):
        raise sqlite3.DatabaseError("it was made by a newer vermeil")
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        step(connection)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")


def set_setting(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Keep a setting, within a transaction."""
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))


def _first_schema(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    for statement in _TABLES.split(";\n\n"):
        connection.execute(statement)
    set_setting(connection, "secret", secrets.token_hex(32))
    set_setting(connection, "name", secrets.token_hex(8))


def _labels_of_hearts(connection: sqlite3.Connection) -> None:
    """Keep the labels of hearts beside the votes; what has none is heard again (``importing``)."""
    connection.execute("ALTER TABLE ranks ADD COLUMN hearts TEXT")


def _teams(connection: sqlite3.Connection) -> None:
    """Let accounts have roles and documents be shared out, put aside and searched.

    Who had an account before there were roles could do everything, and still can.
    """
    connection.execute("ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'owner'")
    connection.execute("ALTER TABLE ranks ADD COLUMN is_archived INTEGER NOT NULL DEFAULT 0")
    for statement in _TEAM_TABLES.split(";\n\n"):
        connection.execute(statement)


def _lessons(connection: sqlite3.Connection) -> None:
    """Keep what was learned: the gain of each open place, and what the recogniser proposes."""
    connection.execute("ALTER TABLE ranks ADD COLUMN gain REAL")
    connection.execute("DROP INDEX ranks_by_contested")
    for statement in _LESSON_TABLES.split(";\n\n"):
        connection.execute(statement)


def _doubts(connection: sqlite3.Connection) -> None:
    """Keep how far parsers differ where names are; documents that come from now on say it."""
    connection.execute("ALTER TABLE ranks ADD COLUMN doubt REAL")
    connection.execute(
        "CREATE INDEX ranks_by_doubt ON ranks (doubt DESC, document) WHERE doubt IS NOT NULL"
    )


_TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content BLOB NOT NULL);

CREATE TABLE ranks (
    document INTEGER PRIMARY KEY REFERENCES documents (number),
    annotators TEXT NOT NULL,
    voices BLOB NOT NULL,
    contested REAL NOT NULL DEFAULT 0,
    information REAL,
    n_hearts INTEGER NOT NULL DEFAULT 0,
    dispute REAL
);

CREATE INDEX ranks_by_contested ON ranks (coalesce(information, contested) DESC, document);

CREATE INDEX ranks_by_dispute ON ranks (dispute DESC, document) WHERE dispute IS NOT NULL;

CREATE TABLE labels (label TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    time TEXT NOT NULL,
    curator TEXT NOT NULL,
    layer TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (number),
    action TEXT NOT NULL,
    of INTEGER REFERENCES events (number),
    changes BLOB NOT NULL
);

CREATE INDEX events_by_document ON events (document, layer);

CREATE INDEX events_by_curator ON events (curator, layer);

CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT raise(ABORT, 'a decision is never changed'); END;

CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'a decision is never deleted'); END;

CREATE TABLE works (
    layer TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (number),
    answers BLOB NOT NULL,
    n_open INTEGER NOT NULL,
    is_done INTEGER NOT NULL,
    asks INTEGER NOT NULL,
    PRIMARY KEY (layer, document)
) WITHOUT ROWID;

CREATE INDEX works_by_document ON works (document);

CREATE INDEX works_by_state ON works (layer, is_done, document);

CREATE INDEX works_that_ask ON works (document) WHERE asks;

CREATE TABLE accounts (name TEXT PRIMARY KEY, password TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE ended_sessions (session TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID
"""

_TEAM_TABLES = """
CREATE TABLE acts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    curator TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
);

CREATE TRIGGER acts_stay BEFORE UPDATE ON acts
BEGIN SELECT raise(ABORT, 'what was done is never changed'); END;

CREATE TRIGGER acts_are_kept BEFORE DELETE ON acts
BEGIN SELECT raise(ABORT, 'what was done is never deleted'); END;

CREATE TABLE assignments (
    document INTEGER NOT NULL REFERENCES documents (number),
    curator TEXT NOT NULL,
    PRIMARY KEY (curator, document)
) WITHOUT ROWID;

CREATE INDEX assignments_by_document ON assignments (document);

CREATE VIRTUAL TABLE search_texts USING fts5 (
    text, content = '', tokenize = "unicode61 remove_diacritics 2"
);

CREATE VIRTUAL TABLE search_said USING fts5 (
    id, names, labels, annotators, comments, tokenize = "unicode61 remove_diacritics 2"
)
"""

_LESSON_TABLES = """
CREATE INDEX ranks_by_worth ON ranks (
    gain IS NULL, coalesce(gain, information, contested) DESC, document
);

CREATE TABLE gains (
    document INTEGER NOT NULL REFERENCES documents (number),
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    gain REAL NOT NULL,
    names BLOB NOT NULL,
    PRIMARY KEY (document, start)
) WITHOUT ROWID;

CREATE INDEX gains_by_gain ON gains (gain DESC, document, start);

CREATE TABLE proposals (
    document INTEGER PRIMARY KEY REFERENCES documents (number),
    spans BLOB NOT NULL
)
"""

MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [
    _first_schema,
    _labels_of_hearts,
    _teams,
    _lessons,
    _doubts,
]
"""Each brings the file from the version of its place to the next."""
