"""Texts that are kept, by their keys, as bytes in one array."""

from collections.abc import Sequence
from dataclasses import dataclass

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
        texts = [_bytes(documents[number].text) for number in chosen.tolist()]
        first = np.concatenate(([0], np.cumsum([len(text) for text in texts], dtype=np.int64)))
        content = np.frombuffer(b"".join(texts), dtype=np.uint8)
        return KeptTexts(key[chosen], first, content)._in_order()

    def beside(self, other: "KeptTexts") -> "KeptTexts":
        """Put two together; what both have is kept once."""
        return KeptTexts(
            np.concatenate((self.key, other.key)),
            np.concatenate((self.first, other.first[1:] + self.first[-1])),
            np.concatenate((self.content, other.content)),
        )._in_order()

    def only(self, wanted: Flags) -> "KeptTexts":
        """Keep some."""
        return self if wanted.all() else self._chosen(np.flatnonzero(wanted))

    def of_keys(self, keys: NDArray[np.uint64]) -> list[Document]:
        """Return the texts with some keys, as documents without anything else."""
        made = []
        for place in np.searchsorted(self.key, keys).tolist():
            content = self.content[self.first[place] : self.first[place + 1]].tobytes()
            made.append(Document(id=str(place), text=content.decode("utf-8", "surrogatepass")))
        return made

    def _in_order(self) -> "KeptTexts":
        return self._chosen(np.unique(self.key, return_index=True)[1])

    def _chosen(self, places: Ints) -> "KeptTexts":
        begin, end = self.first[places], self.first[places + 1]
        first = np.concatenate(([0], np.cumsum(end - begin)))
        whole, bounds = self.content.data, zip(begin.tolist(), end.tolist(), strict=True)
        content = b"".join([whole[here:there] for here, there in bounds])
        return KeptTexts(self.key[places], first, np.frombuffer(content, dtype=np.uint8))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
