"""Score systems against a standard: one pass, every view, every count linked to its instances.

The documents scored are those where the standard has a layer (or centroids). A system that has no
layer on such a document has found nothing there, and the number of such documents is reported.
Where only centroids carry a name, their modal spans serve as its layer. Documents are put in order
of their ids, so that no order of the input changes anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from vermeil.arrays import Floats
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.extents import Extents, extents
from vermeil.scoring.pairing.matching import match
from vermeil.scoring.pairing.names import Names, ScoringBatch
from vermeil.scoring.views.biocreative import biocreative_view
from vermeil.scoring.views.centroid import Boundaries, centroid_view
from vermeil.scoring.views.confusion import Confusion, confuse
from vermeil.scoring.views.outcomes import View
from vermeil.scoring.views.partial import MODES, judge
from vermeil.shown import Brief, Shown

VIEWS = (*MODES, "biocreative", "centroid")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(Shown, Brief):
    """Everything about one system against one standard.

    ``n_absent`` counts documents the system did not look at.
    """

    standard: str
    system: str
    batch: ScoringBatch
    n_absent: int
    views: dict[str, View]
    boundaries: Boundaries
    confusion: Confusion

    def _told(self) -> str:
        exact, centroid = self.counts("exact").f1, self.counts("centroid").f1
        compared = f"{self.system} against {self.standard}, {len(self.documents):,} documents"
        return f"{compared}, exact F1 {exact:.3f}, centroid F1 {centroid:.3f}"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents scored, without their layers, in order of their ids."""
        return self.batch.table.documents

    def counts(self, view: str) -> Counts:
        """Return the counts of all documents together in a view."""
        return self.views[view].counts

    def per_document(self, view: str) -> Floats:
        """Count by document, a row each: right, predicted, found, wanted."""
        return self.views[view].per_document()


def score(
    documents: Iterable[Document],
    *,
    standard: str,
    systems: Sequence[str] | None = None,
    same_label: bool | None = None,
) -> dict[str, Scores]:
    """Score the layers of ``systems`` (all others, unless named) against that of ``standard``.

    The alternatives of the standard are taken from the layer named for it. With ``same_label`` a
    prediction needs the right label, without it labels are not compared; None leaves it to the
    view: the BioCreative one does not compare labels, the others do.

    >>> from vermeil.document import Span
    >>> gold, ann = Span(0, 5, "Gene"), Span(0, 4, "Gene")
    >>> document = Document(id="1", text="BRCA1", layers={"gold": (gold,), "ann": (ann,)})
    >>> scores = score([document], standard="gold")["ann"]
    >>> scores.counts("exact").f1, scores.counts("partial").f1
    (0.0, 0.5)
    """
    everything = [_with_modal_spans(document) for document in documents]
    known = sorted({name for document in everything for name in document.layers})
    for name in (standard, *(systems or ())):
        if name not in known:
            raise UnknownNameError("layer", name, known)
    if systems is None:
        judged = (name for name in known if not name.endswith(ALTERNATIVES))
        systems = [name for name in judged if name != standard]
    batch = ScoringBatch.of(_in_order(each for each in everything if standard in each.layers))
    sides = batch.names(standard), batch.names(standard + ALTERNATIVES)
    centroids = extents(batch, standard)
    return {
        name: _scored(
            batch,
            standard=standard,
            system=name,
            sides=sides,
            centroids=centroids,
            same_label=same_label,
        )
        for name in systems
    }


def _scored(
    batch: ScoringBatch,
    standard: str,
    system: str,
    sides: tuple[Names, Names],
    centroids: Extents,
    same_label: bool | None,
) -> Scores:
    predicted, (wanted, alternatives) = batch.names(system), sides
    strict = same_label is not False
    matching = match(wanted, predicted)
    n_documents, labels = len(batch.table.documents), batch.labels
    views = {
        mode: View.of(n_documents, labels, (predicted, wanted), outcomes)
        for mode, outcomes in judge(predicted, wanted, matching, same_label=strict).items()
    }
    views["biocreative"] = biocreative_view(
        batch, predicted, wanted, alternatives, same_label=same_label is True
    )
    views["centroid"], boundaries = centroid_view(batch, predicted, centroids, same_label=strict)
    return Scores(
        standard=standard,
        system=system,
        batch=batch,
        n_absent=batch.n_absent(system),
        views=views,
        boundaries=boundaries,
        confusion=confuse(predicted, wanted, matching, labels),
    )


def _with_modal_spans(document: Document) -> Document:
    if not document.standards:
        return document
    bare = {
        name: tuple(centroid.modal for centroid in standard)
        for name, standard in document.standards.items()
        if name not in document.layers
    }
    return document.replace(layers={**document.layers, **bare}) if bare else document


def _in_order(documents: Iterable[Document]) -> list[Document]:
    """Put documents in order of their ids; those of one id by all the rest."""
    ordered = sorted(documents, key=lambda document: document.id)
    if len({document.id for document in ordered}) < len(ordered):
        ordered.sort(
            key=lambda each: (
                each.id,
                each.text,
                msgspec.json.encode(each.layers, order="deterministic"),
            )
        )
    return ordered
