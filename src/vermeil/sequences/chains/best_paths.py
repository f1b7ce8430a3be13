"""First-best and n-best tag sequences (Viterbi 1967; the n-best form keeps n ways to each tag)."""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.sequences.chains.potentials import Potentials
from vermeil.sequences.chains.steps import Steps


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """The best tag sequences of each sentence of a batch, the best first.

    ``tag[rank, token]`` is the tag of the token, ``score[rank, sentence]`` the log score of the
    whole sequence: its log-probability and ``log_total`` of the lattice. A sentence that has fewer
    sequences has -1 and NaN for those that it lacks.
    """

    tag: Ints
    score: Floats


def best_paths(potentials: Potentials, *, n: int = 1) -> Paths:
    """Find the ``n`` best tag sequences of each sentence.

    Of equals, the best is the one whose tags, read from the end, come first in the tag
    set. A sentence without tokens has one sequence, of score 0.
    """
    first_token, n_tags = potentials.first_token, len(potentials.tags)
    steps = Steps.of(first_token)
    final, came_from = _advance(potentials, steps, n)
    score, state = _best(final, n)
    tag = np.full((n, len(steps.token)), -1)
    states = np.full((len(steps.sentence), n), -1)
    for rows, origin in zip(reversed(list(steps)), reversed(came_from), strict=True):
        width = rows.stop - rows.start
        now = states[:width]
        now[now < 0] = state[:width][now < 0]
        tag[:, steps.token[rows]] = (now % n_tags).T
        states[:width] = np.take_along_axis(origin, now, axis=1)
    score_by_sentence = np.empty((n, len(first_token) - 1))
    score_by_sentence[:, steps.sentence] = score.T
    lacking = np.isneginf(score_by_sentence)
    tag[np.repeat(lacking, np.diff(first_token), axis=1)] = -1
    return Paths(tag, np.where(lacking, np.nan, score_by_sentence))


def _advance(potentials: Potentials, steps: Steps, n: int) -> tuple[Floats, list[Ints]]:
    """Return the scores with which sentences end, and for each step where each state came from.

    A state is a way to a tag: rank × tags + tag. Both arrays have the sentences in rank order.
    """
    n_tags = len(potentials.tags)
    final = np.full((len(steps.sentence), n * n_tags), -np.inf)
    final[:, 0] = 0.0
    came_from: list[Ints] = []
    for rows in steps:
        tokens, width = steps.token[rows], rows.stop - rows.start
        if not came_from:
            final[:width, :n_tags] = potentials.first(tokens)
            came_from.append(np.full((width, n * n_tags), -1))
            continue
        edges = potentials.edges(tokens)
        ways = final[:width].reshape(width, n, 1, n_tags) + edges.transpose(0, 2, 1)[:, None]
        score, origin = _best(ways.transpose(0, 2, 1, 3).reshape(width, n_tags, n * n_tags), n)
        final[:width] = score.transpose(0, 2, 1).reshape(width, -1)
        came_from.append(origin.transpose(0, 2, 1).reshape(width, -1))
    return final, came_from


def _best(scores: Floats, n: int) -> tuple[Floats, Ints]:
    """Find the n highest of the last axis and where they stand; of equals the first."""
    if n == 1:
        place = scores.argmax(axis=-1)[..., None]
    else:
        place = np.argsort(-scores, axis=-1, kind="stable")[..., :n]
    return np.take_along_axis(scores, place, axis=-1), place
