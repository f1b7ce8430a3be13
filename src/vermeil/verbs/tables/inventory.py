"""What is in a corpus, as tables."""

from collections import Counter
from collections.abc import Iterator, Sequence

from vermeil.formats.inventory import Inventory
from vermeil.verbs.tables.table import Block, Table, named, some_of

N_SHOWN = 30
"""Annotators of a crowd that have a row: those who looked at the most documents."""


def inventory_blocks(found: Inventory, *, full: bool = False) -> Iterator[Block]:
    """Tell an inventory in tables; of a crowd only what fits a screen, unless in ``full``."""
    shown = _shown(found, full=full)
    yield f"{found.n_documents:,} documents, {found.n_characters:,} characters"
    yield ""
    if found.layers:
        yield _layers_table(found, shown)
        yield ""
        yield _labels_table(found) if len(shown) == len(found.layers) else _crowd_labels(found)
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
            some = sorted(counts.items())[: None if full else N_SHOWN]
            yield Table(f"{title}{some_of(len(some), len(counts))}", ["annotator", "n"], some)
            yield ""
    if found.oddities:
        ranked = found.oddities.most_common()
        rows = [[kind, n, found.first_odd[kind]] for kind, n in ranked]
        yield Table("Oddities", ["what", "n", "first in"], rows)


def _shown(found: Inventory, *, full: bool) -> list[str]:
    """Choose who is shown: of a crowd, those who looked at the most."""
    if full:
        return sorted(found.layers)
    ranked = sorted(found.layers, key=lambda name: (-found.layers[name].n_looked, name))
    return sorted(ranked[:N_SHOWN])


def _layers_table(found: Inventory, shown: Sequence[str]) -> Table:
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
        for name, layer in ((name, found.layers[name]) for name in shown)
    ]
    title = f"Layers{some_of(len(shown), len(found.layers))}"
    return Table(title, [*columns, "length"], rows)


def _labels_table(found: Inventory) -> Table:
    labels = sorted({label for layer in found.layers.values() for label in layer.labels})
    names = sorted(found.layers)
    rows = [[label, *(found.layers[name].labels[label] for name in names)] for label in labels]
    return Table("Labels", ["label", *names], rows)


def _crowd_labels(found: Inventory) -> Table:
    """Tell how often a label is used and by how many, where nobody has a column."""
    total: Counter[str] = Counter()
    users: Counter[str] = Counter()
    for layer in found.layers.values():
        total.update(layer.labels)
        users.update(label for label, n in layer.labels.items() if n)
    rows = [[label, total[label], users[label]] for label in sorted(total)]
    return Table("Labels", ["label", "n", "annotators"], rows)


def _scopes_table(found: Inventory) -> Table:
    """Tell who looks for what; many who look for the same share a row."""
    is_said = any(each.n_documents for each in found.scopes)
    rows = [
        [
            ", ".join(each.labels) if each.labels is not None else "everything",
            len(each.annotators),
            named(each.annotators),
            *([each.n_documents] if is_said else []),
        ]
        for each in found.scopes
    ]
    columns = ["looked for", "n", "annotators", *(["said in documents"] if is_said else [])]
    return Table("Scope", columns, rows, wide="annotators")
