"""Sequence models, the lattice of what they say, and the candidate names in it."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.sequence.best_paths import Paths
    from vermeil.recognise.sequence.candidates import (
        THRESHOLD,
        Candidates,
        blocked_by,
        find_candidates,
        without_overlaps,
    )
    from vermeil.recognise.sequence.crf import Crf
    from vermeil.recognise.sequence.lattice import Lattice, lattice_of
    from vermeil.recognise.sequence.learning import Learning, TaggedTokens, TagWeights
    from vermeil.recognise.sequence.memm import Memm
    from vermeil.recognise.sequence.potentials import ChainPotentials, LocalPotentials, Potentials
    from vermeil.recognise.sequence.steps import Steps

__all__ = [
    "THRESHOLD",
    "Candidates",
    "ChainPotentials",
    "Crf",
    "Lattice",
    "Learning",
    "LocalPotentials",
    "Memm",
    "Paths",
    "Potentials",
    "Steps",
    "TagWeights",
    "TaggedTokens",
    "blocked_by",
    "find_candidates",
    "lattice_of",
    "without_overlaps",
]

__getattr__ = _lazily(__name__)
