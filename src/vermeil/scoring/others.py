"""Each of many annotators against silver, the silver of the others, and gold, at the cost of votes.

To learn the consensus of all others again for each of hundreds would cost the square of them, and
in a crowd nobody changes much of what is learned about the rest. So everybody's votes teach, once;
then each document is decided again without each of those who looked at it. What somebody says of a
document, beside what it is compared with, is a reading; all readings are scored at once. Nobody is
charged for documents that they did not look at.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np

from vermeil.consensus import Options
from vermeil.consensus.stage import ConsensusStage, Learned
from vermeil.document import ALTERNATIVES, Document
from vermeil.scope import EVERYTHING, META, Scope
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import score

JUDGED, SILVER = "\0judged", "\0silver"
"""The layers of a reading: what an annotator says, and what it is compared with."""

_COMPARED = (JUDGED, SILVER, SILVER + ALTERNATIVES)
_Finish: TypeAlias = Callable[[Iterable[Document]], Iterable[Document]]

N_AT_ONCE = 3000
"""Readings that are scored at a time."""


class CrowdCounts(NamedTuple):
    """The counts of each system against silver, against the silver of the others, and gold."""

    silver: dict[str, Counts]
    left_out: dict[str, Counts]
    gold: dict[str, Counts]


def compare_crowd(
    documents: Sequence[Document],
    systems: Sequence[str],
    *,
    view: str,
    scope: Scope,
    gold: str | None = None,
    by: str = "people",
    options: Options | None = None,
    known: Learned | None = None,
) -> CrowdCounts:
    """Count each system in a view, on the documents it looked at and the labels it looks for.

    What a consensus of these systems has learned of them already, if it is ``known``, is not
    learned again.
    """
    stage = ConsensusStage(
        by=by, choices=options or Options(), chosen=tuple(systems), layer=SILVER, strict=False
    )
    readers = frozenset(systems)
    bare = [only_said(document, readers) for document in documents]
    if known is None:
        known = stage.finish(stage.observe(iter(bare)))

    def decided(some: Iterable[Document]) -> Iterable[Document]:
        return stage.decide(iter(some), known, stage.nothing())

    def counted(readings: Iterator[tuple[str, Document]], finished: _Finish) -> dict[str, Counts]:
        return _counted(readings, finished, systems, view=view, scope=scope)

    golden = (_with_silver(each, gold) for each in documents if gold and _has(each, gold))
    return CrowdCounts(
        counted(_beside(decided(bare), readers), iter),
        counted(_without_one(bare), decided),
        counted(_beside(golden, readers), iter) if gold is not None else {},
    )


def only_said(document: Document, systems: frozenset[str]) -> Document:
    """Leave what systems say, and what the document says of who looked for what."""
    layers = {name: each for name, each in document.layers.items() if name in systems}
    meta = {META: document.meta[META]} if META in document.meta else {}
    return document.replace(layers=layers, standards={}, trees={}, meta=meta)


def _beside(
    documents: Iterable[Document], systems: frozenset[str]
) -> Iterator[tuple[str, Document]]:
    """Yield what each of the systems says of each document, beside its SILVER."""
    for document in documents:
        silver = {name: each for name, each in document.layers.items() if name in _COMPARED}
        for name in document.layers.keys() & systems:
            yield name, document.replace(layers={**silver, JUDGED: document.layers[name]})


def _without_one(documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
    """Yield what each annotator says of each document, beside all others, if there are any."""
    for document in documents:
        for name, own in document.layers.items() if len(document.layers) > 1 else ():
            others = {each: layer for each, layer in document.layers.items() if each != name}
            yield name, document.replace(layers={**others, JUDGED: own})


def _counted(
    readings: Iterator[tuple[str, Document]],
    finished: _Finish,
    systems: Sequence[str],
    *,
    view: str,
    scope: Scope,
) -> dict[str, Counts]:
    """Score readings when they are finished: when they have SILVER."""
    total = np.zeros((len(systems), 4))
    place = {name: number for number, name in enumerate(systems)}
    everything = Scope(told={JUDGED: frozenset({EVERYTHING})})
    while some := list(islice(readings, N_AT_ONCE)):
        pairs = [
            _in_scope(number, name, document, scope)
            for number, ((name, _), document) in enumerate(
                zip(some, finished(each for _, each in some), strict=True)
            )
        ]
        [scores] = score(
            pairs, standard=SILVER, systems=[JUDGED], scope=everything, views=[view]
        ).values()
        who = np.array([place[name] for name, _ in some])
        np.add.at(total, who, scores.per_document(view))
    return {name: Counts(*row) for name, row in zip(systems, total.tolist(), strict=True)}


def _in_scope(number: int, name: str, document: Document, scope: Scope) -> Document:
    """Leave of a reading what is compared; numbers of one width keep their order as ids."""
    labels = scope.labels_of(name, document)
    held = {
        field: {
            each: tuple(one for one in said if labels is None or one.label in labels)
            for each, said in getattr(document, field).items()
            if each in _COMPARED
        }
        for field in ("layers", "standards")
    }
    return document.replace(id=f"{number:09}", meta={}, **held)


def _has(document: Document, gold: str) -> bool:
    return gold in document.layers or gold in document.standards


def _with_silver(document: Document, gold: str) -> Document:
    """Call gold SILVER, with its alternatives."""
    names = {gold: SILVER, gold + ALTERNATIVES: SILVER + ALTERNATIVES}
    layers = {names.get(name, name): each for name, each in document.layers.items()}
    standards = {SILVER: document.standards[gold]} if gold in document.standards else {}
    return document.replace(layers=layers, standards=standards, trees={})
