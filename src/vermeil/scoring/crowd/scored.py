"""Scores of many systems, each on the documents that it looked at, at a cost that follows votes.

Systems are not scored one after the other: all pairs of a system and a document that it looked at
are laid out like so many documents (``pairing.looked``) and judged at once. What is said of a pair
depends on nothing else, so the figures of a system are those that ``scoring.scores`` finds on its
documents alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Flags, Ints, distinct
from vermeil.document import ALTERNATIVES, Document
from vermeil.scope import Scope
from vermeil.scoring.arranged import CORE, arranged, in_order, only_layers
from vermeil.scoring.crowd.parts import CrowdCutting, CrowdMatching, CrowdPart, part_confusion
from vermeil.scoring.pairing.lens import Labels, Lens, Uncounted, lenses
from vermeil.scoring.pairing.looked import SYSTEM, LookedPairs
from vermeil.scoring.pairing.names import ScoringBatch
from vermeil.scoring.scores import (
    VIEWS,
    LaidStandard,
    Scores,
    Way,
    judge_system,
    ordered_views,
    whole_names,
)

AT_ONCE = 1_000_000
"""Characters of pairs that are laid out at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class CrowdScores:
    """The scores of systems; the pairs of the n-th are those from ``first[n]`` to ``first[n + 1]``.

    ``scores`` are those of all pairs together, under the name SYSTEM.
    """

    systems: tuple[str, ...]
    first: Ints
    chosen: Mapping[str, tuple[Lens, Lens]]
    left_out: Mapping[str, Uncounted]
    scores: Scores
    strict: LaidStandard
    pairs: LookedPairs

    @property
    def system(self) -> Ints:
        """The number of the system of each pair."""
        return np.repeat(np.arange(len(self.systems)), np.diff(self.first))

    def confused(self) -> dict[int, dict[tuple[int, int], int]]:
        """Count by system and by labels of both sides, those of missed and spurious names last."""
        wanted, predicted = self.strict.names, self.strict.batch.names(SYSTEM)
        n = len(self.strict.batch.labels) + 1
        mine, theirs = self.scores.matching.wanted, self.scores.matching.predicted
        missed, spurious = _others(mine, len(wanted)), _others(theirs, len(predicted))
        document = np.concatenate(
            (wanted.document[mine], wanted.document[missed], predicted.document[spurious])
        )
        row = np.concatenate(
            (wanted.label[mine], wanted.label[missed], np.full(len(spurious), n - 1))
        )
        column = np.concatenate(
            (predicted.label[theirs], np.full(len(missed), n - 1), predicted.label[spurious])
        )
        key, times = np.unique((self.system[document] * n + row) * n + column, return_counts=True)
        cells: dict[int, dict[tuple[int, int], int]] = {}
        for each, count in zip(key.tolist(), times.tolist(), strict=True):
            system, rest = divmod(each, n * n)
            cells.setdefault(system, {})[divmod(rest, n)] = count
        return cells

    def each(self) -> Iterator[tuple[str, Scores]]:
        """Yield the scores of each system, as if it had been scored on its documents alone."""
        scores, cut = self.scores, CrowdCutting(self.first, len(self.strict.batch.labels))
        confused, used = self.confused(), self._labels_used()
        sides = self.strict.names, self.strict.batch.names(SYSTEM)
        matched = CrowdMatching.of(scores.matching, sides, self.first)
        for number, name in enumerate(self.systems):
            labels = tuple(self.strict.batch.labels[code] for code in used[number].tolist())
            part = CrowdPart(number, used[number], labels)
            cells = confused.get(number, {})
            yield (
                name,
                Scores(
                    standard=scores.standard,
                    system=name,
                    batch=cut.batch(scores.batch, part),
                    n_absent=0,
                    views={key: cut.view(view, part) for key, view in scores.views.items()},
                    boundaries=cut.boundaries(scores, part),
                    confusion=part_confusion(cells, part, len(self.strict.batch.labels)),
                    whole=(cut.names(scores.whole[0], part), cut.names(scores.whole[1], part)),
                    matching=matched.of_system(number),
                    lens=self.chosen[name][0],
                    left_out=self.left_out.get(name, Uncounted()),
                ),
            )

    def _labels_used(self) -> list[Ints]:
        """List the labels in the documents of each system, of both sides and of centroids."""
        batch, pairs = self.strict.batch, self.pairs
        n = len(batch.labels)
        label = batch.label[pairs.batch.table.label[pairs.rows.row]]
        keys = [self.system[pairs.rows.pair] * n + label]
        codes = {each: code for code, each in enumerate(batch.labels)}
        own = {self.strict.standard, self.strict.standard + ALTERNATIVES}
        owners = self.system.tolist()
        for owner, number in zip(owners, pairs.document.tolist(), strict=True):
            standards = pairs.batch.table.documents[number].standards
            for name in {*own, self.systems[owner]} & standards.keys() if standards else ():
                keys.append(
                    np.array([owner * n + codes[each.label] for each in standards[name]], int)
                )
        used = distinct(np.concatenate(keys))
        bounds = np.searchsorted(used, np.arange(1, len(self.systems)) * n)
        return [each % max(1, n) for each in np.split(used, bounds)]


def score_looked(
    documents: Iterable[Document],
    *,
    standard: str,
    systems: Iterable[str],
    scope: Scope,
    same_label: bool | None = None,
    referents: bool = False,
    flat: bool = False,
    views: Sequence[str] = VIEWS,
) -> Iterator[tuple[str, Scores]]:
    """Yield the scores of each system over the documents that it looked at, and no others.

    Whoever looked at none that the standard has is left out. The options are those of ``score``.
    """
    how = Way(same_label, referents, ordered_views(views))
    ordered = arranged(documents, standard, flat=flat)
    crowds = crowd_scores(
        ordered,
        ScoringBatch.of(ordered),
        standard=standard,
        systems=systems,
        scope=scope,
        how=how,
        flat=flat,
        whole=True,
    )
    for some in crowds:
        found = dict(pair for each in some for pair in each.each())
        order = sorted(found, key={name: n for n, name in enumerate(systems)}.__getitem__)
        yield from ((name, found[name]) for name in order)


def crowd_scores(
    ordered: Sequence[Document],
    batch: ScoringBatch,
    *,
    standard: str,
    systems: Iterable[str],
    scope: Scope,
    how: Way,
    flat: bool = False,
    whole: bool = False,
) -> Iterator[list[CrowdScores]]:
    """Score systems on what they looked at, some at a time, in order of systems.

    Documents are as ``arranged`` leaves them, and laid out. Of some at a time, whoever is compared
    on all labels and whoever on some are scored apart. Names of the standard that do not count for
    a system are part of the scores only if the ``whole`` is wanted.
    """
    own = _own_documents(ordered, standard, systems)
    if not own:
        return
    layers = _Layers(batch, standard, standard + CORE if flat else standard)
    for names in _some_at_a_time(ordered, own):
        chosen: dict[str, tuple[Lens, Lens]] = {}
        for name in names:
            seen = [ordered[number] for number in own[name]]
            chosen |= how.lenses(lenses(seen, scope, standard=standard, systems=[name]))
        clear = [name for name in names if all(lens.is_clear for lens in chosen[name])]
        narrow = [name for name in names if not all(lens.is_clear for lens in chosen[name])]
        yield [
            layers.scored({name: own[name] for name in some}, chosen, how, whole=whole)
            for some in (clear, narrow)
            if some
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Layers:
    """Documents as a batch, and what the layers of its standard are called."""

    batch: ScoringBatch
    standard: str
    core: str

    def scored(
        self,
        own: Mapping[str, Sequence[int]],
        chosen: Mapping[str, tuple[Lens, Lens]],
        how: Way,
        *,
        whole: bool,
    ) -> CrowdScores:
        """Score systems on the documents of these numbers."""
        table = self.batch.table
        codes = {name: code for code, name in enumerate(table.annotators)}
        sizes = np.array([len(numbers) for numbers in own.values()])
        layers = dict.fromkeys((self.standard, self.core, self.standard + ALTERNATIVES))
        pairs = LookedPairs(
            self.batch,
            own=tuple(name for name in layers if name in codes),
            document=np.array([number for some in own.values() for number in some]),
            system=np.repeat([codes[name] for name in own], sizes),
        )
        labels = [
            _labels_of_pairs(((chosen[name][way], n) for name, n in zip(own, sizes, strict=True)))
            for way in (0, 1)
        ]
        first = np.concatenate(([0], np.cumsum(sizes)))
        left_out = {}
        if labels[0] or labels[1]:
            left_out = _left_out(pairs, self.standard, tuple(own), first, labels)
        strict = self._laid(pairs, labels[0])
        loose = strict if labels[1] == labels[0] else self._laid(pairs, labels[1])
        scores = judge_system(SYSTEM, strict, loose, how)
        if whole and labels[0]:
            scores = replace(scores, whole=whole_names(self._laid(pairs, None), how))
        return CrowdScores(
            systems=tuple(own),
            first=first,
            chosen=chosen,
            left_out=left_out,
            scores=scores,
            strict=strict,
            pairs=pairs,
        )

    def _laid(self, pairs: LookedPairs, labels: Sequence[Labels] | None) -> LaidStandard:
        return LaidStandard(self.standard, self.core, pairs.laid_out(self.standard, labels))


def _own_documents(
    ordered: Sequence[Document], standard: str, systems: Iterable[str]
) -> dict[str, list[int]]:
    """List for each system the numbers of the documents it looked at, in their order."""
    own: dict[str, list[int]] = {name: [] for name in systems}
    for number, document in enumerate(ordered):
        for name in document.layers:
            if name in own:
                own[name].append(number)
    if len({document.id for document in ordered}) < len(ordered):
        for name, numbers in own.items():
            # Documents of one id are in order of what is scored in them, which differs by system.
            kept = {standard, standard + CORE, standard + ALTERNATIVES, name}
            bare = [only_layers(ordered[number], kept) for number in numbers]
            place = {id(each): number for each, number in zip(bare, numbers, strict=True)}
            own[name] = [place[id(each)] for each in in_order(bare)]
    return {name: numbers for name, numbers in own.items() if numbers}


def _some_at_a_time(
    ordered: Sequence[Document], own: Mapping[str, Sequence[int]]
) -> Iterator[list[str]]:
    """Yield the names of systems whose pairs fit into memory together, or of one."""
    names: list[str] = []
    size = 0
    for name, numbers in own.items():
        names.append(name)
        size += sum(len(ordered[number].text) for number in numbers)
        if size > AT_ONCE:
            yield names
            names, size = [], 0
    if names:
        yield names


def _labels_of_pairs(lenses_of: Iterable[tuple[Lens, int]]) -> list[Labels] | None:
    """List the labels that count in each pair; None where all do."""
    labels: list[Labels] = []
    for lens, n in lenses_of:
        others = dict(lens.exceptions)
        labels += [others.get(number, lens.labels) for number in range(n)]
    return labels if any(each is not None for each in labels) else None


def _left_out(
    pairs: LookedPairs,
    standard: str,
    systems: tuple[str, ...],
    first: Ints,
    labels: Sequence[Sequence[Labels] | None],
) -> dict[str, Uncounted]:
    """Count by label what does not count, for each system."""
    everything = np.ones(len(pairs.rows.row), dtype=bool)
    strict, loose = (everything if each is None else pairs.kept(each) for each in labels)
    system = np.repeat(np.arange(len(systems)), np.diff(first))[pairs.rows.pair]
    own, other = (pairs.annotators.index(name) for name in (standard, SYSTEM))
    is_own, is_other = pairs.rows.annotator == own, pairs.rows.annotator == other
    wanted, regardless, predicted = (
        _counted(pairs, system, left)
        for left in (is_own & ~strict, is_own & ~loose, is_other & ~strict)
    )
    nothing: dict[str, int] = {}
    return {
        name: Uncounted(*(each.get(number, nothing) for each in (wanted, regardless, predicted)))
        for number, name in enumerate(systems)
    }


def _counted(pairs: LookedPairs, system: Ints, left: Flags) -> dict[int, dict[str, int]]:
    """Count some rows by system and label, labels in the order in which they come."""
    table = pairs.batch.table
    found: dict[int, Counter[str]] = {}
    codes = table.label[pairs.rows.row[left]].tolist()
    for number, code in zip(system[left].tolist(), codes, strict=True):
        found.setdefault(number, Counter())[table.labels[code]] += 1
    return {number: dict(each) for number, each in found.items()}


def _others(numbers: Ints, n: int) -> Ints:
    """List the numbers up to ``n`` that are not among some."""
    rest = np.ones(n, dtype=bool)
    rest[numbers] = False
    return np.flatnonzero(rest)
