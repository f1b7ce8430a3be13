"""Two trees over the same words to counts to numbers: every way to score a parser."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.scoring.trees.closest import Closest, closest_matches
    from vermeil.scoring.trees.constituents import Constituents, compare
    from vermeil.scoring.trees.diagnosis import Diagnosis, Substitution, diagnose
    from vermeil.scoring.trees.differences import Difference
    from vermeil.scoring.trees.productions import ProductionMatches, Productions, Rules, judge
    from vermeil.scoring.trees.scores import Sentences, TreeScores, oracle, score_trees
    from vermeil.scoring.trees.trust import (
        DoubtfulRegion,
        correlation,
        doubtful_regions,
        word_agreement,
    )
    from vermeil.scoring.trees.usage import Failures, Usage, describe, failures

__all__ = [
    "Closest",
    "Constituents",
    "Diagnosis",
    "Difference",
    "DoubtfulRegion",
    "Failures",
    "ProductionMatches",
    "Productions",
    "Rules",
    "Sentences",
    "Substitution",
    "TreeScores",
    "Usage",
    "closest_matches",
    "compare",
    "correlation",
    "describe",
    "diagnose",
    "doubtful_regions",
    "failures",
    "judge",
    "oracle",
    "score_trees",
    "word_agreement",
]

__getattr__ = _lazily(__name__)
