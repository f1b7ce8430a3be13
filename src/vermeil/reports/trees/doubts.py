"""Where to look first: the stretches of sentences on which parsers agree least."""

from vermeil.consensus.trees.doubt import BELOW, DoubtfulWords
from vermeil.reports.drawing.elements import Html, Section, element, figure, joined, section
from vermeil.reports.trees.findings import Trust

N_STRETCHES = 15
N_BESIDE = 60
"""Characters that are shown before and after a stretch."""


def doubts_section(trust: Trust) -> Section:
    """List the most doubtful stretches of the combined trees."""
    n = len(trust.doubtful)
    shown = f", of which {N_STRETCHES} are shown" if n > N_STRETCHES else ""
    order = f", the least agreed first{shown}" if n else ""
    said = (
        f"{f'{n:,}' if n else 'No'} stretches of words on which parsers agree less than "
        f"{figure(BELOW, 2)} (the mean leaf-ancestor score of the combined tree against theirs)"
        f"{order}. vermeil trees trust ranks all sentences; with --names it lists the names that "
        "lie in such stretches."
    )
    told = [
        element(
            "li",
            f"Sentence {each.sentence}, agreement {figure(each.agreement, 2)}: ",
            _in_its_sentence(each),
        )
        for each in trust.doubtful[:N_STRETCHES]
    ]
    return section(
        "doubts",
        "Where parsers do not agree",
        element("p", said, class_="note"),
        element("ul", *told) if told else joined(""),
    )


def _in_its_sentence(each: DoubtfulWords) -> Html:
    before, after = each.before, each.after
    if len(before) > N_BESIDE:
        before = "…" + before[-N_BESIDE:]
    if len(after) > N_BESIDE:
        after = after[:N_BESIDE] + "…"
    return joined(f"{before} " if before else "", element("mark", each.words), f" {after}")
