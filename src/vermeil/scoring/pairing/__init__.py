"""Two layers laid beside each other as columns, and which name stands for which."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.scoring.pairing.extents import Edges, Extents
    from vermeil.scoring.pairing.matching import Matching, closest, match
    from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch
    from vermeil.scoring.pairing.overlap import overlapping, touched

__all__ = [
    "Edges",
    "Extents",
    "Matching",
    "Names",
    "Pieces",
    "ScoringBatch",
    "closest",
    "match",
    "overlapping",
    "touched",
]

__getattr__ = _lazily(__name__)
