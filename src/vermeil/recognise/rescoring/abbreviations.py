"""Short forms in brackets, and what they stand for.

Corbett and Copestake, section 3.6. A candidate in round brackets may be the short form of what
stands before the bracket: it matches if its letters come in order there, the first one at the
beginning of a word.
"""

from collections.abc import Sequence

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.recognise.sequence.candidates import Candidates
from vermeil.recognise.tokens.axis import TokenAxis

WIDEST = 10
"""Tokens to the left of a bracket in which a long form is sought."""


def abbreviations(
    candidates: Candidates, axis: TokenAxis, strings: Sequence[str], logit: Floats, group: Ints
) -> dict[str, Floats]:
    """Tell short forms, what stands before them, and every other use of them.

    Candidates of a ``group`` have the same string; what is known of one is known of all.
    """
    rows = _bracketed(candidates, axis)
    fits, long_form, short_form = (np.full(len(candidates), np.nan) for _ in range(3))
    fits[rows] = [_fits(candidates, axis, strings, row) for row in rows.tolist()]
    long = _surest_ending(candidates, logit, candidates.start[rows] - 1)
    short, long = rows[long >= 0], long[long >= 0]
    long_form[short] = logit[long]
    np.fmax.at(short_form, long, logit[short])
    return {
        "short form fits": _spread(fits, group),
        "long form": _spread(long_form, group),
        "short form": _spread(short_form, group),
        "in brackets": (~np.isnan(fits)).astype(np.float64),
    }


def is_short_for(short: str, words: Sequence[str]) -> bool:
    """Tell whether the letters of a short form come in order, backwards from its last.

    >>> is_short_for("DEX", ("gave", "dexamethasone")), is_short_for("DEX", ("gave", "aspirin"))
    (True, False)
    """
    letters = [letter for letter in short.lower() if letter.isalnum()]
    text = " ".join(words).lower()
    at = len(text)
    for place, letter in enumerate(reversed(letters)):
        at = text.rfind(letter, 0, at)
        while place == len(letters) - 1 and at > 0 and text[at - 1].isalnum():
            at = text.rfind(letter, 0, at)
        if at < 0:
            return False
    return bool(letters)


def _bracketed(candidates: Candidates, axis: TokenAxis) -> Ints:
    """Find the candidates that stand in round brackets."""
    opens, closes = (axis.vocabulary.where(bracket) for bracket in "()")
    before, after = np.append(opens, False), np.append(closes, False)
    # The token before the first is that after the last, which is no bracket.
    return np.flatnonzero(before[candidates.start - 1] & after[candidates.end])


def _fits(candidates: Candidates, axis: TokenAxis, strings: Sequence[str], row: int) -> bool:
    bracket = int(candidates.start[row]) - 1
    first = max(int(axis.first_token[candidates.sentence[row]]), bracket - WIDEST)
    return is_short_for(strings[row], axis.words[first:bracket])


def _surest_ending(candidates: Candidates, logit: Floats, ends: Ints) -> Ints:
    """Find for each place the row of the surest candidate that ends there, the first of equals."""
    order = np.lexsort((-logit, candidates.end))
    at = np.searchsorted(candidates.end[order], ends)
    rows = np.append(order, -1)[at]
    return np.where(candidates.end[rows] == ends, rows, -1)


def _spread(values: Floats, group: Ints) -> Floats:
    """Spread the greatest value of a group over all its members."""
    best = np.full(int(group.max(initial=-1)) + 1, np.nan)
    np.fmax.at(best, group, values)
    spread: Floats = best[group]
    return spread
