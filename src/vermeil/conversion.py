"""``convert``: documents of any format to any other. Nothing is learned, everything passes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import msgspec

from vermeil.columns.held import n_spans
from vermeil.document import Document
from vermeil.runs.stages import Stage
from vermeil.scope import Scope, unknown_in, with_scope

UNUSED = {"annotator": "scopes of nobody", "label": "labels of --scope that nobody uses"}


@dataclass(slots=True)
class Passed:
    """How much has passed; where a scope is told, also who and what. Add two to pool them."""

    n_documents: int = 0
    n_spans: int = 0
    layers: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)

    def __add__(self, other: "Passed") -> "Passed":
        return Passed(
            self.n_documents + other.n_documents,
            self.n_spans + other.n_spans,
            self.layers | other.layers,
            self.labels | other.labels,
        )


class ConvertStage(Stage[None, None, Passed], frozen=True):
    """Formats are not the stage's to choose; ``scope`` is written into every document."""

    name: ClassVar[str] = "convert"
    decides: ClassVar[bool] = True
    in_columns: ClassVar[bool] = True

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
            sums.n_spans += n_spans(document.layers)
            if self.scope:
                sums.layers |= document.layers.keys()
                sums.labels |= Scope.of([document]).labels
                document = with_scope(document, self.scope)
            yield document

    def unused(self, sums: Passed) -> Iterator[tuple[str, str, str]]:
        """Yield notes of what was told of annotators and labels that did not pass."""
        for each in unknown_in(self.scope, sums.layers, sums.labels):
            yield "passed over", UNUSED[each.kind], str(each)
