"""How candidate names look as strings: length, capitals, digits, brackets.

Characters are counted once for each distinct word (see ``WordFacts``) and summed over the tokens
of a candidate. Tokens hold no white space and cover all else, so what they leave of a string is its
white space.
"""

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.recognise.words.word_facts import WordFacts
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis


def appearance(candidates: Candidates, axis: TokenAxis, known: WordFacts) -> dict[str, Floats]:
    """Measure the strings of candidates, one column a measure."""
    number = axis.vocabulary.number
    upper, digits, letters, hyphens, round_, square, inside = (
        _summed(column[number], candidates) for column in known.characters.T
    )
    length = axis.end[candidates.end - 1] - axis.start[candidates.start]
    columns = {
        "tokens": candidates.end - candidates.start,
        "length": length,
        "upper": upper / length,
        "digits": digits / length,
        "spaces": length - inside,
        "capital": known.is_capital[number[candidates.start]],
        "no letter": letters == 0,
        "unbalanced": (round_ != 0) | (square != 0),
        "hyphen": hyphens > 0,
    }
    return {name: column.astype(np.float64) for name, column in columns.items()}


def _summed(counts: Ints, candidates: Candidates) -> Ints:
    """Sum over the tokens of candidates."""
    total = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))
    summed: Ints = total[candidates.end] - total[candidates.start]
    return summed
