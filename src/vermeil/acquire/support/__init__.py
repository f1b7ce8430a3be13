"""Which matches of a lexicon are names, learned from references alone."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.acquire.support.counts import SupportRates, WordCounts
    from vermeil.acquire.support.judgement import JudgedMatches, Judgement
    from vermeil.acquire.support.model import SupportModel
    from vermeil.acquire.support.rejudging import Rejudgement, TaggedBatch

__all__ = [
    "JudgedMatches",
    "Judgement",
    "Rejudgement",
    "SupportModel",
    "SupportRates",
    "TaggedBatch",
    "WordCounts",
]

__getattr__ = _lazily(__name__)
