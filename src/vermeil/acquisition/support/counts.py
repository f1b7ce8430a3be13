"""What a first pass over text counts: words, and how often names are what they seem.

Of n referenced documents that hold a key, s are referred to by one of its records. A key with a
high rate is a real name wherever it stands, one with a low rate (``was``, ``MICE``) hardly ever;
no annotated text is needed to know that.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.lexicon.matching import Matches
from vermeil.arrays import Flags, Floats, Ints
from vermeil.document import Document
from vermeil.models.model_files import widened
from vermeil.models.schema import HASHES, ArraySpec, checked
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.text.tokens import tokenise

PRIOR = 0.3
"""Supported documents that a key is given before any is counted, in one document more."""


class KeySupport(NamedTuple):
    """What references say of the key of each match: the documents counted, and the rate."""

    n_documents: Ints
    rate: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SupportRates:
    """For each key, the referenced documents that hold it and those among them that support it."""

    n_documents: Ints
    n_supported: Ints

    def __len__(self) -> int:
        return len(self.n_documents)

    @staticmethod
    def of(n_keys: int, matches: Matches, is_referenced: Flags, supported: Flags) -> "SupportRates":
        """Count over the matches of documents; ``is_referenced`` and ``supported`` go by match."""
        pairs = matches.document * n_keys + matches.key
        return SupportRates(
            np.bincount(np.unique(pairs[is_referenced]) % n_keys, minlength=n_keys),
            np.bincount(np.unique(pairs[supported]) % n_keys, minlength=n_keys),
        )

    def of_matches(
        self, key: Ints, *, is_referenced: Flags | None = None, supported: Flags | None = None
    ) -> KeySupport:
        """Return the documents behind the rate of each match, and the rate.

        A match is no witness for itself: with ``is_referenced`` and ``supported``, its own document
        is left out of both counts.

        >>> rates = SupportRates(np.array([3]), np.array([1]))
        >>> [column.tolist() for column in rates.of_matches(np.array([0]))]
        [[3], [0.325]]
        """
        n, s = self.n_documents[key], self.n_supported[key]
        if is_referenced is not None and supported is not None:
            n, s = n - is_referenced, s - supported
        return KeySupport(n, (s + PRIOR) / (n + 1))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all there is to save."""
        return {
            "documents": self.n_documents.astype(np.int32),
            "supported": self.n_supported.astype(np.int32),
        }

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> "SupportRates":
        """Make the rates again that gave these arrays."""
        schema = dict.fromkeys(("documents", "supported"), ArraySpec("whole", least=0))
        n_documents, n_supported = widened(checked(arrays, schema), *schema)
        if (n_supported > n_documents).any():
            raise ValueError("more documents support a name than hold it")
        return SupportRates(n_documents, n_supported)


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """In how many documents words stand: hashes of words, which rise, and the counts."""

    hashes: Hashes
    n_documents: Ints

    @staticmethod
    def over(documents: Iterable[Document], *, tokeniser: str) -> "WordCounts":
        """Count the words of documents, each once a document. Streams.

        >>> documents = [Document(id="1", text="a cat, a dog"), Document(id="2", text="a bird")]
        >>> WordCounts.over(documents, tokeniser="separators").of(["a", "cat", "bee"]).tolist()
        [2, 1, 0]
        """
        counts: Counter[str] = Counter()
        for document in documents:
            text = document.text
            counts.update({text[start:end] for start, end in tokenise(text, by=tokeniser)})
        hashes = hash_words(list(counts))
        order = np.argsort(hashes)
        numbers = np.array(list(counts.values()), dtype=np.int64)
        return WordCounts(hashes[order], numbers[order])

    def of(self, words: Sequence[str]) -> Ints:
        """Count the documents that have each word; 0 for strings that are no word."""
        wanted = hash_words(words)
        if not len(self.hashes):
            return np.zeros(len(wanted), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        return np.where(self.hashes[place] == wanted, self.n_documents[place], 0)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all there is to save."""
        return {"hashes": self.hashes, "documents": self.n_documents.astype(np.int32)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> "WordCounts":
        """Make the counts again that gave these arrays."""
        fitting = checked(arrays, {"hashes": HASHES, "documents": ArraySpec("whole", least=0)})
        return WordCounts(
            fitting["hashes"].astype(np.uint64), fitting["documents"].astype(np.int64)
        )
