"""What is compared between a system and a standard: names of labels that both look for.

A system is seen through a lens that leaves all other labels out, of the standard and of the system.
A standard is taken to look for everything unless somebody says otherwise; a system for the labels
that it uses, or that are said of it (see ``vermeil.scope``). What a system uses tells something
only where both speak of the same things: one that shares no label with the standard is seen whole,
and so is, where labels are not compared, one with a label that the standard does not have.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.document import Document
from vermeil.scope import EVERYTHING, META, Scope, scope_in
from vermeil.shown import Brief

Labels: TypeAlias = frozenset[str] | None
"""Labels that are looked for; None is everything."""

Kind: TypeAlias = tuple[tuple[str, ...] | None, tuple[str, ...] | None]
"""What somebody looks for in general: where labels are compared, and where they are not."""

EVERY_LABEL: Kind = (None, None)

NONE: frozenset[str] = frozenset()
N_SYSTEMS_NAMED = 8


@dataclass(frozen=True, slots=True)
class Lens:
    """The labels that count; ``exceptions`` are documents, by their number, where others do.

    Nothing counts in documents that are ``unseen``.
    """

    labels: Labels = None
    exceptions: tuple[tuple[int, Labels], ...] = ()
    unseen: frozenset[int] = frozenset()

    @property
    def is_clear(self) -> bool:
        """Whether everything counts everywhere."""
        return self.labels is None and not self.exceptions and not self.unseen

    def labels_in(self, number: int) -> Labels:
        """Return the labels that count in a document."""
        if number in self.unseen:
            return frozenset()
        return dict(self.exceptions).get(number, self.labels)

    def keeps(self, document: Ints, label: Ints, labels: Sequence[str]) -> Flags:
        """Tell which names count; both columns hold numbers, those of ``labels`` for labels."""
        kept = _flags(self.labels, labels)[label]
        for number, others in self.exceptions:
            here = document == number
            kept[here] = _flags(others, labels)[label[here]]
        return kept & self.sees(document) if self.unseen else kept

    def sees(self, document: Ints) -> Flags:
        """Tell of documents, by their numbers, in which something may count."""
        return ~np.isin(document, sorted(self.unseen))

    def narrowed(self, documents: Sequence[Document], names: Iterable[str]) -> list[Document]:
        """Leave out what does not count, and all layers and standards but those named."""
        others, kept = (
            {**dict(self.exceptions), **dict.fromkeys(self.unseen, NONE)},
            frozenset(names),
        )
        return [
            _narrowed(document, others.get(number, self.labels), kept)
            for number, document in enumerate(documents)
        ]

    def left_out(self, documents: Sequence[Document], annotator: str) -> dict[str, int]:
        """Count by label the names of an annotator that do not count in documents that are seen."""
        exceptions = dict(self.exceptions)
        n: Counter[str] = Counter()
        for number, document in enumerate(documents if not self.is_clear else ()):
            labels = exceptions.get(number, self.labels)
            if labels is not None and number not in self.unseen:
                said = (span.label for span in document.layers.get(annotator, ()))
                n.update(label for label in said if label not in labels)
        return dict(n)


@dataclass(frozen=True, slots=True, repr=False)
class Uncounted(Brief):
    """Names by label that were not compared: of the standard, and of the system. Two add.

    ``regardless`` are those of the standard in views that do not compare labels.
    """

    wanted: Mapping[str, int] = field(default_factory=dict)
    regardless: Mapping[str, int] = field(default_factory=dict)
    predicted: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Uncounted") -> "Uncounted":
        return Uncounted(
            dict(Counter(self.wanted) + Counter(other.wanted)),
            dict(Counter(self.regardless) + Counter(other.regardless)),
            dict(Counter(self.predicted) + Counter(other.predicted)),
        )

    def __bool__(self) -> bool:
        return bool(self.wanted or self.regardless or self.predicted)


def lenses(
    documents: Sequence[Document],
    scope: Scope,
    *,
    standard: str,
    systems: Iterable[str],
    looked: bool = False,
) -> dict[str, tuple[Lens, Lens]]:
    """Choose two lenses for each system: where labels are compared, and where they are not.

    If only what was ``looked`` at counts, documents without a layer of the system are unseen.
    """
    said = _said(documents)

    def lens(system: str, *, regardless: bool) -> Lens:
        mine = _looked_for(scope, standard, system, regardless=regardless)
        theirs = scope.labels_of(standard) if standard in scope.told else None
        general = _both(mine, theirs)
        exceptions = []
        for number, here in said.items():
            mine_here = scope.labels_of(system, documents[number]) if system in here else mine
            theirs_here = (
                scope.labels_of(standard, documents[number]) if standard in here else theirs
            )
            exceptions.append((number, _both(mine_here, theirs_here)))
        seen = enumerate(documents) if looked else ()
        unseen = (number for number, each in seen if system not in each.layers)
        differing = tuple(each for each in exceptions if each[1] != general)
        return Lens(general, differing, frozenset(unseen))

    return {
        system: (lens(system, regardless=False), lens(system, regardless=True))
        for system in systems
    }


def kind_of(scope: Scope, standard: str, system: str) -> Kind:
    """Tell what a system looks for wherever no document says otherwise."""
    strict, loose = (
        _looked_for(scope, standard, system, regardless=regardless) for regardless in (False, True)
    )
    return _sorted(strict), _sorted(loose)


def silent_lenses(
    documents: Sequence[Document],
    scope: Scope,
    *,
    standard: str,
    kinds: Iterable[Kind],
    looked: bool = False,
) -> dict[Kind, tuple[Lens, Lens]]:
    """Choose two lenses for somebody of each kind of whom no document says or has anything."""
    found: dict[Kind, tuple[Lens, Lens]] = {}
    for kind in kinds:
        strict, loose = (
            lenses(
                documents,
                scope.within({"": frozenset((EVERYTHING,) if labels is None else labels)}),
                standard=standard,
                systems=[""],
                looked=looked,
            )[""][0]
            for labels in kind
        )
        found[kind] = strict, loose
    return found


def named_in(documents: Sequence[Document]) -> frozenset[str]:
    """List the annotators of whom some document says what they looked for in it."""
    return frozenset().union(*_said(documents).values())


def narrows(scope: Scope, standard: str) -> bool:
    """Tell whether what systems use narrows what any of them is compared on."""
    systems = scope.used.keys() - scope.told.keys() - {standard}
    return any(
        _looked_for(scope, standard, system, regardless=False) is not None for system in systems
    )


def in_words(standard: str, left_out: Mapping[str, Uncounted]) -> Iterator[str]:
    """Say in words which labels are not counted for whom; systems alike share a line."""
    wanted: dict[tuple[str, bool], list[str]] = {}
    predicted: dict[str, list[str]] = {}
    for name, each in left_out.items():
        if each.wanted:
            key = _names_by_label(each.wanted), each.regardless == each.wanted
            wanted.setdefault(key, []).append(name)
        if each.predicted:
            predicted.setdefault(_names_by_label(each.predicted), []).append(name)
    for (labels, everywhere), names in wanted.items():
        does = "does" if len(names) == 1 else "do"
        but = "" if everywhere else "; where labels are not compared, all count"
        yield (
            f"not counted for {_listed(names)}, which {does} not look for that: {labels} of "
            f"{standard}{but}"
        )
    for labels, names in predicted.items():
        yield f"not counted of {_listed(names)}, outside what was to be looked for: {labels}"
    if wanted and len(left_out) > 1:
        yield "systems that look for different labels are best compared label by label"


def _said(documents: Sequence[Document]) -> dict[int, Mapping[str, frozenset[str]]]:
    """List what documents say of who looked for what in them, by their numbers."""
    speaking = [number for number, each in enumerate(documents) if each.meta and META in each.meta]
    return {number: here for number in speaking if (here := scope_in(documents[number]))}


def _sorted(labels: Labels) -> tuple[str, ...] | None:
    return None if labels is None else tuple(sorted(labels))


def _looked_for(scope: Scope, standard: str, system: str, *, regardless: bool) -> Labels:
    """Return the labels that a system looks for; those it uses, only where that tells anything."""
    mine = scope.labels_of(system)
    if mine is None or system in scope.told:
        return mine
    theirs = scope.used.get(standard, frozenset())
    is_foreign = mine.isdisjoint(theirs) or (regardless and not mine <= theirs)
    return None if is_foreign or mine >= theirs else mine


def _both(some: Labels, others: Labels) -> Labels:
    if some is None or others is None:
        return others if some is None else some
    return some & others


def _narrowed(document: Document, labels: Labels, names: frozenset[str]) -> Document:
    return document.replace(
        layers={
            name: layer if labels is None else tuple(span for span in layer if span.label in labels)
            for name, layer in document.layers.items()
            if name in names
        },
        standards={
            name: tuple(each for each in standard if labels is None or each.label in labels)
            for name, standard in document.standards.items()
            if name in names
        },
    )


def _flags(kept: Labels, labels: Sequence[str]) -> Flags:
    return np.array([kept is None or label in kept for label in labels], dtype=bool)


def _names_by_label(n: Mapping[str, int]) -> str:
    """Count names by label, in words."""
    return ", ".join(f"{n[label]:,} {label}" for label in sorted(n))


def _listed(names: Sequence[str]) -> str:
    """List names, and say how many there are beyond those that fit a line.

    >>> _listed(["anna", "ben", "eve"])
    'anna, ben and eve'
    """
    if len(names) > N_SYSTEMS_NAMED:
        return f"{', '.join(names[:N_SYSTEMS_NAMED])} and {len(names) - N_SYSTEMS_NAMED:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
