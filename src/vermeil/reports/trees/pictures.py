"""Pictures of parsers: their scores and failures, trust, and what treebanks are made of."""

from collections.abc import Mapping
from math import nan

from vermeil.reports.drawing.charts import Bar, bars, columns, scatter
from vermeil.reports.drawing.elements import Html, Section, element, figure, section
from vermeil.reports.trees.findings import COMBINED, TreeFindings
from vermeil.scoring.trees.usage import Bin, Usage, binned, ranked

BIN = 5
"""Lengths and complexities are shown so many to a column."""

N_RULES, N_LABELS = 10, 8


def pictures_section(findings: TreeFindings) -> Section:
    """Draw scores, failures, trust, and what treebanks and parsers' trees are made of."""
    rows = []
    scores = dict(findings.scores)
    if findings.trust is not None:
        scores[COMBINED] = findings.trust.scores
    for name, each in scores.items():
        rows.append(Bar(name, each.all.leaf_ancestor))
        rows.append(Bar(name, each.all.counts.f1, 1, continues=True))
    drawn = [
        bars("Leaf-ancestor score and F, all sentences", rows, legend=("LA", "F")),
        *_failure_columns(findings),
    ]
    if (trust := findings.trust) is not None:
        truth = trust.scores.all.means["la"].tolist()
        drawn.append(
            scatter(
                f"Trust in the combined tree and its true LA, r {figure(trust.correlation)}",
                list(zip(trust.trust.tolist(), truth, strict=True)),
                x="trust",
                y="LA",
            )
        )
    treebanks = {name: findings.usages[name] for name in (findings.gold, *findings.others)}
    drawn += [*_usage_bars(findings), *distributions(treebanks)]
    together = element("div", *drawn, class_="pictures")
    return section("tree-pictures", "Pictures of the parsers", together)


def _failure_columns(findings: TreeFindings) -> list[Html]:
    drawn = []
    for title, all_of, failed_of in (
        ("length, words", "lengths", "failed_lengths"),
        ("complexity, constituents", "complexities", "failed_complexities"),
    ):
        failed = {name: each for name, each in findings.failures.items() if each.n_failed}
        if not failed:
            return []
        counts = [getattr(next(iter(failed.values())), all_of)]
        bins = binned([*counts, *(getattr(each, failed_of) for each in failed.values())], width=BIN)
        series = {
            name: [_share(each, place) for each in bins]
            for place, name in enumerate(failed, start=1)
        }
        names = [str(each.low) for each in bins]
        whose = f" of {next(iter(failed))}" if len(failed) == 1 else ""
        titled = f"Share of failures{whose} by {title}"
        drawn.append(columns(titled, names, series, x=f"{title}, from", y="share"))
    return drawn


def _share(bin: Bin, place: int) -> float:
    return bin.n[place] / bin.n[0] if bin.n[0] else nan


def _usage_bars(findings: TreeFindings) -> list[Html]:
    """Show what gold and the parsers' trees are made of, in shares of constituents."""
    gold = findings.usages[findings.gold]
    names = list(findings.usages)
    drawn = []
    for title, field, n in (("Constituents", "labels", N_LABELS), ("Rules", "rules", N_RULES)):
        used = [getattr(findings.usages[name], field) for name in names]
        rows = [
            Bar(label, each[label] / max(1, each.total()), place, continues=place > 0)
            for label in ranked(getattr(gold, field))[:n]
            for place, each in enumerate(used)
        ]
        top = max((row.value for row in rows), default=1.0)
        drawn.append(bars(f"{title}, share of all", rows, top=top, legend=names))
    return drawn


def distributions(usages: Mapping[str, Usage]) -> list[Html]:
    """Show how long, how complex and how deep the sentences of treebanks are, in shares of all.

    Clegg and Shepherd, Figure 3, with the depth that section 3.1 names besides.
    """
    drawn = []
    for title, field, width in (
        ("length, words", "lengths", BIN),
        ("complexity, constituents", "complexities", BIN),
        ("depth, levels", "depths", 1),
    ):
        counts = [getattr(usage, field) for usage in usages.values()]
        bins = binned(counts, width=width)
        series = {
            name: [each.n[place] / max(1, counts[place].total()) for each in bins]
            for place, name in enumerate(usages)
        }
        whose = f" of {next(iter(usages))}" if len(usages) == 1 else ""
        lows = [str(each.low) for each in bins]
        titled = f"Sentences{whose} by {title}"
        drawn.append(columns(titled, lows, series, x=f"{title}, from", y="share"))
    return drawn
