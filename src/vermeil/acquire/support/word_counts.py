"""In how many documents words stand; words are kept as hashes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.recognise.tokens.alphabet import Hashes, hash_words
from vermeil.text.tokens import tokenise


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """Hashes of words, which rise, and the documents that have each."""

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
        """Give the number of documents that have each word; 0 for strings that are no word."""
        wanted = hash_words(words)
        if not len(self.hashes):
            return np.zeros(len(wanted), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        return np.where(self.hashes[place] == wanted, self.n_documents[place], 0)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        return {"hashes": self.hashes, "documents": self.n_documents.astype(np.int32)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> "WordCounts":
        """Make the counts again that gave these arrays."""
        return WordCounts(arrays["hashes"], arrays["documents"].astype(np.int64))
