"""The verbs for parse trees: ``vermeil.trees``.

A parser is a file of trees, or trees in memory: a list of them, of bracket strings, or documents
that hold them. Parsers are given as a mapping of names, or as files that are called like them.
Trees are aligned by position: the third of each parser is about the third sentence.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.verbs.trees.combining import TreeConsensus, combine
    from vermeil.verbs.trees.comparing import (
        TreebankComparison,
        TreeDiagnoses,
        compare,
        diagnose,
    )
    from vermeil.verbs.trees.porting import TreePortability, portability
    from vermeil.verbs.trees.ranking import RankedTrees, rank
    from vermeil.verbs.trees.reading import read
    from vermeil.verbs.trees.scoring import TreeScoreboard, score
    from vermeil.verbs.trees.showing import ShownTrees, show
    from vermeil.verbs.trees.tagging import LearnedTags, tagger
    from vermeil.verbs.trees.trusting import TreeTrust, trust

__all__ = [
    "LearnedTags",
    "RankedTrees",
    "ShownTrees",
    "TreeConsensus",
    "TreeDiagnoses",
    "TreePortability",
    "TreeScoreboard",
    "TreeTrust",
    "TreebankComparison",
    "combine",
    "compare",
    "diagnose",
    "portability",
    "rank",
    "read",
    "score",
    "show",
    "tagger",
    "trust",
]

__getattr__ = _lazily(__name__)
