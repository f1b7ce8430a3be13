"""How far annotators agree, as tables and as data."""

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from vermeil.verbs.tables.layout import GAP, table_width
from vermeil.verbs.tables.table import Block, Table, defined, figure, some_of

if TYPE_CHECKING:
    from vermeil.scoring.agreement import Agreement, Example, Pair
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.significance import Interval
    from vermeil.scoring.silver import Comparison

KAPPA = "Cohen's kappa over character pairs"
FEW = 12
"""So many annotators have tables with a row and a column each; of a crowd there are lists."""

N_SHOWN = 10
"""Rows of lists of a crowd."""

LEAN = 20
"""Names by which the agreement of an annotator leans on that of all when annotators are ranked."""


def agreement_blocks(agreement: "Agreement", *, full: bool = False) -> Iterator[Block]:
    """Tell agreement in tables: pair by pair, label by label, and each against the others.

    Of a crowd the most telling rows are shown, unless all are wanted in ``full``.
    """
    yield (
        f"{agreement.n_documents:,} documents, {len(agreement.annotators):,} annotators; "
        f"everybody looked at {agreement.n_shared:,}"
    )
    is_crowd = len(agreement.annotators) > FEW
    n_met, n = len(agreement.pairs) + agreement.n_apart, len(agreement.annotators)
    if is_crowd or agreement.n_apart:
        apart = f", of which {agreement.n_apart:,} look for no label in common"
        yield f"{n_met:,} of {n * (n - 1) // 2:,} pairs met{apart if agreement.n_apart else ''}"
    yield ""
    if not is_crowd:
        yield from _matrices(agreement)
    yield _together(agreement)
    if isnan(agreement.fleiss) and not agreement.n_shared:
        yield "Fleiss' kappa is of documents that everybody looked at: there are none."
    if len(agreement.labels) > 1:
        yield ""
        yield _labels(agreement)
    if any(said not in ("", label) for _, label, said in agreement.confusion):
        yield ""
        yield _confusion(agreement, full=full)
    if is_crowd:
        yield ""
        yield _least(agreement, full=full)
        yield ""
        yield _people(agreement, full=full)
    elif agreement.left_out:
        yield ""
        yield _left_out(agreement)
    if agreement.worst:
        yield ""
        rows = [[id, figure(f1), n_looked] for f1, _, id, n_looked in agreement.worst]
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
            chance = figure(found.p_value) if isnan(found.p_value) else f"{found.p_value:.2g}"
            yield (
                f"Spearman's rho of gold and {title}: {figure(found.rho)} "
                f"(p {chance}, {found.n} annotators)"
            )


def agreement_data(agreement: "Agreement") -> dict[str, Any]:
    """Return everything as JSON has it; undefined is null."""
    looked = [{"annotators": list(names), "n": n} for names, n in agreement.looked.items()]
    said = agreement.confused_labels
    return {
        "annotators": agreement.annotators,
        "documents": agreement.n_documents,
        "documents_all_looked_at": agreement.n_shared,
        "looked": sorted(looked, key=lambda each: (-each["n"], each["annotators"])),
        "scope": {
            name: sorted(agreement.scope.labels_of(name) or agreement.scope.labels)
            for name in agreement.annotators
        },
        "exact": defined(agreement.exact),
        "fleiss_kappa": defined(agreement.fleiss),
        "krippendorff_alpha": defined(agreement.alpha),
        "intervals": {
            name: _interval_data(each) for name, each in (agreement.intervals or {}).items()
        },
        "labels": [
            {
                "label": each.label,
                "annotators": each.n_annotators,
                "exact": _counts_data(each.exact),
                "krippendorff_alpha": defined(each.alpha),
                "interval": _interval_data(each.interval) if each.interval else None,
            }
            for each in agreement.labels
        ],
        "confusion": [
            {
                "label": label,
                "said": other or None,
                "n": n,
                "examples": [_example_data(each) for each in _examples(agreement, label, other)],
            }
            for (label, other), n in said.items()
        ],
        "confusion_by_annotator": [
            {"annotator": name, "label": label, "said": other or None, "n": n}
            for (name, label, other), n in agreement.confusion.items()
        ],
        "pairs_with_nothing_in_common": agreement.n_apart,
        "pairs": [
            _pair_data(pair, agreement.pair_examples.get((pair.first, pair.second)))
            for pair in agreement.pairs
        ],
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
            {"id": id, "exact": f1, "annotators": n} for f1, _, id, n in agreement.worst
        ],
    }


def _interval_data(interval: "Interval") -> dict[str, Any]:
    low, high = defined(interval.low), defined(interval.high)
    return {"low": low, "high": high, "level": interval.level}


def _example_data(example: "Example") -> dict[str, Any]:
    return {**example._asdict(), "said": example.said or None}


def _examples(agreement: "Agreement", label: str, said: str) -> "Sequence[Example]":
    """Return examples of two labels, whichever of them was asked for first."""
    found = agreement.label_examples.get((label, said))
    return found or agreement.label_examples.get((said, label), ())


def _pair_data(pair: "Pair", example: "Example | None") -> dict[str, Any]:
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
        "example": _example_data(example) if example else None,
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


def _matrices(agreement: "Agreement") -> Iterator[Block]:
    if agreement.n_shared < agreement.n_documents:
        yield from _matrix(agreement, "Documents both looked at", lambda p: f"{p.n_documents:,}")
    yield from _matrix(agreement, "F1, exact", lambda pair: figure(pair.exact.f1))
    yield from _matrix(agreement, "F1, overlap", lambda pair: figure(pair.overlap.f1))
    yield from _matrix(agreement, "F1 over hearts", lambda pair: figure(pair.hearts.f1))
    yield from _matrix(agreement, KAPPA, lambda pair: figure(pair.kappa))


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


def _labels(agreement: "Agreement") -> Table:
    columns = ["label", "annotators", "F1, exact", "Krippendorff's alpha"]
    rows: list[list[object]] = []
    for each in agreement.labels:
        rows.append([each.label, each.n_annotators, figure(each.exact.f1), figure(each.alpha)])
        if each.interval:
            rows[-1] += [figure(each.interval.low), figure(each.interval.high)]
    return Table(
        "Label by label, of those who look for it; the least agreement first",
        [*columns, "low", "high"] if agreement.intervals else columns,
        rows,
    )


def _confusion(agreement: "Agreement", *, full: bool) -> Table:
    total: dict[str, int] = {}
    said = agreement.confused_labels
    for (label, _), n in said.items():
        total[label] = total.get(label, 0) + n
    mixed = {two: n for two, n in said.items() if two[1] not in ("", two[0])}
    ranked = sorted(mixed, key=lambda two: (-mixed[two], two))
    rows = []
    for label, other in ranked if full else ranked[:N_SHOWN]:
        share = mixed[label, other] / total[label]
        example = _quoted(next(iter(_examples(agreement, label, other)), None))
        rows.append([label, other, mixed[label, other], figure(share), example])
    columns = ["one says", "the other", "n", "share", "for example"]
    return Table("Labels taken for each other", columns, rows, wide="for example", n_keys=2)


def _least(agreement: "Agreement", *, full: bool) -> Table:
    ranked = agreement.least()
    rows = [
        [
            each.first,
            each.second,
            each.n_documents,
            figure(each.exact.f1),
            figure(each.hearts.f1),
            figure(each.kappa),
            _quoted(agreement.pair_examples.get((each.first, each.second))),
        ]
        for each in (ranked if full else ranked[:N_SHOWN])
    ]
    columns = ["", "", "documents", "F1, exact", "hearts", "kappa", "for example"]
    return Table(
        f"Pairs that disagree most{some_of(len(rows), len(ranked))}",
        columns,
        rows,
        wide="for example",
        n_keys=2,
    )


def _people(agreement: "Agreement", *, full: bool) -> Table:
    met, left_out = agreement.with_each(), {each.annotator: each for each in agreement.left_out}
    whole = 0.0 if isnan(agreement.exact) else agreement.exact

    def rank(name: str) -> tuple[float, str]:
        counts = met[name][1]
        n = counts.predicted + counts.wanted
        return (counts.right * 2 + LEAN * whole) / (n + LEAN), name

    ranked = sorted((name for name in met if met[name][0]), key=rank)
    columns = ["annotator", "met", "F1, exact"]
    if left_out:
        columns += ["documents", "precision", "recall", "F1, exact", "F1, overlap"]
    rows: list[list[object]] = []
    for name in ranked if full else ranked[:N_SHOWN]:
        rows.append([name, met[name][0], figure(met[name][1].f1)])
        if left_out:
            each = left_out[name]
            exact = each.exact
            figures = (exact.precision, exact.recall, exact.f1, each.overlap.f1)
            rows[-1] += [each.n_documents, *map(figure, figures)]
    others = ", with half of the others" if left_out else ""
    title = (
        f"Annotators who agree least: with those they met{others}{some_of(len(rows), len(ranked))}"
    )
    return Table(title, columns, rows)


def _quoted(example: "Example | None") -> str:
    if example is None:
        return ""
    if example.said == example.label:
        return f"{example.text} / {example.instead} ({example.label}; {example.document})"
    return f"{example.text} ({example.label}, {example.said or 'nothing'}; {example.document})"
