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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter

from vermeil.arrays import Floats
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError
from vermeil.scope import Scope
from vermeil.scoring.arranged import CORE, in_order, parted, with_modal_spans
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.extents import Extents, extents
from vermeil.scoring.pairing.lens import Lens, Uncounted, lenses
from vermeil.scoring.pairing.matching import Matching, match
from vermeil.scoring.pairing.names import Names, ScoringBatch
from vermeil.scoring.views.biocreative import biocreative_view
from vermeil.scoring.views.centroid import (
    Boundaries,
    CentroidJudgement,
    centroid_view,
    judge_names,
)
from vermeil.scoring.views.confusion import Confusion, confuse
from vermeil.scoring.views.outcomes import View
from vermeil.scoring.views.partial import MODES, judge
from vermeil.scoring.views.referents import by_referent
from vermeil.shown import Brief, Shown

NOBODY = "\0nobody"
"""The name of a system that is nowhere."""

VIEWS = (*MODES, "biocreative", "centroid")
SEVERAL = 3
"""Systems for which it pays to judge the names of their standard beforehand."""

REGARDLESS = ("boundaries", "partial")
"""Views that never compare labels."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(Shown, Brief):
    """Everything about one system against one standard.

    ``views`` and ``boundaries`` are there where they were asked for.
    ``n_absent`` counts documents the system did not look at, ``left_out`` the names of labels that
    it does not look for, which ``lens`` hides. ``whole`` has all names of the standard, and all
    its hearts, whatever their labels; ``matching`` pairs those that count with predictions.
    """

    standard: str
    system: str
    batch: ScoringBatch
    n_absent: int
    views: dict[str, View]
    boundaries: Boundaries
    confusion: Confusion
    whole: tuple[Names, Names]
    matching: Matching
    lens: Lens = field(default_factory=Lens)
    left_out: Uncounted = field(default_factory=Uncounted)

    def _told(self) -> str:
        compared = f"{self.system} against {self.standard}, {len(self.documents):,} documents"
        shown = (view for view in ("exact", "centroid") if view in self.views)
        return ", ".join((compared, *(f"{view} F1 {self.counts(view).f1:.3f}" for view in shown)))

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
    views: Sequence[str] = VIEWS,
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
    of these. Only ``views`` that are asked for are computed.

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
            views=views,
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
    views: Sequence[str] = VIEWS,
) -> Iterator[tuple[str, Scores]]:
    """Yield what ``score`` returns, one system after the other: hundreds need not be held."""
    everything = list(documents)
    if any(map(attrgetter("standards"), everything)):
        everything = [with_modal_spans(document) for document in everything]
    if flat:
        everything = [parted(document, standard) for document in everything]
    ordered = in_order([each for each in everything if standard in each.layers])
    is_all = len(ordered) == len(everything)
    laid = ScoringBatch.of(ordered)
    known = laid.table.annotators
    if not is_all:
        known = tuple(sorted({name for each in everything for name in each.layers}))
    for name in (standard, *(systems or ())):
        if name not in known:
            raise UnknownNameError("layer", name, known)
    if systems is None:
        judged = (name for name in known if not name.endswith((ALTERNATIVES, CORE)))
        systems = sorted({*(name for name in judged if name != standard), *absent})
    if scope is None:
        scope = laid.scope if is_all else Scope.of(everything)
    chosen = lenses(ordered, scope, standard=standard, systems=systems, looked=looked)
    how = Way(same_label, referents, ordered_views(views))
    chosen = how.lenses(chosen)
    sides = laid_sides(ordered, laid, standard, chosen, flat=flat)
    yield from through_lenses(ordered, chosen, sides, how)


def through_lenses(
    documents: Sequence[Document],
    chosen: Mapping[str, tuple[Lens, Lens]],
    sides: Mapping[Lens, "LaidStandard"],
    how: "Way",
) -> Iterator[tuple[str, Scores]]:
    """Yield the scores of each system that lenses were ``chosen`` for; documents are in order."""
    for name, (strict, loose) in chosen.items():
        side = sides[strict]
        yield (
            name,
            replace(
                judge_system(name, side, sides[loose], how),
                whole=whole_names(sides[Lens()], how),
                lens=strict,
                left_out=Uncounted(
                    strict.left_out(documents, side.standard),
                    loose.left_out(documents, side.standard),
                    strict.left_out(documents, name),
                ),
            ),
        )


def ordered_views(views: Iterable[str]) -> tuple[str, ...]:
    """Put views in their order; refuse one that is none."""
    asked = frozenset(views)
    for name in asked - {*VIEWS}:
        raise UnknownNameError("view", name, VIEWS)
    return tuple(view for view in VIEWS if view in asked)


@dataclass(frozen=True, slots=True)
class Way:
    """How systems are scored: what is asked of all views, and which views are."""

    same_label: bool | None = None
    referents: bool = False
    views: tuple[str, ...] = VIEWS

    def lenses(self, chosen: Mapping[str, tuple[Lens, Lens]]) -> dict[str, tuple[Lens, Lens]]:
        """Leave of two lenses for each system those that are used: one, if labels never count."""
        if self.same_label is not False:
            return dict(chosen)
        return {name: (loose, loose) for name, (_, loose) in chosen.items()}

    def is_regardless(self, view: str) -> bool:
        """Tell whether labels are not compared in a view, unless they are in all or in none."""
        return view in REGARDLESS or (view == "biocreative" and not self.same_label)


@dataclass(frozen=True, eq=False)
class LaidStandard:
    """A standard seen through a lens, as columns, each laid out when it is first asked for.

    Where it ``is_shared`` by several systems, its own names are judged beforehand: most of what
    systems say is the same.
    """

    standard: str
    core_name: str
    batch: ScoringBatch
    is_shared: bool = False
    _judged: dict[bool, CentroidJudgement] = field(default_factory=dict)

    @cached_property
    def names(self) -> Names:
        """All its names."""
        return self.batch.names(self.standard)

    @cached_property
    def core(self) -> Names:
        """Its core names: those that have alternatives, or none."""
        return self.names if self.core_name == self.standard else self.batch.names(self.core_name)

    @cached_property
    def alternatives(self) -> Names:
        """What else is accepted."""
        return self.batch.names(self.standard + ALTERNATIVES)

    @cached_property
    def centroids(self) -> Extents:
        """Its centroids."""
        return extents(self.batch, self.standard, self.core_name)

    def judged(self, *, same_label: bool) -> CentroidJudgement:
        """Judge its names against its own centroids."""
        if same_label not in self._judged:
            self._judged[same_label] = judge_names(
                self.batch, self.names, self.centroids, same_label=same_label
            )
        return self._judged[same_label]

    def by_referents(self, views: Mapping[str, View]) -> dict[str, View]:
        """Take names that share an id in a document for one."""
        return {key: by_referent(view, self._ids(key)) for key, view in views.items()}

    def _ids(self, view: str) -> list[tuple[str, ...]]:
        if view == "centroid":
            return list(self.centroids.ids())
        return self.batch.ids(self.core_name if view == "biocreative" else self.standard)


def laid_sides(
    documents: Sequence[Document],
    laid: ScoringBatch,
    standard: str,
    chosen: Mapping[str, tuple[Lens, Lens]],
    *,
    flat: bool,
) -> dict[Lens, LaidStandard]:
    """Lay documents out once for each lens, with those who are seen through it.

    They are ``laid`` out already as they are, which is how they look without any.
    """
    core = standard + CORE if flat else standard
    own = {standard, core, standard + ALTERNATIVES}
    users: dict[Lens, set[str]] = {Lens(): set()}
    for name, pair in chosen.items():
        for lens in pair:
            users.setdefault(lens, set()).add(name)
    sides = {}
    for lens, names in users.items():
        batch = laid
        if not lens.is_clear:
            narrowed = lens.narrowed(documents, own | names)
            if flat:
                narrowed = [
                    each if core in each.layers else parted(each, standard) for each in narrowed
                ]
            batch = ScoringBatch.of(narrowed, laid.labels)
        sides[lens] = LaidStandard(standard, core, batch, len(names) >= SEVERAL)
    return sides


def judge_system(
    system: str,
    strict: LaidStandard,
    loose: LaidStandard,
    how: Way,
) -> Scores:
    """Score in all views: those that compare labels on one side, the others on the other."""
    if loose is strict:
        return _compared(system, strict, how)
    free, bound = (
        tuple(view for view in how.views if how.is_regardless(view) == is_free)
        for is_free in (True, False)
    )
    scores = _compared(system, strict, replace(how, views=bound))
    if not free:
        return scores
    views = scores.views | _compared(system, loose, replace(how, views=free)).views
    return replace(scores, views={name: views[name] for name in how.views})


def _compared(system: str, side: LaidStandard, how: Way) -> Scores:
    batch, names, same_label = side.batch, side.names, how.same_label
    predicted = batch.names(system)
    strict = same_label is not False
    matching = match(names, predicted)
    n_documents, labels = len(batch.table.documents), batch.labels
    modes = [mode for mode in MODES if mode in how.views]
    views = {
        mode: View(n_documents, labels, predicted, names, *outcomes)
        for mode, outcomes in judge(predicted, names, matching, modes, same_label=strict).items()
    }
    alike = matching.wanted[: matching.n_same], matching.predicted[: matching.n_same]
    if "biocreative" in how.views:
        views["biocreative"] = biocreative_view(
            batch,
            predicted,
            side.core,
            side.alternatives,
            same_label=same_label is True,
            alike=alike if side.core is names else None,
        )
    boundaries = Boundaries.none()
    if "centroid" in how.views:
        judged = (*alike, side.judged(same_label=strict)) if side.is_shared else None
        views["centroid"], boundaries = centroid_view(
            batch, predicted, side.centroids, same_label=strict, alike=judged
        )
    return Scores(
        standard=side.standard,
        system=system,
        batch=batch,
        n_absent=batch.n_absent(system),
        views=side.by_referents(views) if how.referents else views,
        boundaries=boundaries,
        confusion=confuse(predicted, names, matching, labels),
        whole=whole_names(side, how),
        matching=matching,
    )


def whole_names(side: LaidStandard, how: Way) -> tuple[Names, Names]:
    """Return the names of a standard and its hearts: none, if nobody asked for centroids."""
    return side.names, side.centroids.heart if "centroid" in how.views else Names.none()
