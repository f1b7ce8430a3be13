"""Annotation without text, put on the documents that it is about: many files side by side."""

from collections.abc import Iterable, Iterator

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.source import Source
from vermeil.formats.table import Annotate, StandOff


def annotated(documents: Iterable[Document], standoffs: Iterable[StandOff]) -> Iterator[Document]:
    """Yield documents with what is said of them; what is set aside, later ones do not see."""
    every = list(standoffs)
    for document in documents:
        made: Document | None = document
        for standoff in every:
            if made is not None:
                made = standoff.added_to(made)
        if made is not None:
            yield made
    for standoff in every:
        standoff.finish()


class NewLayer:
    """A file of annotation without text whose layer no document may have before."""

    def __init__(self, annotate: Annotate, source: Source, layer: str) -> None:
        self._standoff, self._path, self._layer = annotate(source), source.path, layer

    def added_to(self, document: Document) -> Document | None:
        """Add the layer, making sure that it does not replace one."""
        if self._layer in document.layers:
            raise UsageError(
                f"{self._path}: document {document.id!r} has a layer {self._layer!r} already; "
                f"name this input otherwise, as in other={self._path}"
            )
        return self._standoff.added_to(document)

    def finish(self) -> None:
        """Deal with what the file says of documents that there were not."""
        self._standoff.finish()
