"""How good is silver? Systems and the consensus of them at every threshold, against gold.

Section 5.2.1 of Lewin et al., "Centroids", whole: Figures 7 and 8 (systems beside centroids at
thresholds t), and Spearman's rank correlation of the systems' F against silver and against gold.
The paper does not say at which threshold its silver was made, so the correlation is given for each.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vermeil.consensus import CONSENSUS, Options, combine, get_method
from vermeil.consensus.centroids import DEFAULTS, EMITTED, Settings
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.scoring.counts import Counts
from vermeil.scoring.gold.cores import count_overlapping
from vermeil.scoring.scores import VIEWS, score
from vermeil.scoring.silver import (
    SILVER,
    Correlation,
    by_view,
    compare_standards,
    spearman,
)
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True)
class SilverRow:
    """A silver standard against gold: the method, what it emits and the votes it asks for.

    ``emit`` is empty where the method has no choice, ``votes`` None where it needs no threshold.
    ``n_beaten`` systems have a lower F. ``ranks`` correlates F of the systems against it and
    against gold; ``others_ranks`` does so with each system left out of the silver that judges it.
    """

    method: str
    emit: str
    votes: float | None
    counts: Counts
    n_beaten: int
    ranks: Correlation
    others_ranks: Correlation | None = None

    @property
    def name(self) -> str:
        """The method with what it emits."""
        return f"{self.method}, {self.emit}" if self.emit else self.method


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Brief):
    """Systems, the best first, and silver standards made of them, all against gold.

    ``view`` judges against gold, ``silver_view`` against silver. Systems that looked at no document
    of gold are ``unjudged``.
    """

    gold: str
    view: str
    silver_view: str
    n_documents: int
    systems: dict[str, Counts]
    silver: tuple[SilverRow, ...]
    unjudged: tuple[str, ...] = ()

    def _told(self) -> str:
        best = max((row.counts.f1 for row in self.silver), default=float("nan"))
        return f"{len(self.systems)} systems against {self.gold}, silver up to F1 {best:.3f}"


def sweep_thresholds(
    documents: Sequence[Document],
    *,
    gold: str,
    systems: Sequence[str],
    methods: Sequence[str] = ("centroids",),
    emits: Sequence[str] = ("heart", "modal"),
    thresholds: Sequence[float] = (1, 2, 3, 4, 5, 6),
    view: str = "biocreative",
    silver_view: str = "centroid",
    settings: Settings = DEFAULTS,
    leave_one_out: bool = False,
    watch: Callable[[SilverRow], None] | None = None,
) -> Sweep:
    """Score systems, and silver made of them by each method at each threshold, against gold.

    Thresholds above the number of systems are left out, and so are documents without gold and
    systems that looked at none with it.
    ``leave_one_out`` makes a silver for each system, too, in which it has no part. ``watch`` is
    told each row when it is there.
    """
    _check(documents, gold, systems, methods, emits, (view, silver_view))
    judged = [_only(each, gold, systems) for each in documents if gold in each.layers]
    there = {name for document in judged for name in document.layers}
    unjudged = tuple(name for name in systems if name not in there)
    systems = [name for name in systems if name in there]
    if len(systems) < 2:
        raise UsageError(
            f"silver needs two systems or more that looked at documents of {gold}; "
            f"found: {', '.join(systems) or 'none'}"
        )
    is_marked = any(gold + ALTERNATIVES in each.layers for each in judged)
    is_flat = not is_marked and any(count_overlapping(each, gold) for each in judged)
    scores = score(judged, standard=gold, systems=systems, flat=is_flat, views=[view])
    found = {name: scores[name].counts(view) for name in systems}
    ranked = dict(sorted(found.items(), key=lambda item: (-item[1].f1, item[0])))

    def left_out(method: str, choices: Options) -> Correlation | None:
        judges: dict[str, Any] = {"scorer": by_view(silver_view), "gold_scorer": by_view(view)}
        found = compare_standards(
            judged, gold=gold, systems=systems, by=method, options=choices, **judges
        )
        return found.left_out

    rows = []
    for method, emit, votes in _ways(methods, emits, [t for t in thresholds if t <= len(systems)]):
        choices = Options(replace(settings, min_votes=votes or 0.0), emit or "modal")
        silver = combine(judged, by=method, name=SILVER, annotators=systems, options=choices)
        against_gold = score(silver, standard=gold, systems=[SILVER], flat=is_flat, views=[view])
        counts = against_gold[SILVER].counts(view)
        mine = score(silver, standard=SILVER, systems=systems, views=[silver_view])
        against = [mine[name].counts(silver_view).f1 for name in ranked]
        row = SilverRow(
            method=method,
            emit=emit,
            votes=votes,
            counts=counts,
            n_beaten=sum(counts.f1 > each.f1 for each in found.values()),
            ranks=spearman(against, [each.f1 for each in ranked.values()]),
            others_ranks=left_out(method, choices) if leave_one_out else None,
        )
        rows.append(row)
        if watch is not None:
            watch(row)
    return Sweep(gold, view, silver_view, len(judged), ranked, tuple(rows), unjudged=unjudged)


def _ways(
    methods: Sequence[str], emits: Sequence[str], thresholds: Sequence[float]
) -> Iterator[tuple[str, str, float | None]]:
    """List the ways to make silver: what a method has no use for is not varied."""
    for method in methods:
        takes = CONSENSUS[method].takes
        for emit in emits if "emit" in takes else [""]:
            for votes in thresholds if "min_votes" in takes else [None]:
                yield method, emit, votes


def _only(document: Document, gold: str, systems: Sequence[str]) -> Document:
    kept = {gold, gold + ALTERNATIVES, *systems}
    layers = {name: layer for name, layer in document.layers.items() if name in kept}
    return document.replace(layers=layers, standards={}, trees={}, meta={})


def _check(
    documents: Sequence[Document],
    gold: str,
    systems: Sequence[str],
    methods: Sequence[str],
    emits: Sequence[str],
    views: Sequence[str],
) -> None:
    known = sorted({name for document in documents for name in document.layers})
    for name in (gold, *systems):
        if name not in known:
            raise UnknownNameError("layer", name, known)
    if len(systems) < 2:
        raise UsageError(f"silver needs two systems or more; found: {', '.join(systems) or 'none'}")
    if SILVER in systems or gold == SILVER:
        raise UsageError(
            f"{SILVER!r} is the name of what is made of the systems; rename that layer"
        )
    for method in methods:
        get_method(method)
    for kind, names, choices in (("span to write", emits, EMITTED), ("view", views, VIEWS)):
        for name in names:
            if name not in choices:
                raise UnknownNameError(kind, name, choices)
