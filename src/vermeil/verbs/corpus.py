"""Documents as Python users hold them: read from files as often as needed, or kept in memory."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, SupportsIndex, overload

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.seen_ids import refusing_twins
from vermeil.verbs.tables.table import Block, Table, counted, html_of, shortened
from vermeil.verbs.wording import in_python

LOG = logging.getLogger("vermeil")
N_SHOWN = 10
"""Documents that a corpus shows of itself in a notebook."""


class Corpus(Sequence[Document]):
    """Documents in their order, to go through any number of times.

    A corpus from files reads them anew each time, so that one of any size streams; documents asked
    for by position or id are kept. ``files`` names the files, ``notes`` says what was mended or
    left out on the way.

    >>> corpus = Corpus.of([Document(id="a", text="p53"), Document(id="b", text="BRCA1")])
    >>> len(corpus), corpus[0].text, corpus["b"].text, [each.id for each in corpus[1:]]
    (2, 'p53', 'BRCA1', ['b'])
    """

    def __init__(
        self,
        read: Callable[[Ledger], Iterator[Document]],
        said: str,
        *,
        files: Sequence[str] = (),
        skip_bad: bool = False,
        as_long_as: "Corpus | None" = None,
    ) -> None:
        self._read, self._said, self._skip_bad = read, said, skip_bad
        self._as_long_as = as_long_as
        self.files = tuple(files)
        self._reader: Iterator[Document] | None = None
        self._first: list[Document] = []
        self._places: dict[str, int] = {}
        self._n_indexed = 0
        self._held: list[Document] | None = None
        self._length: int | None = None
        self._ledger: Ledger | None = None

    @staticmethod
    def of(documents: Iterable[Document], said: str = "", *, verb: str = "Corpus.of") -> "Corpus":
        """Keep documents in memory; refuse two of one id, as those who read files do."""
        corpus = Corpus(lambda ledger: iter(()), said)
        corpus._keep(list(refusing_twins(documents, verb.rstrip(","))))
        return corpus

    @property
    def is_held(self) -> bool:
        """Whether the documents are in memory."""
        return self._held is not None

    def hold(self) -> "Corpus":
        """Read all documents into memory, once and for all."""
        if self._held is None:
            self._keep(self.listed())
        return self

    def listed(self) -> list[Document]:
        """Read all documents into a list; ``list`` would count them first, in a pass of its own."""
        return [*iter(self)]

    @property
    def notes(self) -> list[str]:
        """What was repaired, changed, dropped or skipped when all documents were last read."""
        return self._ledger.summary() if self._ledger is not None else []

    def read(self, ledger: Ledger) -> Iterator[Document]:
        """Yield the documents from the first on; what had to be mended is in ``notes``."""
        return iter(self)

    def __iter__(self) -> Iterator[Document]:
        if self._held is not None:
            yield from self._held
            return
        ledger, n = Ledger(skip_bad=self._skip_bad), 0
        with in_python():
            for document in self._read(ledger):
                n += 1
                yield document
        self._length = n
        self._told(ledger)

    def __len__(self) -> int:
        if self._length is None and self._as_long_as is not None:
            self._length = len(self._as_long_as)
        if self._length is None:
            for _ in self:
                pass
        assert self._length is not None
        return self._length

    @overload
    def __getitem__(self, place: SupportsIndex | str) -> Document: ...
    @overload
    def __getitem__(self, place: slice) -> "Corpus": ...
    def __getitem__(self, place: SupportsIndex | str | slice) -> "Document | Corpus":
        if isinstance(place, str):
            return self._named(place)
        if isinstance(place, slice):
            bounds = (place.start, place.stop, place.step)
            if place.stop is not None and all(each is None or each >= 0 for each in bounds):
                self._fill(place.stop)
                return Corpus.of(self._first[place])
            return Corpus.of(list(self.hold()._first[place]))
        if not hasattr(place, "__index__"):
            raise UsageError(
                f"documents are asked for by position or id, not by {type(place).__name__}"
            )
        number = place.__index__()
        self._fill(number + 1 if number >= 0 else None)
        try:
            return self._first[number]
        except IndexError:
            raise IndexError(
                f"there are {counted(len(self._first), 'document')}, and number {number} was wanted"
            ) from None

    def __contains__(self, wanted: object) -> bool:
        """Tell whether there is such a document, by its id or as a whole."""
        if isinstance(wanted, str):
            try:
                self._named(wanted)
            except UnknownNameError:
                return False
            return True
        return super().__contains__(wanted)

    def __repr__(self) -> str:
        n = "" if self._length is None else counted(self._length, "document")
        said = ", ".join(each for each in (self._said, n) if each)
        return shortened(f"<Corpus: {said or 'documents'}>")

    def _repr_html_(self) -> str:
        self._fill(N_SHOWN)
        return html_of(self._blocks(), "corpus")

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def _blocks(self) -> Iterator[Block]:
        yield repr(self)[1:-1]
        shown = self._first[:N_SHOWN]
        rows = [[each.id, shortened(each.text, 60), _layers_said(each)] for each in shown]
        yield Table("", ["document", "text", "names by layer"], rows)
        if len(self._first) > N_SHOWN or self._held is None:
            yield "…"

    def _keep(self, documents: list[Document]) -> None:
        self._held = self._first = documents
        self._length, self._reader = len(documents), None

    def _fill(self, n: int | None) -> None:
        """Read so many documents into memory, all without a number; go on where it was left."""
        if self._held is not None or (n is not None and len(self._first) >= n):
            return
        if self._reader is None:
            self._reader = iter(self)
        more = None if n is None else n - len(self._first)
        self._first += islice(self._reader, more)
        if n is None or len(self._first) < n:
            self._keep(self._first)

    def _named(self, id: str) -> Document:
        if id not in self._indexed():
            self._fill(None)
        if id not in self._indexed():
            raise UnknownNameError("document", id, self._places)
        return self._first[self._places[id]]

    def _indexed(self) -> dict[str, int]:
        """Note where each document is; of several with one id the first counts."""
        for place in range(self._n_indexed, len(self._first)):
            self._places.setdefault(self._first[place].id, place)
        self._n_indexed = len(self._first)
        return self._places

    def _told(self, ledger: Ledger) -> None:
        """Say once in the log what was noted; keep it to be asked for."""
        if self._ledger is None:
            for line in ledger.summary():
                LOG.warning("%s", line)
        self._ledger = ledger


def documents_of(given: Any, *, verb: str = "this") -> Corpus:
    """Take whatever a user may have for documents: a corpus, a list, a stream, or just one.

    A stream can be gone through once, so it is kept in memory. Refuse all else, and say what to do.
    """
    if isinstance(given, Corpus):
        return given
    if isinstance(given, Document):
        return Corpus.of([given])
    own = getattr(given, "documents", None)
    if isinstance(own, Corpus):
        return own
    hint = _hint(given)
    if hint or not isinstance(given, Iterable):
        raise UsageError(f"{verb} takes documents, not {_kind(given)}{hint}")
    return Corpus.of(checked(given, verb=verb), verb=verb)


def some_documents(given: Any, *, verb: str) -> Corpus:
    """Take documents as ``documents_of`` does; refuse none at all."""
    corpus = documents_of(given, verb=verb)
    if next(iter(corpus), None) is None:
        used = isinstance(given, Iterator)
        hint = "; a generator can be gone through once: make a list of it first" if used else ""
        raise UsageError(f"{verb} was given no documents{hint}")
    return corpus


def checked(items: Iterable[Any], *, verb: str) -> Iterator[Document]:
    """Pass documents on; refuse what is none, by its place."""
    for number, item in enumerate(items):
        if not isinstance(item, Document):
            raise UsageError(
                f"{verb} takes documents, and item {number} is {_kind(item)}{_hint(item)}"
            )
        yield item


def _kind(given: object) -> str:
    name = type(given).__name__
    article = "an" if name[0].lower() in "aeiou" else "a"
    return "None" if given is None else f"{article} {name}"


def _hint(given: object) -> str:
    """Say what to do with something that is no document, where that can be told."""
    family = type(given).__module__.partition(".")[0]
    if family == "pandas":
        return "; make them of a data frame with vermeil.from_pandas(frame, texts)"
    if family == "spacy":
        return "; make one of a spaCy Doc with vermeil.from_spacy(doc)"
    if isinstance(given, str | bytes) or hasattr(given, "__fspath__"):
        return "; read files with vermeil.read(path), or make vermeil.Document(id=…, text=…)"
    if isinstance(given, dict):
        return "; vermeil.read takes a mapping of names and files"
    return ""


def _layers_said(document: Document) -> str:
    return shortened(", ".join(f"{name} {len(layer)}" for name, layer in document.layers.items()))
