"""Which words stand next to which: the second pass over the texts.

A row for each word that is learned; a column for each context: one of the commonest words, at one
of OFFSETS from the word, in its sentence. Counts of parts add. Beyond MOST_PAIRS pairs those that
came least often are forgotten.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from vermeil.arrays import AnyArray, Ints
from vermeil.document import Document
from vermeil.formats.files.states import State, state_of
from vermeil.recognise.word_classes.forms import KINDS, PLACED, Placed, forms_of
from vermeil.recognise.word_classes.vocabulary import Vocabulary
from vermeil.runs.results import put_together, read_result
from vermeil.runs.stages import Stage
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.stretches import batches

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

OFFSETS = (-3, -2, -1, 1, 2, 3)
MOST_PAIRS = 40_000_000
"""Pairs of a word and a context that are counted at a time; some 500 MB."""

N_AT_A_TIME = 1_000_000
"""Tokens whose pairs are put together at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Company:
    """Counts of words (rows) in contexts (columns), row by row. Add two to pool them.

    Row r has the counts ``counts[first[r]:first[r + 1]]`` in the contexts ``columns[…]``.
    """

    n_columns: int
    first: Ints
    columns: AnyArray
    counts: AnyArray

    @staticmethod
    def of(matrix: "csr_matrix") -> "Company":
        """Lay out a matrix of counts."""
        matrix.sum_duplicates()
        return Company(
            matrix.shape[1],
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int32),
            matrix.data.astype(np.int32),
        )

    @property
    def matrix(self) -> "csr_matrix":
        """The counts as a sparse matrix."""
        from scipy.sparse import csr_matrix

        shape = len(self.first) - 1, self.n_columns
        return csr_matrix((self.counts, self.columns, self.first), shape=shape)

    def __add__(self, other: "Company") -> "Company":
        return Company.of(without_rare(self.matrix + other.matrix, MOST_PAIRS))


@dataclass(frozen=True, slots=True, eq=False)
class BothCompanies:
    """The company of tokens and that of runs. Add two to pool them."""

    tokens: Company
    runs: Company

    def __add__(self, other: "BothCompanies") -> "BothCompanies":
        return BothCompanies(self.tokens + other.tokens, self.runs + other.runs)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabularies:
    """The words of both kinds that are to be learned."""

    tokens: Vocabulary
    runs: Vocabulary


class CompanyStage(Stage[BothCompanies, BothCompanies, None], frozen=True):
    """How texts are cut into tokens, and the file that says which words are learned."""

    name: ClassVar[str] = "learn-words: company"
    observes: ClassVar[bool] = True

    vocabularies: str
    tokeniser: str = "fine"

    def files(self) -> list[str]:
        """Name the file of the vocabularies."""
        return [self.vocabularies]

    def observe(self, items: Iterator[Document]) -> BothCompanies:
        """Count who stands next to whom."""
        known = _loaded(state_of(self.vocabularies))
        counting = [_Counting(each) for each in (known.tokens, known.runs)]
        for batch in batches(items):
            axis = TokenAxis.of([each.own for each in batch], tokeniser=self.tokeniser)
            for kind, own in zip(KINDS, counting, strict=True):
                own.add(PLACED[kind](axis))
        return BothCompanies(*(own.done() for own in counting))

    def finish(self, seen: BothCompanies) -> BothCompanies:
        """Keep what was counted."""
        return seen


class _Counting:
    """Counts the company of the words of one kind."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        from scipy.sparse import csr_matrix

        self._known = vocabulary
        # What is no context has the last place, one beyond those of contexts.
        n_words, n_contexts = len(vocabulary.hashes), len(vocabulary.contexts)
        self._context = np.full(n_words + 1, -1)
        self._context[vocabulary.contexts] = np.arange(n_contexts)
        shape = n_words, n_contexts * len(OFFSETS)
        self._total = csr_matrix(shape, dtype=np.int32)
        self._rows: list[Ints] = []
        self._columns: list[Ints] = []
        self._n = 0

    def add(self, placed: Placed) -> None:
        """Add the pairs of a batch."""
        row = self._known.rows_of(forms_of(placed.words))[placed.number]
        context = self._context[row]
        sentence = np.zeros(len(row), dtype=np.int64)
        sentence[placed.first[(placed.first > 0) & (placed.first < len(row))]] = 1
        sentence = np.cumsum(sentence)
        n_contexts = len(self._known.contexts)
        for number, offset in enumerate(OFFSETS):
            own = np.arange(max(0, -offset), min(len(row), len(row) - offset))
            other = own + offset
            met = (row[own] >= 0) & (context[other] >= 0) & (sentence[own] == sentence[other])
            self._rows.append(row[own[met]])
            self._columns.append(context[other[met]] + number * n_contexts)
        self._n += len(row)
        if self._n > N_AT_A_TIME:
            self._put_together()

    def done(self) -> Company:
        """Return all that was counted."""
        self._put_together()
        return Company.of(self._total)

    def _put_together(self) -> None:
        from scipy.sparse import csr_matrix

        if not self._rows:
            return
        rows, columns = np.concatenate(self._rows), np.concatenate(self._columns)
        ones = np.ones(len(rows), dtype=np.int32)
        fresh = csr_matrix((ones, (rows, columns)), shape=self._total.shape)
        self._total = without_rare(self._total + fresh, MOST_PAIRS)
        self._rows, self._columns, self._n = [], [], 0


def without_rare(counts: "csr_matrix", most: int) -> "csr_matrix":
    """Forget the pairs that came least often where there are more than ``most``."""
    if counts.nnz > most:
        n_less = counts.nnz - most
        least = np.partition(counts.data, n_less - 1)[n_less - 1]
        counts.data[counts.data <= least] = 0
        counts.eliminate_zeros()
    return counts


@lru_cache(maxsize=1)
def _loaded(state: State) -> Vocabularies:
    return put_together(Vocabularies, read_result(Path(state[0])))
