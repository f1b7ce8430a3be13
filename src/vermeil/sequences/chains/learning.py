"""What both sequence models are: weights of features for tags, learned from tokens with tags."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Self, TypeAlias

import numpy as np

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.models.model_files import Arrays, widened
from vermeil.models.schema import FINITE, ArraySpec, checked
from vermeil.sequences.chains.descent import Watch, descend
from vermeil.sequences.features.matrix import FeatureMatrix, PlacedWeights
from vermeil.sequences.features.rows import FEATURE_BITS, Encoded
from vermeil.sequences.tokens.tag_set import TagSet

LEAST_WEIGHT = 0.0105
"""Features without a weight so large are not stored."""

TagLoss: TypeAlias = Callable[[Floats, Floats], tuple[float, AnyArray, AnyArray]]
"""Tells of weights and transitions their loss, and its slope along each of both."""


@dataclass(frozen=True, eq=False)
class TagWeights:
    """``weights[…, k, tag]`` for the feature ``features[k]`` (these rise).

    ``transition[tag before, tag]`` weighs pairs of tags.
    """

    tags: TagSet
    features: Ints
    weights: Floats
    transition: Floats

    @cached_property
    def placed(self) -> PlacedWeights:
        """The weights as they are looked up; those of blocks side by side."""
        flat = self.weights.reshape(-1, *self.weights.shape[-2:])
        by_feature = np.moveaxis(flat, 0, 1).reshape(len(self.features), -1)
        return PlacedWeights.of(self.features, by_feature)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save; weights too small to matter are left out."""
        largest = np.abs(self.weights).max(axis=-1)
        kept = largest.reshape(-1, len(self.features)).max(axis=0) >= LEAST_WEIGHT
        return {
            "features": self.features[kept].astype(np.uint32),
            "weights": self.weights[..., kept, :].astype(np.float16),
            "transition": self.transition,
        }

    @classmethod
    def from_arrays(cls, tags: TagSet, arrays: Arrays) -> Self:
        """Make the model again that gave these arrays."""
        n_before, blocks = cls.shapes(len(tags))
        schema = {
            "features": ArraySpec("whole", least=0, most=(1 << FEATURE_BITS) - 1, rises=True),
            "weights": ArraySpec("number", (*blocks, "n", len(tags)), least=-FINITE, most=FINITE),
            "transition": ArraySpec("number", (n_before, len(tags)), least=-FINITE, most=FINITE),
        }
        return cls(tags, *widened(checked(arrays, schema), *schema))

    @classmethod
    def shapes(cls, n_tags: int) -> tuple[int, tuple[int, ...]]:
        """Return how many tags may stand before one, and the blocks of weights."""
        return n_tags, ()


@dataclass(frozen=True, slots=True, eq=False)
class TaggedTokens:
    """Tokens with their features and the tags that they are to have, sentence by sentence."""

    encoded: Encoded
    tag: Ints
    first_token: Ints
    tags: TagSet


@dataclass(frozen=True, slots=True)
class Learning:
    """How weights are learned.

    ``penalty`` is the weight of half the squared weights in the objective (c2 of crfsuite is half
    of it). Features seen fewer than ``min_count`` times are left out. Of the others a share may be
    ``kept``, those with the highest log-likelihood ratio (see ``features.matrix``).
    """

    n_rounds: int
    penalty: float = 4.0
    min_count: int = 2
    kept: float = 1.0

    def matrix(self, tokens: TaggedTokens) -> FeatureMatrix:
        """Lay out the features of tokens that are worth a weight."""
        n_tags = len(tokens.tags)
        return FeatureMatrix.of(
            tokens.encoded, tokens.tag, n_tags, min_count=self.min_count, kept=self.kept
        )

    def least(
        self,
        loss: TagLoss,
        weights: tuple[int, ...],
        transition: tuple[int, ...],
        watch: Watch | None = None,
    ) -> tuple[Floats, Floats]:
        """Find the weights and transitions, of these shapes, whose loss and penalty are least."""
        n_weights = prod(weights)

        def parted(parameters: Floats) -> tuple[Floats, Floats]:
            one, other = np.split(parameters, [n_weights])
            return one.reshape(weights), other.reshape(transition)

        def penalised(parameters: Floats) -> tuple[float, Floats]:
            value, *slopes = loss(*parted(parameters))
            gradient = np.concatenate([slope.ravel() for slope in slopes])
            squares = float(parameters @ parameters)
            return value + self.penalty * squares / 2, gradient + self.penalty * parameters

        n_parameters = n_weights + prod(transition)
        return parted(descend(penalised, n_parameters, self.n_rounds, watch))
