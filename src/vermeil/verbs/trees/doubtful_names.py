"""Names that lie where parsers do not agree: documents and trees brought together by their text."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vermeil.consensus.trees.known import squeezed
from vermeil.document import Document
from vermeil.verbs.tables.table import Block, Table, figure

if TYPE_CHECKING:
    from vermeil.consensus.trees.ensembles import Combined, Ensemble

Row = tuple[int, str, str, str, float]
"""Number of the sentence, annotator, label, the name itself, agreement on the words around it."""


@dataclass(slots=True)
class DoubtfulNames:
    """Documents by their text without spaces, and the names found in doubtful stretches of it."""

    documents: Mapping[str, Document] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    n_met: int = 0

    @staticmethod
    def of(documents: Iterable[Document]) -> "DoubtfulNames":
        """Take documents whose texts are sentences; of several with the same words the first."""
        found: dict[str, Document] = {}
        for document in documents:
            found.setdefault(squeezed(document.text), document)
        return DoubtfulNames(found)

    def add(self, combined: "Combined", ensemble: "Ensemble", below: float, first: int) -> None:
        """Look for names in the doubtful stretches of a batch."""
        from vermeil.consensus.trees.doubt import META, doubtful_spans, stretches_in_text

        if not self.documents:
            return
        where = stretches_in_text(combined, ensemble.steps, below=below)
        for number, (tree, stretches) in enumerate(
            zip(combined.trees, where, strict=True), start=first
        ):
            text = " ".join(tree.words) if tree is not None else ""
            document = self.documents.get(squeezed(text)) if text else None
            if document is None:
                continue
            self.n_met += 1
            moved = [_moved(stretch, text, document.text) for stretch in stretches]
            for layer, span, agreement in doubtful_spans(document.replace(meta={META: moved})):
                said = document.text[span.start : span.end]
                self.rows.append((number, layer, span.label, said, agreement))

    def as_data(self) -> list[dict[str, Any]]:
        """Return the names as JSON has them."""
        heads = ("sentence", "annotator", "label", "name", "agreement")
        return [dict(zip(heads, row, strict=True)) for row in self._ranked()]

    def blocks(self, top: int) -> Iterator[Block]:
        """Tell the names around which parsers agree least."""
        if not self.documents:
            return
        rows = [[*row[:4], figure(row[4])] for row in self._ranked()[:top]]
        yield Table(
            f"Names in doubtful stretches: {len(self.rows):,}, of {self.n_met:,} sentences met",
            ["sentence", "annotator", "label", "name", "agreement"],
            rows,
            wide="name",
        )

    def _ranked(self) -> list[Row]:
        return sorted(self.rows, key=lambda row: (row[4], row[0]))


def _moved(stretch: tuple[int, int, float], text: str, other: str) -> tuple[int, int, float]:
    """Find a stretch of one text in another that differs in white space alone."""
    places = [at for at, sign in enumerate(other) if not sign.isspace()]
    start, end, agreement = stretch
    first, n = len(squeezed(text[:start])), len(squeezed(text[start:end]))
    return places[first], places[first + n - 1] + 1, agreement
