"""Short forms in brackets, and what they stand for.

Corbett and Copestake, section 3.6. A candidate in round brackets may be the short form of what
stands before the bracket: it matches if its letters come in order there, the first one at the
beginning of a word.

Where the match begins, the long form begins. ``long_forms`` compares that with the candidates that
end before the bracket: a short form stands for a name as far as its long form is one. The fit of
two stretches that end at the same place is the harmonic mean of the shares that each covers of the
other.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from vermeil.arrays import Floats, Ints, ranges
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis

WIDEST = 10
"""Tokens to the left of a bracket in which a long form is sought."""

FIT = "long form: fit"
"""The column of the expected fit of a name to the long form."""

NO_NAME = -16.0
"""Stands for the log odds of a long form that is no candidate; those of candidates are above."""


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


def long_forms(
    candidates: Candidates, axis: TokenAxis, strings: Sequence[str], logit: Floats, group: Ints
) -> dict[str, Floats]:
    """Measure how far what a short form stands for is a name, for every use of the short form.

    The probability that a name of its label ends before the bracket; the log odds of the very long
    form; the best and the expected fit of a name there to the long form.
    """
    rows = _bracketed(candidates, axis)
    bracket = candidates.start[rows] - 1
    begin = np.array(
        [_long_form_start(candidates, axis, strings, row) for row in rows.tolist()], dtype=np.int64
    )
    which, name = _ending_at(candidates, bracket)
    alike = candidates.label[name] == candidates.label[rows[which]]
    which, name = which[alike], name[alike]
    before = np.bincount(which, candidates.confidence[name], len(rows))
    known = begin[which] >= 0
    which, name = which[known], name[known]
    length, width = bracket[which] - begin[which], bracket[which] - candidates.start[name]
    fit = candidates.confidence[name] * 2 * np.minimum(length, width) / (length + width)
    expected = np.bincount(which, fit, len(rows))
    best, same = np.zeros(len(rows)), np.full(len(rows), NO_NAME)
    np.maximum.at(best, which, fit)
    whole = length == width
    same[which[whole]] = logit[name[whole]]
    columns = {"name before bracket": before}
    found = {"long form: log odds": same, "long form: best": best, FIT: expected}
    columns |= {title: np.where(begin < 0, np.nan, values) for title, values in found.items()}
    spread = {}
    for title, values in columns.items():
        every = np.full(len(candidates), np.nan)
        every[rows] = values
        spread[title] = _spread(every, group)
    return spread


def is_short_for(short: str, words: Sequence[str]) -> bool:
    """Tell whether the letters of a short form come in order, backwards from its last.

    >>> is_short_for("DEX", ("gave", "dexamethasone")), is_short_for("DEX", ("gave", "aspirin"))
    (True, False)
    """
    return _first_letter(short, " ".join(words)) >= 0


def _first_letter(short: str, text: str) -> int:
    """Find where the first letter of a short form stands, or -1 if its letters are not there."""
    letters = [letter for letter in short.lower() if letter.isalnum()]
    text = text.lower()
    at = len(text) if letters else -1
    for place, letter in enumerate(reversed(letters)):
        at = text.rfind(letter, 0, at)
        while place == len(letters) - 1 and at > 0 and text[at - 1].isalnum():
            at = text.rfind(letter, 0, at)
        if at < 0:
            return -1
    return at


def _bracketed(candidates: Candidates, axis: TokenAxis) -> Ints:
    """Find the candidates that stand in round brackets."""
    opens, closes = (axis.vocabulary.where(bracket) for bracket in "()")
    before, after = np.append(opens, False), np.append(closes, False)
    # The token before the first is that after the last, which is no bracket.
    return np.flatnonzero(before[candidates.start - 1] & after[candidates.end])


def _fits(candidates: Candidates, axis: TokenAxis, strings: Sequence[str], row: int) -> bool:
    return is_short_for(strings[row], axis.words[slice(*_reach(candidates, axis, row))])


def _long_form_start(
    candidates: Candidates, axis: TokenAxis, strings: Sequence[str], row: int
) -> int:
    """Find the token that the long form of a candidate in brackets begins with, or -1."""
    first, bracket = _reach(candidates, axis, row)
    words = [word.lower() for word in axis.words[first:bracket]]
    at = _first_letter(strings[row], " ".join(words))
    ends = accumulate(len(word) + 1 for word in words)
    return first + sum(end <= at for end in ends) if at >= 0 else -1


def _reach(candidates: Candidates, axis: TokenAxis, row: int) -> tuple[int, int]:
    """Return the tokens before the bracket of a candidate in which its long form is sought."""
    bracket = int(candidates.start[row]) - 1
    return max(int(axis.first_token[candidates.sentence[row]]), bracket - WIDEST), bracket


def _ending_at(candidates: Candidates, ends: Ints) -> tuple[Ints, Ints]:
    """Pair the number of each place with the rows of the candidates that end there."""
    order = np.argsort(candidates.end, kind="stable")
    first = np.searchsorted(candidates.end[order], ends)
    beyond = np.searchsorted(candidates.end[order], ends, side="right")
    which, place = ranges(first, beyond)
    return which, order[place]


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
