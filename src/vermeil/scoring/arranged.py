"""Documents as they are scored: in order, each standard with a layer, its core names marked."""

from collections.abc import Iterable, Sequence, Set
from itertools import islice
from operator import attrgetter, lt

import msgspec

from vermeil.columns.held import layers_of
from vermeil.document import ALTERNATIVES, Document
from vermeil.scoring.gold.cores import partition

CORE = "\0core"
"""What the layer of core names that were found in a flat list adds to its name."""


def arranged(documents: Iterable[Document], standard: str, *, flat: bool = False) -> list[Document]:
    """Take the documents that a standard has, in order; mark core names where it is ``flat``."""
    every = map(with_modal_spans, documents)
    ordered = in_order(each for each in every if standard in each.layers)
    return [parted(each, standard) for each in ordered] if flat else ordered


def only_layers(document: Document, names: Set[str]) -> Document:
    """Leave only some layers and standards."""
    return document.replace(
        layers=layers_of(document.layers, names), standards=layers_of(document.standards, names)
    )


def parted(document: Document, standard: str) -> Document:
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
    ordered = list(documents)
    if _rises([each.id for each in ordered]):
        return ordered
    ordered.sort(key=attrgetter("id"))
    if not _rises([each.id for each in ordered]):
        ordered.sort(
            key=lambda each: (
                each.id,
                each.text,
                msgspec.json.encode(dict(each.layers), order="deterministic"),
            )
        )
    return ordered


def _rises(ids: Sequence[str]) -> bool:
    """Tell whether ids are in order, each once, as they are in most files."""
    return all(map(lt, ids, islice(ids, 1, None)))
