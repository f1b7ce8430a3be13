"""Where to doubt a combined tree: the agreement on each word, and its low stretches.

Clegg and Shepherd, section 7.2, wish for trust by clause. Here a word is as trusted as the way up
from it in the combined tree is that of the members; a stretch of words below some agreement is
doubtful. Stretches go with the tree as places in its text, so that names in them can be found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Floats
from vermeil.columns.trees.lineages import Lineages, leaf_ancestor
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.ensembles import Combined, places_of
from vermeil.document import Document, Span

BELOW = 0.75
"""Agreement below which words are doubtful."""

META = "doubtful"
"""Where a document keeps its stretches: start, end and agreement of each."""


@dataclass(frozen=True, slots=True)
class DoubtfulRegion:
    """A stretch of words of one sentence, from ``start`` up to ``end``, and its mean agreement."""

    sentence: int
    start: int
    end: int
    agreement: float


@dataclass(frozen=True, slots=True)
class DoubtfulWords:
    """A doubtful stretch as people read it: the words before, in and after it."""

    sentence: int
    before: str
    words: str
    after: str
    agreement: float


def word_agreement(combined: TreeTable, members: Sequence[TreeTable]) -> Floats:
    """For each word of the combined trees, its mean leaf-ancestor score over members that parsed.

    NaN where no member did.
    """
    own = Lineages.of(combined)
    total, n = np.zeros(len(combined.word)), np.zeros(len(combined.word))
    for member in members:
        has_both = np.repeat(~member.failed & ~combined.failed, combined.n_words)
        total += leaf_ancestor(own, Lineages.of(member))
        n += has_both
    mean: Floats = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    return mean


def doubtful_regions(
    agreement: Floats, table: TreeTable, *, below: float, first: int = 1
) -> Iterator[DoubtfulRegion]:
    """Yield the longest stretches of words that agree less than ``below``, in order."""
    is_low = agreement < below
    for number in range(len(table)):
        begin, end = table.first_word[number : number + 2].tolist()
        low = np.concatenate(([False], is_low[begin:end], [False])).astype(np.int8)
        edges = np.flatnonzero(np.diff(low)).tolist()
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            mean = float(agreement[begin + start : begin + stop].mean())
            yield DoubtfulRegion(first + number, start, stop, mean)


def stretches_in_text(
    combined: Combined, steps: Sequence[str], *, below: float = BELOW
) -> list[list[tuple[int, int, float]]]:
    """List the doubtful stretches of each tree as places in its text, words with a space between.

    Words that preparation drops, such as commas, belong to a stretch where both neighbours do.
    """
    found: list[list[tuple[int, int, float]]] = [[] for _ in combined.trees]
    for number, words, first, last, agreement in _stretches(combined, steps, below):
        ends = np.cumsum([len(word) + 1 for word in words]) - 1
        start = int(ends[first]) - len(words[first])
        found[number].append((start, int(ends[last]), round(agreement, 4)))
    return found


def doubtful_words(
    combined: Combined, steps: Sequence[str], *, below: float = BELOW, first: int = 1
) -> Iterator[DoubtfulWords]:
    """Yield the doubtful stretches in their sentences, which are numbered from ``first`` on."""
    for number, words, start, last, agreement in _stretches(combined, steps, below):
        yield DoubtfulWords(
            first + number,
            before=" ".join(words[:start]),
            words=" ".join(words[start : last + 1]),
            after=" ".join(words[last + 1 :]),
            agreement=agreement,
        )


def _stretches(
    combined: Combined, steps: Sequence[str], below: float
) -> Iterator[tuple[int, Sequence[str], int, int, float]]:
    """Yield sentence, its words, first and last word in doubt, and the agreement on them."""
    names = next(iter(combined.prepared.values())).names
    table = prepare(TreeTable.of(combined.trees, names), steps)
    agreement = word_agreement(table, list(combined.prepared.values()))
    for region in doubtful_regions(agreement, table, below=below, first=0):
        tree = combined.trees[region.sentence]
        assert tree is not None, "a sentence without a tree has no words"
        places = [place for place in places_of(table, region.sentence) if place is not None]
        first, last = places[region.start], places[region.end - 1]
        yield region.sentence, tree.words, first, last, region.agreement


def stretches_of(document: Document) -> list[tuple[int, int, float]]:
    """Read the doubtful stretches that a document carries; what is no stretch of its text is not.

    >>> told = {META: [[0, 3, 0.5], [2, 99, 0.1], "p53"]}
    >>> stretches_of(Document(id="1", text="p53 binds", meta=told))
    [(0, 3, 0.5)]
    """
    said = document.meta.get(META)
    found = []
    for each in said if isinstance(said, (list, tuple)) else ():
        match each:
            case [int(start), int(end), int() | float() as agreement] if (
                0 <= start < end <= len(document.text) and 0 <= agreement <= 1
            ):
                found.append((start, end, float(agreement)))
    return found


def trust_of(document: Document) -> float | None:
    """Read how far the tree of a document is trusted; None where that is not said."""
    match document.meta.get("trust"):
        case int() | float() as trust if 0 <= trust <= 1:
            return float(trust)
    return None


def doubtful_spans(document: Document) -> Iterator[tuple[str, Span, float]]:
    """Yield the layer, the span and the agreement of names that touch a doubtful stretch.

    >>> name = Span(0, 3, "Gene")
    >>> stretches = {META: [[2, 9, 0.5]]}
    >>> said = Document(id="1", text="p53 binds", layers={"anna": (name,)}, meta=stretches)
    >>> [(layer, agreement) for layer, _, agreement in doubtful_spans(said)]
    [('anna', 0.5)]
    """
    stretches = stretches_of(document)
    for layer, spans in document.layers.items():
        for span in spans:
            lows = [
                agreement
                for start, end, agreement in stretches
                if start < span.end and span.start < end
            ]
            if lows:
                yield layer, span, min(lows)
