"""Where tokens begin and end in a batch of texts, worked out without a loop over tokens.

In some tokenisers it depends on two neighbouring characters alone whether a token ends between
them. For these (LOCAL) the characters fall into a few classes, which are found by asking the
tokeniser itself when they first come, and a table says which classes stay together. The others are
asked text by text.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints
from vermeil.text.characters import code_points
from vermeil.text.tokens import tokenise

LOCAL = ("fine", "punctuation", "separators", "separators-paper")
"""Tokenisers that look at two characters at a time."""

_N_CODES = 0x110000
_NOT_ASKED = 255
_EXAMPLES = "Aa1- "
"""At least one character of each class of any of LOCAL."""


class TextAxis(NamedTuple):
    """Texts laid end to end, a line break after each, with their tokens.

    Text d begins at ``origin[d]``; its tokens are those from ``first_token[d]`` up to
    ``first_token[d + 1]``. Offsets count code points of the axis.
    """

    codes: NDArray[np.unsignedinteger]
    origin: Ints
    token_start: Ints
    token_end: Ints
    first_token: Ints


def lay_out(texts: Sequence[str], *, tokeniser: str = "fine") -> TextAxis:
    """Lay texts on one axis.

    >>> axis = lay_out(["IL-2Rα", "", "p53."])
    >>> axis.token_start.tolist(), axis.first_token.tolist()
    ([0, 2, 3, 4, 8, 9, 11], [0, 4, 4, 7])
    """
    codes = code_points("\n".join([*texts, ""]))
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int64)
    origin = np.concatenate((np.zeros(1, dtype=np.int64), ends))[: len(texts)]
    if tokeniser in LOCAL:
        start, end = _local_edges(codes, tokeniser)
    else:
        start, end = _asked_edges(texts, origin, tokeniser)
    first_token = np.searchsorted(start, np.concatenate((origin, [len(codes)])))
    return TextAxis(codes, origin, start, end, first_token)


def _local_edges(codes: NDArray[np.unsignedinteger], tokeniser: str) -> tuple[Ints, Ints]:
    classes = _classes(codes, tokeniser)
    together = _joined(tokeniser)[classes[:-1], classes[1:]]
    is_token = classes != _class_of(" ", tokeniser)
    return (
        np.flatnonzero(is_token & np.concatenate(([True], ~together))),
        np.flatnonzero(is_token & np.concatenate((~together, [True]))) + 1,
    )


def _asked_edges(texts: Sequence[str], origin: Ints, tokeniser: str) -> tuple[Ints, Ints]:
    tokens = [
        (first + start, first + end)
        for text, first in zip(texts, origin.tolist(), strict=True)
        for start, end in tokenise(text, by=tokeniser)
    ]
    start, end = np.array(tokens, dtype=np.int64).reshape(-1, 2).T
    return start, end


def _classes(codes: NDArray[np.unsignedinteger], tokeniser: str) -> NDArray[np.uint8]:
    """Find the class of each code point."""
    known = _known_classes(tokeniser)
    classes: NDArray[np.uint8] = known[codes]
    new = classes == _NOT_ASKED
    if new.any():
        comes = np.zeros(_N_CODES, dtype=bool)
        comes[codes[new]] = True
        for code in np.flatnonzero(comes).tolist():
            known[code] = _class_of(chr(code), tokeniser)
        classes = known[codes]
    return classes


@cache
def _known_classes(tokeniser: str) -> NDArray[np.uint8]:
    """Keep the classes of the code points that came so far."""
    assert tokeniser in LOCAL
    return np.full(_N_CODES, _NOT_ASKED, dtype=np.uint8)


@cache
def _joined(tokeniser: str) -> Flags:
    """Find which two classes stay together."""
    is_joined = np.zeros((len(_EXAMPLES), len(_EXAMPLES)), dtype=bool)
    for left in _EXAMPLES:
        for right in _EXAMPLES:
            place = _class_of(left, tokeniser), _class_of(right, tokeniser)
            is_joined[place] = tokenise(left + right, by=tokeniser) == [(0, 2)]
    return is_joined


@cache
def _class_of(character: str, tokeniser: str) -> int:
    """Find the first of _EXAMPLES that keeps the same company."""
    companies = [_company(example, tokeniser) for example in _EXAMPLES]
    return companies.index(_company(character, tokeniser))


@cache
def _company(character: str, tokeniser: str) -> tuple[int, ...]:
    """Count the tokens a character makes alone and beside a letter and a digit."""
    beside = (character, f"{character}A", f"A{character}", f"1{character}")
    return tuple(len(tokenise(text, by=tokeniser)) for text in beside)
