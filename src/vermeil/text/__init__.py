"""From strings to tokens to tags and back: tokens, sentences, tag schemes, alignment of texts.

Nothing here reads files, learns or knows a format.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.text.alignment import Alignment, NonSpace, align
    from vermeil.text.sentences import split_sentences
    from vermeil.text.tags import SCHEMES, Scheme, decode, encode, guess_scheme
    from vermeil.text.tokens import TOKENISERS, tokenise

__all__ = [
    "SCHEMES",
    "TOKENISERS",
    "Alignment",
    "NonSpace",
    "Scheme",
    "align",
    "decode",
    "encode",
    "guess_scheme",
    "split_sentences",
    "tokenise",
]

__getattr__ = _lazily(__name__)
