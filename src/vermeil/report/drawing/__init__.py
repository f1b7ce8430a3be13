"""HTML and SVG: elements, shapes, charts."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.report.drawing.charts import Bar, bars, columns, curves, scatter
    from vermeil.report.drawing.elements import Html, Section, element, section, table
    from vermeil.report.drawing.reliability import draw_curves, draw_reliability

__all__ = [
    "Bar",
    "Html",
    "Section",
    "bars",
    "columns",
    "curves",
    "draw_curves",
    "draw_reliability",
    "element",
    "scatter",
    "section",
    "table",
]

__getattr__ = _lazily(__name__)
