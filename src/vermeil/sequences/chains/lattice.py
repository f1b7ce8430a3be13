"""The lattice: how probable each tag is, and that a name goes on, over all tag sequences at once.

Section 3.5 of Corbett and Copestake, "Cascaded Classifiers for Confidence-Based Chemical Named
Entity Recognition", after Culotta and McCallum (2004). Given its sentence, a chain of tags is a
Markov chain: the probability of a name is that of its first tag, times the probability that it goes
on at each further token, times the probability that it does not go on after the last. The lattice
keeps those factors, which ``vermeil.sequences.chains.candidates`` multiplies.

They are exact: forward and backward sums over a batch, scaled at each step. A local model needs no
backward sums, since its probabilities look forward only.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.sequences.chains.pieces import SentencePieces
from vermeil.sequences.chains.potentials import (
    ChainPotentials,
    LocalPotentials,
    Potentials,
    relative,
)
from vermeil.sequences.chains.steps import Steps
from vermeil.sequences.chains.sums import backward_sums, forward_sums, mixed, total
from vermeil.sequences.tokens.tag_set import TagSet


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Probabilities of the tags of a batch of sentences.

    ``marginal[token, tag]`` sums to 1 over tags. ``goes_on[token, 0, label]`` is the probability
    that a name of the label that begins just before the token covers the token too;
    ``goes_on[token, 1, label]`` the same for a name that began earlier. Both are 0 at the start of
    a sentence, and there is one more row of zeros at the end. ``log_total`` is, by sentence, the
    logarithm of the sum of all sequences' scores: the score of a sequence less this is the
    logarithm of its probability.
    """

    tags: TagSet
    first_token: Ints
    marginal: Floats
    goes_on: Floats
    log_total: Floats

    @property
    def starts(self) -> Floats:
        """The probability that a name of a label (column) starts at a token (row)."""
        starts: Floats = self.marginal[:, self.tags.begin]
        return starts


def lattice_of(potentials: Potentials) -> Lattice:
    """Sum over all tag sequences of a batch; linear in tokens, quadratic in tags."""
    if isinstance(potentials, LocalPotentials):
        return _local_lattice(potentials)
    return _chain_lattice(potentials)


def _chain_lattice(potentials: ChainPotentials) -> Lattice:
    tags = potentials.tags
    transition, best_transition = relative(potentials.transition.reshape(-1))
    transition = transition.reshape(len(tags), len(tags)) * tags.allowed
    pieces = SentencePieces.of(potentials, transition)
    steps = Steps.of(pieces.first_token)
    emission, best = relative(steps.in_rows(potentials.unary))
    forward, scale = forward_sums(steps, emission, transition, pieces.entering)
    backward = backward_sums(steps, emission, transition, pieces.beyond)
    marginal = forward * backward
    marginal /= total(marginal)
    goes_on = _goes_on(tags, emission * backward, transition)
    log_scale = steps.in_tokens(np.log(scale) + best)
    log_total = _by_sentence(log_scale, potentials.first_token)
    log_total += best_transition * np.maximum(np.diff(potentials.first_token) - 1, 0)
    return _assembled(potentials, steps, marginal, goes_on, log_total)


def _local_lattice(potentials: LocalPotentials) -> Lattice:
    tags = potentials.tags
    steps = Steps.of(potentials.first_token)
    marginal = np.empty((len(tags), len(steps.token)))
    goes_on = np.zeros((2, len(tags.labels), len(steps.token)))
    for rows in list(steps)[:1]:
        marginal[:, rows] = potentials.first_probabilities(steps.token[rows]).T
    for before, rows in steps.pairs():
        edge = np.moveaxis(potentials.probabilities(steps.token[rows]), 0, -1)
        marginal[:, rows] = mixed(marginal[:, before], edge)
        goes_on[0, :, rows] = edge[tags.begin, tags.inner]
        goes_on[1, :, rows] = edge[tags.inner, tags.inner]
    marginal /= total(marginal)  # rounding must not take a probability above 1
    log_total = np.zeros(len(potentials.first_token) - 1)
    return _assembled(potentials, steps, marginal, goes_on, log_total)


def _goes_on(tags: TagSet, onward: Floats, transition: Floats) -> Floats:
    """Share what follows a tag of a name between going on and all else, for each row."""
    shares = np.empty((2, len(tags.labels), onward.shape[1]))
    for place, before in enumerate((tags.begin, tags.inner)):
        every = mixed(onward, transition[before].T[:, :, None])
        shares[place] = transition[before, tags.inner][:, None] * onward[tags.inner] / every
    return np.minimum(shares, 1.0, out=shares)


def _assembled(
    potentials: Potentials, steps: Steps, marginal: Floats, goes_on: Floats, log_total: Floats
) -> Lattice:
    by_token = steps.in_tokens(goes_on)
    closed = np.concatenate((by_token, np.zeros((1, *by_token.shape[1:]))))
    closed[potentials.first_token] = 0.0
    return Lattice(
        potentials.tags, potentials.first_token, steps.in_tokens(marginal), closed, log_total
    )


def _by_sentence(values: Floats, first_token: Ints) -> Floats:
    some = np.diff(first_token) > 0
    total = np.zeros(len(first_token) - 1)
    if some.any():
        total[some] = np.add.reduceat(values, first_token[:-1][some])
    return total
