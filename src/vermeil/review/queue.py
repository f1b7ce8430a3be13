"""What a curator should look at first.

With three annotators or more their reliabilities are known (``vermeil.consensus.reliability``),
and documents come in order of the information a curator's answers are expected to give: the
entropy, in bits, of whether each heart is a name and, if it is, of where it begins and ends. With
fewer they come in order of how contested they are: the number of decisions by consensus expected to
be wrong. That is the order of a review that has just begun; as soon as it has learned, documents
come in order of what a decision is expected to mend in them (``learning``). A document for which
somebody else asks a second opinion goes before all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.consensus.reliability import Cuts, Reliability, distinct, sigmoid
from vermeil.review.history import ADJUDICATED
from vermeil.review.schema import HERE
from vermeil.review.store import Store
from vermeil.review.team.search import catch_up, condition
from vermeil.review.voices import Voices
from vermeil.shown import Brief

FEWEST = 3
"""Annotators needed to learn how far to trust each."""

PAGE = 100
"""Documents listed at a time."""

SHOWN = ("open", "all", "done", "doubtful", "opinion", "disputed", "adjudicate", "archived")
"""What can be listed: ``disputed`` is what finished curators differ on, ``adjudicate`` the part of
it that nobody has adjudicated, ``doubtful`` what is open and has a name where parsers differ."""


@dataclass(frozen=True, slots=True, repr=False)
class Ranks(Brief):
    """For each document of a batch: how contested it is, what it would teach, its hearts.

    ``information`` is None where reliabilities are not known.
    """

    contested: Floats
    information: Floats | None
    n_hearts: Ints


@dataclass(frozen=True, slots=True, repr=False)
class QueueEntry(Brief):
    """A row of the queue. ``n_open`` is None where the layer has no work on it yet.

    ``gain`` is what a decision there is expected to mend; None before anything was learned.
    ``doubt`` is how far parsers differ where a name is (1 is wholly); None where they do not.
    """

    number: int
    id: str
    contested: float
    information: float | None
    n_hearts: int
    n_open: int | None
    is_done: bool
    asks: bool
    dispute: float | None
    gain: float | None
    doubt: float | None


@dataclass(frozen=True, slots=True)
class LayerProgress:
    """How far a layer is; ``n_doubtful`` counts documents with a name where parsers differ."""

    n_documents: int
    n_done: int
    n_disputed: int
    n_doubtful: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Documents that are settled, and those left out because finished curators differ."""

    n_settled: int
    n_left_out: int


def rank(voices: Voices, learned: Reliability) -> Ranks:
    """Rank some documents. How contested they are is what ``Outcome.contested`` says."""
    document, n = voices.document, voices.n_documents
    here = learned.among(voices.annotators)
    votes, looks = voices.voted.astype(float), voices.looked.astype(float)
    chance = sigmoid(here.existence.logit(votes, looks))
    sure_left, doubt_left = _side(voices.left, here.left)
    sure_right, doubt_right = _side(voices.right, here.right)
    sure = chance * sure_left * sure_right
    contested = np.bincount(document, np.minimum(sure, 1 - sure), n).astype(np.float64)
    n_hearts = np.bincount(document, minlength=n)
    if len(learned.annotators) < FEWEST:
        return Ranks(contested, None, n_hearts)
    bits = entropy(np.stack((chance, 1 - chance), axis=1)) + chance * (doubt_left + doubt_right)
    return Ranks(contested, np.bincount(document, bits, n).astype(np.float64), n_hearts)


def entropy(chances: Floats) -> Floats:
    """Compute the entropy of each row, in bits.

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    logs = np.log2(chances, out=np.zeros_like(chances), where=chances > 0)
    total: Floats = 0.0 - (chances * logs).sum(axis=1)
    return total


def listed(
    store: Store, layer: str, *, show: str = "open", search: str = "", skip: int = 0
) -> list[QueueEntry]:
    """List a page of the queue of ``layer``; ``search`` is what to find (see ``team.search``)."""
    order = _ORDERS.get(show, _BY_WORTH)
    found, said = condition(search)
    where = f"{_SHOWN[show]} AND {HERE if show != 'archived' else 'r.is_archived'} AND {found}"
    values = {"layer": layer, "most": PAGE, "skip": skip, **said}
    if search:
        catch_up(store)
    with store.reading() as connection:
        rows = connection.execute(_entries(where, order), values).fetchall()
        if show == "open" and not search:
            asked = f"{_ASKED_BY_OTHERS} AND {where}"
            first = connection.execute(_entries(asked, order), {**values, "skip": 0}).fetchall()
            taken = {row[0] for row in first}
            rows = [*([] if skip else first), *(row for row in rows if row[0] not in taken)]
    return [_entry(row) for row in rows]


def progress(store: Store, layer: str) -> LayerProgress:
    """Count what is there, what is done, and what finished curators or parsers differ on."""
    with store.reading() as connection:
        [row] = connection.execute(
            f"SELECT (SELECT count(*) FROM ranks r WHERE {HERE}), (SELECT count(*) FROM works w "
            "JOIN ranks r ON r.document = w.document WHERE w.layer = :layer AND w.is_done = 1 AND "
            f"{HERE}), (SELECT count(*) FROM ranks r WHERE dispute > 0 AND {HERE}), "
            f"(SELECT count(*) FROM ranks r WHERE doubt IS NOT NULL AND {HERE})",
            {"layer": layer},
        )
    return LayerProgress(*row)


def settled(store: Store) -> Settled:
    """Count what ``exporting.gold`` yields and what it leaves out."""
    with store.reading() as connection:
        [(n_done, n_left_out)] = connection.execute(
            "SELECT (SELECT count(DISTINCT w.document) FROM works w JOIN ranks r ON r.document = "
            "w.document WHERE w.is_done = 1 AND NOT r.is_archived), "
            f"(SELECT count(*) FROM ranks r WHERE {_SHOWN['adjudicate']} AND NOT r.is_archived)",
            {"layer": ADJUDICATED},
        )
    return Settled(n_done - n_left_out, n_left_out)


def _entry(row: Sequence[Any]) -> QueueEntry:
    *facts, is_done, asks, dispute, gain, doubt = row
    return QueueEntry(*(*facts, bool(is_done), bool(asks), dispute, gain, doubt))


def _side(ranks: NDArray[np.int8], cuts: Cuts) -> tuple[Floats, Floats]:
    """Find for each heart the chance of its best boundary on one side, and the entropy of all."""
    if not len(ranks):
        return np.zeros(0), np.zeros(0)
    patterns, pattern = distinct(ranks)
    posterior = cuts.posterior(patterns)
    return posterior.max(axis=1)[pattern], entropy(posterior)[pattern]


def _entries(where: str, order: str) -> str:
    """Spell the query for entries; which ones is found first, without touching the texts."""
    return (
        f"WITH chosen AS (SELECT r.document FROM ranks r WHERE {where} "
        f"ORDER BY {order} LIMIT :most OFFSET :skip) "
        "SELECT r.document, d.id, r.contested, r.information, r.n_hearts, w.n_open, "
        f"coalesce(w.is_done, 0), {_OTHERS_ASK}, r.dispute, r.gain, r.doubt "
        "FROM chosen c JOIN ranks r ON r.document = c.document "
        "JOIN documents d ON d.number = c.document "
        "LEFT JOIN works w ON w.layer = :layer AND w.document = c.document "
        f"ORDER BY {order}"
    )


_BY_WORTH = "r.gain IS NULL, coalesce(r.gain, r.information, r.contested) DESC, r.document"
_BY_DISPUTE = "r.dispute DESC, r.document"
_ORDERS = {
    "disputed": _BY_DISPUTE,
    "adjudicate": _BY_DISPUTE,
    "doubtful": "r.doubt DESC, r.document",
}
_OTHERS_ASK = (
    "EXISTS (SELECT 1 FROM works o WHERE o.asks AND o.document = r.document AND o.layer <> :layer)"
)
_ASKED_BY_OTHERS = "r.document IN (SELECT document FROM works WHERE asks AND layer <> :layer)"
_IS_DONE = (
    "EXISTS (SELECT 1 FROM works w WHERE w.layer = :layer AND w.is_done = 1 AND "
    "w.document = r.document)"
)
_SHOWN = {
    "archived": "1",
    "open": f"NOT {_IS_DONE}",
    "all": "1",
    "done": _IS_DONE,
    "doubtful": f"r.doubt IS NOT NULL AND NOT {_IS_DONE}",
    "opinion": "r.document IN (SELECT document FROM works WHERE asks)",
    "disputed": "r.dispute > 0",
    "adjudicate": f"r.dispute > 0 AND NOT {_IS_DONE}",
}
