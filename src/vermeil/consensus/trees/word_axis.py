"""The words all members share, on one axis, and the part of speech most of them give each.

Tables hold the same sentences; a member that failed has no words in a sentence, the others have
the same ones.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.grammar import Tags

_STEP = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class WordAxis:
    """``word`` and ``tag`` are codes; sentence ``s`` begins at ``first_word[s]``.

    >>> one = TreeTable.parse(["(S (NN p53) (VBZ binds))", ""])
    >>> other = TreeTable.parse(["", "(NP (NN DNA))"], one.names)
    >>> axis = WordAxis.of([one, other])
    >>> axis.first_word.tolist(), [one.names.words.names[code] for code in axis.word]
    ([0, 2, 3], ['p53', 'binds', 'DNA'])
    """

    first_word: Ints
    word: Ints
    tag: Ints

    @staticmethod
    def of(tables: Sequence[TreeTable], weights: Sequence[float] | None = None) -> "WordAxis":
        """Lay the words of members over one another.

        Of parts of speech with the same weight behind them the first in the alphabet is taken.
        """
        n_words = np.max([table.n_words for table in tables], axis=0)
        first_word = np.concatenate(([0], np.cumsum(n_words)))
        word = np.zeros(first_word[-1], dtype=np.int64)
        tags = np.full((len(tables), first_word[-1]), -1)
        for table, row in zip(tables, tags, strict=True):
            there = np.repeat(~table.failed & (table.n_words == n_words), n_words)
            word[there], row[there] = table.word, table.tag
        names = np.array([*tables[0].names.labels.names, ""])
        return WordAxis(first_word, word, _most_given(tags, weights, names))


def hashed(names: Sequence[str]) -> Ints:
    """Number names by their spelling, however they are written and in whatever order they come."""
    return np.array([zlib.crc32(name.lower().encode()) for name in names] or [0], dtype=np.int64)


def dealt(tables: Sequence[TreeTable], n_parts: int) -> Ints:
    """Deal sentences into parts by their words; where they stand does not matter.

    >>> one = TreeTable.parse(["(S (NN p53) (VBZ binds))", "(NP (NN DNA))"])
    >>> other = TreeTable.parse(["(NP (NN DNA))", "(S (NN p53) (VBZ binds))"])
    >>> dealt([one], 5).tolist() == dealt([other], 5).tolist()[::-1]
    True
    """
    axis = WordAxis.of(tables)
    hashes = hashed(tables[0].names.words.names)[axis.word].astype(np.uint64)
    n_words = np.diff(axis.first_word)
    place = np.arange(len(hashes)) - np.repeat(axis.first_word[:-1], n_words)
    mixed = hashes * (np.uint64(2) * place.astype(np.uint64) + np.uint64(1)) * _STEP
    total = np.zeros(len(n_words), dtype=np.uint64)
    np.add.at(total, np.repeat(np.arange(len(n_words)), n_words), mixed ^ (mixed >> np.uint64(29)))
    return ((total >> np.uint64(32)) % np.uint64(n_parts)).astype(np.int64)


def given_tags(tables: Sequence[TreeTable]) -> list[tuple[Tags, ...]]:
    """List for each sentence the tags that members give its words, the commonest first.

    >>> one = TreeTable.parse(["(NP (NN T) (NNS cells))"])
    >>> other = TreeTable.parse(["(NP (JJ T) (NNS cells))"], one.names)
    >>> given_tags([one, other])
    [((('JJ', 0.5), ('NN', 0.5)), (('NNS', 1.0),))]
    """
    n_words = np.max([table.n_words for table in tables], axis=0)
    names = tables[0].names.labels.names
    rows = []
    for table in tables:
        row = np.full(int(n_words.sum()), -1)
        row[np.repeat(~table.failed & (table.n_words == n_words), n_words)] = table.tag
        rows.append(row.tolist())
    known: dict[tuple[int, ...], Tags] = {}
    found = []
    for given in zip(*rows, strict=True):
        if given not in known:
            known[given] = _shared_out(given, names)
        found.append(known[given])
    bounds = [0, *np.cumsum(n_words).tolist()]
    return [tuple(found[begin:end]) for begin, end in pairwise(bounds)]


def _shared_out(given: Sequence[int], names: Sequence[str]) -> Tags:
    support = Counter(names[code] for code in given if code >= 0)
    shares = [(tag, n / support.total()) for tag, n in support.items()]
    return tuple(sorted(shares, key=lambda each: (-each[1], each[0])))


def _most_given(tags: Ints, weights: Sequence[float] | None, names: NDArray[np.str_]) -> Ints:
    weight = np.ones(len(tags)) if weights is None else np.asarray(weights, dtype=np.float64)
    votes = np.zeros(tags.shape)
    for row, given in enumerate(tags):
        votes += (tags == given) * weight[row]
    votes[tags == -1] = -1
    place = np.argsort(np.argsort(names))[tags]
    # Sorted by votes, then backwards by name, the last row is the one wanted.
    order = np.lexsort((-place, votes.round(9)), axis=0)[-1]
    found: Ints = np.take_along_axis(tags, order[None, :], axis=0)[0]
    return found
