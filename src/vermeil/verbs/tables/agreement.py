"""How far annotators agree, as tables and as data."""

from collections.abc import Callable, Iterator
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from vermeil.verbs.tables.layout import GAP, table_width
from vermeil.verbs.tables.table import Block, Table, defined, figure

if TYPE_CHECKING:
    from vermeil.scoring.agreement import Agreement, Pair
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.silver import Comparison

KAPPA = "Cohen's kappa over character pairs"


def agreement_blocks(agreement: "Agreement", *, n_worst: int = 0) -> Iterator[Block]:
    """Tell agreement in tables: pair by pair, all together, and each against the others."""
    n_documents = len(agreement.documents)
    yield (
        f"{n_documents:,} documents, {len(agreement.annotators)} annotators; "
        f"everybody looked at {agreement.n_shared:,}"
    )
    yield ""
    if agreement.n_shared < n_documents:
        yield from _matrix(agreement, "Documents both looked at", lambda p: f"{p.n_documents:,}")
    yield from _matrix(agreement, "F1, exact", lambda pair: figure(pair.exact.f1))
    yield from _matrix(agreement, "F1, overlap", lambda pair: figure(pair.overlap.f1))
    yield from _matrix(agreement, "F1 over hearts", lambda pair: figure(pair.hearts.f1))
    yield from _matrix(agreement, KAPPA, lambda pair: figure(pair.kappa))
    yield _together(agreement)
    if agreement.left_out:
        yield ""
        yield _left_out(agreement)
    if n_worst:
        yield ""
        rows = [
            [each["id"], figure(each["exact"]), each["annotators"]]
            for each in _worst(agreement, n_worst)
        ]
        yield Table("Least agreement", ["document", "F1, exact", "annotators"], rows)


def comparison_blocks(comparison: "Comparison") -> Iterator[Block]:
    """Tell how annotators stand against silver and gold, and how far the rankings agree."""
    yield ""
    yield Table(
        "F1 (centroid view) against gold, silver and the silver of the others",
        ["annotator", "gold", "silver", "of the others"],
        [
            [
                each.system,
                figure(each.gold.f1) if each.gold else "",
                figure(each.silver.f1),
                figure(each.left_out.f1),
            ]
            for each in comparison.standings
        ],
    )
    for title, found in (("silver", comparison.silver), ("leave-one-out", comparison.left_out)):
        if found is not None:
            yield (
                f"Spearman's rho of gold and {title}: {figure(found.rho)} "
                f"(p {found.p_value:.2g}, {found.n} annotators)"
            )


def agreement_data(agreement: "Agreement", *, n_worst: int = 0) -> dict[str, Any]:
    """Return everything as JSON has it; undefined is null."""
    patterns, n = np.unique(agreement.looked, axis=0, return_counts=True)
    looked = [
        {"annotators": [agreement.annotators[code] for code in np.flatnonzero(row)], "n": count}
        for row, count in zip(patterns, n.tolist(), strict=True)
    ]
    return {
        "annotators": agreement.annotators,
        "documents": len(agreement.documents),
        "documents_all_looked_at": agreement.n_shared,
        "looked": sorted(looked, key=lambda each: (-each["n"], each["annotators"])),
        "exact": defined(agreement.exact),
        "fleiss_kappa": defined(agreement.fleiss),
        "krippendorff_alpha": defined(agreement.alpha),
        "intervals": {
            name: {"low": defined(each.low), "high": defined(each.high), "level": each.level}
            for name, each in (agreement.intervals or {}).items()
        },
        "pairs": [_pair_data(pair) for pair in agreement.pairs],
        "leave_one_out": [
            {
                "annotator": each.annotator,
                "documents": each.n_documents,
                "exact": _counts_data(each.exact),
                "overlap": _counts_data(each.overlap),
            }
            for each in agreement.left_out
        ],
        "least_agreement": [
            {**each, "exact": defined(each["exact"])} for each in _worst(agreement, n_worst)
        ],
    }


def _pair_data(pair: "Pair") -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "documents": pair.n_documents,
        "exact": _counts_data(pair.exact),
        "overlap": _counts_data(pair.overlap),
        "hearts": {
            **_counts_data(pair.hearts),
            "same_left": defined(pair.left),
            "same_right": defined(pair.right),
        },
        "cohen_kappa": defined(pair.kappa),
    }


def _counts_data(counts: "Counts") -> dict[str, Any]:
    return {
        "right": counts.right,
        "predicted": counts.predicted,
        "found": counts.found,
        "wanted": counts.wanted,
        "precision": defined(counts.precision),
        "recall": defined(counts.recall),
        "f1": defined(counts.f1),
    }


def _matrix(agreement: "Agreement", title: str, cell: "Callable[[Pair], str]") -> Iterator[Block]:
    names = agreement.annotators
    cells = {(pair.first, pair.second): cell(pair) for pair in agreement.pairs}
    rows = [[cells.get((a, b)) or cells.get((b, a), "") for b in names] for a in names]
    if (len(names) + 1) * (max(map(len, names)) + GAP) <= table_width():
        yield Table(title, ["", *names], [[a, *row] for a, row in zip(names, rows, strict=True)])
    else:
        numbers = [str(n) for n in range(1, len(names) + 1)]
        heads = zip(numbers, names, rows, strict=True)
        lines = [[n, name, *row] for n, name, row in heads]
        yield Table(title, ["", "", *numbers], lines, n_keys=2)
    yield ""


def _together(agreement: "Agreement") -> Table:
    figures = {
        "exact": ("F1, exact, all pairs", agreement.exact),
        "fleiss": ("Fleiss' kappa", agreement.fleiss),
        "alpha": ("Krippendorff's alpha", agreement.alpha),
    }
    rows = [[title, figure(value)] for title, value in figures.values()]
    columns = ["", "value"]
    if agreement.intervals:
        columns += ["low", "high"]
        for name, row in zip(figures, rows, strict=True):
            interval = agreement.intervals[name]
            row += [figure(interval.low), figure(interval.high)]
    return Table("All together", columns, rows)


def _left_out(agreement: "Agreement") -> Table:
    columns = ["annotator", "documents", "precision", "recall", "F1, exact", "F1, overlap"]
    rows = [
        [
            each.annotator,
            each.n_documents,
            figure(each.exact.precision),
            figure(each.exact.recall),
            figure(each.exact.f1),
            figure(each.overlap.f1),
        ]
        for each in agreement.left_out
    ]
    return Table("Against the consensus of the others", columns, rows)


def _worst(agreement: "Agreement", n: int) -> list[dict[str, Any]]:
    """List the documents with the least exact agreement; of equals those with the most names."""
    n_looked = agreement.looked.sum(axis=1).tolist()
    n_compared = (-agreement.matches[:, 1]).tolist()
    columns = (agreement.by_document.tolist(), n_compared, agreement.documents, n_looked)
    known = sorted(row for row in zip(*columns, strict=True) if not isnan(row[0]))
    return [{"id": id, "exact": f1, "annotators": looks} for f1, _, id, looks in known[:n]]
