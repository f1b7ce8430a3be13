"""How candidate names look as strings: length, capitals, digits, brackets.

Characters are counted once for each distinct word and summed over the tokens of a candidate. Tokens
hold no white space and cover all else, so what they leave of a string is its white space.
"""

from collections.abc import Sequence

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.alphabet import SEPARATOR, code_points, word_starts
from vermeil.sequences.tokens.axis import TokenAxis


def appearance(candidates: Candidates, axis: TokenAxis) -> dict[str, Floats]:
    """Measure the strings of candidates, one column a measure."""
    words, number = axis.vocabulary.words, axis.vocabulary.number
    counts = _character_counts(words)
    summed = np.zeros((len(number) + 1, counts.shape[1]), dtype=np.int64)
    np.cumsum(counts[number], axis=0, out=summed[1:])
    upper, digits, letters, hyphens, round_, square, inside = (
        summed[candidates.end] - summed[candidates.start]
    ).T
    length = axis.end[candidates.end - 1] - axis.start[candidates.start]
    capital = np.array([word[:1].isupper() for word in words], dtype=bool)
    columns = {
        "tokens": candidates.end - candidates.start,
        "length": length,
        "upper": upper / length,
        "digits": digits / length,
        "spaces": length - inside,
        "capital": capital[number[candidates.start]],
        "no letter": letters == 0,
        "unbalanced": (round_ != 0) | (square != 0),
        "hyphen": hyphens > 0,
    }
    return {name: column.astype(np.float64) for name, column in columns.items()}


def _character_counts(words: Sequence[str]) -> Ints:
    """Count the characters of words by kind, all last; closing brackets take opening ones off."""
    codes = code_points(words)
    distinct, at = np.unique(codes, return_inverse=True)
    kinds = [
        (
            each.isupper(),
            each.isdigit(),
            each.isalpha(),
            each == "-",
            (each == "(") - (each == ")"),
            (each == "[") - (each == "]"),
            each != SEPARATOR,
        )
        for each in map(chr, distinct.tolist())
    ]
    of_codes = np.array(kinds, dtype=np.int64).reshape(-1, 7)[at]
    counts: Ints = np.add.reduceat(of_codes, word_starts(codes)) if len(codes) else of_codes
    return counts
