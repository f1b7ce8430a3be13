"""The part of a page that says what parsers lose from one treebank to another."""

from collections.abc import Callable, Sequence
from math import isnan

from vermeil.reports.drawing.charts import Bar, bars
from vermeil.reports.drawing.elements import (
    Html,
    Section,
    element,
    figure,
    name_of,
    section,
    table,
    whole,
)
from vermeil.reports.trees.pictures import distributions
from vermeil.scoring.trees.losses import CAUSES
from vermeil.scoring.trees.portability import Loss, Portability
from vermeil.scoring.trees.porting import Ported
from vermeil.scoring.trees.usage import Usage

N_RULES, N_TAGS, N_DRAWN = 25, 12, 10
SHOWN = (("la", "LA"), ("f1", "F"), ("tags", "tags"))
MEASURES: dict[str, Callable[[Usage], float]] = {
    "words a sentence": lambda usage: usage.per_sentence(usage.n_words),
    "constituents a sentence": lambda usage: usage.per_sentence(usage.n_productions),
    "constituents a word": lambda usage: usage.constituents_per_word,
    "depth of a word, mean": lambda usage: usage.mean_depth,
}


def portability_section(ported: Ported) -> Section:
    """Say how much is lost, why, and on which words and rules."""
    here, there = ported.treebanks
    lead = element(
        "p",
        "The same parsers on ",
        name_of(there),
        " and on ",
        name_of(here),
        ". What is lost is in points, with 95% intervals; a constituent is missed because the "
        "sentence failed, because a word of it is tagged wrongly (vocabulary), because it is "
        "attached otherwise, or because phrases are marked more or less finely (convention).",
        class_="lead",
    )
    pictures = element("div", *_pictures(ported), class_="pictures")
    tables = [_treebanks(ported), _scores(ported), _causes(ported), _tags(ported)]
    tables += [_rules(parser, each, here, there) for parser, each in ported.parsers.items()]
    return section("portability", "Lost from one treebank to another", lead, pictures, *tables)


def _pictures(ported: Ported) -> list[Html]:
    here, there = ported.treebanks
    rows = [
        bar
        for parser, each in ported.parsers.items()
        for name, said in SHOWN
        for bar in _two_bars(f"{parser}, {said}", each.figures[name])
    ]
    causes = [
        bar
        for parser, each in ported.parsers.items()
        for cause in CAUSES
        for bar in _two_bars(f"{parser}, {cause}", each.missed[cause], scale=100)
    ]
    longest = max((row.value for row in causes), default=1.0)
    drawn = [
        bars("At home and away", rows, legend=(there, here)),
        bars("Missed constituents by cause, in %", causes, top=longest, legend=(there, here)),
    ]
    for parser, each in ported.parsers.items():
        title = f"F of the commonest rules, {parser}"
        drawn.append(bars(title, _rule_bars(each), legend=(there, here)))
    return [*drawn, *distributions({name: ported.treebanks[name] for name in (there, here)})]


def _rule_bars(of: Portability) -> list[Bar]:
    return [bar for rule, loss in list(of.rules.items())[:N_DRAWN] for bar in _two_bars(rule, loss)]


def _two_bars(name: str, loss: Loss, *, scale: float = 1) -> list[Bar]:
    """Draw what is known at home and away; what is not has no bar, for it is not 0."""
    known = [
        (place, value) for place, value in enumerate((loss.there, loss.here)) if not isnan(value)
    ]
    return [
        Bar(name, scale * value, place, continues=number > 0)
        for number, (place, value) in enumerate(known)
    ]


def _treebanks(ported: Ported) -> Html:
    """Set the sizes and complexities of both treebanks side by side."""
    here, there = ported.treebanks
    sides = [ported.treebanks[name] for name in (there, here)]
    rows: list[Sequence[object]] = [
        [said, *(figure(measure(each), 2) for each in sides)] for said, measure in MEASURES.items()
    ]
    rows.insert(0, ["sentences", *(whole(each.n_sentences) for each in sides)])
    return table("The treebanks", ["", name_of(there), name_of(here)], rows)


def _scores(ported: Ported) -> Html:
    here, there = ported.treebanks
    rows: list[Sequence[object]] = [
        [name_of(f"{parser}: {said}"), *_cells(each.figures[name])]
        for parser, each in ported.parsers.items()
        for name, said in (
            *SHOWN,
            ("parsed", "sentences parsed"),
            ("la_right", "LA of words tagged rightly"),
            ("la_wrong", "LA of words tagged wrongly"),
        )
    ]
    heads = ["%", name_of(there), name_of(here), "lost"]
    return table("What is lost", heads, rows)


def _causes(ported: Ported) -> Html:
    here, there = ported.treebanks
    rows: list[Sequence[object]] = [
        [name_of(f"{parser}: {cause}"), *_cells(each.missed[cause], sign=-1)]
        for parser, each in ported.parsers.items()
        for cause in CAUSES
    ]
    heads = ["cause", name_of(there), name_of(here), "more"]
    return table("Constituents missed, in % of those wanted", heads, rows)


def _tags(ported: Ported) -> Html:
    here, there = ported.treebanks
    first = next(iter(ported.parsers.values()))
    rows: list[Sequence[object]] = []
    for tag, (n, _, m, _) in list(first.tags.items())[:N_TAGS]:
        row: list[object] = [name_of(tag), whole(m), whole(n)]
        for each in ported.parsers.values():
            _, right, _, at_home = each.tags[tag]
            row += [figure(100 * at_home, 1), figure(100 * right, 1)]
        rows.append(row)
    heads: list[object] = ["tag", name_of(f"in {there}"), name_of(f"in {here}")]
    heads += [name_of(f"{parser}, {where}") for parser in ported.parsers for where in (there, here)]
    return table("Words tagged rightly, in %, by the tag they should have", heads, rows)


def _rules(parser: str, of: Portability, here: str, there: str) -> Html:
    rows: list[Sequence[object]] = [
        [
            name_of(rule),
            *(figure(100 * share, 2) for share in reversed(of.shares[rule])),
            *_cells(loss),
        ]
        for rule, loss in list(of.rules.items())[:N_RULES]
    ]
    heads: list[object] = ["rule", *(name_of(f"% of {name}") for name in (there, here))]
    heads += [name_of(f"F, {there}"), name_of(f"F, {here}"), "lost"]
    return table(f"The commonest rules of {here}: {parser}", heads, rows)


def _cells(loss: Loss, *, sign: int = 1) -> list[str]:
    """Write both figures and the difference; with ``sign`` -1 what there is more of here."""
    sides = [figure(100 * value, 2) for value in (loss.there, loss.here)]
    drop = loss.drop
    if isnan(drop.value):
        return [*sides, figure(drop.value)]
    low, high = sorted((sign * drop.low, sign * drop.high))
    value, low_said, high_said = (
        f"{round(100 * each, 2) + 0:.2f}" for each in (sign * drop.value, low, high)
    )
    return [*sides, value if isnan(low) else f"{value} [{low_said}, {high_said}]"]
