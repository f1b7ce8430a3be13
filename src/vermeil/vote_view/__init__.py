"""A text with what everybody said of it: hearts, their edges, votes, and a lane an annotator."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.vote_view.drawing import FILES, SCRIPT, STYLE, drawing_file
    from vermeil.vote_view.lanes import Heart, Lane, VoteView, vote_view

__all__ = [
    "FILES",
    "SCRIPT",
    "STYLE",
    "Heart",
    "Lane",
    "VoteView",
    "drawing_file",
    "vote_view",
]

__getattr__ = _lazily(__name__)
