"""The parts of a page that are pictures of annotators: curves, edges and labels."""

from collections.abc import Sequence
from math import nan

import numpy as np

from vermeil.reports.drawing.charts import columns, curves, reliability, scatter
from vermeil.reports.drawing.elements import (
    Html,
    Section,
    count_link,
    element,
    figure,
    finding,
    name_of,
    section,
    table,
    whole,
)
from vermeil.reports.drawing.heat_map import heat_map
from vermeil.reports.drawing.reliability import curve_points
from vermeil.reports.spans.agreement import MOST_ON_MAP
from vermeil.reports.spans.boundary_offsets import BIN_NAMES, BIN_RANGES, boundary_offsets
from vermeil.reports.spans.findings import CONSENSUS, SpanFindings
from vermeil.reports.spans.text_data import DOUBT_DIGITS
from vermeil.scoring.ranked import RankedPredictions, Ranking, calibrate
from vermeil.scoring.scores import Scores
from vermeil.scoring.views.confusion import NOTHING

MOST_OPEN = 6
"""Pictures of the same kind that are shown without being asked for."""

MOST_LABEL_ROWS = 200
"""Rows of labels and systems on a page, each of half a kilobyte."""

MOST_CELLS, MOST_CONFUSIONS = 2000, 40
"""Cells of all tables of confusions; where there are more, the most frequent are listed instead."""

N_SWEEP = 60
"""Points of a threshold sweep."""

LEFT_OUT = (
    "Reliability without gold: each text is decided without one of its annotators. How sure the "
    "others' consensus is of a name, and how much this annotator finds and invents, give the "
    "chance that it marks something there; on the diagonal it does so as often as said. Errors "
    "that all annotators share do not show."
)
"""What the picture without gold means."""

DOUBTS = (0, 0.1, 0.25, 0.5, 1, 2, 4)
"""Lower bounds of the bins of expected errors."""


def pictures_section(findings: SpanFindings) -> Section:
    """Show curves, calibration, boundaries, labels and what is contested."""
    drawn = [
        *_reliability_of_consensus(findings),
        _precision_over_recall(findings),
        *_calibrations(findings),
        *_sweeps(findings),
        _contested_columns(findings),
    ]
    return section(
        "pictures",
        "Pictures",
        element("div", *drawn, class_="pictures"),
        element("p", LEFT_OUT, class_="note") if _has_confirmed(findings) else "",
        _said_of_rankings(findings),
        _folded(_said_of_some("Where the edges of each are off", findings), _offsets(findings)),
    )


def labels_section(findings: SpanFindings) -> Section:
    """Show, label by label, how systems fared and what was taken for what."""
    found = [
        (label, system, counts)
        for label in sorted(
            {label for each in findings.scores.values() for label in each.batch.labels}
        )
        for system, each in findings.scores.items()
        if (counts := each.views["exact"].by_label.get(label)) is not None
    ]
    # What has most names is shown where there are too many for a page that is to hold texts too.
    kept = sorted(range(len(found)), key=lambda n: -found[n][2].wanted)[:MOST_LABEL_ROWS]
    rows = [
        [
            name_of(label),
            name_of(system),
            *_counted(findings.scores[system], "exact", system, label),
            figure(counts.precision),
            figure(counts.recall),
            figure(counts.f1),
        ]
        for label, system, counts in (found[n] for n in sorted(kept))
    ]
    heads = ["label", "system", "right", "wrong", "found", "missed", "P", "R", "F"]
    title = f"Exact match with {findings.standard}, label by label"
    left_out = ""
    if len(found) > len(rows):
        left_out = element(
            "p",
            f"{len(found) - len(rows):,} more rows, with fewer names, had no room on this page; "
            "vermeil score --per-label prints all.",
            class_="note",
        )
    return section(
        "labels",
        "Labels",
        element("details", element("summary", title), table(title, heads, rows), left_out),
        _confusions(findings),
    )


def _confusions(findings: SpanFindings) -> Html:
    """Show which label was given for which: whole, or the most frequent where labels are many."""
    title = "Which label was given for which"
    cells = sum((len(each.confusion.labels) + 1) ** 2 for each in findings.scores.values())
    if cells <= MOST_CELLS:
        drawn = [_confusion(system, each) for system, each in findings.scores.items()]
        return _folded(title, drawn)
    found = [
        (int(n), system, wanted, given)
        for system, each in findings.scores.items()
        for wanted, row in zip(each.confusion.labels, each.confusion.table, strict=False)
        for given, n in zip(each.confusion.labels, row, strict=False)
        if n and wanted != given
    ]
    most = sorted(found, key=lambda each: (-each[0], *each[1:]))[:MOST_CONFUSIONS]
    rows = [
        [
            name_of(wanted),
            name_of(given),
            name_of(system),
            element("a", whole(n), href=_confused(system, wanted, given)),
        ]
        for n, system, wanted, given in most
    ]
    said = f"{title}: the {len(rows)} most frequent of {len(found):,}"
    shown = table(said, ["label of the standard", "given", "by", "times"], rows)
    return element("details", element("summary", said), shown)


def _precision_over_recall(findings: SpanFindings) -> Html:
    lines = {name: curve_points(each.ranking) for name, each in findings.rankings.items()}
    points = {
        name: (each.counts("exact").recall, each.counts("exact").precision)
        for name, each in findings.scores.items()
    }
    if len(points) > MOST_ON_MAP:
        title = f"Precision over recall, exact, of {len(points):,} systems"
        return scatter(title, list(points.values()), x="recall", y="precision")
    return curves(
        "Precision over recall, exact; dashed: equal F",
        {name: line for name, line in lines.items() if line},
        points=points,
        x="recall",
        y="precision",
        contours=True,
    )


def _reliability_of_consensus(findings: SpanFindings) -> list[Html]:
    """Draw what the confidence of the consensus is worth: against gold, and without it."""
    drawn = []
    judged = findings.rankings.get(CONSENSUS)
    if judged is not None:
        found = calibrate(judged.confidence, judged.is_right)
        drawn.append(reliability(f"Reliability of the consensus, against {findings.gold}", found))
    said = findings.confirmed
    if said is not None and _has_confirmed(findings):
        title = "Reliability of the consensus without gold, against annotators left out of it"
        found = calibrate(said.chance, said.is_marked)
        drawn.append(reliability(title, found, x="chance to be marked", y="share marked"))
    return drawn


def _has_confirmed(findings: SpanFindings) -> bool:
    return findings.confirmed is not None and len(findings.confirmed.chance) > 0


def _calibrations(findings: SpanFindings) -> list[Html]:
    return [
        reliability(f"Calibration of {name}", calibrate(each.confidence, each.is_right))
        for name, each in _some_rankings(findings)
        if name != CONSENSUS
    ]


def _sweeps(findings: SpanFindings) -> list[Html]:
    return [
        curves(
            f"Threshold sweep of {name}, best F {figure(counts.f1)} at {figure(threshold)}",
            _sweep(each.ranking),
            x="confidence at least",
            y="score",
        )
        for name, each in _some_rankings(findings)
        for threshold, counts in [each.ranking.best]
    ]


def _some_rankings(findings: SpanFindings) -> list[tuple[str, RankedPredictions]]:
    """List the rankings that are drawn: all, or of many those with the most predictions."""
    every = findings.rankings.items()
    most = sorted(every, key=lambda each: (each[0] != CONSENSUS, -len(each[1].confidence), each[0]))
    drawn = {name for name, _ in most[:MOST_ON_MAP]}
    return [(name, each) for name, each in every if name in drawn]


def _said_of_rankings(findings: SpanFindings) -> Html | str:
    n = len(findings.rankings)
    if n <= MOST_ON_MAP:
        return ""
    said = f"Of {n:,} that say how sure they are, the {MOST_ON_MAP} with the most names are drawn."
    return element("p", said, class_="note")


def _sweep(ranking: Ranking) -> dict[str, list[tuple[float, float]]]:
    """Thin a sweep out to N_SWEEP thresholds, evenly spread."""
    rising = ranking.threshold[::-1]
    wanted = np.searchsorted(rising, np.linspace(0, 1, N_SWEEP)).clip(0, len(rising) - 1)
    steps = len(rising) - 1 - np.unique(wanted)
    figures = {"precision": ranking.precision, "recall": ranking.recall, "F": ranking.f1}
    return {
        name: list(zip(ranking.threshold[steps].tolist(), each[steps].tolist(), strict=True))
        for name, each in figures.items()
    }


def _contested_columns(findings: SpanFindings) -> Html:
    shown = np.round(findings.contested, DOUBT_DIGITS)
    counts = np.histogram(shown, bins=[*DOUBTS, np.inf])[0].tolist()
    least = 10.0**-DOUBT_DIGITS
    up_to = [*(f"{low - least:.{DOUBT_DIGITS}f}" for low in DOUBTS[1:]), ""]
    ranges = [f"{low:g},{high}" for low, high in zip(DOUBTS, up_to, strict=True)]
    return columns(
        "How contested texts are",
        [f"{low:g}+" for low in DOUBTS],
        {"texts": counts},
        x="expected errors",
        y="texts",
        links={"texts": [finding("doubt", "", "", each) for each in ranges]},
    )


def _folded(title: str, drawn: Sequence[Html]) -> Html:
    """Show a few pictures; fold many, one for each system, away."""
    together = element("div", *drawn, class_="pictures")
    return element("details", element("summary", title), together, open=len(drawn) <= MOST_OPEN)


def _said_of_some(title: str, findings: SpanFindings) -> str:
    n = len(findings.scores)
    return title if n <= MOST_ON_MAP else f"{title}: the first {MOST_ON_MAP} of {n:,}"


def _offsets(findings: SpanFindings) -> list[Html]:
    drawn = []
    for system, each in list(findings.scores.items())[:MOST_ON_MAP]:
        left, right = boundary_offsets(each)
        links = {
            f"{side} edge": [finding("off", system, "", f"{side},{each}") for each in BIN_RANGES]
            for side in ("left", "right")
        }
        drawn.append(
            columns(
                f"Edges of {system} that are off",
                BIN_NAMES,
                {"left edge": left, "right edge": right},
                x="characters after the standard's (-: before it)",
                y="names",
                links=links,
            )
        )
    return drawn


def _counted(scores: Scores, view: str, system: str, label: str) -> list[Html]:
    counts = scores.views[view].by_label[label]
    return [
        count_link(counts.right, "ep-right", system, label),
        count_link(counts.spurious, "ep-wrong", system, label),
        count_link(counts.found, "ew-right", system, label),
        count_link(counts.missed, "ew-wrong", system, label),
    ]


def _confusion(system: str, scores: Scores) -> Html:
    found = scores.confusion
    names = [*found.labels, NOTHING]
    shown = found.table.astype(float).tolist()
    shown[-1][-1] = nan
    links = [
        [_confused(system, w, p) if n else "" for p, n in zip(names, row, strict=True)]
        for w, row in zip(names, shown, strict=True)
    ]
    top = float(found.table.max(initial=1))
    rows = [*found.labels, "(spurious)"]
    heads = [*found.labels, "(missed)"]
    return heat_map(
        f"{system}: labels of the standard (rows) and given (columns)",
        rows,
        heads,
        shown,
        links=links,
        top=top,
        spelt=whole,
    )


def _confused(system: str, wanted: str, predicted: str) -> str:
    if wanted == NOTHING:
        return finding("ep-total", system, predicted)
    if predicted == NOTHING:
        return finding("ew-total", system, wanted)
    return finding("pair", system, wanted, predicted)
