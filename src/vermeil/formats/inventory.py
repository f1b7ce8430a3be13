"""What is in a corpus: documents, layers, labels, overlaps and oddities, counted in one pass."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from vermeil.document import Document, Layer
from vermeil.formats.labels import alike
from vermeil.scope import Scope, scope_in
from vermeil.shown import Brief

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass(slots=True, repr=False)
class LayerCount(Brief):
    """What one annotator did. ``n_looked`` documents, ``n_empty`` of them without a find.

    ``n_overlapping`` spans share a character with an earlier one; ``n_characters`` is the sum of
    the lengths of all spans.
    """

    n_looked: int = 0
    n_empty: int = 0
    n_spans: int = 0
    n_overlapping: int = 0
    n_discontinuous: int = 0
    n_with_confidence: int = 0
    n_with_ids: int = 0
    n_characters: int = 0
    labels: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class SharedScope:
    """Labels that some annotators look for, None for everything, and who they are.

    In ``n_documents`` documents something is said of what one of them looked for there.
    """

    labels: tuple[str, ...] | None
    annotators: tuple[str, ...]
    n_documents: int = 0


@dataclass(slots=True, repr=False)
class Inventory(Brief):
    """The counts of a corpus. ``oddities`` are counted by kind, with the first document.

    ``scopes`` are who looks for what: annotators that look for the same stand together. ``alike``
    are labels that differ only by case or punctuation.
    """

    n_documents: int = 0
    n_characters: int = 0
    layers: dict[str, LayerCount] = field(default_factory=dict)
    n_centroids: Counter[str] = field(default_factory=Counter)
    n_trees: Counter[str] = field(default_factory=Counter)
    scopes: list[SharedScope] = field(default_factory=list)
    oddities: Counter[str] = field(default_factory=Counter)
    first_odd: dict[str, str] = field(default_factory=dict)
    alike: list[list[str]] = field(default_factory=list)

    def odd(self, kind: str, id: str, n: int = 1) -> None:
        """Count ``n`` oddities of a kind."""
        if n:
            self.oddities[kind] += n
            self.first_odd.setdefault(kind, id)


def take_inventory(documents: Iterable[Document]) -> Inventory:
    """Count what is in ``documents``. Keeps the ids in memory, to find those used twice.

    >>> inventory = take_inventory([Document(id="1", text="p53", layers={"ann": ()})])
    >>> inventory.n_documents, inventory.layers["ann"].n_empty
    (1, 1)
    """
    inventory = Inventory()
    ids: set[str] = set()
    said: dict[str, Counter[frozenset[str]]] = {}
    in_standards: dict[str, set[str]] = {}
    for document in documents:
        inventory.n_documents += 1
        inventory.n_characters += len(document.text)
        inventory.odd("ids used twice", document.id, document.id in ids)
        ids.add(document.id)
        _look_at_text(document, inventory)
        for annotator, layer in document.layers.items():
            counted = inventory.layers.setdefault(annotator, LayerCount())
            _count_layer(layer, counted)
            _look_at_layer(document, layer, inventory)
        for annotator, standard in document.standards.items():
            inventory.n_centroids[annotator] += len(standard)
            in_standards.setdefault(annotator, set()).update(each.label for each in standard)
        for parser, trees in document.trees.items():
            inventory.n_trees[parser] += len(trees)
            inventory.odd("parse failures", document.id, trees.count(None))
        for annotator, labels in scope_in(document).items():
            said.setdefault(annotator, Counter())[labels] += 1
    used = ((name, layer.labels) for name, layer in inventory.layers.items())
    scope = Scope.by_use(chain(used, in_standards.items()))
    inventory.alike = alike(each for layer in inventory.layers.values() for each in layer.labels)
    inventory.scopes = _shared(_as_said(scope, said, inventory), said)
    return inventory


def _as_said(
    scope: Scope, said: Mapping[str, Counter[frozenset[str]]], inventory: Inventory
) -> Scope:
    """Take what all documents of an annotator say alike for what it looks for everywhere."""
    told = {
        name: next(iter(labels))
        for name, labels in said.items()
        if name in inventory.layers
        and len(labels) == 1
        and labels.total() == inventory.layers[name].n_looked
    }
    return Scope(scope.used, told)


def _shared(scope: Scope, said: Mapping[str, Counter[frozenset[str]]]) -> list[SharedScope]:
    """Put annotators together that look for the same, those who look for most first."""
    groups: dict[tuple[str, ...] | None, list[str]] = {}
    for name in sorted(scope.used):
        labels = scope.labels_of(name)
        groups.setdefault(None if labels is None else tuple(sorted(labels)), []).append(name)
    shared = [
        SharedScope(labels, tuple(names), sum(said[name].total() for name in names if name in said))
        for labels, names in groups.items()
    ]
    return sorted(
        shared, key=lambda each: (each.labels is None, -len(each.labels or ()), each.labels or ())
    )


def _count_layer(layer: Layer, counted: LayerCount) -> None:
    counted.n_looked += 1
    counted.n_empty += not layer
    counted.n_spans += len(layer)
    reach = 0
    for span in layer:
        counted.n_overlapping += span.start < reach
        reach = max(reach, span.end)
        counted.n_discontinuous += bool(span.fragments)
        counted.n_with_confidence += span.confidence is not None
        counted.n_with_ids += bool(span.ids)
        counted.n_characters += sum(end - start for start, end in span.pieces)
        counted.labels[span.label] += 1


def _look_at_text(document: Document, inventory: Inventory) -> None:
    text, odd = document.text, inventory.odd
    odd("empty texts", document.id, not text.strip())
    odd("texts with \\r\\n line ends", document.id, "\r\n" in text)
    odd("texts with control characters", document.id, bool(_CONTROL.search(text)))
    odd("texts with a byte order mark", document.id, "\ufeff" in text)
    odd("texts with replacement characters", document.id, "\ufffd" in text)
    if not text.isascii():
        odd("texts beyond the basic plane", document.id, any(c > "\uffff" for c in text))
        odd("texts not in NFC", document.id, not unicodedata.is_normalized("NFC", text))


def _look_at_layer(document: Document, layer: Layer, inventory: Inventory) -> None:
    text, id = document.text, document.id
    seen: set[tuple[object, ...]] = set()
    for span in layer:
        place = (span.pieces, span.label)
        inventory.odd("spans given twice by one annotator", id, place in seen)
        seen.add(place)
        first, last = text[span.start], text[span.end - 1]
        inventory.odd("spans with white space at an edge", id, first.isspace() or last.isspace())
        before = text[span.start - 1] if span.start else " "
        after = text[span.end] if span.end < len(text) else " "
        cuts = (before.isalpha() and first.isalpha()) or (last.isalpha() and after.isalpha())
        inventory.odd("spans that cut through a word", id, cuts)
