"""Hearts with what was said of them and the texts they stand in, kept to learn how to read.

Beside the answers of a crowd, which are counted where they are equal, this keeps hearts one by one:
who said what, and where. Their words are described (``consensus/reading``) only when the whole
crowd has been heard and nothing speaks against reading. So that a corpus of any size fits, only
some documents are kept when there are too many hearts: those whose keys, hashes of their texts,
begin with enough zeros. Which these are does not depend on how a corpus is cut.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints, ranges
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.answers import AnswerRows, Answers, EachRow, mixed, places_among
from vermeil.consensus.people.evidence import Testimonies, Testimony
from vermeil.consensus.people.known import NOT_THERE
from vermeil.consensus.people.repeats import Hashes, spellings
from vermeil.consensus.reading.described import DescribedThings
from vermeil.consensus.reading.kept_texts import KeptTexts
from vermeil.consensus.reading.places import ProposedEdges, ReadTexts, keys_of

MOST_READ = 60_000
"""Hearts that reading is learned from at the most."""

BATCH = 3000
"""Texts that are described at a time."""

_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class HeartTexts:
    """Hearts by the key of their text, with answers and the boundaries that were proposed.

    Heart h has ``n_left[h]`` boundaries on the left, which come in order of hearts and ranks.
    Boundaries and ``start`` and ``end`` of hearts are offsets of the text.
    """

    key: NDArray[np.uint64]
    start: Ints
    end: Ints
    rows: AnswerRows
    n_left: Ints
    n_right: Ints
    left: Ints
    right: Ints

    @staticmethod
    def of(
        evidence: Testimony, rows: AnswerRows, table: SpanTable, key: NDArray[np.uint64]
    ) -> "HeartTexts":
        """List the hearts of a batch, with a row each; the keys of its documents are these."""
        start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
        document = evidence.document
        sides = [
            boundaries_of(evidence, ranks.astype(np.int64), is_left=is_left)
            for ranks, is_left in ((rows.left, True), (rows.right, False))
        ]
        sizes = [np.bincount(side.heart, minlength=len(evidence)) for side in sides]
        origin = table.origin[document]
        left, right = (side.offset - origin[side.heart] for side in sides)
        return HeartTexts(
            key[document],
            start - origin,
            end - origin,
            rows,
            n_left=sizes[0],
            n_right=sizes[1],
            left=left,
            right=right,
        )

    def __len__(self) -> int:
        return len(self.key)

    def beside(self, other: "HeartTexts") -> "HeartTexts":
        """Put the hearts of two batches together."""
        return HeartTexts(
            np.concatenate((self.key, other.key)),
            np.concatenate((self.start, other.start)),
            np.concatenate((self.end, other.end)),
            self.rows.beside(other.rows),
            n_left=np.concatenate((self.n_left, other.n_left)),
            n_right=np.concatenate((self.n_right, other.n_right)),
            left=np.concatenate((self.left, other.left)),
            right=np.concatenate((self.right, other.right)),
        )

    def chosen(self, hearts: Ints) -> "HeartTexts":
        """Keep some hearts, in this order."""
        return HeartTexts(
            self.key[hearts],
            self.start[hearts],
            self.end[hearts],
            self.rows.chosen(hearts),
            n_left=self.n_left[hearts],
            n_right=self.n_right[hearts],
            left=self.left[own_cuts(self.n_left, hearts)],
            right=self.right[own_cuts(self.n_right, hearts)],
        )

    def recoded(self, annotators: Ints, labels: Ints) -> "HeartTexts":
        """Number annotators and labels otherwise."""
        return replace(self, rows=self.rows.recoded(annotators, labels))

    def in_order(self) -> "HeartTexts":
        """Order hearts by text and place, those of equal texts by what was said of them."""
        said = np.add.reduceat(mixed(self.rows), self.rows.first[:-1]) if len(self) else self.key
        return self.chosen(np.lexsort((-self.end, said, self.start, self.key)))


@dataclass(frozen=True, slots=True, eq=False)
class DescribedHearts:
    """Hearts by the key of their text, with answers and features, those of their boundaries too.

    Hearts of the same words have the same ``spelt``. With ``cuts_only`` there are no ``hearts``.
    """

    key: NDArray[np.uint64]
    spelt: Hashes
    rows: AnswerRows
    hearts: DescribedThings
    left: DescribedThings
    right: DescribedThings

    @staticmethod
    def of(texts: HeartTexts, kept: KeptTexts, *, cuts_only: bool = False) -> "DescribedHearts":
        """Describe hearts by the words of their texts, a batch of texts at a time."""
        own = texts.in_order()
        parts = [
            _described(own.chosen(some), kept, cuts_only=cuts_only) for some in _batches(own.key)
        ]
        spelt, *sides = zip(*parts, strict=True)
        things = [reduce(DescribedThings.beside, side).in_order() for side in sides]
        return DescribedHearts(own.key, np.concatenate(spelt), own.rows, *things)

    def __len__(self) -> int:
        return len(self.key)


def _batches(key: NDArray[np.uint64]) -> Iterator[Ints]:
    """Yield the places of keys that rise, those of BATCH distinct ones at a time; once at least."""
    first = np.unique(key, return_index=True)[1]
    bounds = [*first[::BATCH].tolist(), len(key)] if len(key) else [0, 0]
    for begin, end in pairwise(bounds):
        yield np.arange(begin, end)


def _described(
    own: HeartTexts, kept: KeptTexts, *, cuts_only: bool
) -> tuple[Hashes, DescribedThings, DescribedThings, DescribedThings]:
    """Spell and describe hearts, and describe their boundaries on both sides."""
    key, document = np.unique(own.key, return_inverse=True)
    documents = kept.of_keys(key)
    texts = ReadTexts(documents)
    origin = texts.origin[document]
    start, end = own.start + origin, own.end + origin
    sides = []
    for offset, size, is_left in ((own.left, own.n_left, True), (own.right, own.n_right, False)):
        heart = np.repeat(np.arange(len(own)), size)
        rank = np.arange(len(heart)) - (np.cumsum(size) - size)[heart]
        proposed = ProposedEdges(
            heart, offset + origin[heart], rank, size[heart] - 1 - rank, is_left=is_left
        )
        sides.append(DescribedThings.of(texts.boundaries(proposed, document, start, end)))
    n_seen = 0 if cuts_only else len(own)
    seen = texts.hearts(document[:n_seen], start[:n_seen], end[:n_seen])
    hearts = DescribedThings.of(seen)
    return spellings(documents, document, own.start, own.end), hearts, sides[0], sides[1]


@dataclass(frozen=True, slots=True, eq=False)
class CrowdTexts:
    """HeartTexts of a corpus, those that are shared by labels together and apart, and of each.

    They add. Documents are kept if the first ``n_zeros`` bits of their keys are 0.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    n_zeros: int
    shared: HeartTexts
    pooled: HeartTexts
    apart: HeartTexts
    kept: KeptTexts

    @staticmethod
    def of(table: SpanTable, said: Testimonies, rows: EachRow, *, n_zeros: int = 0) -> "CrowdTexts":
        """List the hearts of a batch, with a row for each, and keep their texts."""
        key = keys_of(table)
        wanted = _are_kept(key, n_zeros)
        used = np.zeros(len(key), dtype=bool)
        hearts = []
        for evidence, own in zip(said, rows, strict=True):
            if not wanted.all():
                some = np.flatnonzero(wanted[evidence.document])
                evidence, own = evidence.chosen(some), own.chosen(some)
            used[evidence.document] = True
            hearts.append(HeartTexts.of(evidence, own, table, key))
        shared, pooled, apart = hearts
        kept = KeptTexts.of(table.documents, key, np.flatnonzero(used))
        return CrowdTexts(
            table.annotators,
            table.labels,
            n_zeros,
            shared=shared,
            pooled=pooled,
            apart=apart,
            kept=kept,
        )._thinned()

    def __len__(self) -> int:
        return _size(self)

    def hearts(self, *, together: bool) -> HeartTexts:
        """Return all hearts, of labels together or each apart."""
        return self.shared.beside(self.pooled if together else self.apart)

    def __add__(self, other: "CrowdTexts") -> "CrowdTexts":
        annotators = tuple(sorted({*self.annotators, *other.annotators}))
        labels = tuple(sorted({*self.labels, *other.labels}))
        n_zeros = max(self.n_zeros, other.n_zeros)
        mine, theirs = (each._with(annotators, labels, n_zeros) for each in (self, other))
        # What is too much is left out before the two are put together, not after.
        while _size(mine, theirs) > MOST_READ and n_zeros < _BITS:
            n_zeros += 1
            mine, theirs = mine._only(n_zeros), theirs._only(n_zeros)
        return CrowdTexts(
            annotators,
            labels,
            n_zeros,
            shared=mine.shared.beside(theirs.shared),
            pooled=mine.pooled.beside(theirs.pooled),
            apart=mine.apart.beside(theirs.apart),
            kept=mine.kept.beside(theirs.kept),
        )

    def _with(
        self, annotators: tuple[str, ...], labels: tuple[str, ...], n_zeros: int
    ) -> "CrowdTexts":
        thin = self if n_zeros == self.n_zeros else self._only(n_zeros)
        if (annotators, labels) == (self.annotators, self.labels):
            return thin
        codes = places_among(self.annotators, annotators), places_among(self.labels, labels)
        shared, pooled, apart = (
            each.recoded(*codes) for each in (thin.shared, thin.pooled, thin.apart)
        )
        return replace(
            thin, annotators=annotators, labels=labels, shared=shared, pooled=pooled, apart=apart
        )

    def _thinned(self) -> "CrowdTexts":
        thin = self
        while len(thin) > MOST_READ and thin.n_zeros < _BITS:
            thin = thin._only(thin.n_zeros + 1)
        return thin

    def _only(self, n_zeros: int) -> "CrowdTexts":
        shared, pooled, apart = (
            each.chosen(np.flatnonzero(_are_kept(each.key, n_zeros)))
            for each in (self.shared, self.pooled, self.apart)
        )
        kept = self.kept.only(_are_kept(self.kept.key, n_zeros))
        return replace(self, n_zeros=n_zeros, shared=shared, pooled=pooled, apart=apart, kept=kept)


def _size(*texts: CrowdTexts) -> int:
    """Count the hearts of some texts, of labels together or apart, of which there are more."""
    shared, pooled, apart = (
        sum(len(getattr(each, name)) for each in texts) for name in ("shared", "pooled", "apart")
    )
    return shared + max(pooled, apart)


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
        hearts = (texts.shared, texts.pooled, texts.apart)
        self._keys.setdefault(number, [each.key for each in hearts])
        self.n_zeros = max(self.n_zeros, texts.n_zeros)
        self._thin()
        while self._most() > MOST_READ and self.n_zeros < _BITS:
            self.n_zeros += 1
            self._thin()

    def _thin(self) -> None:
        for keys in self._keys.values():
            keys[:] = [each[_are_kept(each, self.n_zeros)] for each in keys]

    def _most(self) -> int:
        each = zip(*self._keys.values(), strict=True)
        shared, pooled, apart = (sum(map(len, side)) for side in each)
        return shared + max(pooled, apart)


def boundaries_of(evidence: Testimony, ranks: Ints, *, is_left: bool) -> ProposedEdges:
    """List the boundaries proposed on one side of all hearts, as ``ProposedCuts`` numbers them."""
    reach = evidence.left if is_left else evidence.right
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
