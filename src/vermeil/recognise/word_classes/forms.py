"""The forms in which words are known: digits are alike, and so are cases, but for capitals only.

Two kinds of words are learned: tokens, and runs of tokens without white space between them
(``4-hydroxytamoxifen`` as a whole), without the punctuation that the sentence puts around them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vermeil.arrays import Flags, Ints, distinct, numbered, numbered_codes
from vermeil.sequences.tokens.axis import TokenAxis

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
    folded = [word if word.isupper() else word.lower() for word in words]
    return [form if form.isalpha() else form.translate(_ZEROS) for form in folded]


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


class Chunks(NamedTuple):
    """Distinct runs with their punctuation, which each run is, and its first token."""

    words: Sequence[str]
    number: Ints
    first: Ints


@lru_cache(maxsize=2)
def chunks_of(axis: TokenAxis) -> Chunks:
    """List the runs of a batch as they stand. The last ones are kept: several stages ask."""
    first = np.flatnonzero(gaps(axis))
    ends = np.append(first, len(axis.words))[1:]
    words, vocabulary = axis.words, axis.vocabulary
    # Most runs are a token, and tokens are numbered already.
    number = vocabulary.number[first]
    several = np.flatnonzero(ends - first > 1)
    pairs = zip(first[several].tolist(), ends[several].tolist(), strict=True)
    longer, of_longer = numbered(["".join(words[begin:end]) for begin, end in pairs])
    number[several] = len(vocabulary.words) + of_longer
    every, place = numbered((*vocabulary.words, *longer))
    chunks, number = _as_they_come(place[number], len(every))
    return Chunks([every[chunk] for chunk in chunks.tolist()], number, first)


def _as_they_come(numbers: Ints, n: int) -> tuple[Ints, Ints]:
    """List the distinct ones of numbers below ``n`` as they first come; which is each?"""
    first = np.full(n, len(numbers))
    np.minimum.at(first, numbers, np.arange(len(numbers)))
    come = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(numbers))]
    place = np.empty(n, dtype=np.int64)
    place[come] = np.arange(len(come))
    return come, place[numbers]


@lru_cache(maxsize=2)
def runs_of(axis: TokenAxis) -> Placed:
    """Place the runs of a batch, trimmed; one over the end of a sentence is of the first.

    A token that is a run by itself stays as it is. The last ones are kept: two stages ask for them.
    """
    chunks, of_chunk, first = chunks_of(axis)
    is_token = np.diff(np.append(first, len(axis.words))) == 1
    forms, of_run = numbered_codes(of_chunk * 2 + is_token, 2 * len(chunks))
    words, number = numbered(
        [chunks[form // 2] if form % 2 else trimmed(chunks[form // 2]) for form in forms.tolist()]
    )
    return Placed(words, number[of_run], distinct(np.searchsorted(first, axis.first_token)))


PLACED: Mapping[str, Callable[[TokenAxis], Placed]] = {TOKENS: tokens_of, RUNS: runs_of}
"""Where the words of each kind stand."""
