"""Figures 7, 8 and 9 of the acquisition paper for our data, on one page."""

from collections.abc import Sequence
from importlib.resources import files
from math import isnan
from pathlib import Path

from vermeil.acquisition.rounds import Round
from vermeil.formats.files.sink import replacing
from vermeil.reports.drawing.charts import columns, curves
from vermeil.reports.drawing.elements import element

LENGTHS = ("1", "2", "3", "more")


def draw_page(
    path: Path, rounds: Sequence[Round], by_size: Sequence[tuple[float, float]], ours: float
) -> None:
    """Write the page; ``by_size`` has shares of the hand annotation and F1, ``ours`` is F1."""
    pictures = [
        columns(
            "F1 of the tagger in each round of self-training (Figure 7)",
            [str(each.number) for each in rounds],
            {"F1": [each.f1 for each in rounds]},
            x="round",
            y="F1",
        ),
        curves(
            "Hand annotation against none (Figure 8)",
            {
                "linear tagger on gold": by_size,
                **({} if isnan(ours) else {"acquired": [(0.0, ours), (1.0, ours)]}),
            },
            x="share of the hand-annotated documents",
            y="F1",
        ),
    ]
    if rounds:
        last = rounds[-1]
        pictures.append(
            columns(
                "Length of names in tokens (Figure 9)",
                LENGTHS,
                {
                    "annotated": [n / max(1, sum(last.lengths)) for n in last.lengths],
                    "added": [n / max(1, sum(last.added_lengths)) for n in last.added_lengths],
                },
                x="tokens",
                y="share of names",
            )
        )
    style = files("vermeil.reports").joinpath("page.css").read_text(encoding="utf-8")
    # A style sheet is no text to be escaped; this one is ours.
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{style}</style>'
    with replacing(path) as stream:
        stream.write(
            f"{head}<title>Acquisition</title>{element('main', *pictures)}</html>".encode()
        )
