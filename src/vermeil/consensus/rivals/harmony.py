"""Harmonisation by alignment: the silver standard before centroids.

After Rebholz-Schuhmann et al. 2010, "The CALBC silver standard corpus for biomedical named
entities", as section 7 of Lewin et al., "Centroids", has it: "a sequence of n - 1 pairwise
alignments using cosine similarity scores over vectors of token idfs", which ends in "a single
choice of ideal term extent". The names of each annotator in turn are aligned with what was
harmonised so far: those that share a character, have the same label and are similar enough, the
most similar first, one to one. What is not aligned begins a name of its own.

Decided where that leaves it open: annotators come in alphabetical order (another order can end
elsewhere, as section 7 complains); tokens are those of ``fine`` in lower case, and a token in d of
N documents has log((N + 1) / d); a harmonised name has the extent that most of its annotators gave,
of equals the heavier one; two votes keep it, or one where only one looked. Names that still overlap
compete by votes. There is no distribution.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from math import log, sqrt

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.axis import stretches
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.text.tokens import covering, fine

SIMILAR = 0.98
"""Names with at least this cosine are one name; what CALBC calls cos-98."""

Place = tuple[int, int]
Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """In how many of so many documents each token stands. Add two to pool them."""

    n_documents: int
    tokens: tuple[str, ...]
    count: Ints

    @staticmethod
    def of(table: SpanTable) -> "TokenCounts":
        """Count the tokens of the documents of a batch that anybody looked at."""
        looked = np.flatnonzero(table.looked.any(axis=1)).tolist()
        counter: Counter[str] = Counter()
        for number in looked:
            text = table.documents[number].text
            counter.update({text[start:end].casefold() for start, end in fine(text)})
        return TokenCounts._of(len(looked), counter)

    @staticmethod
    def _of(n_documents: int, counter: Counter[str]) -> "TokenCounts":
        tokens = tuple(sorted(counter))
        count = np.array([counter[token] for token in tokens], dtype=np.int64)
        return TokenCounts(n_documents, tokens, count)

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        counter: Counter[str] = Counter()
        for each in (self, other):
            counter.update(dict(zip(each.tokens, each.count.tolist(), strict=True)))
        return TokenCounts._of(self.n_documents + other.n_documents, counter)


@dataclass(frozen=True, eq=False)
class TokenWeights:
    """What each token weighs: rare ones more (their inverse document frequency)."""

    n_documents: int
    tokens: tuple[str, ...]
    weight: Floats

    @cached_property
    def _by_token(self) -> dict[str, float]:
        return dict(zip(self.tokens, self.weight.tolist(), strict=True))

    def of(self, token: str) -> float:
        """Weigh a token; one that was never seen is as rare as can be."""
        return self._by_token.get(token, log(self.n_documents + 1))


@dataclass(slots=True)
class _Group:
    """What is held for one name: who gave which extent."""

    places: list[Place]
    voters: set[int] = field(default_factory=set)


def learn(counts: TokenCounts) -> TokenWeights:
    """Weigh tokens by how few documents they stand in."""
    weight = np.log((counts.n_documents + 1) / counts.count)
    return TokenWeights(counts.n_documents, counts.tokens, weight)


def decide(
    table: SpanTable,
    weights: TokenWeights,
    *,
    similar: float = SIMILAR,
    min_votes: float = 0,
    min_share: float = 0,
) -> Decision:
    """Harmonise the names of all annotators of a batch; by default two votes keep one."""
    row, start, end = stretches(table)
    document, label = table.document[row], table.label[row]
    order = np.lexsort((end, start, table.annotator[row], label, document))
    origin = table.origin[document]
    columns = (document, label, table.annotator[row], start - origin, end - origin)
    rows = zip(*(column[order].tolist() for column in columns), strict=True)
    n_looked = table.looked.sum(axis=1)
    found: list[tuple[int, int, int, int, float]] = []
    for (number, code), names in groupby(rows, key=lambda each: each[:2]):
        reader = _Reader(table.documents[number].text, weights)
        groups: list[_Group] = []
        for annotator, mine in groupby(names, key=lambda each: each[2]):
            places = list(dict.fromkeys((first, last) for *_, first, last in mine))
            _align(groups, places, annotator, reader, similar)
        least = min_votes if min_votes or min_share else min(2, int(n_looked[number]))
        for group in groups:
            votes = len(group.voters)
            share = votes / int(n_looked[number])
            if votes >= least and share >= min_share:
                found.append((number, code, *reader.best(group.places), share))
    numbers = np.array([each[:4] for each in found], dtype=np.int64).reshape(-1, 4)
    sure = np.array([each[4] for each in found])
    owner, kind, begin, stop = numbers.T
    return without_overlaps(Decision(table, owner, kind, begin, stop, sure))


class _Reader:
    """A text whose stretches can be compared."""

    def __init__(self, text: str, weights: TokenWeights) -> None:
        self._text, self._weights = text, weights
        self._tokens = fine(text)
        self._known: dict[Place, tuple[Vector, float]] = {}

    def vector(self, place: Place) -> tuple[Vector, float]:
        """Return the weights of the tokens of a stretch, and their length."""
        if place not in self._known:
            first, last = covering(self._tokens, *place)
            words = Counter(self._text[a:b].casefold() for a, b in self._tokens[first:last])
            vector = {word: n * self._weights.of(word) for word, n in sorted(words.items())}
            length = sqrt(sum(value * value for value in vector.values()))
            self._known[place] = vector, length
        return self._known[place]

    def cosine(self, one: Place, other: Place) -> float:
        """Return how alike two stretches are, from 0 to 1."""
        if one == other:
            return 1.0
        (mine, length), (theirs, width) = self.vector(one), self.vector(other)
        product = sum(value * theirs.get(word, 0.0) for word, value in mine.items())
        return product / (length * width) if length and width else 0.0

    def best(self, places: list[Place]) -> Place:
        """Choose the extent that most gave; of equals the heavier, then the first."""
        votes = Counter(places)
        return min(votes, key=lambda each: (-votes[each], -self.vector(each)[1], each))


def _align(
    groups: list[_Group], places: list[Place], annotator: int, reader: _Reader, similar: float
) -> None:
    """Align the names of one more annotator with what was harmonised before."""
    extents = [reader.best(group.places) for group in groups]
    pairs = [
        (-cosine, number, place)
        for number, extent in enumerate(extents)
        for place in places
        if place[0] < extent[1] and extent[0] < place[1]
        if (cosine := reader.cosine(extent, place)) >= similar
    ]
    taken: set[int] = set()
    rest = dict.fromkeys(places)
    for _, number, place in sorted(pairs):
        if number not in taken and place in rest:
            taken.add(number)
            del rest[place]
            groups[number].places.append(place)
            groups[number].voters.add(annotator)
    groups += [_Group([place], {annotator}) for place in rest]
