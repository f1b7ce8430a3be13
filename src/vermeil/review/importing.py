"""Documents into a review: any number, streamed, with whatever layers they have.

A document that is there already keeps its text and all that was decided; new annotators are added
and those of the same name replaced. One whose text differs is refused, because decisions stand on
the old text. When all are in, the reliabilities of all annotators are learned and everything gets
its place in the queue.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import add
from typing import Any

import msgspec
import numpy as np

from vermeil.columns.span_table import SpanTable
from vermeil.consensus.reliability import Cuts, Existence, Reliability, learn
from vermeil.consensus.trees.doubt import META, doubtful_spans
from vermeil.consensus.voters import BATCH, voting
from vermeil.document import Document
from vermeil.review.decisions import is_one_line
from vermeil.review.history import recount
from vermeil.review.queue import rank
from vermeil.review.schema import set_setting
from vermeil.review.store import Store, decoded, encoded, present
from vermeil.review.team.search import catch_up, forget
from vermeil.review.voices import Voices, unpacked
from vermeil.scope import Scope, scope_in
from vermeil.shown import Brief

SCOPE = "scope"
"""The setting that says who looks for what."""

IN_ORDER = "in order"
"""The setting that says no between storing and ranking, so that a broken import is noticed."""

N_IMPORTS = "imports"
"""The setting that counts imports, so that what was learned before one is known to be old."""

CHUNK = 20_000
"""Documents ranked at a time."""

HELPER, SETTLED = "recogniser of this review", "settled by curators"
"""The layers of what the recogniser of a review proposes, and of what is known, while it learns."""

TAKEN = frozenset({HELPER, SETTLED})
"""Names that no annotator may have: what is settled is believed, so nobody may bring it along."""

MOST_TOGETHER = 40
"""Annotators heard at a time: votes are laid out in a column an annotator, so documents that few of
a large crowd saw are heard by themselves. Of more in all, nothing is learned at import: every vote
counts the same until the review learns (``learning``), at a cost that follows the votes."""

MOST_REFUSED = 20
"""Refusals that are told in full."""


@dataclass(slots=True, repr=False)
class Imported(Brief):
    """What an import did; ``refused`` holds a line for each of the first refusals."""

    n_new: int = 0
    n_changed: int = 0
    n_same: int = 0
    n_refused: int = 0
    refused: list[str] = field(default_factory=list)

    def refuse(self, line: str) -> None:
        """Count a refusal and keep the first lines."""
        self.n_refused += 1
        if len(self.refused) < MOST_REFUSED:
            self.refused.append(line)


def import_documents(
    store: Store,
    documents: Iterable[Document],
    told: Mapping[str, frozenset[str]] | None = None,
) -> Imported:
    """Bring documents in and put everything in order. Memory does not grow with their number.

    ``told`` is what annotators look for, where it is not just the labels that they use.
    """
    done = Imported()
    _hear_again(store)
    stream = iter(documents)
    while batch := list(islice(stream, BATCH)):
        _store(store, batch, done)
    if told:
        _tell(store, told)
    follow_annotators(store)
    return done


def follow_annotators(store: Store) -> None:
    """Hear what is to be heard again, count what is open there, and put everything in order.

    This also ends what was interrupted.
    """
    _hear_again(store)
    if store.setting(IN_ORDER) == "no":
        put_in_order(store)
    catch_up(store)


def scope_of(store: Store) -> Scope:
    """Return who looks for what; documents may say otherwise."""
    raw = store.setting(SCOPE)
    return msgspec.json.decode(raw, type=Scope) if raw else Scope()


def put_in_order(store: Store) -> None:
    """Learn how far to trust each annotator and rank all documents by it."""
    learned = _learned(store)
    for numbers, voices in _all_voices(store):
        ranks = rank(voices, learned)
        unknown = [None] * len(numbers)
        bits = unknown if ranks.information is None else ranks.information.tolist()
        rows = zip(ranks.contested.tolist(), bits, ranks.n_hearts.tolist(), numbers, strict=True)
        with store.writing() as connection:
            connection.executemany(
                "UPDATE ranks SET contested = ?, information = ?, n_hearts = ? WHERE document = ?",
                rows,
            )
    with store.writing() as connection:
        connection.execute("UPDATE ranks SET gain = NULL WHERE gain IS NOT NULL")
        connection.execute("DELETE FROM gains")
        set_setting(connection, N_IMPORTS, str(int(store.setting(N_IMPORTS, "0")) + 1))
        set_setting(connection, IN_ORDER, "yes")
        set_setting(connection, "reliability", _as_json(learned))


def _learned(store: Store) -> Reliability:
    with store.reading() as connection:
        rows = connection.execute("SELECT DISTINCT annotators FROM ranks").fetchall()
    names = tuple(sorted({name for (names,) in rows for name in msgspec.json.decode(names)}))
    if len(names) > MOST_TOGETHER:
        return learn(unpacked(names, [], []).patterns())
    return learn(reduce(add, (voices.patterns() for _, voices in _all_voices(store))))


def learned_reliability(store: Store) -> Reliability | None:
    """Read what was learned at the last import; None where nothing was imported."""
    raw = store.setting("reliability")
    if not raw:
        return None
    data = msgspec.json.decode(raw)
    coins = data["existence"]
    sides = [Cuts(np.array(each["share"]), each["temperature"]) for each in data["cuts"]]
    existence = Existence(
        np.array(coins["hit"]), np.array(coins["alarm"]), coins["prior"], coins["temperature"]
    )
    return Reliability(tuple(data["annotators"]), existence, *sides)


def _store(store: Store, batch: Sequence[Document], done: Imported) -> None:
    """Store a batch in one transaction."""
    with store.writing() as connection:
        marks = ",".join("?" * len(batch))
        found = connection.execute(
            f"SELECT number, id, content FROM documents WHERE id IN ({marks})",
            [document.id for document in batch],
        )
        known = {id: (number, decoded(content)) for number, id, content in found}
        fresh: dict[str, Document] = {}
        changed: dict[int, Document] = {}
        for document in batch:
            if broken := _broken(document):
                done.refuse(broken)
                continue
            number, before = known.get(document.id, (None, fresh.get(document.id)))
            if before is None:
                fresh[document.id] = document
                continue
            if before.text != document.text:
                done.refuse(_difference(before, document))
                continue
            after = _joined(before, document)
            if after == before:
                done.n_same += 1
            elif number is None:
                fresh[document.id] = after
            else:
                changed[number] = after
                known[document.id] = number, after
        done.n_new += len(fresh)
        done.n_changed += len(changed)
        [(last,)] = connection.execute("SELECT coalesce(max(number), 0) FROM documents")
        new = dict(enumerate(fresh.values(), start=last + 1))
        connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?)",
            [(number, document.id, encoded(document)) for number, document in new.items()],
        )
        connection.executemany(
            "UPDATE documents SET content = ? WHERE number = ?",
            [(encoded(document), number) for number, document in changed.items()],
        )
        if new or changed:
            set_setting(connection, IN_ORDER, "no")
            aside = store.archived_annotators()
            heard = {number: present(each, aside) for number, each in (new | changed).items()}
            _hear(store, connection, heard)
            _count_labels(connection, heard.values())
            recount(store, connection, changed)
            forget(connection, list(changed))


def _tell(store: Store, told: Mapping[str, frozenset[str]]) -> None:
    """Keep what is said of annotators, and rank everything by it."""
    before = scope_of(store)
    scope = before.within(told).checked()
    if scope != before:
        with store.writing() as connection:
            set_setting(connection, SCOPE, _scope_as_json(scope))
            set_setting(connection, IN_ORDER, "no")


def _hear_again(store: Store) -> None:
    """Hear documents whose annotators changed, and those of files of earlier versions."""
    aside = store.archived_annotators()
    while True:
        with store.writing() as connection:
            found = connection.execute(
                "SELECT number, content FROM documents WHERE number IN "
                "(SELECT document FROM ranks WHERE hearts IS NULL LIMIT ?)",
                (BATCH,),
            ).fetchall()
            if not found:
                return
            documents = {number: present(decoded(raw), aside) for number, raw in found}
            _hear(store, connection, documents)
            recount(store, connection, documents)
            set_setting(connection, IN_ORDER, "no")


def _hear(store: Store, connection: sqlite3.Connection, documents: dict[int, Document]) -> None:
    """Keep the votes on documents that are new or have other annotators, and who uses what."""
    voters = {number: voting(each) for number, each in documents.items()}
    for some in _heard_together(voters):
        table = SpanTable.from_documents(some.values())
        annotators = msgspec.json.encode(table.annotators).decode()
        voices = Voices.of(table)
        said = (scope_in(documents[number]) for number in some)
        hearts = [
            msgspec.json.encode((labels, _listed(scope))).decode()
            for labels, scope in zip(voices.labels_by_document(), said, strict=True)
        ]
        connection.executemany(
            "INSERT INTO ranks (document, annotators, voices, hearts, doubt) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET "
            "annotators = excluded.annotators, voices = excluded.voices, "
            "hearts = excluded.hearts, doubt = excluded.doubt",
            [
                (number, annotators, packed, labels, _doubt(documents[number]))
                for number, packed, labels in zip(some, voices.packed(), hearts, strict=True)
            ],
        )
    scope = scope_of(store) + Scope.of(documents.values())
    set_setting(connection, SCOPE, _scope_as_json(scope))


def _doubt(document: Document) -> float | None:
    """Tell how far parsers differ where names are, at the most; None where they do not."""
    if META not in document.meta:
        return None
    return max((1 - agreement for _, _, agreement in doubtful_spans(document)), default=None)


def _heard_together(documents: dict[int, Document]) -> Iterator[dict[int, Document]]:
    """Part documents, in their order, so that few annotators are in each part."""
    some: dict[int, Document] = {}
    names: set[str] = set()
    for number, document in documents.items():
        if some and len(names | document.layers.keys()) > MOST_TOGETHER:
            yield some
            some, names = {}, set()
        some[number] = document
        names |= document.layers.keys()
    if some:
        yield some


def _count_labels(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    counts = Counter(
        span.label for each in documents for layer in voting(each).layers.values() for span in layer
    )
    connection.executemany(
        "INSERT INTO labels VALUES (?, ?) ON CONFLICT (label) DO UPDATE SET n = n + excluded.n",
        sorted(counts.items()),
    )


def _joined(before: Document, after: Document) -> Document:
    return before.replace(
        layers={**before.layers, **after.layers},
        standards={**before.standards, **after.standards},
        trees={**before.trees, **after.trees},
        meta={**before.meta, **after.meta},
    )


def _broken(document: Document) -> str:
    """Say what is wrong with the names of annotators and labels; empty where nothing is."""
    for annotator, layer in document.layers.items():
        if annotator in TAKEN:
            return (
                f"document {document.id!r} was refused: {annotator!r} is the name of a layer that "
                "a review makes; call the annotator otherwise, with name=PATH"
            )
        for name in (annotator, *{span.label for span in layer}):
            if not is_one_line(name):
                return (
                    f"document {document.id!r} was refused: the name or label {name!r} has a line "
                    "break or a tab in it"
                )
    return ""


def _difference(before: Document, after: Document) -> str:
    pairs = enumerate(zip(before.text, after.text, strict=False))
    shorter = min(len(before.text), len(after.text))
    place = next((at for at, (one, other) in pairs if one != other), shorter)
    return (
        f"document {after.id!r} was refused: its text differs from the one under review from "
        f"character {place} on; give it another id, or start a new review file"
    )


def _all_voices(store: Store) -> Iterator[tuple[list[int], Voices]]:
    """Yield the votes on all documents, many at a time, those with the same annotators together.

    Only those have looked who look for the label of a heart.
    """
    place, scope = 0, scope_of(store)
    while True:
        with store.reading() as connection:
            rows = connection.execute(
                "SELECT document, annotators, voices, hearts FROM ranks WHERE document > ? "
                "ORDER BY document LIMIT ?",
                (place, CHUNK),
            ).fetchall()
        if not rows:
            return
        place = rows[-1][0]
        by_annotators: dict[str, list[_Heard]] = {}
        for number, annotators, packed, hearts in rows:
            labels, said = _HEARTS.decode(hearts)
            heard = _Heard(number, packed, labels, said)
            by_annotators.setdefault(annotators, []).append(heard)
        for annotators, some in by_annotators.items():
            names = tuple(msgspec.json.decode(annotators))
            voices = unpacked(names, [each.packed for each in some], (each.labels for each in some))
            scopes = [scope.within(each.said) for each in some]
            yield [each.number for each in some], voices.within(scopes)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What is kept of a document: its votes, the labels of its hearts, and its own scope."""

    number: int
    packed: bytes
    labels: list[str]
    said: dict[str, frozenset[str]]


def _listed(scope: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    return {name: sorted(labels) for name, labels in sorted(scope.items())}


def _scope_as_json(scope: Scope) -> str:
    kept = {"used": _listed(scope.used), "told": _listed(scope.told)}
    return msgspec.json.encode(kept).decode()


def _as_json(learned: Reliability) -> str:
    coins = learned.existence
    data: dict[str, Any] = {
        "annotators": learned.annotators,
        "existence": {
            "hit": coins.hit.tolist(),
            "alarm": coins.alarm.tolist(),
            "prior": coins.prior,
            "temperature": coins.temperature,
        },
        "cuts": [
            {"share": side.share.tolist(), "temperature": side.temperature}
            for side in (learned.left, learned.right)
        ],
    }
    return msgspec.json.encode(data).decode()


_HEARTS = msgspec.json.Decoder(tuple[list[str], dict[str, frozenset[str]]])
