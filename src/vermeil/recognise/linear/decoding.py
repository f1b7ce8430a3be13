"""The tags of sentences from the scores of a linear tagger.

``greedy`` is the paper's way: from left to right, each tag is the best after the tag before.
``viterbi`` finds among the sequences that are well formed (Iobes) the one whose tags fall least
short of the best after the same tag before, in sum; so where the greedy sequence is well formed, it
is the one. The plain sum of scores will not do: tags are told from the rest one by one, what they
score after one tag and after another cannot be compared, and F falls by four points (on GE
abstracts, 200 learned from).
"""

from collections.abc import Callable, Mapping, Sized

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.recognise.linear.iobes import Iobes
from vermeil.sequences.chains.best_paths import best_paths
from vermeil.sequences.chains.potentials import LocalPotentials
from vermeil.sequences.chains.steps import Steps


def greedy(scores: Floats, before: Floats, first_token: Ints, tags: Sized) -> Ints:
    """Choose for each token the best tag after the one before; of equals the first.

    ``scores[token, tag]`` lack the weights for the tag before, ``before[tag before, tag]``, which
    has a last row for the start of a sentence.
    """
    tag = np.zeros(len(scores), dtype=np.int64)
    steps = Steps.of(first_token)
    last = np.full(len(steps.sentence), len(tags))
    for rows in steps:
        tokens = steps.token[rows]
        last = (scores[tokens] + before[last[: len(tokens)]]).argmax(axis=1)
        tag[tokens] = last
    return tag


def viterbi(scores: Floats, before: Floats, first_token: Ints, tags: Iobes) -> Ints:
    """Find the well-formed tags of each sentence whose scores fall least short of the best."""
    if not len(scores):
        return np.zeros(0, dtype=np.int64)
    whole = scores[:, None] + before
    whole -= whole.max(axis=2, keepdims=True)
    lengths = np.diff(first_token)
    whole[first_token[1:][lengths > 0] - 1] += np.where(tags.allowed_last, 0.0, -np.inf)
    best: Ints = best_paths(_Shortfalls(tags, first_token, whole)).tag[0]
    return best


DECODERS: Mapping[str, Callable[[Floats, Floats, Ints, Iobes], Ints]] = {
    "greedy": greedy,
    "viterbi": viterbi,
}


class _Shortfalls(LocalPotentials):
    """Scores less the best after the same tag before, instead of log probabilities."""

    def first(self, tokens: Ints) -> Floats:
        return np.where(self.tags.allowed_first, self.log_probability[tokens, -1], -np.inf)

    def edges(self, tokens: Ints) -> Floats:
        return np.where(self.tags.allowed, self.log_probability[tokens, :-1], -np.inf)
