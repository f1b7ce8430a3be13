"""Documents as tokens on one axis, and words as numbers."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.tokens.alphabet import ALPHABET, SpelledWords, hash_words, spell
    from vermeil.recognise.tokens.axis import DistinctWords, TokenAxis, common_axis
    from vermeil.recognise.tokens.stretches import Stretch, batches
    from vermeil.recognise.tokens.tag_set import TagSet

__all__ = [
    "ALPHABET",
    "DistinctWords",
    "SpelledWords",
    "Stretch",
    "TagSet",
    "TokenAxis",
    "batches",
    "common_axis",
    "hash_words",
    "spell",
]

__getattr__ = _lazily(__name__)
