"""The features of tokens, hashed."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.features.described_words import DescribedWords
    from vermeil.recognise.features.hashed_rows import HashedRows
    from vermeil.recognise.features.matrix import FeatureMatrix
    from vermeil.recognise.features.rows import (
        FAMILIES,
        Encoded,
        FeatureRows,
        TokenView,
        TokenViews,
        encode,
        view_tokens,
    )

__all__ = [
    "FAMILIES",
    "DescribedWords",
    "Encoded",
    "FeatureMatrix",
    "FeatureRows",
    "HashedRows",
    "TokenView",
    "TokenViews",
    "encode",
    "view_tokens",
]

__getattr__ = _lazily(__name__)
