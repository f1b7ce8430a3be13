"""Candidates judged again, with the rest of their document in view."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.rescoring.boosted_trees import BoostedTrees
    from vermeil.recognise.rescoring.features import DescribedCandidates, describe
    from vermeil.recognise.rescoring.leaf_masks import LeafMasks, TreeNodes
    from vermeil.recognise.rescoring.stepped_logistic import SteppedLogistic

__all__ = [
    "BoostedTrees",
    "DescribedCandidates",
    "LeafMasks",
    "SteppedLogistic",
    "TreeNodes",
    "describe",
]

__getattr__ = _lazily(__name__)
