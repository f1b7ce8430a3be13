"""How far annotators agree, on a page: a map of a few, a list of the pairs of many."""

from math import nan

from vermeil.reports.drawing.elements import (
    Html,
    Section,
    element,
    figure,
    finding,
    name_of,
    section,
    table,
    whole,
)
from vermeil.reports.drawing.heat_map import heat_map
from vermeil.scoring.agreement import Agreement, Pair

AGREEMENTS = {
    "exact": "Agreement: F1, same boundaries and label",
    "hearts": "Agreement: F1 over hearts, wherever the name is cut",
    "kappa": "Agreement: Cohen's kappa over character pairs",
}

MOST_ON_MAP = 40
"""Annotators whose pairs are drawn as squares; of more, the pairs that agree least are listed."""

N_PAIRS = 200
"""Pairs that are listed."""


def agreement_map(found: Agreement, kind: str) -> Html:
    """Draw how far annotators agree, pair by pair; a square leads to where the two differ.

    Pairs of hundreds are listed instead, once.
    """
    names = found.annotators
    if len(names) > MOST_ON_MAP:
        return _least_agreeing(found) if kind == "exact" else element("span")
    pairs = {(pair.first, pair.second): pair for pair in found.pairs}
    pairs |= {(pair.second, pair.first): pair for pair in found.pairs}
    values = [[_pair_figure(pairs.get((a, b)), kind) for b in names] for a in names]
    links = [[finding("differ", a, "", b) if a != b else "" for b in names] for a in names]
    return heat_map(AGREEMENTS[kind], names, names, values, links=links)


def _least_agreeing(found: Agreement) -> Html:
    pairs = found.least()
    rows = [
        [
            name_of(pair.first),
            name_of(pair.second),
            element(
                "a", whole(pair.n_documents), href=finding("differ", pair.first, "", pair.second)
            ),
            figure(pair.exact.f1),
            figure(pair.hearts.f1),
            figure(pair.kappa),
        ]
        for pair in pairs[:N_PAIRS]
    ]
    title = f"Pairs that agree least, of {len(pairs):,} that met"
    heads = ["annotator", "and", "texts of both", "exact F", "F over hearts", "kappa"]
    return element("details", element("summary", title), table(title, heads, rows, id="pairs"))


def agreement_section(found: Agreement) -> Section:
    """Show how far annotators agree beyond exact matches."""
    return section(
        "agreement",
        "Agreement",
        element(
            "p",
            f"All together: F1 of all pairs {figure(found.exact)}, Fleiss' kappa "
            f"{figure(found.fleiss)}, Krippendorff's alpha {figure(found.alpha)}. "
            + (
                "A square leads to where the two differ."
                if len(found.annotators) <= MOST_ON_MAP
                else "The pairs that agree least are listed in the summary."
            ),
        ),
        element(
            "div",
            *(agreement_map(found, kind) for kind in ("hearts", "kappa")),
            class_="pictures",
        ),
    )


def _pair_figure(pair: Pair | None, kind: str) -> float:
    if pair is None:
        return nan
    return pair.kappa if kind == "kappa" else float(getattr(pair, kind).f1)
