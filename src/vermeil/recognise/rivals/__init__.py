"""Simpler recognisers that the cascade is compared with."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.rivals.dictionary import DictionaryTagger
    from vermeil.recognise.rivals.markov import MarkovTagger
    from vermeil.recognise.rivals.plain_crf import PlainCrf

__all__ = [
    "DictionaryTagger",
    "MarkovTagger",
    "PlainCrf",
]

__getattr__ = _lazily(__name__)
