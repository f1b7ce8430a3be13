"""What people look at: trees as text and as pictures, the report page, and views in a notebook."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.reports.notebook import NotebookView, show
    from vermeil.reports.page import make_page
    from vermeil.reports.spans.findings import SpanFindings, find_spans
    from vermeil.reports.trees.findings import TreeFindings, find_trees

__all__ = [
    "NotebookView",
    "SpanFindings",
    "TreeFindings",
    "find_spans",
    "find_trees",
    "make_page",
    "show",
]

__getattr__ = _lazily(__name__)
