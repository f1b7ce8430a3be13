"""Which ids a stream of documents has used: every format refuses the second document of one id."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.source import Source

if TYPE_CHECKING:
    import numpy as np

IN_SET = 1 << 18
"""Ids that are kept as Python keeps them, before they are packed."""


class SeenIds:
    """The ids met so far, eight bytes each: 64 bits of hash, alike for one pair in 10^19.

    >>> seen = SeenIds()
    >>> [seen.is_new(id) for id in ("a", "b", "a")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._recent: set[int] = set()
        self._packed: list[np.ndarray] = []  # numpy is loaded where there are many

    def is_new(self, id: str) -> bool:
        """Note an id; tell whether it was not met before."""
        key = hash(id)
        if key in self._recent:
            return False
        if self._packed and any(_holds(pack, key) for pack in self._packed):
            return False
        self._recent.add(key)
        if len(self._recent) >= IN_SET:
            self._pack()
        return True

    def _pack(self) -> None:
        """Sort recent ids into an array; arrays of a size are joined, so that there are few."""
        import numpy as np

        pack = np.sort(np.fromiter(self._recent, np.int64, len(self._recent)))
        while self._packed and len(self._packed[-1]) <= len(pack):
            pack = np.sort(np.concatenate([self._packed.pop(), pack]))
        self._packed.append(pack)
        self._recent = set()


def unlike(
    documents: Iterable[Document], source: Source, spelt: Callable[[Document], bytes]
) -> Iterator[Document]:
    """Pass documents on as they are read; deal with a second one of an id as with a bad record.

    That is the document as it was understood, ``spelt`` out: what it was in its file is gone.
    """
    seen = SeenIds()
    for document in documents:
        if seen.is_new(document.id):
            yield document
        else:
            reason = f"two documents are called {document.id!r}; rename one"
            if not source.ledger.skip_bad:
                reason += ", or leave the later ones out with --skip-bad"
            source.bad(None, spelt(document), reason)


def refusing_twins(documents: Iterable[Document], path: object) -> Iterator[Document]:
    """Pass documents on to be written; refuse a second one of an id, which none could read."""
    seen = SeenIds()
    for document in documents:
        if not seen.is_new(document.id):
            raise UsageError(f"{path}: two documents are called {document.id!r}; rename one")
        yield document


def digest(id: str) -> int:
    """Return 64 bits of an id that are the same in every process, as those of ``hash`` are not."""
    import hashlib  # loads a library of ciphers, which most commands do without

    return int.from_bytes(hashlib.blake2b(id.encode(), digest_size=8).digest(), "little")


def _holds(pack: "np.ndarray", key: int) -> bool:
    at = int(pack.searchsorted(key))
    return at < len(pack) and int(pack[at]) == key
