"""``convert``: documents of any format to any other. Nothing is learned, everything passes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from vermeil.document import Document
from vermeil.runs.stages import Stage


@dataclass(slots=True)
class Passed:
    """How much has passed. Add two to pool them."""

    n_documents: int = 0
    n_spans: int = 0

    def __add__(self, other: "Passed") -> "Passed":
        return Passed(self.n_documents + other.n_documents, self.n_spans + other.n_spans)


class ConvertStage(Stage[None, None, Passed], frozen=True):
    """There is nothing to choose but formats, which are not the stage's."""

    name: ClassVar[str] = "convert"
    decides: ClassVar[bool] = True

    def known(self, folder: Path | None) -> None:
        """Need nothing."""

    def nothing(self) -> Passed:
        """Count from the beginning."""
        return Passed()

    def decide(
        self, documents: Iterator[Document], known: None, sums: Passed
    ) -> Iterator[Document]:
        """Pass documents on."""
        for document in documents:
            sums.n_documents += 1
            sums.n_spans += sum(map(len, document.layers.values()))
            yield document
