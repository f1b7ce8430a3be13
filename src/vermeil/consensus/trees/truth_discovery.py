"""CPTAM, a published rival: truth discovery over whole trees, then a vote on labels.

After Kulkarni, Sabetpour, Markin, Eulenstein and Li, "CPTAM: Constituency Parse Tree Aggregation
Method" (2022). A parser's weight is w(k) = -log of its share of all distances to the trees made,
and a tree made is the one with the least weighted sum of Robinson-Foulds distances: the spans that
more than half of the weight has. The two are found in turns. Labels are then voted on among the
parsers that have a span, with weights found in the same way from how often each was outvoted.

Decided here: labels over the same words are voted on together, as the chain that they are; spans
with exactly half of the weight, which make no difference to the sum, are taken in reading order
where they cross nothing; distances are means over what a parser parsed, so that failures are no
merit, and count half a span more than they are, since one that differs from nobody would weigh
infinitely much; of labels with the same weight behind them the first in the alphabet wins.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.pool import Pool
from vermeil.tree import Bracket

N_TURNS = 20
HALF = 1e-9
"""Sums of weights may be off in their last digits."""

_ABSENT, _WITHOUT = "-", "."
"""In a pattern: a member that has no parse, and one whose parse lacks the span."""


@dataclass(frozen=True, slots=True)
class SpanPatterns:
    """How often members were of the same mind about a span and its labels; two add.

    A pattern has a sign for each member: ``-`` without a parse, ``.`` without the span, and else a
    letter, the same for those that label it alike.
    """

    counts: Mapping[str, int]
    n_members: int

    @staticmethod
    def of(tables: Mapping[str, TreeTable]) -> "SpanPatterns":
        """Look at a batch."""
        pool = Pool.of(tables)
        found: Counter[str] = Counter()
        for number, span in _spans(pool):
            found[_pattern(span.chains, pool.parsed[number])] += 1
        return SpanPatterns(found, len(tables))

    def __add__(self, other: "SpanPatterns") -> "SpanPatterns":
        return SpanPatterns(Counter(self.counts) + Counter(other.counts), self.n_members)


@dataclass(frozen=True, slots=True, eq=False)
class ParserWeights:
    """What members count when spans are chosen, and when labels are; each adds up to 1."""

    weights: Floats
    label_weights: Floats

    @staticmethod
    def learn(seen: SpanPatterns) -> "ParserWeights":
        """Find weights and trees in turns."""
        signs = np.array([[ord(each) for each in pattern] for pattern in seen.counts])
        signs = signs.reshape(len(seen.counts), seen.n_members)
        n = np.array(list(seen.counts.values()), dtype=np.float64)
        parsed, have = signs != ord(_ABSENT), signs > ord(_WITHOUT)
        weights = _in_turns(lambda weights: n @ _apart(have, parsed, weights), n @ parsed)
        labels = _in_turns(lambda weights: n @ _outvoted(have, weights, signs), n @ have)
        return ParserWeights(weights, labels)


def chosen_brackets(pool: Pool, learned: ParserWeights) -> list[list[Bracket] | None]:
    """List the brackets of each sentence; None where nobody parsed it."""
    found: list[list[Bracket] | None] = [[] if row.any() else None for row in pool.parsed]
    total = pool.weight_of_all(learned.weights)
    undecided: list[tuple[int, _Span]] = []
    for number, span in _spans(pool):
        weight = float(learned.weights[[bool(chain) for chain in span.chains]].sum())
        kept = found[number]
        assert kept is not None, "somebody has this span"
        if weight > total[number] / 2 + HALF:
            kept += _labelled(span, pool, learned.label_weights)
        elif weight > total[number] / 2 - HALF:
            undecided.append((number, span))
    for number, span in undecided:
        kept = found[number]
        assert kept is not None, "somebody has this span"
        if not any(_cross(span, each) for each in kept):
            kept += _labelled(span, pool, learned.label_weights)
    return found


@dataclass(frozen=True, slots=True)
class _Span:
    """Words of a sentence, and the codes of the labels each member has over them, highest first."""

    start: int
    end: int
    chains: tuple[tuple[int, ...], ...]


def _spans(pool: Pool) -> Iterator[tuple[int, _Span]]:
    """Yield the spans that members have with the number of their sentence, in reading order."""
    columns = (pool.sentence, pool.start, pool.end, pool.label, pool.have)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for (number, start, end), some in groupby(rows, key=lambda row: row[:3]):
        over = list(some)
        chains = tuple(
            tuple(label for *_, label, have in over if have[member])
            for member in range(len(pool.members))
        )
        yield number, _Span(start, end, chains)


def _pattern(chains: tuple[tuple[int, ...], ...], parsed: Flags) -> str:
    letters: dict[tuple[int, ...], str] = {}
    signs = []
    for chain, has_parse in zip(chains, parsed.tolist(), strict=True):
        if chain:
            signs.append(letters.setdefault(chain, chr(ord("A") + len(letters))))
        else:
            signs.append(_WITHOUT if has_parse else _ABSENT)
    return "".join(signs)


def _in_turns(distances: Callable[[Floats], Floats], n: Floats) -> Floats:
    """Weigh members by how little they differ from what their weights choose, of ``n`` chances."""
    weights: Floats = np.full(len(n), 1 / len(n))
    for _ in range(N_TURNS):
        apart = (distances(weights) + 0.5) / np.maximum(n, 1)
        found = -np.log(apart / apart.sum()) if len(n) > 1 else np.ones(1)
        found /= found.sum()
        if np.allclose(found, weights, atol=1e-9):
            break
        weights = found
    return weights


def _apart(have: Flags, parsed: Flags, weights: Floats) -> Floats:
    """Tell for each pattern which members differ from what is chosen; half where it is even."""
    support, total = have @ weights, parsed @ weights
    lead = 2 * support - total
    chosen = np.where(np.abs(lead) < HALF, 0.5, lead > 0)
    differs: Floats = np.abs(have - chosen[:, None]) * parsed
    return differs


def _outvoted(have: Flags, weights: Floats, signs: Ints) -> Floats:
    """Tell for each pattern which members have a label that others outvote, tied ones in part."""
    same = (signs[:, :, None] == signs[:, None, :]) & have[:, :, None] & have[:, None, :]
    support = same @ weights
    wins = have & (support > support.max(axis=1, keepdims=True) - HALF)
    letters = np.where(wins, 1 / np.maximum(same.sum(axis=2), 1), 0).sum(axis=1, keepdims=True)
    lost: Floats = have * (1 - wins / np.maximum(letters, 1))
    return lost


def _labelled(span: _Span, pool: Pool, weights: Floats) -> list[Bracket]:
    support: dict[tuple[str, ...], float] = {}
    for chain, weight in zip(span.chains, weights.tolist(), strict=True):
        if chain:
            labels = tuple(pool.labels[code] for code in chain)
            support[labels] = support.get(labels, 0.0) + weight
    best = min(support, key=lambda labels: (-round(support[labels], 9), labels))
    return [Bracket(span.start, span.end, label) for label in best]


def _cross(span: _Span, bracket: Bracket) -> bool:
    return (
        span.start < bracket.start < span.end < bracket.end
        or bracket.start < span.start < bracket.end < span.end
    )
