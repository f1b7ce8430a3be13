"""Many documents or trees at once, as arrays: spans, characters on one axis, trees, brackets."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.columns.axis import Axis, lay_axis
    from vermeil.columns.span_table import SpanTable
    from vermeil.columns.trees.lineages import Costs, Lineages, leaf_ancestor
    from vermeil.columns.trees.names import TreeNames
    from vermeil.columns.trees.steps import PRESETS, STEPS, prepare
    from vermeil.columns.trees.table import TreeTable

__all__ = [
    "PRESETS",
    "STEPS",
    "Axis",
    "Costs",
    "Lineages",
    "SpanTable",
    "TreeNames",
    "TreeTable",
    "lay_axis",
    "leaf_ancestor",
    "prepare",
]

__getattr__ = _lazily(__name__)
