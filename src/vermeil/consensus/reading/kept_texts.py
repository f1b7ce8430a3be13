"""Texts that are kept, by their keys, as bytes in one array."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints
from vermeil.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class KeptTexts:
    """Texts in order of their keys; that of ``key[t]`` is ``content[first[t]:first[t + 1]]``."""

    key: NDArray[np.uint64]
    first: Ints
    content: NDArray[np.uint8]

    @staticmethod
    def of(documents: Sequence[Document], key: NDArray[np.uint64], chosen: Ints) -> "KeptTexts":
        """Keep the texts of some documents."""
        own, place = np.unique(key[chosen], return_index=True)
        texts = [_bytes(documents[number].text) for number in chosen[place].tolist()]
        return KeptTexts._of(own, texts)

    def beside(self, other: "KeptTexts") -> "KeptTexts":
        """Put two together; what both have is kept once."""
        key, place = np.unique(np.concatenate((self.key, other.key)), return_index=True)
        texts = [*self._texts(), *other._texts()]
        return KeptTexts._of(key, [texts[number] for number in place.tolist()])

    def only(self, wanted: Flags) -> "KeptTexts":
        """Keep some."""
        if wanted.all():
            return self
        return KeptTexts._of(self.key[wanted], list(compress(self._texts(), wanted.tolist())))

    def of_keys(self, keys: NDArray[np.uint64]) -> list[Document]:
        """Return the texts with some keys, as documents without anything else."""
        made = []
        for place in np.searchsorted(self.key, keys).tolist():
            content = self.content[self.first[place] : self.first[place + 1]].tobytes()
            made.append(Document(id=str(place), text=content.decode("utf-8", "surrogatepass")))
        return made

    @staticmethod
    def _of(key: NDArray[np.uint64], texts: Sequence[bytes | memoryview]) -> "KeptTexts":
        first = np.concatenate(([0], np.cumsum([len(text) for text in texts], dtype=np.int64)))
        return KeptTexts(key, first, np.frombuffer(b"".join(texts), dtype=np.uint8))

    def _texts(self) -> list[memoryview]:
        whole = self.content.data
        return [whole[here:there] for here, there in pairwise(self.first.tolist())]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
