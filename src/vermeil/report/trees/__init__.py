"""What a page and a terminal say of parsers and their trees."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.report.trees.difference import MarkedBracket, Status, mark
    from vermeil.report.trees.findings import TreeFindings, Trust, find_trees
    from vermeil.report.trees.sections import lone_tree, pair_of_trees, tree_sections
    from vermeil.report.trees.svg import Exhibit, draw
    from vermeil.report.trees.text import OutlineLine, outline, side_by_side

__all__ = [
    "Exhibit",
    "MarkedBracket",
    "OutlineLine",
    "Status",
    "TreeFindings",
    "Trust",
    "draw",
    "find_trees",
    "lone_tree",
    "mark",
    "outline",
    "pair_of_trees",
    "side_by_side",
    "tree_sections",
]

__getattr__ = _lazily(__name__)
