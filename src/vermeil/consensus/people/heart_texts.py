"""Hearts with what was said of them and what the text says, kept to learn how to read.

Beside the answers of a crowd, which are counted where they are equal, this keeps hearts one by one:
who said what, and features of the words (``consensus/reading``). So that a corpus of any size fits,
only some documents are kept when there are too many hearts: those whose keys, hashes of their
texts, begin with enough zeros. Which these are does not depend on how a corpus is cut.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints, ranges
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.answers import FARTHEST, AnswerRows, Answers, mixed, places_among
from vermeil.consensus.people.evidence import Testimony, ranks_of
from vermeil.consensus.people.known import NOT_THERE
from vermeil.consensus.people.repeats import Hashes, spellings
from vermeil.consensus.reading.described import DescribedThings
from vermeil.consensus.reading.places import ProposedEdges, ReadTexts, keys_of

MOST_READ = 60_000
"""Hearts that reading is learned from at the most."""

_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class HeartTexts:
    """Hearts by the key of their text, with answers and features, those of their boundaries too.

    Heart h has ``n_left[h]`` boundaries on the left, which come in order of hearts and ranks.
    Hearts of the same words have the same ``spelt``.
    """

    key: NDArray[np.uint64]
    start: Ints
    spelt: Hashes
    rows: AnswerRows
    hearts: DescribedThings
    n_left: Ints
    n_right: Ints
    left: DescribedThings
    right: DescribedThings

    @staticmethod
    def of(evidence: Testimony, table: SpanTable, texts: ReadTexts, wanted: Flags) -> "HeartTexts":
        """Describe the hearts of a batch that are in documents that are wanted."""
        start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
        document = evidence.document
        sides = [
            boundaries_of(evidence, is_left=is_left, farthest=FARTHEST) for is_left in (True, False)
        ]
        sizes = [np.bincount(side.heart, minlength=len(evidence)) for side in sides]
        things = [
            DescribedThings.of(texts.boundaries(side, document, start, end)) for side in sides
        ]
        every = HeartTexts(
            keys_of(table)[document],
            start - table.origin[document],
            spellings(table, evidence),
            AnswerRows.of_each(evidence),
            DescribedThings.of(texts.hearts(document, start, end)),
            n_left=sizes[0],
            n_right=sizes[1],
            left=things[0],
            right=things[1],
        )
        return every if wanted.all() else every.chosen(np.flatnonzero(wanted[document]))

    def __len__(self) -> int:
        return len(self.key)

    def beside(self, other: "HeartTexts") -> "HeartTexts":
        """Put the hearts of two batches together."""
        return HeartTexts(
            np.concatenate((self.key, other.key)),
            np.concatenate((self.start, other.start)),
            np.concatenate((self.spelt, other.spelt)),
            self.rows.beside(other.rows),
            self.hearts.beside(other.hearts),
            n_left=np.concatenate((self.n_left, other.n_left)),
            n_right=np.concatenate((self.n_right, other.n_right)),
            left=self.left.beside(other.left),
            right=self.right.beside(other.right),
        )

    def chosen(self, hearts: Ints) -> "HeartTexts":
        """Keep some hearts, in this order."""
        return HeartTexts(
            self.key[hearts],
            self.start[hearts],
            self.spelt[hearts],
            self.rows.chosen(hearts),
            self.hearts.only(hearts),
            n_left=self.n_left[hearts],
            n_right=self.n_right[hearts],
            left=self.left.only(own_cuts(self.n_left, hearts)),
            right=self.right.only(own_cuts(self.n_right, hearts)),
        )

    def recoded(self, annotators: Ints, labels: Ints) -> "HeartTexts":
        """Number annotators and labels otherwise."""
        rows = self.rows.recoded(annotators, labels)
        return HeartTexts(
            self.key,
            self.start,
            self.spelt,
            rows,
            self.hearts,
            n_left=self.n_left,
            n_right=self.n_right,
            left=self.left,
            right=self.right,
        )

    def in_order(self) -> "HeartTexts":
        """Order hearts by text and place, those of equal texts by what was said of them."""
        said = np.add.reduceat(mixed(self.rows), self.rows.first[:-1]) if len(self) else self.key
        own = self.chosen(np.lexsort((said, self.start, self.key)))
        return HeartTexts(
            own.key,
            own.start,
            own.spelt,
            own.rows,
            own.hearts.in_order(),
            n_left=own.n_left,
            n_right=own.n_right,
            left=own.left.in_order(),
            right=own.right.in_order(),
        )


@dataclass(frozen=True, slots=True, eq=False)
class CrowdTexts:
    """HeartTexts of a corpus, labels together and each apart. They add.

    Documents are kept if the first ``n_zeros`` bits of their keys are 0.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    n_zeros: int
    pooled: HeartTexts
    apart: HeartTexts

    @staticmethod
    def of(
        table: SpanTable, pooled: Testimony, apart: Testimony, *, n_zeros: int = 0
    ) -> "CrowdTexts":
        """Describe the hearts of a batch."""
        wanted = _are_kept(keys_of(table), n_zeros)
        texts = ReadTexts(table, wanted)
        one = HeartTexts.of(pooled, table, texts, wanted)
        other = one if apart is pooled else HeartTexts.of(apart, table, texts, wanted)
        return CrowdTexts(table.annotators, table.labels, n_zeros, one, other)._thinned()

    def __add__(self, other: "CrowdTexts") -> "CrowdTexts":
        annotators = tuple(sorted({*self.annotators, *other.annotators}))
        labels = tuple(sorted({*self.labels, *other.labels}))
        n_zeros = max(self.n_zeros, other.n_zeros)
        mine, theirs = (each._with(annotators, labels, n_zeros) for each in (self, other))
        pooled = mine.pooled.beside(theirs.pooled)
        shared = mine.apart is mine.pooled and theirs.apart is theirs.pooled and len(labels) < 2
        apart = pooled if shared else mine.apart.beside(theirs.apart)
        return CrowdTexts(annotators, labels, n_zeros, pooled, apart)._thinned()

    def _with(
        self, annotators: tuple[str, ...], labels: tuple[str, ...], n_zeros: int
    ) -> "CrowdTexts":
        thin = self if n_zeros == self.n_zeros else self._only(n_zeros)
        if (annotators, labels) == (self.annotators, self.labels):
            return thin
        codes = places_among(self.annotators, annotators), places_among(self.labels, labels)
        pooled = thin.pooled.recoded(*codes)
        apart = pooled if thin.apart is thin.pooled else thin.apart.recoded(*codes)
        return CrowdTexts(annotators, labels, n_zeros, pooled, apart)

    def _thinned(self) -> "CrowdTexts":
        thin = self
        while max(len(thin.pooled), len(thin.apart)) > MOST_READ and thin.n_zeros < _BITS:
            thin = thin._only(thin.n_zeros + 1)
        return thin

    def _only(self, n_zeros: int) -> "CrowdTexts":
        pooled, apart = (
            each.chosen(np.flatnonzero(_are_kept(each.key, n_zeros)))
            for each in (self.pooled, self.apart)
        )
        shared = self.apart is self.pooled
        return CrowdTexts(
            self.annotators, self.labels, n_zeros, pooled, pooled if shared else apart
        )


@dataclass(frozen=True, slots=True, eq=False)
class CrowdSeen:
    """What a crowd answered, and the hearts to learn reading from, if it is to be learned."""

    answers: Answers
    texts: CrowdTexts | None = None

    @property
    def least(self) -> int:
        """The least lot of the answers that count."""
        return self.answers.least

    @property
    def n_zeros(self) -> int:
        """How many zeros the keys of documents begin with that are read."""
        return 0 if self.texts is None else self.texts.n_zeros

    def __add__(self, other: "CrowdSeen") -> "CrowdSeen":
        either = self.texts is None or other.texts is None
        texts = None if either else self.texts + other.texts  # type: ignore[operator]
        return CrowdSeen(self.answers + other.answers, texts)


class ReadSoFar:
    """What one process has read of a corpus in several parts: what need not be read of the others.

    As many documents as fill MOST_READ here are too many for the whole, too; so ``n_zeros`` is at
    most what it will be when all parts are added, and what it spares would have been left out.
    """

    least = 0

    def __init__(self) -> None:
        self.n_zeros = 0
        self._keys: dict[int, list[NDArray[np.uint64]]] = {}

    def add(self, number: int, texts: CrowdTexts) -> None:
        """Note a part; one that comes again counts once."""
        self._keys.setdefault(number, [texts.pooled.key, texts.apart.key])
        self.n_zeros = max(self.n_zeros, texts.n_zeros)
        self._thin()
        while self._most() > MOST_READ and self.n_zeros < _BITS:
            self.n_zeros += 1
            self._thin()

    def _thin(self) -> None:
        for keys in self._keys.values():
            keys[:] = [each[_are_kept(each, self.n_zeros)] for each in keys]

    def _most(self) -> int:
        return max(sum(map(len, side)) for side in zip(*self._keys.values(), strict=True))


def boundaries_of(
    evidence: Testimony, *, is_left: bool, farthest: int | None = None
) -> ProposedEdges:
    """List the boundaries proposed on one side of all hearts, as ``ProposedCuts`` numbers them."""
    reach = evidence.left if is_left else evidence.right
    ranks = ranks_of(evidence, reach)
    if farthest is not None:
        ranks = np.minimum(ranks, farthest)
    given = np.flatnonzero(ranks != NOT_THERE)
    most = np.zeros(len(evidence), dtype=np.int64)
    np.maximum.at(most, evidence.heart[given], ranks[given])
    first = np.concatenate(([0], np.cumsum(most + 1)))
    heart = np.repeat(np.arange(len(evidence)), most + 1)
    rank = np.arange(first[-1]) - first[heart]
    away = np.zeros(len(heart), dtype=np.int64)
    away[first[evidence.heart[given]] + ranks[given]] = reach[given]
    hearts = evidence.hearts
    bounds = evidence.axis.bounds(
        hearts.first[heart] - away * is_left, hearts.end[heart] + away * (not is_left)
    )
    return ProposedEdges(
        heart, bounds[0 if is_left else 1], rank, most[heart] - rank, is_left=is_left
    )


def own_cuts(sizes: Ints, hearts: Ints) -> Ints:
    """List the boundaries of some hearts; heart h has ``sizes[h]`` of them."""
    first = np.cumsum(sizes) - sizes
    return ranges(first[hearts], first[hearts] + sizes[hearts])[1]


def _are_kept(keys: NDArray[np.uint64], n_zeros: int) -> Flags:
    if not n_zeros:
        return np.ones(len(keys), dtype=bool)
    kept: Flags = (keys >> np.uint64(_BITS - n_zeros)) == 0
    return kept
