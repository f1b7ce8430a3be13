"""Recognisers that say how sure they are: the cascade, its stages and its rivals."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.cascade import Cascade
    from vermeil.recognise.committee import Committee
    from vermeil.recognise.judging.cross_validation import Validation, cross_validate, trainer
    from vermeil.recognise.judging.explanation import (
        Explanation,
        Opinions,
        explain,
        explain_members,
    )
    from vermeil.recognise.judging.tuning import Choice, Trial, choose, try_out
    from vermeil.recognise.linear.options import LinearOptions
    from vermeil.recognise.linear.tagger import LinearTagger
    from vermeil.recognise.placed_names import Finder, PlacedNames
    from vermeil.recognise.recipe import Recipe
    from vermeil.recognise.recogniser import RECOGNISERS, Kind, Recogniser, load, save
    from vermeil.recognise.rivals.dictionary import DictionaryTagger
    from vermeil.recognise.rivals.markov import MarkovTagger
    from vermeil.recognise.rivals.plain_crf import PlainCrf
    from vermeil.recognise.tagging import tag
    from vermeil.recognise.words.knowledge import Resources

__all__ = [
    "RECOGNISERS",
    "Cascade",
    "Choice",
    "Committee",
    "DictionaryTagger",
    "Explanation",
    "Finder",
    "Kind",
    "LinearOptions",
    "LinearTagger",
    "MarkovTagger",
    "Opinions",
    "PlacedNames",
    "PlainCrf",
    "Recipe",
    "Recogniser",
    "Resources",
    "Trial",
    "Validation",
    "choose",
    "cross_validate",
    "explain",
    "explain_members",
    "load",
    "save",
    "tag",
    "trainer",
    "try_out",
]

__getattr__ = _lazily(__name__)
