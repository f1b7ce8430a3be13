"""What sequence models say about the tags of a batch of sentences, before it is decoded.

Two kinds: ``ChainPotentials`` of a conditional random field (Lafferty et al. 2001), scores of tags
and of pairs of tags that are normalised over whole sentences; ``LocalPotentials`` of a maximum
entropy Markov model (McCallum et al. 2000), the probability of each tag after each other.

The sentences of a batch lie on one axis of tokens; sentence s has the tokens from
``first_token[s]`` up to ``first_token[s + 1]``. Transitions that the tag set does not allow have no
weight, whatever the model says. A local model then shares the rest out among the tags allowed.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.sequences.tokens.tag_set import TagSet

WIDEST = 300.0
"""Scores this far below the best of their token count as this far below, so that nothing underflows
in the product of a tag and a transition."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainPotentials:
    """Log scores of a CRF: ``unary[token, tag]`` and ``transition[tag before, tag]``."""

    tags: TagSet
    first_token: Ints
    unary: Floats
    transition: Floats

    def with_ends(
        self, start: Floats | None = None, end: Floats | None = None
    ) -> "ChainPotentials":
        """Add log scores for the tags that sentences start and end with."""
        some = np.diff(self.first_token) > 0
        unary = self.unary.copy()
        if start is not None:
            unary[self.first_token[:-1][some]] += start
        if end is not None:
            unary[self.first_token[1:][some] - 1] += end
        return replace(self, unary=unary)

    def first(self, tokens: Ints) -> Floats:
        """Return the log scores [token, tag] of tokens that sentences start with."""
        return np.where(self.tags.allowed_first, self.unary[tokens], -np.inf)

    def edges(self, tokens: Ints) -> Floats:
        """Return the log scores [token, tag before, tag] of further tokens."""
        transition = np.where(self.tags.allowed, self.transition, -np.inf)
        return transition + self.unary[tokens, None, :]


@dataclass(frozen=True, slots=True, eq=False)
class LocalPotentials:
    """Log probabilities of a MEMM: ``log_probability[token, tag before, tag]``.

    After the tags, the second axis has one more row for the start of a sentence. Each row is
    normalised over its last axis; rows that cannot occur are ignored.
    """

    tags: TagSet
    first_token: Ints
    log_probability: Floats

    def first(self, tokens: Ints) -> Floats:
        """Return the log probabilities [token, tag] of tokens that sentences start with."""
        return _logs(self.first_probabilities(tokens))

    def edges(self, tokens: Ints) -> Floats:
        """Return the log probabilities [token, tag before, tag] of further tokens."""
        return _logs(self.probabilities(tokens))

    def first_probabilities(self, tokens: Ints) -> Floats:
        """Return the probabilities [token, tag] of tokens that sentences start with."""
        return _shared_out(self.log_probability[tokens, -1, :], self.tags.allowed_first)

    def probabilities(self, tokens: Ints) -> Floats:
        """Return the probabilities [token, tag before, tag] of further tokens."""
        return _shared_out(self.log_probability[tokens, :-1, :], self.tags.allowed)


Potentials: TypeAlias = ChainPotentials | LocalPotentials


def relative(log_scores: Floats) -> tuple[Floats, Floats]:
    """Express scores as multiples of the best on the first axis, and the logarithm of the best."""
    best = log_scores.max(axis=0)
    return np.exp(np.maximum(log_scores - best, -WIDEST)), best


def _shared_out(log_probability: Floats, allowed: Flags) -> Floats:
    log_probability = np.where(allowed, log_probability, -np.inf)
    log_probability -= log_probability.max(axis=-1, keepdims=True)
    probability = np.exp(log_probability, out=log_probability)
    probability /= probability.sum(axis=-1, keepdims=True)
    return probability


def _logs(probability: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(probability)
