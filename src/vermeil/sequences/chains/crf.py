"""A linear-chain conditional random field over hashed features, trained by L-BFGS.

Lafferty, McCallum and Pereira 2001. A tag scores the sum of its weights for the features of its
token and a weight for the tag before it. Rows of features are scored once (see ``features.rows``),
the sums over tag sequences are those of ``sums``, so that one round over 200,000 tokens takes a
fraction of a second.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.sequences.chains.descent import Watch
from vermeil.sequences.chains.learning import Learning, TaggedTokens, TagWeights
from vermeil.sequences.chains.potentials import ChainPotentials, relative
from vermeil.sequences.chains.steps import Steps
from vermeil.sequences.chains.sums import backward_sums, forward_sums
from vermeil.sequences.features.matrix import token_scores
from vermeil.sequences.features.rows import Encoded, TokenViews
from vermeil.sequences.tokens.tag_set import TagSet


@dataclass(frozen=True, eq=False)
class Crf(TagWeights):
    """Weights: ``weights[k, tag]`` for the feature ``features[k]``."""

    usual: ClassVar = Learning(n_rounds=60)

    @classmethod
    def fit(
        cls, tokens: TaggedTokens, how: Learning = usual, *, watch: Watch | None = None
    ) -> "Crf":
        """Learn weights that make the tags given most likely, less a penalty for large weights."""
        tags, tag = tokens.tags, tokens.tag
        n_tags, token = len(tags), np.arange(len(tag))
        matrix = how.matrix(tokens)
        steps = Steps.of(tokens.first_token)
        wanted = np.zeros((len(tag), n_tags), dtype=np.float32)
        wanted[token, tag] = 1
        inner = np.ones(len(tag), dtype=bool)
        inner[tokens.first_token[:-1]] = False
        seen = np.zeros((n_tags, n_tags))
        np.add.at(seen, (tag[np.flatnonzero(inner) - 1], tag[inner]), 1)

        def loss(weights: Floats, transition: Floats) -> tuple[float, AnyArray, AnyArray]:
            unary = matrix.scores(weights.astype(np.float32))
            log_total, marginal, pairs = sum_of_sequences(steps, unary, transition, tags)
            score = unary[token, tag].sum() + (seen * transition).sum()
            error = (marginal - wanted).astype(np.float32)
            return float(log_total - score), matrix.gradient(error), pairs - seen

        shape = len(matrix.features), n_tags
        return cls(tags, matrix.features, *how.least(loss, shape, seen.shape, watch))

    def potentials(self, encoded: Encoded | TokenViews, first_token: Ints) -> ChainPotentials:
        """Score the tags of tokens."""
        unary = token_scores(encoded, self.placed)
        return ChainPotentials(self.tags, first_token, unary, self.transition)


def sum_of_sequences(
    steps: Steps, unary: Floats, transition: Floats, tags: TagSet
) -> tuple[float, Floats, Floats]:
    """Sum over all sequences: the log of the sum, tag probabilities, and expected pairs of tags."""
    emission, best = relative(steps.in_rows(unary))
    edge = np.exp(transition) * tags.allowed
    forward, scale = forward_sums(steps, emission, edge, tags.allowed_first[:, None])
    backward = backward_sums(steps, emission, edge)
    marginal = forward * backward
    marginal /= marginal.sum(axis=0)
    onward = emission * backward
    pairs = np.zeros_like(edge)
    for before, rows in steps.pairs():
        both = forward[:, before], onward[:, rows]
        total = ((edge.T @ both[0]) * both[1]).sum(axis=0)
        pairs += (both[0] / total) @ both[1].T
    log_total = float((np.log(scale) + best).sum())
    return log_total, steps.in_tokens(marginal), pairs * edge
