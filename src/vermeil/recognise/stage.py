"""``tag`` as a stage: a model finds names in documents."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.models import path_of
from vermeil.runs.fingerprints import State, state_of
from vermeil.runs.stages import Stage

if TYPE_CHECKING:
    from vermeil.recognise.recogniser import Recogniser


@dataclass(slots=True)
class Tagged:
    """How much has been tagged. Add two to pool them."""

    n_documents: int = 0
    n_names: int = 0

    def __add__(self, other: "Tagged") -> "Tagged":
        return Tagged(self.n_documents + other.n_documents, self.n_names + other.n_names)


class TagStage(Stage[None, "Recogniser", Tagged], frozen=True):
    """The model, the layer it writes, and what it takes for a name."""

    name: ClassVar[str] = "tag"
    decides: ClassVar[bool] = True

    model: str
    layer: str
    threshold: float = 0.5
    overlaps: bool = False
    standard: bool = False

    def files(self) -> list[str]:
        """Name the file of the model."""
        return [str(path_of(self.model))]

    def known(self, folder: Path | None) -> "Recogniser":
        """Load the model, once in a process as long as it does not change."""
        path = path_of(self.model)
        return _loaded(state_of(str(path)), path.absolute())

    def nothing(self) -> Tagged:
        """Count from the beginning."""
        return Tagged()

    def decide(
        self, documents: Iterator[Document], known: "Recogniser", sums: Tagged
    ) -> Iterator[Document]:
        """Find names, with or without the distributions of their boundaries."""
        from vermeil.recognise.tagging import tag

        for document in tag(
            known,
            self._fresh(documents),
            name=self.layer,
            threshold=self.threshold,
            overlaps=self.overlaps,
            standard=self.standard,
        ):
            sums.n_documents += 1
            sums.n_names += len(document.layers[self.layer])
            yield document

    def _fresh(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Refuse documents that have the layer already."""
        for document in documents:
            if self.layer in document.layers:
                raise UsageError(
                    f"document {document.id!r} has a layer {self.layer!r} already; "
                    "choose another --name"
                )
            yield document


@lru_cache(maxsize=1)
def _loaded(state: State, path: Path) -> "Recogniser":
    """Load the file that is in this state; two of that name differ in their whole path."""
    from vermeil.recognise.recogniser import load

    return load(Path(state[0]))
