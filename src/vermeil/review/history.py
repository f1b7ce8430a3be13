"""Decisions recorded for good: who, when, what before and after. Undo and redo are events too.

An event is on disk when a function here returns. The same key a second time is the same event, so
a page that heard no answer may send again. Each curator decides on a layer of that name;
decisions on ADJUDICATED belong to all.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from vermeil.consensus.all_hearts import every_heart
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.review.decisions import (
    Answer,
    Change,
    ConflictError,
    LabelledPlace,
    Work,
    apply,
    asks,
    check,
    inverse,
    is_done,
    layers_of,
    n_open,
)
from vermeil.review.store import Store
from vermeil.shown import Brief

ADJUDICATED = "adjudicated"
"""The layer of what was adjudicated; no curator may be called that."""

UNDO, REDO = "undo", "redo"
_REOPENING = frozenset({"reopen", UNDO, REDO})


@dataclass(frozen=True, slots=True, repr=False)
class Event(Brief):
    """A decision as it was recorded. ``of`` is the event that was undone or redone."""

    number: int
    key: str
    time: str
    curator: str
    layer: str
    document: int
    action: str
    of: int | None
    changes: tuple[Change, ...]


@dataclass(slots=True)
class _Stacks:
    """Numbers of the events a curator can undo and redo, the last one on top."""

    undo: list[int] = field(default_factory=list)
    redo: list[int] = field(default_factory=list)

    def note(self, number: int, action: str, of: int | None) -> None:
        if action == UNDO and of is not None:
            self.undo.pop()
            self.redo.append(of)
        elif action == REDO and of is not None:
            self.redo.pop()
            self.undo.append(of)
        else:
            self.undo.append(number)
            self.redo.clear()


def record(
    store: Store,
    *,
    key: str,
    curator: str,
    layer: str,
    document: int,
    action: str,
    changes: Sequence[Change],
) -> Event:
    """Record a decision; UsageError where it makes no sense, ConflictError where it is too late."""
    with store.writing() as connection:
        if (before := _known(connection, key, curator)) is not None:
            return before
        check(changes, action=action, length=len(store.document(document).text))
        event = Event(
            number=0,
            key=key,
            time=_now(),
            curator=curator,
            layer=layer,
            document=document,
            action=action,
            of=None,
            changes=tuple(changes),
        )
        return _append(store, connection, event)


def undo(store: Store, *, key: str, curator: str, layer: str) -> Event:
    """Take back the last decision of a curator that stands, wherever it was made."""
    return _step(store, key, curator, layer, UNDO)


def redo(store: Store, *, key: str, curator: str, layer: str) -> Event:
    """Decide again what was undone last, unless something else was decided since."""
    return _step(store, key, curator, layer, REDO)


def work_on(store: Store, layer: str, document: int) -> Work:
    """Read the answers of a layer on a document."""
    with store.reading() as connection:
        row = connection.execute(
            "SELECT answers FROM works WHERE layer = ? AND document = ?", (layer, document)
        ).fetchone()
    return _WORK.decode(row[0]) if row else ()


def works_on(store: Store, document: int) -> dict[str, tuple[Work, bool]]:
    """Read the answers of all layers on a document, and whether each is done."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT layer, answers, is_done FROM works WHERE document = ? ORDER BY layer",
            (document,),
        ).fetchall()
    return {layer: (_WORK.decode(answers), bool(done)) for layer, answers, done in rows}


def all_works(store: Store) -> dict[int, dict[str, tuple[Work, bool]]]:
    """Read all answers by document and layer, documents in the order in which they were begun."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT w.document, w.layer, w.answers, w.is_done FROM works w JOIN (SELECT document, "
            "min(number) AS begun FROM events GROUP BY document) e ON e.document = w.document "
            "ORDER BY e.begun, w.layer"
        ).fetchall()
    works: dict[int, dict[str, tuple[Work, bool]]] = {}
    for document, layer, answers, done in rows:
        works.setdefault(document, {})[layer] = _WORK.decode(answers), bool(done)
    return works


def events(
    store: Store, *, layer: str | None = None, document: int | None = None
) -> Iterator[Event]:
    """Yield events in the order in which they happened."""
    wanted = {"layer": layer, "document": document}
    given = {name: value for name, value in wanted.items() if value is not None}
    where = " AND ".join(f"{name} = ?" for name in given) or "1"
    with store.reading() as connection:
        rows = connection.execute(
            f"{_EVENT} WHERE {where} ORDER BY number", tuple(given.values())
        ).fetchall()
    yield from map(_event, rows)


def hearts_for(
    store: Store, layer: str, document: int, content: Document
) -> Sequence[LabelledPlace]:
    """Find the hearts a layer has to answer: of the annotators, or of the finished curators."""
    [standard] = every_heart([seen_by(store, layer, document, content)])
    return standard


def seen_by(store: Store, layer: str, document: int, content: Document) -> Document:
    """Take the document with the layers that a curator, or an adjudicator, is shown."""
    if layer != ADJUDICATED:
        return content
    return content.replace(layers=curators_layers(works_on(store, document)), standards={})


def curators_layers(works: dict[str, tuple[Work, bool]]) -> dict[str, Any]:
    """Collect the names of the curators who are done, without what was adjudicated."""
    return {
        layer: layers_of(work)[0]
        for layer, (work, done) in works.items()
        if done and layer != ADJUDICATED
    }


def recount(store: Store, connection: sqlite3.Connection, documents: Iterable[int]) -> None:
    """Count again what is open in documents that have new annotators, within a transaction."""
    for document in documents:
        for layer, (work, done) in works_on(store, document).items():
            if layer != ADJUDICATED or not done:
                _keep(store, connection, layer, document, work)


def _append(store: Store, connection: sqlite3.Connection, event: Event) -> Event:
    """Carry an event out and put it on disk; return it with its number."""
    before, was_done = works_on(store, event.document).get(event.layer, ((), False))
    work = apply(before, event.changes)
    cursor = connection.execute(
        f"INSERT INTO events ({', '.join(_COLUMNS)}, changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*(getattr(event, name) for name in _COLUMNS), msgspec.json.encode(event.changes)),
    )
    is_final = event.layer == ADJUDICATED and was_done and event.action not in _REOPENING
    _keep(store, connection, event.layer, event.document, work, is_final=is_final)
    connection.execute("DELETE FROM search_said WHERE rowid = ?", (event.document,))
    return replace(event, number=cursor.lastrowid or 0)


def _step(store: Store, key: str, curator: str, layer: str, action: str) -> Event:
    with store.writing() as connection:
        if (before := _known(connection, key, curator)) is not None:
            return before
        stacks = _Stacks()
        for row in connection.execute(
            "SELECT number, action, of FROM events WHERE curator = ? AND layer = ? ORDER BY number",
            (curator, layer),
        ):
            stacks.note(*row)
        stack = stacks.undo if action == UNDO else stacks.redo
        if not stack:
            raise ConflictError(f"there is nothing to {action}")
        of = _event(connection.execute(f"{_EVENT} WHERE number = ?", (stack[-1],)).fetchone())
        changes = inverse(of.changes) if action == UNDO else of.changes
        step = replace(
            of, number=0, key=key, time=_now(), action=action, of=of.number, changes=changes
        )
        return _append(store, connection, step)


def _known(connection: sqlite3.Connection, key: str, curator: str) -> Event | None:
    row = connection.execute(f"{_EVENT} WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    event = _event(row)
    if event.curator != curator:
        raise UsageError("another curator has used this key")
    return event


def _keep(
    store: Store,
    connection: sqlite3.Connection,
    layer: str,
    document: int,
    work: Work,
    *,
    is_final: bool = False,
) -> None:
    """Keep what the events of a layer come to, and how far the finished curators differ.

    What was adjudicated is final: it stays done, whatever curators say after it, until an
    adjudicator reopens it.
    """
    hearts = hearts_for(store, layer, document, store.document(document))
    connection.execute(
        "INSERT OR REPLACE INTO works VALUES (?, ?, ?, ?, ?, ?)",
        (
            layer,
            document,
            msgspec.json.encode(work),
            n_open(hearts, work),
            is_final or is_done(hearts, work),
            asks(work),
        ),
    )
    if layer != ADJUDICATED:
        works = works_on(store, document)
        finished = curators_layers(works)
        dispute = _dispute(list(finished.values())) if len(finished) > 1 else None
        connection.execute("UPDATE ranks SET dispute = ? WHERE document = ?", (dispute, document))
        if ADJUDICATED in works and not works[ADJUDICATED][1]:
            _keep(store, connection, ADJUDICATED, document, works[ADJUDICATED][0])


def _dispute(layers: Sequence[Sequence[object]]) -> float:
    """Count the names that some of the layers have and others have not."""
    everything = {name for layer in layers for name in layer}
    return float(sum(any(name not in layer for layer in layers) for name in everything))


def _event(row: Sequence[Any]) -> Event:
    *facts, changes = row
    return Event(*(*facts, _CHANGES.decode(changes)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


_COLUMNS = ("key", "time", "curator", "layer", "document", "action", "of")
_EVENT = f"SELECT number, {', '.join(_COLUMNS)}, changes FROM events"
_WORK = msgspec.json.Decoder(tuple[Answer, ...])
_CHANGES = msgspec.json.Decoder(tuple[Change, ...])
