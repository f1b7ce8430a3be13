"""Pairs of a document and a record it may be about, and what can be said of them.

A document that holds a name of a record may be about it: how sure that name is (see ``support``),
how often documents that hold it are linked to this record rather than to others of the same name,
how much of the literature is about the record, where and how often its names stand, and what else
the document may be about. A pair is no witness for itself: in a referenced document its own link,
known or not, is left out of all counts.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.support.counts import PRIOR
from vermeil.acquisition.support.judgement import JudgedMatches
from vermeil.acquisition.support.match_features import hashed
from vermeil.arrays import ColumnTable, Flags, Floats, Ints, ranges

FLOOR = -6.0
"""Score of a match below which it makes no pair."""

MOST_RECORDS = 60
"""Records of a name beyond which it says of none of them that the document is about it."""


@dataclass(frozen=True, slots=True, eq=False)
class Uses(ColumnTable):
    """A row for each document, name in it and record of that name, in this order.

    ``edge`` is the place of name and record in ``Lexicon.records``; ``score`` that of the matches
    of the name in the document, ``n`` how many these are. The first stands from ``start`` to
    ``end``.
    """

    document: Ints
    key: Ints
    record: Ints
    edge: Ints
    score: Floats
    n: Ints
    start: Ints
    end: Ints
    is_exact: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Pairs(ColumnTable):
    """A row for each document and record, in this order.

    ``best`` is the row of ``Uses`` with the highest score; ``is_known`` tells whether a reference
    links the two.
    """

    document: Ints
    record: Ints
    best: Ints
    is_known: Flags


@dataclass(frozen=True, slots=True, eq=False)
class EdgeCounts:
    """What referenced documents say of names and records.

    Of the documents that hold the name of an edge, ``n_linked`` are linked to its record.
    ``n_documents`` counts by name the documents that hold it, ``n_links`` by record all documents
    that references link to it, whatever they hold.
    """

    n_linked: Ints
    n_documents: Ints
    n_links: Ints


def uses_of(lexicon: Lexicon, judged: JudgedMatches) -> Uses:
    """List the records that the matches of a batch may stand for."""
    matches = judged.matches
    n_records = np.diff(lexicon.first_record)
    rows = np.flatnonzero((judged.score > FLOOR) & (n_records[matches.key] <= MOST_RECORDS))
    matches, score = matches.keep(rows), judged.score[rows]
    name, first, of, n = np.unique(
        matches.document * max(1, len(lexicon)) + matches.key,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    is_exact = np.zeros(len(name), dtype=bool)
    np.logical_or.at(is_exact, of, matches.is_exact)
    key = matches.key[first]
    which, edge = ranges(lexicon.first_record[key], lexicon.first_record[key + 1])
    return Uses(
        document=matches.document[first][which],
        key=key[which],
        record=lexicon.records[edge].astype(np.int64),
        edge=edge,
        score=score[first][which],
        n=n[which],
        start=matches.start[first][which],
        end=matches.end[first][which],
        is_exact=is_exact[which],
    )


def pairs_of(uses: Uses, links: Links, numbers: Ints) -> tuple[Pairs, Ints]:
    """Bring the uses of each document and record together; and say to which pair each belongs.

    ``numbers`` are those of the documents among the references, -1 of one without any.
    """
    n_ids = max(1, len(links.lexicon.ids))
    pair, of = np.unique(uses.document * n_ids + uses.record, return_inverse=True)
    order = np.lexsort((-uses.score, of))
    best = order[np.searchsorted(of[order], np.arange(len(pair)))]
    document, record = np.divmod(pair, n_ids)
    return Pairs(document, record, best, links.have(numbers[document], record)), of


def describe_pairs(
    lexicon: Lexicon, counts: EdgeCounts, uses: Uses, pairs: Pairs, of: Ints, is_referenced: Flags
) -> Ints:
    """Describe pairs: a row of columns of hashed features for each.

    ``of`` says to which pair each use belongs, ``is_referenced`` goes by document.
    """
    known = pairs.is_known[of].astype(np.int64)
    seen = is_referenced[uses.document].astype(np.int64)
    rate = (counts.n_linked[uses.edge] - known + PRIOR) / (
        counts.n_documents[uses.key] - seen + 1.0
    )
    n_links = counts.n_links[uses.record] - known
    of_rate = _share_of_rivals(uses, rate, lexicon)
    of_links = _share_of_rivals(uses, n_links.astype(np.float64) + PRIOR, lexicon)
    best, n_pairs = pairs.best, len(pairs)
    highest, mentions = _most(rate, of, n_pairs), np.bincount(of, uses.n, n_pairs)
    odds = np.rint(2 * np.log(highest / np.maximum(1 - highest, 1e-3))).astype(np.int64)
    score = np.rint(2 * uses.score[best]).astype(np.int64)
    n_names = np.minimum(np.bincount(of, minlength=n_pairs), 4)
    ambiguity = _least(_doublings(np.diff(lexicon.first_record)[uses.key]), of, n_pairs)
    share, favour = _tenths(_most(of_rate, of, n_pairs)), _tenths(_most(of_links, of, n_pairs))
    place = _rank_in_document(pairs, highest)
    known_names = _doublings(counts.n_documents[uses.key[best]] - seen[best])
    first = np.minimum(_least(uses.start, of, n_pairs) // 100, 12)
    families = (
        odds,
        odds * 16 + np.minimum(known_names, 8),
        score,
        _doublings(n_links[best]),
        n_names,
        np.minimum(_doublings(mentions.astype(np.int64)), 5),
        first,
        ambiguity,
        share,
        favour,
        share * 64 + odds,
        place,
        place * 64 + odds,
        uses.is_exact[best].astype(np.int64),
        pairs.record,
    )
    return np.stack([hashed(number, values) for number, values in enumerate(families)], axis=1)


def _share_of_rivals(uses: Uses, worth: Floats, lexicon: Lexicon) -> Floats:
    """Divide the worth of each record of a name by that of all records of the name."""
    _, of = np.unique(uses.document * max(1, len(lexicon)) + uses.key, return_inverse=True)
    shares: Floats = worth / np.bincount(of, worth)[of] if len(of) else worth
    return shares


def _rank_in_document(pairs: Pairs, worth: Floats) -> Ints:
    """Count the pairs of the same document that are worth more, up to 12."""
    order = np.lexsort((-worth, pairs.document))
    document, falling = pairs.document[order], -worth[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (document[1:] != document[:-1]) | (falling[1:] != falling[:-1])
    first_of_equal = np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = first_of_equal - np.searchsorted(document, document)
    return np.minimum(rank, 12)


def _most(values: Floats, of: Ints, n: int) -> Floats:
    most = np.full(n, -np.inf)
    np.maximum.at(most, of, values)
    return most


def _least(values: Ints, of: Ints, n: int) -> Ints:
    least = np.full(n, np.iinfo(np.int64).max)
    np.minimum.at(least, of, values)
    return least


def _tenths(share: Floats) -> Ints:
    return np.floor(10 * share).astype(np.int64)


def _doublings(n: Ints) -> Ints:
    return np.floor(np.log2(n + 1)).astype(np.int64)
