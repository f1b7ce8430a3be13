"""How often words come in texts, and which of them are worth learning.

The first pass over the texts. Counts of parts add; beyond MOST_COUNTED words the rarest are
forgotten, so that memory is bounded whatever the texts hold.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.recognise.word_classes.forms import KINDS, LONGEST_FORM, PLACED, forms_of
from vermeil.runs.stages import Stage
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.stretches import batches

MOST_COUNTED = 1_000_000
"""Words of a kind that are counted at a time."""

N_CONTEXTS = 8000
"""The most frequent words, whose company tells other words apart."""


@dataclass(frozen=True, slots=True, eq=False)
class FormCounts:
    """Words in rising order, and how often each comes. Add two to pool them."""

    words: tuple[str, ...]
    counts: Ints

    @staticmethod
    def of(counted: Counter[str]) -> "FormCounts":
        """Lay out counts."""
        words = tuple(sorted(counted))
        return FormCounts(words, np.array([counted[word] for word in words], dtype=np.int64))

    def __add__(self, other: "FormCounts") -> "FormCounts":
        counted = Counter(dict(zip(self.words, self.counts.tolist(), strict=True)))
        counted.update(dict(zip(other.words, other.counts.tolist(), strict=True)))
        return FormCounts.of(without_rare(counted, MOST_COUNTED))


@dataclass(frozen=True, slots=True, eq=False)
class TextCounts:
    """How often tokens and runs come, in how many documents. Add two to pool them."""

    n_documents: int
    n_tokens: int
    tokens: FormCounts
    runs: FormCounts

    def __add__(self, other: "TextCounts") -> "TextCounts":
        return TextCounts(
            self.n_documents + other.n_documents,
            self.n_tokens + other.n_tokens,
            self.tokens + other.tokens,
            self.runs + other.runs,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words to be learned, by rising ``hashes``; ``contexts`` are the rows of the commonest."""

    words: tuple[str, ...]
    hashes: Hashes
    contexts: Ints

    @staticmethod
    def of(counted: FormCounts, *, min_count: int, most: int) -> "Vocabulary":
        """Choose the words that come often enough, and of too many the commonest."""
        order = np.lexsort((np.arange(len(counted.counts)), -counted.counts))[:most]
        order = order[counted.counts[order] >= min_count]
        words = [counted.words[place] for place in order.tolist()]
        hashes, first = np.unique(hash_words(words), return_index=True)
        rank = np.argsort(first, kind="stable")[:N_CONTEXTS]
        return Vocabulary(tuple(words[place] for place in first.tolist()), hashes, np.sort(rank))

    def rows_of(self, words: list[str]) -> Ints:
        """Find the rows of forms, -1 for those that are not learned."""
        wanted = hash_words(words)
        if not len(self.hashes):
            return np.full(len(words), -1)
        at = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        return np.where(self.hashes[at] == wanted, at, -1)


class VocabularyStage(Stage[TextCounts, TextCounts, None], frozen=True):
    """How texts are cut into tokens."""

    name: ClassVar[str] = "learn-words: count"
    observes: ClassVar[bool] = True

    tokeniser: str = "fine"

    def observe(self, items: Iterator[Document]) -> TextCounts:
        """Count the tokens and runs of documents."""
        n_documents = n_tokens = 0
        counted: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
        for batch in batches(items):
            axis = TokenAxis.of([each.own for each in batch], tokeniser=self.tokeniser)
            n_documents += sum(each.is_last for each in batch)
            n_tokens += len(axis.words)
            for kind, own in counted.items():
                words, number, _ = PLACED[kind](axis)
                times = np.bincount(number, minlength=len(words)).tolist()
                for form, n in zip(forms_of(words), times, strict=True):
                    if len(form) <= LONGEST_FORM:
                        own[form] += n
                counted[kind] = without_rare(own, 2 * MOST_COUNTED)
        of_kinds = [FormCounts.of(without_rare(counted[kind], MOST_COUNTED)) for kind in KINDS]
        return TextCounts(n_documents, n_tokens, *of_kinds)

    def finish(self, seen: TextCounts) -> TextCounts:
        """Keep what was counted."""
        return seen


def without_rare(counted: Counter[str], most: int) -> Counter[str]:
    """Forget the rarest words where there are more than ``most``; of equals the last in order.

    >>> sorted(without_rare(Counter({"b": 1, "a": 1, "c": 5}), 2))
    ['a', 'c']
    """
    if len(counted) <= most:
        return counted
    kept = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    return Counter(dict(kept))
