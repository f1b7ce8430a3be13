"""Strings of a lexicon, judged by the company they keep in texts that nobody has annotated.

References say what a paper is about. A name that many papers mention and few are about (``p50``,
a viral protein) has a low support rate, and a support model does not believe it.
Where it stands tells: a logistic model over the vectors of words (``recognise.word_classes``) of
which strings the support model takes for names. Each string is judged by what other strings taught,
all its spellings left out, so what references say of itself does not count twice. A second round
learns from both together.

Company speaks for a string and never against one. It would speak against families (``GATA``, of
which GATA1 is one), and whether these are names is for the user to say (decision 11).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.acquisition.lexicon.normal_form import normal_form
from vermeil.arrays import Flags, Floats, Ints, numbered
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.company_score import logistic
from vermeil.sequences.tokens.alphabet import Hashes, hash_words

WEIGHT = 0.7
"""What company counts for beside the score of the support model; chosen on GE abstracts."""

N_ROUNDS = 2
N_PARTS = 3
CLIP = 6.0
"""No string is surer than this, one way or the other."""

LEAST = 100
"""With fewer strings that are names, or that are none, nothing is learned."""


@dataclass(frozen=True, slots=True, eq=False)
class NameCompany:
    """What company says for strings, weighed log odds above 0, by rising hashes."""

    hashes: Hashes
    scores: Floats

    @classmethod
    def fit(
        cls, strings: Sequence[str], score: Floats, words: LearnedWords, *, threshold: float
    ) -> "NameCompany":
        """Learn from matches: their strings, and the scores that a support model gave them.

        A string whose mean score is above the threshold is an example of a name.
        """
        distinct, of = numbered(strings)
        mean = np.bincount(of, score, len(distinct)) / np.bincount(of, minlength=len(distinct))
        is_name = mean > threshold
        own = np.zeros(len(distinct))
        if LEAST <= is_name.sum() <= len(distinct) - LEAST:
            design, part = _design(distinct, words), _parts(distinct)
            # As many strings are names in every round.
            n_others = len(distinct) - int(is_name.sum())
            for _ in range(N_ROUNDS):
                own = WEIGHT * _cross_fitted(design, is_name, part)
                both = mean + own
                is_name = both >= np.partition(both, n_others)[n_others]
        hashes = hash_words(distinct)
        order = np.argsort(hashes)
        return cls(hashes[order], np.maximum(own[order], 0.0))

    def of(self, strings: Sequence[str]) -> Floats:
        """Return what company says of strings; 0 of those it was never asked about."""
        distinct, which = numbered(strings)
        wanted = hash_words(distinct)
        if not len(self.hashes) or not len(wanted):
            return np.zeros(len(which))
        place = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        told: Floats = np.where(self.hashes[place] == wanted, self.scores[place], 0.0)[which]
        return told


def _design(strings: Sequence[str], words: LearnedWords) -> Floats:
    """Describe strings by the vectors of their last run and of their last token.

    Beside them: whether there are several words, whether all is in small letters, and a one.
    """
    parts = [string.replace("-", " ").split() or [string] for string in strings]
    runs, _ = words.runs.vectors_of([(string.split() or [string])[-1] for string in strings])
    tokens, _ = words.tokens.vectors_of([part[-1] for part in parts])
    several = [len(part) > 1 for part in parts]
    small = [string.islower() for string in strings]
    return np.column_stack(
        (runs, tokens, np.array(several), np.array(small), np.ones(len(strings)))
    ).astype(np.float64)


def _parts(strings: Sequence[str]) -> Ints:
    """Deal strings into parts; all spellings of a name go together."""
    hashes = hash_words([normal_form(string) for string in strings])
    return (hashes % np.uint64(N_PARTS)).astype(np.int64)


def _cross_fitted(design: Floats, is_name: Flags, part: Ints) -> Floats:
    """Judge each part by what the others taught."""
    odds = np.zeros(len(design))
    for number in range(N_PARTS):
        here = part == number
        taught = is_name[~here]
        if here.any() and 0 < taught.sum() < len(taught):
            odds[here] = design[here] @ logistic(design[~here], taught)
    clipped: Floats = odds.clip(-CLIP, CLIP)
    return clipped
