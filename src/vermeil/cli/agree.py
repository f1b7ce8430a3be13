"""``vermeil agree``: how far annotators agree, pair by pair and all together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.documents import LedgerOptions, ReadingOptions
from vermeil.cli.options.reading import Inputs
from vermeil.cli.showing.layout import GAP
from vermeil.cli.showing.terminal import (
    AsJson,
    print_json,
    print_table,
    table_width,
)
from vermeil.document import ALTERNATIVES, Document

if TYPE_CHECKING:
    from vermeil.scoring.agreement import Agreement, Pair
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.silver import Comparison


def agree(
    inputs: Inputs,
    *,
    layers: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Compare only these layers.")
    ] = None,
    leave_one_out: Annotated[
        bool, typer.Option(help="Compare each annotator with the consensus of the others.")
    ] = True,
    resamples: Annotated[
        int,
        typer.Option(
            "--bootstrap", metavar="N", min=0, help="Give 95% intervals from N resamples."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    gold: Annotated[
        str | None,
        typer.Option(metavar="LAYER", help="Also rank the others against it and against silver."),
    ] = None,
    show: Annotated[
        int, typer.Option(metavar="N", min=0, help="Name the N documents with the least agreement.")
    ] = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show how far annotators agree: F1, kappa, alpha, and each against the others' consensus.

    An annotator without a layer on a document did not look at it; two are compared over the
    documents both looked at. Layers of alternatives are left out.
    """
    from vermeil.scoring.agreement import agree as find_agreement
    from vermeil.scoring.silver import compare_standards

    source = reading.of(inputs)
    with keeping.ledger() as ledger:
        documents = list(source.documents(ledger))
    chosen = [name.strip() for name in layers.split(",")] if layers else _layers_of(documents)
    names = [name for name in chosen if name != gold]
    agreement = find_agreement(
        documents,
        annotators=names,
        leave_one_out=leave_one_out,
        n_resamples=resamples,
        seed=seed,
    )
    comparison = compare_standards(documents, gold=gold, systems=names) if gold else None
    if as_json:
        data = as_data(agreement, n_worst=show)
        print_json(data | ({"silver_and_gold": comparison} if comparison else {}))
        return
    show_agreement(agreement, n_worst=show)
    if comparison:
        show_comparison(comparison)


def _layers_of(documents: Sequence[Document]) -> list[str]:
    names = {name for document in documents for name in document.layers}
    return sorted(name for name in names if not name.endswith(ALTERNATIVES))


def show_comparison(comparison: Comparison) -> None:
    """Print how annotators stand against silver and gold, and how far the rankings agree."""
    typer.echo()
    print_table(
        "F1 (centroid view) against gold, silver and the silver of the others",
        ["annotator", "gold", "silver", "of the others"],
        [
            [
                each.system,
                _figure(each.gold.f1) if each.gold else "",
                _figure(each.silver.f1),
                _figure(each.left_out.f1),
            ]
            for each in comparison.standings
        ],
    )
    for title, found in (("silver", comparison.silver), ("leave-one-out", comparison.left_out)):
        if found is not None:
            typer.echo(
                f"Spearman's rho of gold and {title}: {_figure(found.rho)} "
                f"(p {found.p_value:.2g}, {found.n} annotators)"
            )


def show_agreement(agreement: Agreement, *, n_worst: int = 0) -> None:
    """Print agreement as tables."""
    n_documents = len(agreement.documents)
    typer.echo(
        f"{n_documents:,} documents, {len(agreement.annotators)} annotators; "
        f"everybody looked at {agreement.n_shared:,}\n"
    )
    if agreement.n_shared < n_documents:
        _show_matrix(agreement, "Documents both looked at", lambda pair: f"{pair.n_documents:,}")
    _show_matrix(agreement, "F1, exact", lambda pair: _figure(pair.exact.f1))
    _show_matrix(agreement, "F1, overlap", lambda pair: _figure(pair.overlap.f1))
    _show_matrix(agreement, "F1 over hearts", lambda pair: _figure(pair.hearts.f1))
    _show_matrix(agreement, "Cohen's kappa over character pairs", lambda pair: _figure(pair.kappa))
    _show_together(agreement)
    if agreement.left_out:
        typer.echo()
        _show_left_out(agreement)
    if n_worst:
        typer.echo()
        print_table(
            "Least agreement",
            ["document", "F1, exact", "annotators"],
            [
                [each["id"], _figure(each["exact"]), each["annotators"]]
                for each in _worst(agreement, n_worst)
            ],
        )


def as_data(agreement: Agreement, *, n_worst: int = 0) -> dict[str, Any]:
    """Give everything as JSON has it; undefined is null."""
    import numpy as np

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
        "exact": _defined(agreement.exact),
        "fleiss_kappa": _defined(agreement.fleiss),
        "krippendorff_alpha": _defined(agreement.alpha),
        "intervals": {
            name: {"low": _defined(each.low), "high": _defined(each.high), "level": each.level}
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
            {**each, "exact": _defined(each["exact"])} for each in _worst(agreement, n_worst)
        ],
    }


def _pair_data(pair: Pair) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "documents": pair.n_documents,
        "exact": _counts_data(pair.exact),
        "overlap": _counts_data(pair.overlap),
        "hearts": {
            **_counts_data(pair.hearts),
            "same_left": _defined(pair.left),
            "same_right": _defined(pair.right),
        },
        "cohen_kappa": _defined(pair.kappa),
    }


def _counts_data(counts: Counts) -> dict[str, Any]:
    return {
        "right": counts.right,
        "predicted": counts.predicted,
        "found": counts.found,
        "wanted": counts.wanted,
        "precision": _defined(counts.precision),
        "recall": _defined(counts.recall),
        "f1": _defined(counts.f1),
    }


def _show_matrix(agreement: Agreement, title: str, cell: Callable[[Pair], str]) -> None:
    names = agreement.annotators
    cells = {(pair.first, pair.second): cell(pair) for pair in agreement.pairs}
    rows = [[cells.get((a, b)) or cells.get((b, a), "") for b in names] for a in names]
    if (len(names) + 1) * (max(map(len, names)) + GAP) <= table_width():
        print_table(title, ["", *names], [[a, *row] for a, row in zip(names, rows, strict=True)])
    else:
        numbers = [str(n) for n in range(1, len(names) + 1)]
        heads = zip(numbers, names, rows, strict=True)
        lines = [[n, name, *row] for n, name, row in heads]
        print_table(title, ["", "", *numbers], lines, n_keys=2)
    typer.echo()


def _show_together(agreement: Agreement) -> None:
    figures = {
        "exact": ("F1, exact, all pairs", agreement.exact),
        "fleiss": ("Fleiss' kappa", agreement.fleiss),
        "alpha": ("Krippendorff's alpha", agreement.alpha),
    }
    rows = [[title, _figure(value)] for title, value in figures.values()]
    columns = ["", "value"]
    if agreement.intervals:
        columns += ["low", "high"]
        for name, row in zip(figures, rows, strict=True):
            interval = agreement.intervals[name]
            row += [_figure(interval.low), _figure(interval.high)]
    print_table("All together", columns, rows)


def _show_left_out(agreement: Agreement) -> None:
    print_table(
        "Against the consensus of the others",
        ["annotator", "documents", "precision", "recall", "F1, exact", "F1, overlap"],
        [
            [
                each.annotator,
                each.n_documents,
                _figure(each.exact.precision),
                _figure(each.exact.recall),
                _figure(each.exact.f1),
                _figure(each.overlap.f1),
            ]
            for each in agreement.left_out
        ],
    )


def _worst(agreement: Agreement, n: int) -> list[dict[str, Any]]:
    """List the documents with the least exact agreement; of equals those with the most names."""
    n_looked = agreement.looked.sum(axis=1).tolist()
    n_compared = (-agreement.matches[:, 1]).tolist()
    columns = (agreement.by_document.tolist(), n_compared, agreement.documents, n_looked)
    known = sorted(row for row in zip(*columns, strict=True) if not isnan(row[0]))
    return [{"id": id, "exact": f1, "annotators": looks} for f1, _, id, looks in known[:n]]


def _figure(value: float) -> str:
    return "–" if isnan(value) else f"{value:.3f}"


def _defined(value: float) -> float | None:
    return None if isnan(value) else value
