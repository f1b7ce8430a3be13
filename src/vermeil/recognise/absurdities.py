"""Candidates that no annotator would mark, by a few rules written by hand.

Corbett and Copestake, section 3.2: names that end in the word "the", and simple violations of the
guidelines, such as enzymes (ASE) with white space in them. Two rules are printed; ours are these,
the first for other function words too, and that a name has a letter or a digit. Function words are
compared as they stand, for ``As`` is arsenic and ``In`` indium.
"""

import numpy as np

from vermeil.arrays import Flags
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis

_FUNCTION_WORDS = """
    an and are as at be by for from had has in is of on or that the to was were which with"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
WITHOUT_SPACE = ("ASE",)
"""Labels whose names hold no white space."""


def are_absurd(candidates: Candidates, axis: TokenAxis) -> Flags:
    """Tell which candidates break a rule."""
    words, number = axis.vocabulary.words, axis.vocabulary.number
    ending = np.array([word in FUNCTION_WORDS for word in words], dtype=bool)
    telling = np.array([any(map(str.isalnum, word)) for word in words], dtype=np.int64)
    n_telling = np.concatenate(([0], np.cumsum(telling[number])))
    length = np.concatenate(([0], np.cumsum(axis.end - axis.start)))
    inside = length[candidates.end] - length[candidates.start]
    spaced = axis.end[candidates.end - 1] - axis.start[candidates.start] > inside
    whole = [code for code, label in enumerate(candidates.labels) if label in WITHOUT_SPACE]
    absurd: Flags = ending[number[candidates.end - 1]]
    absurd = absurd | (n_telling[candidates.end] == n_telling[candidates.start])
    absurd |= spaced & np.isin(candidates.label, whole)
    return absurd
