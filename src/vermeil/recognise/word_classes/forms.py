"""The forms in which words are known: digits are alike, and so are cases, but for capitals only.

Two kinds of words are learned: tokens, and runs of tokens without white space between them
(``4-hydroxytamoxifen`` as a whole), without the punctuation that the sentence puts around them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.sequences.tokens.axis import TokenAxis, numbered

TOKENS, RUNS = "tokens", "runs"
KINDS = (TOKENS, RUNS)

LONGEST_FORM = 60
"""Characters of the longest word that is learned; what is longer is no word."""

_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_BEFORE, _AFTER = "\"'`", "\"'`.,;:?!"
_ZEROS = str.maketrans("123456789", "0" * 9)


class Placed(NamedTuple):
    """Distinct words, which of them stands at each place, and the first place of each sentence."""

    words: Sequence[str]
    number: Ints
    first: Ints


def forms_of(words: Sequence[str]) -> list[str]:
    """Return the forms of words.

    >>> forms_of(["Aspirin", "DNA", "CYP2D6", "p53", "1,25"])
    ['aspirin', 'DNA', 'CYP0D0', 'p00', '0,00']
    """
    return [
        word.translate(_ZEROS) if word.isupper() else word.lower().translate(_ZEROS)
        for word in words
    ]


@lru_cache(maxsize=1 << 16)
def trimmed(run: str) -> str:
    """Take the sentence's punctuation off a run, and brackets that have no partner in it.

    >>> [trimmed(run) for run in ("(aspirin),", "(+)-MK-801.", "NE(alpha)", "Ca(2+)", "...")]
    ['aspirin', '(+)-MK-801', 'NE(alpha)', 'Ca(2+)', '...']
    """
    bare = run
    while True:
        before = bare
        bare = bare.rstrip(_AFTER).lstrip(_BEFORE)
        for opens, closes in _BRACKETS:
            if bare.startswith(opens) and bare.find(closes) in (-1, len(bare) - 1):
                bare = bare[1:]
            if bare.endswith(closes) and opens not in bare:
                bare = bare[:-1]
        if bare == before:
            return bare or run


def gaps(axis: TokenAxis) -> Flags:
    """Tell before which tokens there is white space, or the beginning of a text."""
    gap = np.ones(len(axis.words), dtype=bool)
    gap[1:] = axis.start[1:] != axis.end[:-1]
    first = axis.first_of_document[:-1]
    gap[first[first < len(gap)]] = True
    return gap


def tokens_of(axis: TokenAxis) -> Placed:
    """Place the tokens of a batch."""
    return Placed(axis.vocabulary.words, axis.vocabulary.number, axis.first_token)


@lru_cache(maxsize=2)
def runs_of(axis: TokenAxis) -> Placed:
    """Place the runs of a batch, trimmed; one over the end of a sentence is of the first.

    The last ones are kept: two stages ask for them.
    """
    gap = gaps(axis)
    begin = np.flatnonzero(gap)
    size = np.diff(np.append(begin, len(gap)))
    words, number = numbered(
        [
            axis.words[first]
            if length == 1
            else trimmed("".join(axis.words[first : first + length]))
            for first, length in zip(begin.tolist(), size.tolist(), strict=True)
        ]
    )
    return Placed(words, number, np.unique(np.searchsorted(begin, axis.first_token)))


PLACED: Mapping[str, Callable[[TokenAxis], Placed]] = {TOKENS: tokens_of, RUNS: runs_of}
"""Where the words of each kind stand."""
