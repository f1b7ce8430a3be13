"""Scores as tables that fit a terminal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import typer

from vermeil.cli.showing.terminal import print_table
from vermeil.errors import UsageError
from vermeil.scoring.counts import Counts
from vermeil.scoring.ranked import calibrate
from vermeil.scoring.score_sums import ScoreOptions, SystemSums, sums_of
from vermeil.scoring.scores import VIEWS, Scores
from vermeil.scoring.significance import bootstrap, permutation
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.instances import Instance

MUC_NAMES = {"exact": "strict", "boundaries": "exact", "partial": "partial", "type": "type"}
"""What MUC and nervaluate call our views."""

N_SHOWN_CHARACTERS = 28
N_CONFUSIONS = 10


@dataclass(frozen=True, slots=True)
class Doubts:
    """What was asked for about chance: resamples for intervals, a system to test against."""

    n_resamples: int = 0
    against: str | None = None
    seed: int = 0


def print_scores(scores: Mapping[str, Scores], by: str, doubts: Doubts) -> None:
    """Print the tables of documents that were scored at once."""
    standard = next(iter(scores.values())).standard
    options = ScoreOptions(standard, against=doubts.against, ranked=by == "ranked")
    print_sums(standard, sums_of(scores, options), by, doubts)


def print_sums(
    standard: str,
    scores: Mapping[str, SystemSums],
    by: str,
    doubts: Doubts,
    *,
    per_label: bool = False,
    n_worst: int = 0,
) -> None:
    """Print the tables of one way of scoring, or the headline figures of all."""
    first = next(iter(scores.values()))
    typer.echo(f"{standard} is the standard; {first.n_documents:,} documents\n")
    _TABLES[by](scores)
    view = detailed_view(by)
    if doubts.n_resamples:
        _print_intervals(scores, [view] if by else VIEWS, doubts)
    if doubts.against is not None:
        _print_tests(scores, view, doubts.against, doubts.seed)
    if per_label:
        _print_labels(scores, view)
        _print_confusions(scores)
    if n_worst:
        _print_offenders(scores, view, n_worst)


def detailed_view(by: str) -> str:
    """Give the view that details are shown of."""
    return by if by in VIEWS else "exact"


def _print_all(scores: Mapping[str, SystemSums]) -> None:
    columns = ["system", "exact P", "R", "F", *(f"{name} F" for name in VIEWS[1:-1])]
    rows = [
        [
            name,
            *_ratios(each.counts("exact")),
            *(_figure(each.counts(view).f1) for view in VIEWS[1:-1]),
        ]
        for name, each in scores.items()
    ]
    _print("Against names", columns, rows)
    _print_centroid(scores)


def _print_exact(scores: Mapping[str, SystemSums]) -> None:
    rows = []
    for name, each in scores.items():
        view, counts = each.views["exact"], each.counts("exact")
        numbers = [int(counts.right), int(counts.predicted), int(counts.wanted)]
        means = [_figure(view.over_labels.f1), _figure(view.over_documents.f1)]
        rows.append([name, *_ratios(counts), *numbers, *means])
    columns = ["system", "P", "R", "F", "right", "predicted", "wanted", "label F", "document F"]
    _print("Exact", columns, rows)


def _print_biocreative(scores: Mapping[str, SystemSums]) -> None:
    rows = []
    for name, each in scores.items():
        counts = each.counts("biocreative")
        numbers = [int(counts.found), int(counts.spurious), int(counts.missed)]
        rows.append([name, *_ratios(counts), *numbers])
    _print("BioCreative", ["system", "P", "R", "F", "TP", "FP", "FN"], rows)


def _print_partial(scores: Mapping[str, SystemSums]) -> None:
    rows = []
    for name, each in scores.items():
        for view, mode in MUC_NAMES.items():
            predicted, wanted = each.views[view].outcomes
            numbers = [predicted[outcome] for outcome in ("right", "near", "partly")]
            numbers += [wanted["total"], predicted["total"]]
            rows.append([name, mode, *_ratios(each.counts(view)), *numbers])
    columns = ["system", "mode", "P", "R", "F", "COR", "INC", "PAR", "MIS", "SPU"]
    _print("Partial, as in MUC", columns, rows, n_keys=2)


def _print_centroid(scores: Mapping[str, SystemSums]) -> None:
    rows = []
    for name, each in scores.items():
        boundaries = _figure(each.left.value), _figure(each.right.value)
        predicted, wanted = each.views["centroid"].outcomes
        misses = [side[outcome] for side in (predicted, wanted) for outcome in ("near", "total")]
        rows.append([name, *_ratios(each.counts("centroid")), *boundaries, *misses])
    columns = ["system", "P", "R", "F", "left", "right"]
    columns += ["near", "spurious", "nearly found", "missed"]
    _print("Against centroids", columns, rows)


def _print_ranked(scores: Mapping[str, SystemSums]) -> None:
    rows = []
    for name, each in scores.items():
        sure = each.confidences
        if sure is None or not sure.are_known:
            raise UsageError(
                f"{name} has predictions without confidence, so they cannot be ranked; leave it "
                "out, or score by another view"
            )
        judged = sure.judged(each.views["exact"])
        ranking = judged.ranking
        threshold, counts = ranking.best
        figures = [
            ranking.average_precision,
            sure.over_documents.value,
            counts.f1,
            threshold,
            ranking.recall_at(0.95),
            ranking.precision_at(0.90),
            calibrate(judged.confidence, judged.is_right).expected_error,
        ]
        rows.append([name, *map(_figure, figures)])
    columns = ["system", "AP", "MAP", "best F", "at", "R at P .95", "P at R .90", "calib. error"]
    _print("Ranked by confidence, exact", columns, rows)


_TABLES: dict[str, Callable[[Mapping[str, SystemSums]], None]] = {
    "": _print_all,
    "exact": _print_exact,
    "biocreative": _print_biocreative,
    "partial": _print_partial,
    "centroid": _print_centroid,
    "ranked": _print_ranked,
}


def _print_intervals(
    scores: Mapping[str, SystemSums], views: Sequence[str], doubts: Doubts
) -> None:
    def interval(each: SystemSums, view: str) -> str:
        counts = each.views[view].per_document()
        found = bootstrap(counts, n_resamples=doubts.n_resamples, seed=doubts.seed)
        return f"{_figure(found.low)}–{_figure(found.high)}"

    rows = [[name, *(interval(each, view) for view in views)] for name, each in scores.items()]
    title = f"95% intervals of F from {doubts.n_resamples:,} resamples"
    _print(title, ["system", *views], rows)


def _print_tests(scores: Mapping[str, SystemSums], view: str, against: str, seed: int) -> None:
    rows = []
    for name, each in scores.items():
        if name != against:
            test = permutation(*each.views[view].pairs, seed=seed)
            rows.append([name, f"{test.statistic:+.3f}", f"{test.p_value:.4f}", test.n])
    title = f"{view} F against {against}, permutation test"
    _print(title, ["system", "difference", "p", "permutations"], rows)


def _print_labels(scores: Mapping[str, SystemSums], view: str) -> None:
    rows = [
        [name, label, *_ratios(counts), f"{counts.predicted:,.0f}", f"{counts.wanted:,.0f}"]
        for name, each in scores.items()
        for label, counts in each.views[view].by_label.items()
    ]
    columns = ["system", "label", "P", "R", "F", "predicted", "wanted"]
    _print(f"By label, {view}", columns, rows, n_keys=2)


def _print_confusions(scores: Mapping[str, SystemSums]) -> None:
    rows: list[list[object]] = []
    for name, each in scores.items():
        mixed = [
            (-n, wanted, predicted)
            for (wanted, predicted), n in each.confusion.items()
            if NOTHING not in (wanted, predicted) and wanted != predicted
        ]
        rows += [[name, w, p, -n] for n, w, p in sorted(mixed)[:N_CONFUSIONS]]
    if rows:
        _print("Labels mixed up", ["system", "wanted", "predicted", "n"], rows)


def _print_offenders(scores: Mapping[str, SystemSums], view: str, n: int) -> None:
    for name, each in scores.items():
        rows = [
            [
                worst.n,
                _deed(worst.first),
                _shortened(worst.first.text),
                worst.first.document,
                f"{worst.first.span.start}-{worst.first.span.end}",
                _shortened(worst.first.compared_text),
            ]
            for worst in each.worst(n)
        ]
        columns = ["n", "what", "text", "first in", "at", "compared with"]
        _print(f"Worst mistakes of {name}, {view}", columns, rows, n_keys=3)


def _deed(instance: Instance) -> str:
    if instance.outcome == "total":
        return "spurious" if instance.predicted else "missed"
    if instance.predicted:
        same_place = instance.compared is not None and (
            (instance.span.start, instance.span.end, instance.span.fragments)
            == (instance.compared.start, instance.compared.end, instance.compared.fragments)
        )
        return "label" if same_place else "boundary"
    return "nearly found"


def _print(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, n_keys: int = 1
) -> None:
    print_table(title, columns, rows, n_keys=n_keys)
    typer.echo()


def _ratios(counts: Counts) -> list[str]:
    return [_figure(value) for value in (counts.precision, counts.recall, counts.f1)]


def _figure(value: float) -> str:
    return "" if isnan(value) else f"{value:.3f}"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= N_SHOWN_CHARACTERS else line[: N_SHOWN_CHARACTERS - 1] + "…"
