"""The parts of a page that answer at once: who was compared, how everybody fared, what to look at.

Every count leads to its instances in the vote view; see ``elements.finding`` for the addresses and
``page.js`` for what reads them.
"""

from collections.abc import Mapping
from math import isnan, nan

import numpy as np

from vermeil.reports.drawing.elements import (
    Html,
    Section,
    count_link,
    element,
    figure,
    finding,
    joined,
    name_of,
    section,
    table,
    whole,
)
from vermeil.reports.spans.agreement import agreement_map
from vermeil.reports.spans.findings import CONSENSUS, LEARNABLE, VIEWS, SpanFindings
from vermeil.scoring.pairing.lens import in_words
from vermeil.scoring.scores import Scores
from vermeil.scoring.significance import Interval

N_CONTESTED = 15
FIGURES = ("precision", "recall", "f1")
HEADS = (
    *("exact P", "R", "F", "centroid P", "R", "F", "left edge", "right edge"),
    *("near", "spurious", "near, of standard", "missed"),
)
MEANING = (
    "Exact: same boundaries and label. Centroid: contains the heart of a name and stays within its "
    "widest extent; edges score the votes for where it is cut. Near: overlaps, but does not count. "
)

Intervals = Mapping[tuple[str, str, str], Interval]


def summary_section(findings: SpanFindings) -> Section:
    """Answer in one screen: what was compared, and how everybody fared."""
    return section(
        "summary",
        "Summary",
        element("p", *_compared(findings), class_="lead"),
        element("dl", *_tiles(findings), class_="tiles"),
        _scores_table(findings),
        element("p", *_reading(findings), class_="note"),
        agreement_map(findings.agreement, "exact") if findings.agreement is not None else "",
    )


def contested_section(findings: SpanFindings) -> Section:
    """List what a curator should look at first."""
    order = np.argsort(-np.array(findings.contested), kind="stable")[:N_CONTESTED].tolist()
    rows = [
        [
            element("a", name_of(document.id), href=finding("text", document.id)),
            figure(findings.contested[number], 2),
            count_link(len(findings.hearts[number]), "places", document.id),
            _beginning(document.text),
        ]
        for number in order
        for document in [findings.documents[number]]
        if findings.contested[number] > 0
    ]
    return section(
        "contested",
        "Most contested texts",
        table(
            "By decisions of the consensus that are expected to be wrong",
            [
                "text",
                "expected errors",
                "places voted on",
                "it begins",
            ],
            rows,
        ),
    )


def score_cells(
    system: str, scores: Scores, intervals: Intervals, *, linked: bool = True
) -> list[Html]:
    """Make the row of one system under HEADS; with ``linked`` counts lead to their instances."""
    ratios = [
        _ratio(getattr(counts, name), intervals.get((system, view, name)))
        for view in VIEWS
        for counts in [scores.counts(view)]
        for name in FIGURES
    ]
    edges = (scores.boundaries.mean_left, scores.boundaries.mean_right)
    return [
        *ratios,
        *(joined(figure(each)) for each in edges),
        *_misses(scores, system, linked=linked),
    ]


def _compared(findings: SpanFindings) -> list[object]:
    against = (
        ["compared with ", name_of(findings.gold)]
        if findings.gold is not None
        else ["compared with their consensus, for there is no gold standard"]
    )
    several = "annotators" if len(findings.annotators) > 1 else "annotator"
    n_scored = len(findings.whole.documents)
    outside = len(findings.documents) - n_scored
    left = [f"; {outside:,} of them are not in it and are not scored"] if outside else []
    crowd = [] if findings.is_dense else [", each on the texts that it looked at"]
    return [
        f"{len(findings.documents):,} texts, {len(findings.annotators):,} {several}, ",
        *against,
        *left,
        *crowd,
        ".",
    ]


def _tiles(findings: SpanFindings) -> list[Html]:
    tiles: list[tuple[str, object, object]] = []
    doubtful = sum(findings.contested)
    if CONSENSUS in findings.scores:
        names = count_link(findings.n_names, "all", CONSENSUS)
    else:
        names = count_link(findings.n_names, "names")
    tiles.append(("consensus", names, "names"))
    tiles.append(("expected to be wrong", figure(doubtful, 0), "decisions"))
    if CONSENSUS in findings.scores:
        interval = findings.intervals.get((CONSENSUS, "exact", "f1"))
        value = findings.scores[CONSENSUS].counts("exact").f1
        between = f"{figure(interval.low)} to {figure(interval.high)}" if interval else "exact"
        tiles.append(("F of the consensus", figure(value), between))
    if findings.agreement is not None:
        tiles.append(("agreement, F of pairs", figure(findings.agreement.exact), "exact"))
        tiles.append(("Krippendorff's alpha", figure(findings.agreement.alpha), "character pairs"))
    correlation = findings.comparison.silver if findings.comparison is not None else None
    if correlation is not None and not isnan(correlation.rho):
        said = f"p {correlation.p_value:.2g}, {correlation.n} annotators"
        tiles.append(("silver ranks them as gold does: rho", figure(correlation.rho), said))
    return [
        element("div", element("dt", term), element("dd", element("strong", value), " ", small))
        for term, value, small in tiles
    ]


def _scores_table(findings: SpanFindings) -> Html:
    learned = _learned(findings)

    def rank(item: tuple[str, Scores]) -> tuple[float, str]:
        f1 = item[1].counts("exact").f1
        return 1.0 if isnan(f1) else -f1, item[0]

    ordered = sorted(findings.scores.items(), key=rank)
    rows = [
        [
            name_of(system),
            *score_cells(system, each, findings.intervals),
            *learned.get(system, ("", "", "")),
        ]
        for system, each in ordered
    ]
    heads = ["annotator", *HEADS, "F, others' consensus", "finds", "invents"]
    return table(f"Everybody against {findings.standard}", heads, rows, id="scores")


def _learned(findings: SpanFindings) -> dict[str, tuple[str, str, str]]:
    """Collect what is known of each annotator without gold."""
    others = {}
    if findings.comparison is not None:
        others = {each.system: each.left_out.f1 for each in findings.comparison.standings}
    learned, known = findings.learned, findings.learned.annotators
    place = {name: n for n, name in enumerate(known)} if len(known) >= LEARNABLE else {}
    return {
        name: (
            figure(others.get(name, nan)),
            figure(float(learned.hit[place[name]]) if name in place else nan),
            figure(float(learned.alarm[place[name]]) if name in place else nan),
        )
        for name in findings.annotators
    }


def _ratio(value: float, interval: Interval | None) -> Html:
    if interval is None or isnan(value):
        return joined(figure(value))
    half = max(interval.high - interval.value, interval.value - interval.low)
    said = f"95%: {figure(interval.low)} to {figure(interval.high)}"
    return joined(figure(value), element("small", f" ±{half:.3f}".replace("±0.", "±."), title=said))


def _misses(scores: Scores, system: str, *, linked: bool) -> list[Html]:
    predicted, wanted = scores.views["centroid"].outcomes
    counts = {
        "cp-near": predicted["near"],
        "cp-total": predicted["total"],
        "cw-near": wanted["near"],
        "cw-total": wanted["total"],
    }
    return [
        count_link(n, kind, system) if linked else joined(whole(n)) for kind, n in counts.items()
    ]


def _reading(findings: SpanFindings) -> list[object]:
    learned = (
        "Finds and invents are learned from agreement alone: the chance of marking a true name, "
        "and a place that is none. "
        if len(findings.learned.annotators) >= LEARNABLE
        else "With fewer than three annotators nothing can be learned about each. "
    )
    biased = (
        ""
        if findings.gold is not None
        else "Annotators had a hand in the consensus that judges them; the column of the others' "
        "consensus is free of that. "
    )
    left_out = {name: each.left_out for name, each in findings.scores.items()}
    scope = (f"{line[0].upper()}{line[1:]}. " for line in in_words(findings.standard, left_out))
    return [
        *scope,
        MEANING,
        "± is the larger half of a 95% bootstrap interval over texts. ",
        learned,
        biased,
        "Every count leads to its instances.",
    ]


def _beginning(text: str, n: int = 80) -> Html:
    return name_of(text if len(text) <= n else text[: n - 1] + "…")
