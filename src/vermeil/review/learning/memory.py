"""What a review has learned, in its file: made from the decisions there, and kept beside them.

Everything here can be made again from the events, and comes out the same. What is kept names the
last event that it knows of, so that a review that was interrupted sees that it has to learn again.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Floats
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.voters import voting
from vermeil.document import Document, Layer, Span
from vermeil.review.decisions import Work
from vermeil.review.history import all_works
from vermeil.review.importing import HELPER, N_IMPORTS, scope_of
from vermeil.review.learning.helper import Helper, Proposals
from vermeil.review.learning.lessons import Lessons, Outlook, SettledNames
from vermeil.review.learning.settling import settled_in
from vermeil.review.learning.worth import NAME, worth
from vermeil.review.schema import HERE, set_setting
from vermeil.review.store import Store, decoded, present
from vermeil.scope import scope_in

LEARNED = "learned"
"""The setting that holds what the page says of it."""

CHOICE = "learning"
"""The setting that holds how the review learns."""

MOST_DOCUMENTS = 5000
"""Documents that are learned from and put in order by it: those with decisions, then the most
contested. The others keep their places behind them."""

LIKELY = 0.01
"""Candidates that are less likely are not kept."""


class LearningChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a review learns, what it takes up at a time, and how often a recogniser is trained.

    That is after ``every`` so many more settled documents, never if 0.
    """

    is_on: bool = True
    unit: str = NAME
    every: int = 25


class TrustChange(msgspec.Struct, frozen=True):
    """Of what an annotator marks, the share that is right: before anything was settled, and now.

    Right is a name that is there, with these very edges.
    """

    annotator: str
    before: float | None
    now: float | None


class LearningAccount(msgspec.Struct, frozen=True):
    """What was learned, to be told: ``event`` is the last decision that it knows of.

    ``n_imports`` is how often documents had come in by then. It is not final while the recogniser
    that belongs to it is still being trained.

    ``n_now_sure`` open places were in doubt and are not any more, ``n_otherwise`` are decided
    otherwise than before; ``n_errors`` are expected in what is open. ``n_helped`` are the settled
    documents that the recogniser was trained on, 0 without one.
    """

    event: int = 0
    n_imports: int = 0
    is_final: bool = False
    unit: str = NAME
    learn_every: int = 0
    n_settled: int = 0
    n_open: int = 0
    n_now_sure: int = 0
    n_otherwise: int = 0
    n_errors: float = 0.0
    n_helped: int = 0
    trusts: tuple[TrustChange, ...] = ()


class Memory:
    """Learns from the decisions of an open review, and keeps what it learned in its file."""

    def __init__(self, store: Store, *, unit: str = NAME, learn_every: int = 0) -> None:
        self._store = store
        self._usual = LearningChoice(unit=unit, every=learn_every)
        self._helper = Helper()
        self._lessons: tuple[object, Lessons] | None = None

    def is_current(self) -> bool:
        """Tell whether what is kept knows of the last decision, and was made in this way."""
        account = account_of(self._store)
        choice = learning_choice(self._store, self._usual)
        return not choice.is_on or (
            account.is_final
            and account.event == last_event(self._store)
            and account.n_imports == n_imports(self._store)
            and (account.unit, account.learn_every) == (choice.unit, choice.every)
        )

    def learn(self) -> LearningAccount:
        """Learn from everything that is decided, and keep it.

        To train a recogniser takes longer than the rest, so it is done without it first.
        """
        choice = learning_choice(self._store, self._usual)
        account = LearningAccount(
            last_event(self._store), n_imports(self._store), False, choice.unit, choice.every
        )
        works = all_works(self._store)
        documents = _documents(self._store, works)
        voters = {number: document for number, (document, _) in documents.items()}
        if not voters:
            account = msgspec.structs.replace(account, is_final=True)
            self._keep(None, account, Proposals())
            return account
        settled = _settled(voters, works)
        lessons = self._taught(documents)
        asked = choice.every, voters, settled, _finished(works, settled)
        if not self._helper.is_ready(*asked):
            self._keep(*_told(lessons.learn(voters, settled), account, Proposals()))
        proposals = self._helper.proposals(*asked)
        if proposals.spans:
            voters = {
                number: document.with_layer(HELPER, proposals.spans[number])
                for number, document in voters.items()
            }
            settled = _settled(voters, works)
        account = msgspec.structs.replace(account, is_final=True)
        told = _told(lessons.learn(voters, settled), account, proposals)
        self._keep(*told)
        return told[1]

    def _taught(
        self, documents: Mapping[int, tuple[Document, Mapping[str, frozenset[str]]]]
    ) -> Lessons:
        said: dict[str, frozenset[str]] = {}
        for _, own in documents.values():
            for name, labels in own.items():
                said[name] = said.get(name, frozenset()) | labels
        told = {**said, **scope_of(self._store).told}
        if self._lessons is None or self._lessons[0] != told:
            self._lessons = told, Lessons(told)
        return self._lessons[1]

    def _keep(
        self, learned: Outlook | None, account: LearningAccount, proposals: Proposals
    ) -> None:
        with self._store.writing() as connection:
            _forget(connection)
            if learned is not None:
                _write_places(connection, learned, account.unit)
            connection.executemany(
                "INSERT INTO proposals VALUES (?, ?)",
                [
                    (n, msgspec.json.encode(_plain(spans)))
                    for n, spans in proposals.spans.items()
                    if spans
                ],
            )
            set_setting(connection, LEARNED, msgspec.json.encode(account).decode())


def learning_choice(store: Store, usual: LearningChoice | None = None) -> LearningChoice:
    """Read how the owner lets the review learn; ``usual`` where nothing was chosen."""
    raw = store.setting(CHOICE)
    if raw:
        return msgspec.json.decode(raw, type=LearningChoice)
    return usual or LearningChoice()


def choose_learning(store: Store, choice: LearningChoice) -> None:
    """Keep how the review learns; what was learned is forgotten where it does not any more."""
    with store.writing() as connection:
        set_setting(connection, CHOICE, msgspec.json.encode(choice).decode())
        if not choice.is_on:
            _forget(connection)
            set_setting(connection, LEARNED, msgspec.json.encode(LearningAccount()).decode())


def account_of(store: Store) -> LearningAccount:
    """Read what was learned last; nothing was, where all is 0."""
    raw = store.setting(LEARNED)
    return msgspec.json.decode(raw, type=LearningAccount) if raw else LearningAccount()


def last_event(store: Store) -> int:
    """Return the number of the last decision."""
    with store.reading() as connection:
        [(last,)] = connection.execute("SELECT coalesce(max(number), 0) FROM events")
    return int(last)


def n_imports(store: Store) -> int:
    """Return how often documents came in."""
    return int(store.setting(N_IMPORTS, "0"))


def likely_names(store: Store, number: int) -> list[Span]:
    """Read the candidates of the open places of a document, each with its chance."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT names FROM gains WHERE document = ? ORDER BY start", (number,)
        ).fetchall()
    return [Span(*span) for (names,) in rows for span in _NAMES.decode(names)]


def proposed_by_helper(store: Store, number: int) -> Layer | None:
    """Read what the recogniser of the review found in a document; None where it is not asked."""
    with store.reading() as connection:
        row = connection.execute(
            "SELECT spans FROM proposals WHERE document = ?", (number,)
        ).fetchone()
    return tuple(Span(*span) for span in _NAMES.decode(row[0])) if row else None


def next_place(store: Store, layer: str, but: int = 0) -> tuple[int, int, int] | None:
    """Find the open place where a decision gains most: its document, start and end.

    Not in document ``but``, nor where the layer has finished, nor in what others were given. None
    where there is none.
    """
    with store.reading() as connection:
        row = connection.execute(
            "SELECT g.document, g.start, g.end FROM gains g JOIN ranks r USING (document) "
            f"WHERE g.document <> :but AND {HERE} AND NOT EXISTS (SELECT 1 FROM works w "
            "WHERE w.layer = :layer AND w.document = g.document AND w.is_done) "
            "ORDER BY g.gain DESC, g.document, g.start LIMIT 1",
            {"but": but, "layer": layer},
        ).fetchone()
    return None if row is None else (int(row[0]), int(row[1]), int(row[2]))


def trust_in(crowd: Crowd) -> Floats:
    """Return for each annotator the share of what it marks that is a name, and cut right.

    NaN for one who marks nothing.
    """
    right, wrong = crowd.hit * crowd.n_names, crowd.alarm * crowd.n_places
    total = right + wrong
    share: Floats = np.divide(right, total, out=np.full(len(total), np.nan), where=total > 0)
    share *= crowd.left[0] * crowd.right[0]
    return share


def _forget(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM gains")
    connection.execute("DELETE FROM proposals")
    connection.execute("UPDATE ranks SET gain = NULL WHERE gain IS NOT NULL")


def _documents(
    store: Store, works: Iterable[int]
) -> dict[int, tuple[Document, Mapping[str, frozenset[str]]]]:
    """Read the voters of the documents that are learned from, and what each says of its scope."""
    wanted = set(works)
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT document FROM ranks WHERE NOT is_archived "
            "ORDER BY coalesce(information, contested) DESC, document LIMIT ?",
            (MOST_DOCUMENTS,),
        ).fetchall()
    wanted.update(number for (number,) in rows)
    found, aside = {}, store.archived_annotators()
    for number, content in _contents(store, sorted(wanted)):
        document = present(decoded(content), aside)
        found[number] = (
            voting(document).replace(standards={}, trees={}, meta={}),
            scope_in(document),
        )
    return found


def _contents(store: Store, numbers: list[int]) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(numbers), 500):
        some = numbers[start : start + 500]
        marks = ",".join("?" * len(some))
        with store.reading() as connection:
            yield from connection.execute(
                f"SELECT number, content FROM documents WHERE number IN ({marks}) ORDER BY number",
                some,
            ).fetchall()


def _settled(
    voters: Mapping[int, Document], works: Mapping[int, Mapping[str, tuple[Work, bool]]]
) -> dict[int, SettledNames]:
    found = ((n, settled_in(voters[n], own)) for n, own in works.items() if n in voters)
    return {number: settled for number, settled in found if settled is not None}


def _finished(
    works: Mapping[int, Mapping[str, tuple[Work, bool]]], settled: Mapping[int, SettledNames]
) -> list[int]:
    """List the documents that are settled as a whole."""
    return [number for number in works if number in settled and settled[number].stretches is None]


def _write_places(connection: sqlite3.Connection, learned: Outlook, unit: str) -> None:
    value = worth(learned, unit).tolist()
    rows: list[tuple[Any, ...]] = []
    most: dict[int, float] = dict.fromkeys(learned.document.tolist(), 0.0)
    for at, (number, place) in enumerate(
        zip(learned.document.tolist(), learned.places, strict=True)
    ):
        most[number] = max(most[number], value[at])
        if not learned.is_settled[at]:
            names = _plain(learned.likely[at])
            rows.append((number, place.start, place.end, value[at], msgspec.json.encode(names)))
    connection.executemany("INSERT INTO gains VALUES (?, ?, ?, ?, ?)", rows)
    connection.executemany(
        "UPDATE ranks SET gain = ? WHERE document = ?",
        [(gain, number) for number, gain in most.items()],
    )


def _told(
    learned: Outlook, account: LearningAccount, proposals: Proposals
) -> tuple[Outlook, LearningAccount, Proposals]:
    """Fill in the account of what was learned."""
    told = msgspec.structs.replace(
        account,
        n_settled=int(learned.is_settled.sum()),
        n_open=int((~learned.is_settled).sum()),
        n_now_sure=learned.n_now_sure,
        n_otherwise=learned.n_otherwise,
        n_errors=round(float(learned.gain.sum()), 6),
        n_helped=proposals.n_taught,
        trusts=_trusts(learned),
    )
    return learned, told, proposals


def _trusts(learned: Outlook) -> tuple[TrustChange, ...]:
    pair = (learned.before, learned.crowd)
    before, now = (dict(zip(c.annotators, trust_in(c).tolist(), strict=True)) for c in pair)
    return tuple(TrustChange(name, _defined(before[name]), _defined(now[name])) for name in now)


def _plain(spans: Iterable[Span]) -> list[tuple[Any, ...]]:
    return [
        (
            span.start,
            span.end,
            span.label,
            None if span.confidence is None else round(span.confidence, 6),
            span.fragments,
        )
        for span in spans
        if span.confidence is None or span.confidence >= LIKELY
    ]


def _defined(value: float) -> float | None:
    return None if isnan(value) else round(value, 6)


_NAMES = msgspec.json.Decoder(list[tuple[int, int, str, float | None, tuple[tuple[int, int], ...]]])
