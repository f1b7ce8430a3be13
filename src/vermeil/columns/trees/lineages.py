"""Leaf-ancestor scores: how well each word's way up the tree agrees (Sampson and Babarczy).

Clegg and Shepherd, section 2.2. The lineage of a word is the labels above it from its parent to the
top, part of speech left out, with a boundary mark before the highest constituent that begins on the
word and one after the highest that ends on it. The score of a word is 1 less the edit distance of
its two lineages over the sum of their lengths; two empty lineages agree. With the usual costs of 1
a complete mismatch of equal lengths scores 0.5.

A substitution may cost something else, one price for all (``substitution=2`` is Sampson's own), or
another for some pairs of labels. It never costs more than a deletion and an insertion. Lineages can
be made to begin with the part of speech, so that a wrong one costs something, and a similar one
less ("singular and proper noun", in the paper's words).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats
from vermeil.columns.trees.brackets import comparable
from vermeil.columns.trees.table import TreeTable
from vermeil.shown import Brief

BEGINS, ENDS = "[", "]"
FIRST_LABEL = 3
"""Symbols are 0 for none, 1 and 2 for the boundary marks, then the codes of labels."""

Symbols: TypeAlias = NDArray[np.uint32]

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, repr=False)
class Costs(Brief):
    """What it costs to put one symbol for another; deleting and inserting cost 1.

    ``pairs`` gives prices for some pairs of labels, in either order.
    """

    substitution: float = 1.0
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Whether this is the ordinary edit distance, or the one without substitutions."""
        return not self.pairs and self.substitution in (1.0, 2.0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lineages(Brief):
    """The lineage of each word of a table, bottom first, a row of symbols filled up with zeros.

    >>> lineages = Lineages.of(TreeTable.parse(["(S (NP (DT The) (NN cell)) (VP (VBZ divides)))"]))
    >>> [lineages.spelt(word) for word in range(3)]
    [['NP', '[', 'S'], ['NP', ']', 'S'], ['[', 'VP', 'S', ']']]
    """

    table: TreeTable
    symbols: Symbols

    @staticmethod
    def of(table: TreeTable, *, with_tags: bool = False) -> "Lineages":
        """Find the lineages of all words, beginning with their tags where these take part."""
        symbols = _symbols(table)
        if with_tags:
            symbols = np.column_stack((table.tag.astype(np.uint32) + FIRST_LABEL, symbols))
        return Lineages(table, symbols)

    def _told(self) -> str:
        return f"{len(self.symbols):,} words, up to {self.symbols.shape[1]} symbols each"

    def spelt(self, word: int) -> list[str]:
        """Spell the symbols of one lineage as names."""
        names = ["", BEGINS, ENDS, *self.table.names.labels.names]
        return [names[symbol] for symbol in self.symbols[word].tolist() if symbol]


def leaf_ancestor(gold: Lineages, parsed: Lineages, costs: Costs | None = None) -> Floats:
    """Score each word of the standard; words of sentences that cannot be compared score 0.

    >>> gold = TreeTable.parse(["(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"])
    >>> other = TreeTable.parse(["(S (NP (NN p53)) (NP (NNS binds) (NN DNA)))"], gold.names)
    >>> leaf_ancestor(Lineages.of(gold), Lineages.of(other)).round(2).tolist()
    [1.0, 0.83, 0.75]
    """
    both = comparable(gold.table, parsed.table)
    in_gold = np.repeat(both, gold.table.n_words)
    in_parsed = np.repeat(both, parsed.table.n_words)
    scores = np.zeros(len(in_gold))
    scores[in_gold] = _similarity(
        gold.symbols[in_gold], parsed.symbols[in_parsed], gold.table, costs or Costs()
    )
    return scores


def mean_by_sentence(scores: Floats, table: TreeTable) -> Floats:
    """Average the scores of the words of each sentence of the standard; NaN where it has none."""
    total = np.bincount(table.sentence_of_word, scores, len(table))
    mean: Floats = np.divide(
        total, table.n_words, out=np.full(len(table), np.nan), where=table.n_words > 0
    )
    return mean


def _symbols(table: TreeTable) -> Symbols:
    filled = np.flatnonzero(table.start < table.end)
    start, end, label = table.start[filled], table.end[filled], table.label[filled]
    length = end - start
    n = int(table.first_word[-1])
    # Depth first, a row comes after those that hold it: the last are the lowest.
    row = np.repeat(np.arange(len(filled)), length)
    word = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length) + start[row]
    order = np.argsort(word, kind="stable")[::-1]
    row, word = row[order], word[order]
    begins, ends = start[row] == word, end[row] == word + 1
    # The highest that begins on a word is the last of its lineage that does.
    higher_begins, higher_ends = np.append(begins[1:], False), np.append(ends[1:], False)
    same = np.append(word[1:] == word[:-1], False)
    left = begins & ~(same & higher_begins)
    right = ends & ~(same & higher_ends)
    width = 1 + left + right
    at = np.cumsum(width) - width
    total = np.bincount(word, width, n).astype(np.int64)
    # Words come last first, so the symbols after a word's own are those of the words before it.
    at -= (np.cumsum(total[::-1])[::-1] - total)[word]
    rows = np.zeros((n, int(total.max(initial=0))), dtype=np.uint32)
    rows[word[left], at[left]] = 1
    rows[word, at + left] = label[row] + FIRST_LABEL
    rows[word[right], at[right] + left[right] + 1] = 2
    return rows


def _similarity(first: Symbols, second: Symbols, table: TreeTable, costs: Costs) -> Floats:
    """Score pairs of lineages, row by row; ``table`` has the names of their labels."""
    width = max(first.shape[1], second.shape[1], 1)
    first, second = _widened(first, width), _widened(second, width)
    scores = np.ones(len(first))
    differs = np.flatnonzero((first != second).any(axis=1))
    if len(differs):
        first, second = first[differs], second[differs]
        length = (first > 0).sum(axis=1) + (second > 0).sum(axis=1)
        distance = (
            _plain_distances(first, second, costs)
            if costs.is_plain
            else _priced_distances(first, second, table, costs)
        )
        scores[differs] = 1 - distance / length
    return scores


def _widened(rows: Symbols, width: int) -> Symbols:
    return np.ascontiguousarray(np.pad(rows, ((0, 0), (0, width - rows.shape[1]))))


def _plain_distances(first: Symbols, second: Symbols, costs: Costs) -> Floats:
    """Let rapidfuzz compare the rows as strings, a symbol being a character."""
    from rapidfuzz.distance import Indel, Levenshtein
    from rapidfuzz.process import cpdist

    scorer = Levenshtein.distance if costs.substitution == 1 else Indel.distance
    found = cpdist(_as_strings(first), _as_strings(second), scorer=scorer, dtype=np.int32)
    return np.asarray(found, dtype=np.float64)


def _as_strings(rows: Symbols) -> list[str]:
    """Spell each row as a string, a symbol a character; the zeros at the end fall away."""
    return rows.view(f"<U{rows.shape[1]}").ravel().tolist()


def _priced_distances(first: Symbols, second: Symbols, table: TreeTable, costs: Costs) -> Floats:
    """Fill the tables of the dynamic programme for many pairs at once, a row of each at a time."""
    size = max(1, _CHUNK // (first.shape[1] + 1) ** 2)
    price = _prices(table, costs)
    parts = [
        _distances(first[begin : begin + size], second[begin : begin + size], price)
        for begin in range(0, len(first), size)
    ]
    return np.concatenate(parts)


def _prices(table: TreeTable, costs: Costs) -> Floats:
    n = len(table.names.labels.names) + FIRST_LABEL
    price = np.full((n, n), min(2.0, costs.substitution))
    codes = dict(table.names.labels)
    for (one, other), cost in costs.pairs.items():
        if one in codes and other in codes:
            a, b = codes[one] + FIRST_LABEL, codes[other] + FIRST_LABEL
            price[a, b] = price[b, a] = min(2.0, cost)
    np.fill_diagonal(price, 0.0)
    return price


def _distances(first: Symbols, second: Symbols, price: Floats) -> Floats:
    n_first, n_second = (first > 0).sum(axis=1), (second > 0).sum(axis=1)
    steps = np.arange(second.shape[1] + 1, dtype=np.float64)
    row = np.broadcast_to(steps, (len(first), len(steps))).copy()
    found = np.where(n_first == 0, n_second, 0.0)
    for number in range(first.shape[1]):
        substituted = row[:, :-1] + price[first[:, number, None], second]
        row += 1
        np.minimum(row[:, 1:], substituted, out=row[:, 1:])
        # An insertion costs 1 a step, so the best run of them is a running minimum.
        row = np.minimum.accumulate(row - steps, axis=1) + steps
        done = n_first == number + 1
        found[done] = row[done, n_second[done]]
    return found
