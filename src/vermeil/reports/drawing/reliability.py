"""Confidences as pictures: reliability, precision over recall, and what more documents bring.

Self-contained SVG without fonts or scripts from elsewhere, drawn by hand: two square panels with
axes from 0 to 1. The reliability diagram has a dot for each bin of confidence, its area as large as
the share of predictions in it; on the diagonal a confidence means what it says.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from vermeil.scoring.ranked import Calibration, Ranking
from vermeil.text.xml_text import escape

SIDE = 260
PAD = 14
"""Room between the axes and 0 and 1, so that dots in the corners cover no figures."""

MARGIN = 46 + PAD
GAP = 70 + 2 * PAD
ADVANCE = 7.5
"""Pixels that a character of a wide sans font takes; legends are made so wide."""

COLOURS = ("#0b57d0", "#b3261e", "#146c2e", "#7a4b00", "#6b3fa0", "#00696e", "#5f6368", "#a8005c")
AVERAGE = "average precision"
LARGEST = 14
"""Radius of the dot of a bin that holds all predictions."""

N_POINTS = 200
"""Points a curve is drawn through; it has a step for each confidence."""

FLOORS = (0.0, 0.5, 0.8, 0.9)
"""Where the scale of a learning curve may begin, so that its ticks are round."""

_HEIGHT = SIDE + 2 * MARGIN
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#202124}.title{font-weight:bold}"
    ".axis{fill:none;stroke:#9aa0a6}.grid{stroke:#e8eaed}.even{stroke:#9aa0a6;stroke-dasharray:4 4}"
    ".curve{fill:none;stroke:#0b57d0;stroke-width:1.5;stroke-linejoin:round}"
    ".bin{fill:#0b57d0;fill-opacity:.6;stroke:#0b57d0}.gap{stroke:#b3261e}"
    ".chosen{fill:#b3261e}.middle{text-anchor:middle}.end{text-anchor:end}"
)


def draw_reliability(
    calibration: Calibration, ranking: Ranking, *, threshold: float | None = None
) -> str:
    """Draw both panels; a dot marks the threshold that was chosen."""
    width = 2 * (SIDE + MARGIN) + GAP
    lines = [
        *_reliability_panel(calibration, MARGIN),
        *_curve_panel(ranking, MARGIN + SIDE + GAP, threshold),
    ]
    return _picture(width, "Reliability and precision over recall", lines)


def draw_curves(rankings: Mapping[str, Ranking]) -> str:
    """Draw the curves of several systems into one panel, with their names beside it."""
    figures = {
        name: f"{name} {_figure(ranking.average_precision, 3)}"
        for name, ranking in rankings.items()
    }
    legend = 18 + ADVANCE * max(map(len, [AVERAGE, *figures.values()]))
    width = 2 * MARGIN + SIDE + round(legend)
    lines = _frame(MARGIN, "Precision over recall", "recall", "precision")
    x = MARGIN + SIDE + PAD + 16
    lines.append(_text(x, MARGIN, AVERAGE, "title"))
    for number, (name, ranking) in enumerate(rankings.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = curve_points(ranking)
        if points:
            path = _joined(MARGIN, _stepped(points))
            lines.append(f'<polyline class="curve" style="stroke:{colour}" points="{path}"/>')
        y = MARGIN + 20 + 18 * number
        lines.append(f'<rect x="{x}" y="{y - 9}" width="12" height="9" fill="{colour}"/>')
        lines.append(_text(x + 18, y, figures[name]))
    return _picture(width, "Precision over recall", lines)


def draw_learning(lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw figures over the share of the training documents, from a round figure below all up."""
    known = {
        name: [(share, value) for share, value in points if not np.isnan(value)]
        for name, points in lines.items()
    }
    least = min((value for points in known.values() for _, value in points), default=0.0)
    low = max(floor for floor in FLOORS if floor <= least)
    title = "What more documents bring"
    drawn = _frame(MARGIN, title, "share of the training documents", "", low=low)
    x = MARGIN + SIDE + PAD + 16
    for row, (name, points) in enumerate(known.items()):
        colour = COLOURS[row % len(COLOURS)]
        path = _joined(MARGIN, [(share, (value - low) / (1 - low)) for share, value in points])
        drawn.append(f'<polyline class="curve" style="stroke:{colour}" points="{path}"/>')
        for (share, value), place in zip(points, path.split(), strict=True):
            cx, cy = place.split(",")
            said = escape(f"{name} {_figure(value, 3)} with {share:.1%} of the documents")
            drawn.append(
                f'<circle cx="{cx}" cy="{cy}" r="3" fill="{colour}"><title>{said}</title></circle>'
            )
        y = MARGIN + 20 * row
        drawn.append(f'<rect x="{x}" y="{y - 9}" width="12" height="9" fill="{colour}"/>')
        drawn.append(_text(x + 18, y, name))
    legend = 18 + ADVANCE * max(map(len, lines), default=0)
    return _picture(2 * MARGIN + SIDE + round(legend), title, drawn)


def curve_points(ranking: Ranking) -> list[tuple[float, float]]:
    """Find recall and precision of at most N_POINTS steps, evenly spread over recall."""
    recall, precision = ranking.recall, ranking.precision
    if not len(recall) or np.isnan(recall[-1]):
        return []
    wanted = np.linspace(recall[0], recall[-1], N_POINTS)
    steps = np.unique(np.searchsorted(recall, wanted).clip(0, len(recall) - 1))
    return list(zip(recall[steps].tolist(), precision[steps].tolist(), strict=True))


def _picture(width: int, title: str, lines: Iterable[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" '
            f'width="{width}" height="{_HEIGHT}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{_HEIGHT}" fill="#fff"/>',
            *lines,
            "</svg>\n",
        ]
    )


def _reliability_panel(calibration: Calibration, left: float) -> list[str]:
    error = calibration.expected_error
    lines = _frame(left, "Reliability", "confidence", "share that is right")
    lines.append(_line("even", left, (0, 0), (1, 1)))
    for confidence, share, n, area in calibration.dots:
        x, y = _place(left, confidence, share)
        radius = max(2.0, LARGEST * area**0.5)
        lines.append(_line("gap", left, (confidence, confidence), (confidence, share)))
        lines.append(
            f'<circle class="bin" cx="{x}" cy="{y}" r="{radius:.1f}">'
            f"<title>{n:,} predictions: confidence {confidence:.3f}, right {share:.3f}</title>"
            "</circle>"
        )
    if not np.isnan(error):
        lines.append(_text(left + SIDE, _y(0) - 6, f"expected error {error:.4f}", "end"))
    return lines


def _curve_panel(ranking: Ranking, left: float, threshold: float | None) -> list[str]:
    lines = _frame(left, "Precision over recall", "recall", "precision")
    points = curve_points(ranking)
    if points:
        lines.append(f'<polyline class="curve" points="{_joined(left, _stepped(points))}"/>')
    if threshold is not None:
        counts = ranking.at(threshold)
        if not np.isnan(counts.precision) and not np.isnan(counts.recall):
            x, y = _place(left, counts.recall, counts.precision)
            lines.append(
                f'<circle class="chosen" cx="{x}" cy="{y}" r="5">'
                f"<title>threshold {threshold:.3f}</title></circle>"
            )
            lines.append(_text(left, _y(0) - 22, f"threshold {threshold:.3f}", "chosen"))
    if not np.isnan(ranking.average_precision):
        figure = f"{AVERAGE} {_figure(ranking.average_precision, 4)}"
        lines.append(_text(left, _y(0) - 6, figure))
    return lines


def _frame(left: float, title: str, across: str, up: str, *, low: float = 0.0) -> list[str]:
    """Draw a square with its grid; upwards it shows ``low`` to 1."""
    near, far = left - PAD, SIDE + 2 * PAD
    lines = [_text(near, MARGIN - PAD - 12, title, "title")]
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = left + tick * SIDE, _y(tick)
        lines.append(_line("grid", left, (tick, 0), (tick, 1)))
        lines.append(_line("grid", left, (0, tick), (1, tick)))
        lines.append(_text(x, _y(0) + PAD + 16, f"{tick:.1f}", "middle"))
        lines.append(_text(near - 6, y + 4, f"{low + tick * (1 - low):.{2 if low else 1}f}", "end"))
    lines.append(
        f'<rect class="axis" x="{near:g}" y="{MARGIN - PAD}" width="{far}" height="{far}"/>'
    )
    lines.append(_text(left + SIDE / 2, _y(0) + PAD + 34, across, "middle"))
    x, y = near - 32, MARGIN + SIDE / 2
    lines.append(
        f'<text class="middle" x="{x:g}" y="{y:g}" transform="rotate(-90 {x:g} {y:g})">'
        f"{escape(up)}</text>"
    )
    return lines


def _stepped(points: Sequence[tuple[float, float]]) -> Iterable[tuple[float, float]]:
    """Let each point's precision hold from the recall before it, as average precision does."""
    yield 0.0, points[0][1]
    yield points[0]
    for (before, _), (recall, precision) in pairwise(points):
        yield before, precision
        yield recall, precision


def _joined(left: float, points: Iterable[tuple[float, float]]) -> str:
    return " ".join("{},{}".format(*_place(left, *point)) for point in points)


def _line(name: str, left: float, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = _place(left, *start), _place(left, *end)
    return f'<line class="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _text(x: float, y: float, content: str, name: str = "") -> str:
    kind = f' class="{name}"' if name else ""
    return f'<text{kind} x="{x:g}" y="{y:g}">{escape(content)}</text>'


def _figure(value: float, n_digits: int) -> str:
    return "–" if np.isnan(value) else f"{value:.{n_digits}f}"


def _place(left: float, x: float, y: float) -> tuple[str, str]:
    return f"{left + x * SIDE:.1f}", f"{_y(y):.1f}"


def _y(value: float) -> float:
    return MARGIN + (1 - value) * SIDE
