"""The figures of the acquisition paper as a page: rounds, lengths, and what annotation is worth."""

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from vermeil.reports.drawing.charts import columns, curves
from vermeil.reports.drawing.elements import Html, Section, section
from vermeil.reports.page import plain_page

if TYPE_CHECKING:
    from vermeil.acquisition.manual_curve import ManualCurve
    from vermeil.acquisition.rounds import Lengths, Round

LENGTHS = ("1", "2", "3", "4 or more")


def rounds_page(rounds: "Sequence[Round]") -> str:
    """Draw Figures 7 and 9: F1 after each round, and how long names are."""
    return plain_page("Self-training", rounds_sections(rounds))


def rounds_sections(rounds: "Sequence[Round]") -> list[Section]:
    """Make the section of Figure 7, where anything was scored, and that of Figure 9."""
    made = []
    if not all(isnan(each.f1) for each in rounds):
        made.append(section("rounds", "F1 after each round (Figure 7)", _by_round(rounds)))
    if rounds:
        drawn = _by_length(rounds[-1].lengths, rounds[-1].added_lengths)
        made.append(section("lengths", "Lengths of names (Figure 9)", drawn))
    return made


def worth_page(worth: "ManualCurve") -> str:
    """Draw Figure 8: hand annotation against an acquired recogniser."""
    manual = [(each.n_documents / worth.n_documents, each.f1) for each in worth.pieces]
    drawn = curves(
        "Hand annotation against none",
        {"trained on gold": manual, worth.name: [(0.0, worth.f1), (1.0, worth.f1)]},
        x="share of the hand-annotated documents",
        y="F1",
    )
    return plain_page("What it is worth", [section("worth", "Manual annotation (Figure 8)", drawn)])


def _by_round(rounds: "Sequence[Round]") -> Html:
    return columns(
        "F1 of the tagger trained on the data of each round",
        [str(each.number) for each in rounds],
        {"F1": [each.f1 for each in rounds]},
        x="round",
        y="F1",
    )


def _by_length(annotated: "Lengths", added: "Lengths") -> Html:
    return columns(
        "Length of names in words",
        LENGTHS,
        {
            name: [n / max(1, sum(own)) for n in own]
            for name, own in (("annotated", annotated), ("added", added))
        },
        x="words",
        y="share of names",
    )
