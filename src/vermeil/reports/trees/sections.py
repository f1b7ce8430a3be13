"""The parts of a page about parsers: scores, failures, rules, trust, and trees side by side."""

from collections.abc import Iterable

from vermeil.reports.drawing.elements import (
    Html,
    Section,
    element,
    figure,
    joined,
    name_of,
    section,
    table,
    whole,
)
from vermeil.reports.trees.difference import Status
from vermeil.reports.trees.doubts import doubts_section
from vermeil.reports.trees.findings import COMBINED, TreeFindings
from vermeil.reports.trees.intervals import Measured, measured
from vermeil.reports.trees.pictures import pictures_section
from vermeil.reports.trees.ported import portability_section
from vermeil.reports.trees.svg import Exhibit
from vermeil.reports.trees.text import OutlineLine, outline, side_by_side
from vermeil.scoring.trees.diagnosis import Diagnosis, Substitution
from vermeil.scoring.trees.scores import Sentences
from vermeil.tree import Tree

N_RULES, N_INSTEAD, N_WORST = 10, 3, 3
MOST_EXHIBITS = 140
"""Pairs of trees on a page, each some 6 KB: all that the tables of four parsers lead to."""

MEANING = (
    "LA, leaf-ancestor score: how much of the path from each word up to the root is right, on "
    "average over words; 1 is a perfect tree. P, R and F: labelled brackets, a bracket being right "
    "if its words and its label are. Perfect: the share of sentences whose brackets are all right. "
    "± is the larger half of a 95% bootstrap interval over sentences."
)
WRITTEN = (
    "For each rule that was missed, what stands in its place: another rule over the same words; "
    "or, where no bracket is over the same words, ALLMATCH: the same rule over more words (EXT) or "
    "fewer (TRUNC); PARENTMATCH: only the same parent, over more words (EXT) or fewer (TRUNC); "
    "nothing: no bracket that comes near."
)
OUTLINE_WIDTH = 70
KINDS = {
    Status.SHARED: "",
    Status.FIRST: "only-first",
    Status.SECOND: "only-second",
    Status.RELABELLED: "relabelled",
}


def tree_sections(findings: TreeFindings) -> list[Section]:
    """Make all the sections."""
    shown = _shown(findings)
    lost = [portability_section(findings.ported)] if findings.ported is not None else []
    doubts = [doubts_section(findings.trust)] if findings.trust is not None else []
    return [
        _summary(findings, shown),
        pictures_section(findings),
        *doubts,
        *lost,
        _rules(findings, shown),
        _exhibits(findings, shown),
    ]


def pair_of_trees(exhibit: Exhibit, *, id: str = "", is_open: bool = False) -> Html:
    """Show two trees side by side, what they share on the same line, differences marked."""
    first, second = (name_of(name) for name in exhibit.names)
    rows = [
        element("tr", _outlined(ours), _outlined(theirs))
        for ours, theirs in side_by_side(*exhibit.trees, width=OUTLINE_WIDTH)
    ]
    head = element("tr", element("th", first, scope="col"), element("th", second, scope="col"))
    made = element("table", element("thead", head), element("tbody", *rows), class_="trees")
    words = next((tree.words for tree in exhibit.trees if tree is not None), ())
    return element(
        "details",
        element("summary", exhibit.title, ": ", first, " and ", second),
        element("p", name_of(" ".join(words)), class_="note"),
        element(
            "div",
            made,
            class_="wide",
            tabindex="0",
            role="region",
            aria_label=f"{exhibit.title}: {exhibit.names[0]} and {exhibit.names[1]}",
        ),
        id=id or None,
        open=is_open,
    )


def lone_tree(tree: Tree) -> Html:
    """Show one tree."""
    rows = [element("tr", _outlined(line)) for line in outline(tree, width=OUTLINE_WIDTH)]
    made = element("table", element("tbody", *rows), class_="trees")
    return element("div", made, class_="wide", tabindex="0", role="region", aria_label="tree")


def _outlined(line: OutlineLine | None) -> Html:
    if line is None:
        return element("td")
    status = line.mark.status if line.mark is not None and line.label else Status.SHARED
    label = element("b", line.sign.strip(), line.label, class_=KINDS[status] or None)
    said = element("span", f" ({status.value})", class_="sr") if KINDS[status] else ""
    return element(
        "td",
        element("i", line.guides, aria_hidden="true") if line.guides else "",
        label if line.label else "",
        said,
        " " if line.label else "",
        line.words,
    )


def _shown(findings: TreeFindings) -> dict[tuple[str, int], str]:
    """Choose sentences to show with a parser's tree: the worst, and examples of wrong rules."""
    wanted = [
        (parser, number) for parser in findings.scores for number in findings.worst(parser, N_WORST)
    ]
    for rank in range(N_RULES):
        for parser, each in findings.diagnoses.items():
            for rule in each.most_missed[rank : rank + 1]:
                examples = (told.sentences for told in each.instead_of(rule)[:N_INSTEAD])
                wanted += [(parser, numbers[0]) for numbers in examples]
    kept = set(list(dict.fromkeys(wanted))[:MOST_EXHIBITS])
    return {
        (parser, number): f"sentence-{number}-{place}"
        for place, parser in enumerate(findings.scores)
        for number in sorted(number for of, number in kept if of == parser)
    }


def _summary(findings: TreeFindings, shown: dict[tuple[str, int], str]) -> Section:
    rows = [
        [
            name_of(name),
            *_main(each.all, findings.n_resamples),
            _failed(findings, name, each.n_failed),
            *_main(each.parsed)[:4],
            _links(
                (shown[name, n], n) for n in findings.worst(name, N_WORST) if (name, n) in shown
            ),
        ]
        for name, each in findings.scores.items()
    ]
    if findings.trust is not None:
        scores = findings.trust.scores
        combined = [
            *_main(scores.all, findings.n_resamples),
            joined(whole(scores.n_failed)),
            *_main(scores.parsed)[:4],
            joined(""),
        ]
        rows.append([joined(COMBINED), *combined])
    heads = ["parser", *("LA", "P", "R", "F", "perfect"), "failed"]
    heads += ["parsed: LA", "P", "R", "F", "worst sentences"]
    n = max(len(each.all) for each in findings.scores.values())
    return section(
        "trees",
        "Parsers",
        element(
            "p",
            f"{n:,} sentences of ",
            name_of(findings.gold),
            f", {len(findings.scores)} parsers. A failure counts as all wrong in the first figures "
            "and is left out of those of parsed sentences.",
            class_="lead",
        ),
        table(f"Parsers against {findings.gold}", heads, rows, id="parsers"),
        element("p", MEANING, class_="note"),
    )


def _main(sentences: Sentences, n_resamples: int = 0) -> list[Html]:
    return [_with_interval(each) for each in measured(sentences, n_resamples).values()]


def _with_interval(score: Measured) -> Html:
    if score.interval is None:
        return joined(figure(score.value))
    low, high = score.interval.low, score.interval.high
    half = max(high - score.value, score.value - low)
    between = f"95%: {figure(low)} to {figure(high)}"
    said = element("small", f" ±{half:.3f}".replace("±0.", "±."), title=between)
    return joined(figure(score.value), said)


def _failed(findings: TreeFindings, parser: str, n: int) -> Html:
    if not n:
        return joined("0")
    every = findings.scores[parser].all
    numbers = ", ".join(map(str, every.number[~every.parsed].tolist()))
    return element("details", element("summary", whole(n)), element("small", numbers))


def _links(places: Iterable[tuple[str, int]]) -> Html:
    linked: list[object] = []
    for id, number in places:
        linked += [element("a", str(number), href=f"#{id}"), " "]
    return joined(*linked)


def _rules(findings: TreeFindings, shown: dict[tuple[str, int], str]) -> Section:
    return section(
        "rules",
        "Rules that parsers miss",
        element("p", WRITTEN, class_="note"),
        *(_rule_table(parser, each, shown) for parser, each in findings.diagnoses.items()),
    )


def _rule_table(parser: str, diagnosis: Diagnosis, shown: dict[tuple[str, int], str]) -> Html:
    rows = []
    for rule in diagnosis.most_missed[:N_RULES]:
        counts = diagnosis.by_rule[rule]
        instead = [
            part
            for told in diagnosis.instead_of(rule)[:N_INSTEAD]
            for part in _instead(parser, told, shown)
        ]
        figures = (counts.precision, counts.recall, counts.f1)
        rows.append(
            [
                name_of(rule),
                whole(counts.wanted),
                whole(counts.missed),
                *(figure(each) for each in figures),
                joined(*instead),
            ]
        )
    heads = ["rule", "in the treebank", "missed", "P", "R", "F"]
    heads.append("written instead (times: example)")
    return table(f"Rules that {parser} misses most often", heads, rows)


def _instead(parser: str, told: Substitution, shown: dict[tuple[str, int], str]) -> list[object]:
    example = next((n for n in told.sentences if (parser, n) in shown), None)
    times = figure(float(told.n), 1)
    link = (
        element("a", f"{times}: {example}", href=f"#{shown[parser, example]}")
        if example is not None
        else times
    )
    return [name_of(told.written), " (", link, ") "]


def _exhibits(findings: TreeFindings, shown: dict[tuple[str, int], str]) -> Section:
    key = element(
        "p",
        element("b", "-NP", class_="only-first"),
        f" only in {findings.gold}, ",
        element("b", "+NP", class_="only-second"),
        " only in the parser's tree, ",
        element("b", "~NP→VP", class_="relabelled"),
        " same words, other label; the rest is in both. vermeil trees show TREEBANK PARSER "
        "--sentence N shows any sentence that is not here.",
        class_="note",
    )
    drawn = [pair_of_trees(findings.exhibit(n, parser), id=id) for (parser, n), id in shown.items()]
    return section("exhibits", "Trees side by side", key, *drawn)
