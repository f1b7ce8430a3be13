"""``convert``: documents of any format to any other. Nothing is learned, everything passes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import msgspec

from vermeil.document import Document
from vermeil.runs.stages import Stage
from vermeil.scope import with_scope


@dataclass(slots=True)
class Passed:
    """How much has passed, and who of those whose scope is told. Add two to pool them."""

    n_documents: int = 0
    n_spans: int = 0
    told: set[str] = field(default_factory=set)

    def __add__(self, other: "Passed") -> "Passed":
        return Passed(
            self.n_documents + other.n_documents,
            self.n_spans + other.n_spans,
            self.told | other.told,
        )


class ConvertStage(Stage[None, None, Passed], frozen=True):
    """Formats are not the stage's to choose; ``scope`` is written into every document."""

    name: ClassVar[str] = "convert"
    decides: ClassVar[bool] = True

    scope: Mapping[str, frozenset[str]] = msgspec.field(default_factory=dict)

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
            if self.scope:
                sums.told |= self.scope.keys() & document.layers.keys()
                document = with_scope(document, self.scope)
            yield document
