"""Scores as tables that fit a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan

from vermeil.errors import UsageError
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.lens import in_words
from vermeil.scoring.ranked import calibrate
from vermeil.scoring.score_sums import SystemSums
from vermeil.scoring.scores import VIEWS
from vermeil.scoring.significance import bootstrap, permutation
from vermeil.scoring.views.annotations import JudgedAnnotation
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.instances import Instance, Offender
from vermeil.verbs.tables.table import N_NAMED, Block, Table, named, shortened, signed
from vermeil.verbs.tables.table import figure as spelt

MUC_NAMES = {"exact": "strict", "boundaries": "exact", "partial": "partial", "type": "type"}
"""What MUC and nervaluate call our views."""

N_SHOWN = 30
"""Systems of a crowd that are shown: those that looked at the most documents."""

N_SHOWN_CHARACTERS = 28
N_CONFUSIONS = 10


@dataclass(frozen=True, slots=True)
class Doubts:
    """What was asked for about chance: resamples for intervals, a system to test against."""

    n_resamples: int = 0
    against: str | None = None
    seed: int = 0


def score_blocks(
    standard: str,
    scores: Mapping[str, SystemSums],
    by: str,
    doubts: Doubts,
    *,
    per_label: bool = False,
    full: bool = False,
    n_worst: int = 0,
    n_alternatives: int = 0,
    looked: bool = False,
) -> Iterator[Block]:
    """Tell one way of scoring, or the headline figures of all; a blank line ends each table.

    ``n_alternatives`` names of a flat standard were taken for alternatives of others. Systems were
    scored on all documents, or with ``looked`` on those that each looked at. Of a crowd those who
    looked at the most are shown, unless all are wanted in ``full``.
    """
    first = next(iter(scores.values()))
    yield f"{standard} is the standard; {first.n_documents:,} documents"
    shown = scores if full else _most_seen(scores, doubts.against)
    if len(shown) < len(scores):
        yield (
            f"{len(scores):,} systems; {len(shown):,} are shown, none of which looked at fewer "
            "documents than the others (--full shows all)"
        )
    yield from looked_lines(scores, looked=looked)
    if n_alternatives:
        yield flat_line(standard, n_alternatives)
    yield from in_words(standard, {name: each.left_out for name, each in scores.items()})
    yield ""
    for table in _tables(shown, by, doubts, per_label=per_label, n_worst=n_worst):
        yield table
        yield ""


def looked_lines(scores: Mapping[str, SystemSums], *, looked: bool) -> Iterator[str]:
    """Say what counts where somebody did not look; nothing where everybody looked at all."""
    absent = {name: each for name, each in scores.items() if each.n_absent}
    if not absent:
        return
    if looked:
        seen = [f"{name} {each.n_documents - each.n_absent:,}" for name, each in absent.items()]
        others = "; the others all" if len(absent) < len(scores) else ""
        yield f"only documents that a system looked at count: {named(seen)}{others}"
    else:
        unseen = [f"{name} {each.n_absent:,}" for name, each in absent.items()]
        yield (
            f"not looked at, and counted as empty: {named(unseen)} "
            f"{'documents' if len(unseen) <= N_NAMED else 'systems'} (--looked leaves them out)"
        )


def _most_seen(scores: Mapping[str, SystemSums], against: str | None) -> dict[str, SystemSums]:
    """Choose who is shown of a crowd, in their order; somebody all are tested against is."""

    def rank(name: str) -> tuple[bool, int, str]:
        return name != against, scores[name].n_absent, name

    chosen = frozenset(sorted(scores, key=rank)[:N_SHOWN])
    return {name: each for name, each in scores.items() if name in chosen}


def flat_line(layer: str, n: int) -> str:
    """Say that overlapping names are taken for alternatives, and how that is changed."""
    return (
        f"no alternatives are marked: {n:,} names of {layer} that overlap others are taken for "
        "alternatives (--overlaps names keeps each)"
    )


def _tables(
    scores: Mapping[str, SystemSums], by: str, doubts: Doubts, *, per_label: bool, n_worst: int
) -> Iterator[Table]:
    yield from _TABLES[by](scores)
    yield from _tags(scores)
    view = detailed_view(by)
    if doubts.n_resamples:
        yield _intervals(scores, [view] if by else VIEWS, doubts)
    if doubts.against is not None:
        yield _tests(scores, view, doubts.against, doubts.seed)
    if per_label:
        yield _labels(scores, view)
        yield from _confusions(scores)
    if n_worst:
        for name, each in scores.items():
            yield mistakes_table(f"Worst mistakes of {name}, {view}", each.worst(n_worst))
            if view == "centroid":
                yield _least_table(f"Least accepted boundaries of {name}", each.least(n_worst))


def _tags(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    counted = {name: each.tags for name, each in scores.items() if each.tags is not None}
    rows = [
        [name, _figure(tags.accuracy), tags.n_right, tags.n_tokens]
        for name, tags in counted.items()
    ]
    if rows:
        yield Table("Tags of tokens (IOBES)", ["system", "A", "right", "tokens"], rows)


def views_of(by: str) -> tuple[str, ...]:
    """Name the views that one way of scoring, or all, are made of."""
    if by == "partial":
        return tuple(MUC_NAMES)
    return VIEWS if not by else ("exact",) if by == "ranked" else (by,)


def detailed_view(by: str) -> str:
    """Name the view that details are shown of."""
    return by if by in VIEWS else "exact"


def _all(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    columns = ["system", "exact P", "R", "F", *(f"{name} F" for name in VIEWS[1:-1])]
    rows = [
        [
            name,
            *_ratios(each.counts("exact")),
            *(_figure(each.counts(view).f1) for view in VIEWS[1:-1]),
        ]
        for name, each in scores.items()
    ]
    yield Table("Against names", columns, rows)
    yield from _centroid(scores)


def _exact(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    rows = []
    for name, each in scores.items():
        view, counts = each.views["exact"], each.counts("exact")
        numbers = [int(counts.right), int(counts.predicted), int(counts.wanted)]
        means = [_figure(view.over_labels.f1), _figure(view.over_documents.f1)]
        rows.append([name, *_ratios(counts), *numbers, *means])
    columns = ["system", "P", "R", "F", "right", "predicted", "wanted", "label F", "document F"]
    yield Table("Exact", columns, rows)


def _biocreative(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    rows = []
    for name, each in scores.items():
        counts = each.counts("biocreative")
        numbers = [int(counts.found), int(counts.spurious), int(counts.missed)]
        rows.append([name, *_ratios(counts), *numbers])
    yield Table("BioCreative", ["system", "P", "R", "F", "TP", "FP", "FN"], rows)


def _partial(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    rows = []
    for name, each in scores.items():
        for view, mode in MUC_NAMES.items():
            predicted, wanted = each.views[view].outcomes
            numbers = [predicted[outcome] for outcome in ("right", "near", "partly")]
            numbers += [wanted["total"], predicted["total"]]
            rows.append([name, mode, *_ratios(each.counts(view)), *numbers])
    columns = ["system", "mode", "P", "R", "F", "COR", "INC", "PAR", "MIS", "SPU"]
    yield Table("Partial, as in MUC", columns, rows, n_keys=2)


def _centroid(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    rows = []
    for name, each in scores.items():
        boundaries = _figure(each.left.value), _figure(each.right.value)
        predicted, wanted = each.views["centroid"].outcomes
        misses = [side[outcome] for side in (predicted, wanted) for outcome in ("near", "total")]
        rows.append([name, *_ratios(each.counts("centroid")), *boundaries, *misses])
    columns = ["system", "P", "R", "F", "left", "right"]
    columns += ["near", "spurious", "nearly found", "missed"]
    yield Table("Against centroids", columns, rows)


def _ranked(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
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
    title = "Ranked by confidence, exact; AP: average precision of all predictions pooled; "
    yield Table(f"{title}MAP: its mean over documents", columns, rows)


_TABLES: dict[str, Callable[[Mapping[str, SystemSums]], Iterator[Table]]] = {
    "": _all,
    "exact": _exact,
    "biocreative": _biocreative,
    "partial": _partial,
    "centroid": _centroid,
    "ranked": _ranked,
}


def _intervals(scores: Mapping[str, SystemSums], views: Sequence[str], doubts: Doubts) -> Table:
    def interval(each: SystemSums, view: str) -> str:
        counts = each.views[view].per_document()
        found = bootstrap(counts, n_resamples=doubts.n_resamples, seed=doubts.seed)
        return f"{_figure(found.low)}–{_figure(found.high)}"

    rows = [[name, *(interval(each, view) for view in views)] for name, each in scores.items()]
    title = f"95% intervals of F from {doubts.n_resamples:,} resamples"
    return Table(title, ["system", *views], rows)


def _tests(scores: Mapping[str, SystemSums], view: str, against: str, seed: int) -> Table:
    rows = []
    for name, each in scores.items():
        if name != against:
            test = permutation(*each.views[view].pairs, seed=seed)
            difference = signed(test.statistic, 3)
            rows.append([name, difference, spelt(test.p_value, 4), test.n])
    title = f"{view} F against {against}, permutation test"
    return Table(title, ["system", "difference", "p", "permutations"], rows)


def _labels(scores: Mapping[str, SystemSums], view: str) -> Table:
    rows = [
        [name, label, *_ratios(counts), f"{counts.predicted:,.0f}", f"{counts.wanted:,.0f}"]
        for name, each in scores.items()
        for label, counts in each.views[view].by_label.items()
    ]
    columns = ["system", "label", "P", "R", "F", "predicted", "wanted"]
    return Table(f"By label, {view}", columns, rows, n_keys=2)


def _confusions(scores: Mapping[str, SystemSums]) -> Iterator[Table]:
    rows: list[list[object]] = []
    for name, each in scores.items():
        mixed = [
            (-n, wanted, predicted)
            for (wanted, predicted), n in each.confusion.items()
            if NOTHING not in (wanted, predicted) and wanted != predicted
        ]
        rows += [[name, w, p, -n] for n, w, p in sorted(mixed)[:N_CONFUSIONS]]
    if rows:
        yield Table("Labels mixed up", ["system", "wanted", "predicted", "n"], rows)


def mistakes_table(title: str, worst: Sequence[Offender]) -> Table:
    """List strings that went wrong, with the first time each did."""
    rows = [
        [
            each.n,
            deed(each.first),
            shortened(each.first.text, N_SHOWN_CHARACTERS),
            each.first.document,
            f"{each.first.span.start}-{each.first.span.end}",
            shortened(each.first.compared_text, N_SHOWN_CHARACTERS),
        ]
        for each in worst
    ]
    columns = ["n", "what", "text", "first in", "at", "compared with"]
    return Table(title, columns, rows, n_keys=3)


def _least_table(title: str, least: Sequence[JudgedAnnotation]) -> Table:
    """List annotations that are right, those with the least accepted boundaries first."""
    rows = [
        [
            _figure(nan if each.left is None else each.left),
            _figure(nan if each.right is None else each.right),
            each.support,
            shortened(each.text, N_SHOWN_CHARACTERS),
            each.document,
            f"{each.start}-{each.end}",
        ]
        for each in least
    ]
    return Table(title, ["left", "right", "support", "text", "in", "at"], rows)


def deed(instance: Instance) -> str:
    """Name what went wrong: spurious, missed, label, boundary or nearly found."""
    if instance.outcome == "total":
        return "spurious" if instance.predicted else "missed"
    if instance.predicted:
        same_place = instance.compared is not None and (
            (instance.span.start, instance.span.end, instance.span.fragments)
            == (instance.compared.start, instance.compared.end, instance.compared.fragments)
        )
        return "label" if same_place else "boundary"
    return "nearly found"


def _ratios(counts: Counts) -> list[str]:
    return [_figure(value) for value in (counts.precision, counts.recall, counts.f1)]


def _figure(value: float) -> str:
    return spelt(value, undefined="")
