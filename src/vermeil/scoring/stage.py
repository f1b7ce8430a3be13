"""``score`` as a stage: every system against the standard, in counts that add."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from sys import maxsize
from typing import Any, ClassVar, NamedTuple

import msgspec
import numpy as np

from vermeil.columns.joined import labels_used
from vermeil.columns.span_table import SpanTable
from vermeil.document import ALTERNATIVES, Document
from vermeil.runs.exact_sums import Mean
from vermeil.runs.stages import Stage
from vermeil.scope import Scope
from vermeil.scoring.arranged import CORE, arranged
from vermeil.scoring.crowd.scored import CrowdScores, crowd_scores
from vermeil.scoring.crowd.sums import crowd_sums
from vermeil.scoring.pairing.given import SUPPORTS
from vermeil.scoring.pairing.lens import (
    EVERY_LABEL,
    Kind,
    Lens,
    kind_of,
    lenses,
    named_in,
    narrows,
    silent_lenses,
)
from vermeil.scoring.pairing.marked import FlatNames
from vermeil.scoring.pairing.names import ScoringBatch
from vermeil.scoring.readings import ScoreReading, ScoreSums
from vermeil.scoring.score_sums import SystemSums, least_accepted
from vermeil.scoring.scores import (
    NOBODY,
    VIEWS,
    Scores,
    Way,
    laid_sides,
    through_lenses,
)
from vermeil.scoring.silence import Silence
from vermeil.scoring.token_accuracy import TagCounts, count_tokens
from vermeil.scoring.view_sums import Confidences, ViewSums
from vermeil.scoring.views.annotations import JudgedAnnotation, annotations
from vermeil.scoring.views.centroid import Boundaries
from vermeil.scoring.views.instances import Instance, Offender, offenders

BATCH = 750
"""Documents that are scored at a time, while few systems are there."""

WITH_ALTERNATIVES = ("biocreative", "centroid")
"""Views that know of alternatives."""

CROWD, CROWD_BATCH = 50, 3000
"""So many systems cost more to begin with than their names do, and each has few names."""


class ScoreStage(Stage[ScoreSums, ScoreSums, None], frozen=True):
    """The layer that is the standard, and what is kept beside counts.

    ``against`` names a system to pair the others with, ``mistakes`` the view of which mistakes are
    kept; ``ranked`` keeps confidences, ``listed`` the counts of every document, ``annotated`` every
    annotation with its boundary scores, and ``n_least`` those with the least accepted boundaries.
    With ``referents``, names of the standard that share an id in a document are one entity. With
    ``overlaps`` for ``alternatives``, overlapping names of a standard that marks no alternatives
    anywhere are alternatives of each other; otherwise each is one of the ``names``. With a
    ``tokeniser`` the tags of its tokens are counted, too.
    ``scope`` says who looks for what; what they look for by the labels they use is known only when
    all documents have been seen, so what comes of a first pass may ask for another (``in_scope``).
    With ``looked`` each system is scored on the documents that it looked at.
    Only ``views`` that are asked for are computed. Who goes through the documents ``twice`` if need
    be has nothing scored where the first of them tell already that somebody will be compared on
    some labels only: which ones is found out, and the other pass scores.
    """

    name: ClassVar[str] = "score"
    observes: ClassVar[bool] = True
    in_columns: ClassVar[bool] = True
    little: ClassVar[int] = 12_000_000

    standard: str
    same_label: bool | None = None
    against: str | None = None
    mistakes: str | None = None
    ranked: bool = False
    listed: bool = False
    annotated: bool = False
    n_least: int = 0
    referents: bool = False
    overlaps: str = "names"
    tokeniser: str | None = None
    scope: Scope = Scope()
    looked: bool = False
    views: tuple[str, ...] = VIEWS
    twice: bool = False

    def observe(self, items: Iterator[Document]) -> ScoreSums:
        """Score documents, many at a time."""
        total = ScoreSums()
        waits = False
        while batch := list(islice(items, BATCH if len(total.names) < CROWD else CROWD_BATCH)):
            waits = waits or (not total.n_read and self._must_wait(batch))
            total += self._seen(batch) if waits else self._sum_batch(batch)
        return total

    def finish(self, seen: ScoreSums) -> ScoreSums:
        """There is nothing to learn."""
        return seen

    def in_scope(self, sums: ScoreSums) -> "ScoreStage | None":
        """Return what is to be done again, now that the labels of everybody are known, or None."""
        scope = Scope(sums.scope.used, self.scope.told).checked()
        is_known = self.scope.used == scope.used
        if is_known or not (sums.n_waiting or narrows(scope, self.standard)):
            return None
        return msgspec.structs.replace(self, scope=scope)

    def sums_of(self, scores: Mapping[str, Scores]) -> dict[str, SystemSums]:
        """Sum up documents that were scored at once."""
        rival = None if self.against is None else scores[self.against]
        return {name: self._sum_system(each, rival) for name, each in scores.items()}

    def _must_wait(self, batch: Sequence[Document]) -> bool:
        if self.scope.used or not self.twice:
            return False
        scope = Scope.by_use(labels_used(batch), self.scope.told)
        return narrows(scope, self.standard)

    def _seen(self, batch: Sequence[Document]) -> ScoreSums:
        """Tell who is there and which labels they use."""
        scope = Scope.by_use(labels_used(batch))
        return ScoreSums(len(batch), _names(batch), scope=scope, n_waiting=len(batch))

    def _sum_batch(self, batch: Sequence[Document]) -> ScoreSums:
        ordered = arranged(batch, self.standard)
        if not ordered:
            return ScoreSums(len(batch), _names(batch), scope=Scope.by_use(labels_used(batch)))
        laid = ScoringBatch.of(ordered)
        is_all = len(ordered) == len(batch)
        names = frozenset(laid.table.annotators) if is_all else _names(batch)
        scope = laid.scope if is_all else Scope.by_use(labels_used(batch))
        ids = tuple(each.id for each in ordered) if self.listed else ()
        flat, n_overlapping = None, 0
        plain = self._sum_all(ordered, laid)
        if self.overlaps != "names" and self.standard + ALTERNATIVES not in names:
            own = FlatNames.of(laid, self.standard)
            n_overlapping = own.n_overlapping
            flat = self._sum_flat(ordered, own, plain) if n_overlapping else None
        return ScoreSums(
            len(batch), names, ids, plain, flat, n_overlapping=n_overlapping, scope=scope
        )

    def _sum_flat(
        self, ordered: Sequence[Document], own: FlatNames, plain: ScoreReading
    ) -> ScoreReading:
        """Sum up what overlapping names make a difference to, beside all the rest."""
        differing = tuple(view for view in self.views if view in WITH_ALTERNATIVES)
        if not differing:
            return plain
        detailed = self.mistakes in differing
        stage = msgspec.structs.replace(
            self,
            views=differing,
            mistakes=self.mistakes if detailed else None,
            ranked=False,
            tokeniser=None,
        )
        flat = stage._sum_all(ordered, own.marked(self.standard + CORE), flat=True)
        return replace(
            plain,
            systems={
                name: each.with_flat(flat.part(name, is_full=name in plain.full), mistakes=detailed)
                for name, each in plain.systems.items()
            },
            silences={
                kind: each.with_flat(flat.silences[kind], mistakes=detailed)
                for kind, each in plain.silences.items()
            },
        )

    def _sum_all(
        self, ordered: Sequence[Document], laid: ScoringBatch, *, flat: bool = False
    ) -> ScoreReading:
        """Sum up all systems over the documents where they are met, and who found nothing."""
        how = Way(self.same_label, self.referents, self.views)
        cast = self._cast(ordered, laid.table)
        options: dict[str, Any] = {"standard": self.standard, "looked": self.looked}
        kinds = self._kinds()
        silent = _names_of_nobody(kinds.values())
        nobody = silent_lenses(ordered, self.scope, kinds=silent, **options)
        through = how.lenses({silent[kind]: pair for kind, pair in nobody.items()})
        chosen = how.lenses(lenses(ordered, self.scope, systems=cast.dense, **options))
        if self._keeps_each:
            chosen |= through
        sides = laid_sides(ordered, laid, self.standard, chosen, flat=flat)
        rival = silent[kinds.get(self.against or "", EVERY_LABEL)]
        every = through_lenses(ordered, chosen, sides, how)
        sums = self._sum_each(ordered, every, rival)
        if self._keeps_each:
            silences = {kind: sums.pop(name) for kind, name in silent.items()}
        else:
            silence = Silence(sides[Lens()], how)
            silences = {
                kind: replace(
                    silence.sums(*through[name], ranked=self.ranked), n_least=self._n_least
                )
                for kind, name in silent.items()
            }
        for crowds in crowd_scores(
            ordered,
            laid,
            standard=self.standard,
            systems=cast.sparse,
            scope=self.scope,
            how=how,
            flat=flat,
        ):
            for crowd in crowds:
                sums.update(self._sum_crowd(crowd))
        return ScoreReading(sums, silences, kinds, cast.full)

    @property
    def _keeps_each(self) -> bool:
        """Whether something is kept of documents that cannot be told from what was wanted."""
        return bool(
            self.listed or self.against or self.tokeniser or self.mistakes or self.referents
        )

    @property
    def _n_least(self) -> int | None:
        return None if self.annotated else self.n_least

    def _kinds(self) -> dict[str, Kind]:
        """Tell what everybody looks for who does not look for everything."""
        known = {*self.scope.used, *self.scope.told} - {self.standard}
        kinds = {name: kind_of(self.scope, self.standard, name) for name in sorted(known)}
        return {name: kind for name, kind in kinds.items() if kind != EVERY_LABEL}

    def _cast(self, ordered: Sequence[Document], table: SpanTable) -> "_Cast":
        """List who is to be scored on these documents.

        Whoever looked at few of them is scored on these alone, unless something is wanted of every
        document. Of whom a document says what they looked for in it, all documents are summed up,
        whether they looked at any or not.
        """
        n_seen = dict(zip(table.annotators, table.looked.sum(axis=0).tolist(), strict=True))
        there = {name for name in n_seen if not name.endswith((ALTERNATIVES, CORE))}
        named = frozenset[str]() if self.looked else named_in(ordered)
        there = (there | (named & self.scope.used.keys())) - {self.standard}
        sparse = {name for name in there - named if 2 * n_seen[name] < len(ordered)}
        if self._keeps_each and not self.looked:
            return _Cast(sorted(there), [], frozenset(there))
        if self.listed or self.against or self.tokeniser:
            return _Cast(sorted(there), [], frozenset(there if self.listed else ()))
        return _Cast(sorted(there - sparse), sorted(sparse), named & there)

    def _sum_crowd(self, crowd: CrowdScores) -> Iterator[tuple[str, SystemSums]]:
        if not (self.mistakes or self.ranked or self.annotated or self.n_least):
            yield from crowd_sums(crowd)
            return
        for name, scores in crowd.each():
            yield name, self._sum_system(scores, None)

    def _sum_each(
        self, documents: Sequence[Document], every: Iterator[tuple[str, Scores]], nobody: str
    ) -> dict[str, SystemSums]:
        """Sum up systems that were scored one after the other.

        Where the one to compare with is not there, it is compared with ``nobody``.
        """
        rival = None
        if self.against is not None:
            held = dict(every)
            rival, every = held.get(self.against, held[nobody]), iter(held.items())
        sums = {}
        for name, scores in every:
            own = self._sum_system(scores, rival)
            tags = self._count_tags(documents, scores) if self.tokeniser is not None else None
            sums[name] = replace(own, tags=tags) if tags is not None else own
        return sums

    def _count_tags(self, documents: Sequence[Document], scores: Scores) -> TagCounts:
        assert self.tokeniser is not None
        strict, system = self.same_label is not False, scores.system
        narrowed = scores.lens.narrowed(documents, (self.standard, system))
        counted = (
            count_tokens(each, system, self.standard, tokeniser=self.tokeniser, same_label=strict)
            for number, each in enumerate(narrowed)
            if number not in scores.lens.unseen
        )
        return sum(counted, TagCounts())

    def _sum_system(self, scores: Scores, rival: Scores | None) -> SystemSums:
        mistakes: dict[tuple[str, str, bool, str], Offender] = {}
        if self.mistakes is not None:
            every = offenders(scores, self.mistakes, maxsize)
            mistakes = {_key(each.first): each for each in every}
        listed = None
        if self.listed:
            listed = np.stack([scores.per_document(view) for view in self.views], axis=1)
        n_documents = len(scores.documents)
        numbers = np.arange(n_documents)
        seen = scores.lens.sees(numbers)
        judged: tuple[JudgedAnnotation, ...] = ()
        if self.annotated or self.n_least:
            judged = tuple(annotations(scores))
        return SystemSums(
            n_documents=n_documents,
            n_absent=scores.n_absent,
            views=ViewSums.of_each(
                scores.views,
                None if rival is None else rival.views,
                seen=seen,
                both=seen if rival is None else seen & rival.lens.sees(numbers),
            ),
            left=Mean.of(scores.boundaries.left),
            right=Mean.of(scores.boundaries.right),
            confused=scores.confusion.cells,
            left_out=scores.left_out,
            confidences=Confidences.of(scores.views["exact"]) if self.ranked else None,
            mistakes=mistakes,
            listed=listed,
            annotations=judged if self.annotated else least_accepted(judged, self.n_least),
            n_least=self._n_least,
            supports=_supports(scores.boundaries),
        )


class _Cast(NamedTuple):
    """Who is scored on all documents of a batch and who on few of them; who is summed up in full.

    Those are summed up over all documents that there are.
    """

    dense: list[str]
    sparse: list[str]
    full: frozenset[str]


def _names(documents: Sequence[Document]) -> frozenset[str]:
    """List everybody who has a layer or a standard."""
    return frozenset(name for each in documents for name in (*each.layers, *each.standards))


def _names_of_nobody(kinds: Iterable[Kind]) -> dict[Kind, str]:
    """Name somebody who is nowhere for everything that is looked for."""
    every = dict.fromkeys((EVERY_LABEL, *kinds))
    return {kind: f"{NOBODY}{number}" for number, kind in enumerate(every)}


def _supports(boundaries: Boundaries) -> dict[str, int]:
    counts = np.bincount(boundaries.support, minlength=len(SUPPORTS)).tolist()
    return {name: n for name, n in zip(SUPPORTS, counts, strict=True) if name}


def _key(first: Instance) -> tuple[str, str, bool, str]:
    return first.text, first.span.label, first.predicted, first.outcome
