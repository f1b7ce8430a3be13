"""What is in a corpus, as tables."""

from collections.abc import Iterator, Sequence

from vermeil.formats.inventory import Inventory
from vermeil.verbs.tables.table import Block, Table

N_NAMED = 6
"""Annotators of the same scope that are named."""


def inventory_blocks(found: Inventory) -> Iterator[Block]:
    """Tell an inventory in tables."""
    yield f"{found.n_documents:,} documents, {found.n_characters:,} characters"
    yield ""
    if found.layers:
        yield _layers_table(found)
        yield ""
        yield _labels_table(found)
        yield ""
    for labels in found.alike:
        first, *_, last = labels
        yield (
            f"{', '.join(labels)}: did you mean one? Read them as one with --fold-labels, or "
            f"--map {first}={last}"
        )
    if found.alike:
        yield ""
    if found.scopes:
        yield _scopes_table(found)
        yield ""
    for title, counts in (("Centroids", found.n_centroids), ("Trees", found.n_trees)):
        if counts:
            yield Table(title, ["annotator", "n"], sorted(counts.items()))
            yield ""
    if found.oddities:
        ranked = found.oddities.most_common()
        rows = [[kind, n, found.first_odd[kind]] for kind, n in ranked]
        yield Table("Oddities", ["what", "n", "first in"], rows)


def _layers_table(found: Inventory) -> Table:
    columns = ["annotator", "looked", "empty", "spans", "overlap", "discont.", "conf.", "ids"]
    rows = [
        [
            name,
            layer.n_looked,
            layer.n_empty,
            layer.n_spans,
            layer.n_overlapping,
            layer.n_discontinuous,
            layer.n_with_confidence,
            layer.n_with_ids,
            f"{layer.n_characters / layer.n_spans:.1f}" if layer.n_spans else "",
        ]
        for name, layer in sorted(found.layers.items())
    ]
    return Table("Layers", [*columns, "length"], rows)


def _labels_table(found: Inventory) -> Table:
    labels = sorted({label for layer in found.layers.values() for label in layer.labels})
    names = sorted(found.layers)
    rows = [[label, *(found.layers[name].labels[label] for name in names)] for label in labels]
    return Table("Labels", ["label", *names], rows)


def _scopes_table(found: Inventory) -> Table:
    """Tell who looks for what; many who look for the same share a row."""
    is_said = any(each.n_documents for each in found.scopes)
    rows = [
        [
            ", ".join(each.labels) if each.labels is not None else "everything",
            len(each.annotators),
            _named(each.annotators),
            *([each.n_documents] if is_said else []),
        ]
        for each in found.scopes
    ]
    columns = ["looked for", "n", "annotators", *(["said in documents"] if is_said else [])]
    return Table("Scope", columns, rows, wide="annotators")


def _named(annotators: Sequence[str]) -> str:
    further = len(annotators) - N_NAMED
    return ", ".join(annotators[:N_NAMED]) + (f" and {further:,} more" if further > 0 else "")
