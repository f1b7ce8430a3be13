"""Score systems against a standard: one pass, every view, every count linked to its instances.

The documents scored are those where the standard has a layer (or centroids). A system that has no
layer on such a document has found nothing there, unless it is to be scored on what it looked at;
the number of such documents is reported.
Where only centroids carry a name, their modal spans serve as its layer. Documents are put in order
of their ids, so that no order of the input changes anything.

A standard may be ``flat``: a list of names that overlap where one has several acceptable forms, and
none is marked as core. Then, as in ``vermeil audit``, the first of overlapping names of a label is
core and the others are its alternatives, in the views that know of alternatives (biocreative and
centroid); the others count every name that is listed. A document that carries centroids under the
name of the standard, as a consensus does, is not flat: its nested names are names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from vermeil.arrays import Floats
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError
from vermeil.scope import Scope
from vermeil.scoring.counts import Counts
from vermeil.scoring.gold.cores import partition
from vermeil.scoring.pairing.extents import Extents, extents
from vermeil.scoring.pairing.lens import Lens, Uncounted, lenses
from vermeil.scoring.pairing.matching import match
from vermeil.scoring.pairing.names import Names, ScoringBatch
from vermeil.scoring.views.biocreative import biocreative_view
from vermeil.scoring.views.centroid import Boundaries, centroid_view
from vermeil.scoring.views.confusion import Confusion, confuse
from vermeil.scoring.views.outcomes import View
from vermeil.scoring.views.partial import MODES, judge
from vermeil.scoring.views.referents import by_referent
from vermeil.shown import Brief, Shown

VIEWS = (*MODES, "biocreative", "centroid")
REGARDLESS = ("boundaries", "partial")
"""Views that never compare labels."""

CORE = "\0core"
"""What the layer of core names that were found in a flat list adds to its name."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(Shown, Brief):
    """Everything about one system against one standard.

    ``n_absent`` counts documents the system did not look at, ``left_out`` the names of labels that
    it does not look for, which ``lens`` hides. ``whole`` has all names of the standard, and all
    its hearts, whatever their labels.
    """

    standard: str
    system: str
    batch: ScoringBatch
    n_absent: int
    views: dict[str, View]
    boundaries: Boundaries
    confusion: Confusion
    whole: tuple[Names, Names]
    lens: Lens = field(default_factory=Lens)
    left_out: Uncounted = field(default_factory=Uncounted)

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
    referents: bool = False,
    flat: bool = False,
    scope: Scope | None = None,
    looked: bool = False,
    absent: Iterable[str] = (),
) -> dict[str, Scores]:
    """Score the layers of ``systems`` (all others, unless named) against that of ``standard``.

    The alternatives of the standard are taken from the layer named for it. With ``same_label`` a
    prediction needs the right label, without it labels are not compared; None leaves it to the
    view: the BioCreative one does not compare labels, the others do. With ``referents``, names of
    the standard that share a database id in a document are one entity, found if any of them is.
    ``flat`` takes overlapping names of the standard for alternatives of each other.

    Each system is scored on the labels it looks for, as ``scope`` says, or these documents where
    there is none: see ``pairing.lens``. With ``looked`` it is scored on the documents that it
    looked at; otherwise it found nothing in the others. Systems that are ``absent`` looked at none
    of these.

    >>> from vermeil.document import Span
    >>> gold, ann = Span(0, 5, "Gene"), Span(0, 4, "Gene")
    >>> document = Document(id="1", text="BRCA1", layers={"gold": (gold,), "ann": (ann,)})
    >>> scores = score([document], standard="gold")["ann"]
    >>> scores.counts("exact").f1, scores.counts("partial").f1
    (0.0, 0.5)
    """
    return dict(
        each_score(
            documents,
            standard=standard,
            systems=systems,
            same_label=same_label,
            referents=referents,
            flat=flat,
            scope=scope,
            looked=looked,
            absent=absent,
        )
    )


def each_score(
    documents: Iterable[Document],
    *,
    standard: str,
    systems: Sequence[str] | None = None,
    same_label: bool | None = None,
    referents: bool = False,
    flat: bool = False,
    scope: Scope | None = None,
    looked: bool = False,
    absent: Iterable[str] = (),
) -> Iterator[tuple[str, Scores]]:
    """Yield what ``score`` returns, one system after the other: hundreds need not be held."""
    everything = [with_modal_spans(document) for document in documents]
    if flat:
        everything = [_parted(document, standard) for document in everything]
    known = sorted({name for document in everything for name in document.layers})
    for name in (standard, *(systems or ())):
        if name not in known:
            raise UnknownNameError("layer", name, known)
    if systems is None:
        judged = (name for name in known if not name.endswith((ALTERNATIVES, CORE)))
        systems = sorted({*(name for name in judged if name != standard), *absent})
    scope = Scope.of(everything) if scope is None else scope
    ordered = in_order(each for each in everything if standard in each.layers)
    chosen = lenses(ordered, scope, standard=standard, systems=systems, looked=looked)
    if same_label is False:
        chosen = {name: (loose, loose) for name, (_, loose) in chosen.items()}
    sides = _sides(ordered, standard, chosen, flat=flat)
    how = _Way(same_label, referents)
    for name, (strict, loose) in chosen.items():
        yield (
            name,
            replace(
                _judged(name, sides[strict], sides[loose], how),
                whole=(sides[Lens()].names, sides[Lens()].centroids.heart),
                lens=strict,
                left_out=Uncounted(
                    strict.left_out(ordered, standard),
                    loose.left_out(ordered, standard),
                    strict.left_out(ordered, name),
                ),
            ),
        )


def score_looked(
    documents: Iterable[Document],
    *,
    standard: str,
    systems: Iterable[str],
    scope: Scope,
    **options: Any,
) -> Iterator[tuple[str, Scores]]:
    """Yield the scores of each system over the documents that it looked at, and no others.

    So the cost of a crowd follows its votes. Whoever looked at none that the standard has is left
    out. ``options`` are those of ``score``.
    """
    own: dict[str, list[Document]] = {name: [] for name in systems}
    for document in documents:
        if standard in document.layers or standard in document.standards:
            for name in {*document.layers, *document.standards} & own.keys():
                own[name].append(document)
    for name, some in own.items():
        if some:
            kept = {standard, standard + ALTERNATIVES, name}
            bare = [only_layers(document, kept) for document in some]
            yield from each_score(bare, standard=standard, systems=[name], scope=scope, **options)


@dataclass(frozen=True, slots=True)
class _Way:
    """What is asked of all views."""

    same_label: bool | None
    referents: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A standard seen through a lens, as columns: its names, core ones, alternatives, centroids."""

    standard: str
    batch: ScoringBatch
    core_name: str
    names: Names
    core: Names
    alternatives: Names
    centroids: Extents

    def by_referents(self, views: Mapping[str, View]) -> dict[str, View]:
        """Take names that share an id in a document for one."""
        ids = {
            view: self.batch.ids(self.core_name if view == "biocreative" else self.standard)
            for view in VIEWS
        }
        ids["centroid"] = list(self.centroids.ids())
        return {key: by_referent(view, ids[key]) for key, view in views.items()}


def _sides(
    documents: Sequence[Document],
    standard: str,
    chosen: Mapping[str, tuple[Lens, Lens]],
    *,
    flat: bool,
) -> dict[Lens, _Side]:
    """Lay documents out once for each lens, with those who are seen through it."""
    core = standard + CORE if flat else standard
    own = {standard, core, standard + ALTERNATIVES}
    users = {Lens(): {*own}}
    for name, pair in chosen.items():
        for lens in pair:
            users.setdefault(lens, {*own}).add(name)
    is_narrowed = len(users) > 1
    labels = Scope.of(documents).labels if is_narrowed else frozenset()
    sides = {}
    for lens, names in users.items():
        seen = lens.narrowed(documents, names) if is_narrowed else documents
        batch = ScoringBatch.of(seen, labels)
        sides[lens] = _Side(
            standard=standard,
            batch=batch,
            core_name=core,
            names=batch.names(standard),
            core=batch.names(core),
            alternatives=batch.names(standard + ALTERNATIVES),
            centroids=extents(batch, standard, core),
        )
    return sides


def _judged(system: str, strict: _Side, loose: _Side, how: _Way) -> Scores:
    """Score in all views: those that compare labels on one side, the others on the other."""
    scores = _compared(system, strict, how)
    if loose is strict:
        return scores
    others = _compared(system, loose, how).views
    regardless = REGARDLESS if how.same_label else (*REGARDLESS, "biocreative")
    views = {
        name: others[name] if name in regardless else view for name, view in scores.views.items()
    }
    return replace(scores, views=views)


def _compared(system: str, side: _Side, how: _Way) -> Scores:
    batch, names, same_label = side.batch, side.names, how.same_label
    predicted = batch.names(system)
    strict = same_label is not False
    matching = match(names, predicted)
    n_documents, labels = len(batch.table.documents), batch.labels
    views = {
        mode: View.of(n_documents, labels, (predicted, names), outcomes)
        for mode, outcomes in judge(predicted, names, matching, same_label=strict).items()
    }
    views["biocreative"] = biocreative_view(
        batch, predicted, side.core, side.alternatives, same_label=same_label is True
    )
    views["centroid"], boundaries = centroid_view(
        batch, predicted, side.centroids, same_label=strict
    )
    return Scores(
        standard=side.standard,
        system=system,
        batch=batch,
        n_absent=batch.n_absent(system),
        views=side.by_referents(views) if how.referents else views,
        boundaries=boundaries,
        confusion=confuse(predicted, names, matching, labels),
        whole=(names, side.centroids.heart),
    )


def only_layers(document: Document, names: Set[str]) -> Document:
    """Leave only some layers and standards."""
    return document.replace(
        layers={name: each for name, each in document.layers.items() if name in names},
        standards={name: each for name, each in document.standards.items() if name in names},
    )


def _parted(document: Document, standard: str) -> Document:
    """Put core names and alternatives beside a flat list of names."""
    if standard not in document.layers:
        return document
    if standard in document.standards:  # centroids know their own alternatives
        core = {standard + CORE: document.layers[standard]}
        return document.replace(layers={**document.layers, **core})
    parted = partition(document, standard)
    core = {standard + CORE: parted.layers[standard]}
    alternatives = {standard + ALTERNATIVES: parted.alternatives(standard)}
    return document.replace(layers={**document.layers, **core, **alternatives})


def with_modal_spans(document: Document) -> Document:
    """Let the modal spans of centroids be the layer of a standard that has no other."""
    if not document.standards:
        return document
    bare = {
        name: tuple(centroid.modal for centroid in document.standards[name])
        for name in document.standards
        if name not in document.layers
    }
    return document.replace(layers={**document.layers, **bare}) if bare else document


def in_order(documents: Iterable[Document]) -> list[Document]:
    """Put documents in order of their ids; those of one id by all the rest."""
    ordered = sorted(documents, key=lambda document: document.id)
    if len({document.id for document in ordered}) < len(ordered):
        ordered.sort(
            key=lambda each: (
                each.id,
                each.text,
                msgspec.json.encode(dict(each.layers), order="deterministic"),
            )
        )
    return ordered
