"""The curves of ``benchmarks.curation`` as an SVG that can be read on light and dark pages."""

from collections.abc import Mapping
from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 46, 48
LOW, HIGH, LAST = 0.7, 1.0, 0.5
"""The F at the foot and the head of the picture, and the share of the decisions at its right."""

STYLE = """
text { font: 13px system-ui, "Segoe UI", sans-serif; fill: #1f2328; }
.title { font-size: 15px; font-weight: 600; } .soft { fill: #57606a; }
.grid { stroke: #d0d7de; } .line { fill: none; stroke: #6e7781; stroke-width: 1.8; }
.ours { stroke: #0b57d0; stroke-width: 3.2; }
text.ours { fill: #0b57d0; stroke: none; font-weight: 600; }
.dashed { stroke-dasharray: 5 4; } .wanted { fill: none; stroke: #b3261e; stroke-width: 1.6; }
text.wanted { fill: #b3261e; stroke: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ed; } .soft { fill: #a3adb8; } .grid { stroke: #3a424c; }
  .line { stroke: #9aa4af; } .ours { stroke: #8ab4f8; } text.ours { fill: #8ab4f8; }
  .wanted { stroke: #ff8a80; } text.wanted { fill: #ff8a80; }
}
"""


def picture(
    title: str,
    curves: Mapping[str, Mapping[float, float]],
    *,
    ours: str,
    bound: str,
    wanted: Mapping[float, float],
) -> str:
    """Draw a line a curve, F by the share of the decisions; ``wanted`` are rings.

    The names of curves stand at their right ends, moved apart where they would meet.
    """
    parts = [f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>']
    for step in range(7):
        f = LOW + step * 0.05
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{_x(LAST)}" y1="{_y(f)}" y2="{_y(f)}"/>')
        parts.append(
            f'<text class="soft" text-anchor="end" x="{LEFT - 8}" y="{_y(f) + 4}">{f:.2f}</text>'
        )
    for step in range(6):
        share = step / 10
        parts.append(
            f'<text class="soft" text-anchor="middle" x="{_x(share)}" y="{HEIGHT - BOTTOM + 20}">'
            f"{share:.0%}</text>"
        )
    parts.append(
        f'<text class="soft" text-anchor="middle" x="{_x(LAST / 2)}" y="{HEIGHT - 8}">'
        "of the decisions that would settle everything</text>"
    )
    ends: dict[str, float] = {}
    for name, curve in curves.items():
        points = [(share, f) for share, f in curve.items() if share <= LAST]
        spelt = " ".join(f"{_x(share)},{_y(f)}" for share, f in points)
        kind = "line ours" if name == ours else "line dashed" if name == bound else "line"
        parts.append(f'<polyline class="{kind}" points="{spelt}"/>')
        ends[name] = _y(points[-1][1])
    for share, f in wanted.items():
        parts.append(f'<circle class="wanted" cx="{_x(share)}" cy="{_y(f)}" r="5"/>')
    for name, y in _apart(ends).items():
        kind = ' class="ours"' if name == ours else ""
        parts.append(f'<text{kind} x="{_x(LAST) + 8}" y="{y + 4:.1f}">{escape(name)}</text>')
    x = LEFT + 12
    parts.append(f'<circle class="wanted" cx="{x}" cy="{TOP + 2}" r="5"/>')
    parts.append(f'<text class="wanted" x="{x + 12}" y="{TOP + 6}">what we want</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(title)}">'
    )
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def _apart(ends: Mapping[str, float], least: float = 16.0) -> dict[str, float]:
    """Move names apart, downwards, so that none is written over another."""
    placed: dict[str, float] = {}
    last = float("-inf")
    for name, y in sorted(ends.items(), key=lambda pair: pair[1]):
        last = max(y, last + least)
        placed[name] = last
    return placed


def _x(share: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * share / LAST, 1)


def _y(f: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (f - LOW) / (HIGH - LOW), 1)
