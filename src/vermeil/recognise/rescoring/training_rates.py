"""How often the words and the string of a candidate were names in training.

What a sequence model learned of a word is one weight among many. Rates say how much it had to learn
from, and boundaries are told apart: ``acid`` often ends a name, ``receptor`` often follows one.
"""

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.name_rates import (
    AS_NAMES,
    AS_OTHERS,
    OF_TOKENS,
    UNIT,
    NameRates,
    Tenths,
)
from vermeil.recognise.words.word_facts import WordFacts
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis


def training_rates(
    candidates: Candidates, axis: TokenAxis, known: WordFacts, knowledge: Knowledge
) -> dict[str, Floats]:
    """Measure rates of the words inside and beside candidates, and of their strings."""
    rates = knowledge.rates
    assert rates is not None, "a rescorer that asks for rates has them"
    start, end, label = candidates.start, candidates.end, candidates.label
    number = axis.vocabulary.number
    row = known.row[number]
    name = knowledge.seen.rows_of_spans(known.folded[number], start, end)
    opens, closes = axis.first_token[candidates.sentence], axis.first_token[candidates.sentence + 1]
    before = np.where(start > opens, row[np.maximum(start - 1, 0)], -1)
    after = np.where(end < closes, row[np.minimum(end, len(row) - 1)], -1)
    first, last = row[start], row[end - 1]
    inside, begins, ends, precedes, follows = range(len(OF_TOKENS))

    def of_token(what: int, rows: Ints) -> Floats:
        return _at(rates.tokens[:, what], label, rows)

    def how_often(counts: Tenths, rows: Ints) -> Floats:
        return _at(counts[None], np.zeros(len(rows), dtype=np.int64), rows)

    often_first = how_often(rates.n_tokens, first)
    # A token that is a candidate by itself and never was a name was something else each time.
    alone = (name < 0) & (end - start == 1)
    never = np.log(AS_NAMES) - np.log(np.expm1(often_first) + AS_OTHERS)
    return {
        "training: a name": np.where(alone, never, _at(rates.names, label, name)),
        "training: how often": np.where(alone, often_first, how_often(rates.n_names, name)),
        "training: mean inside": _mean_inside(rates, candidates, row),
        "training: first inside": of_token(inside, first),
        "training: last inside": of_token(inside, last),
        "training: before inside": of_token(inside, before),
        "training: after inside": of_token(inside, after),
        "training: how often first": often_first,
        "training: begins names": of_token(begins, first),
        "training: ends names": of_token(ends, last),
        "training: before names": of_token(precedes, before),
        "training: after names": of_token(follows, after),
    }


def _at(table: Tenths, label: Ints, rows: Ints) -> Floats:
    """Look ``table[label, row]`` up, NaN where there is no row."""
    found = np.full(len(rows), np.nan)
    known = np.flatnonzero(rows >= 0)
    found[known] = table[label[known], rows[known]] / UNIT
    return found


def _mean_inside(rates: NameRates, candidates: Candidates, row: Ints) -> Floats:
    """Take the mean over the tokens of a candidate that were seen in training."""
    means = np.full(len(candidates), np.nan)
    known = row >= 0
    n_known = np.concatenate(([0], np.cumsum(known)))
    for label, of_tokens in enumerate(rates.tokens[:, OF_TOKENS.index("inside")]):
        # Whole numbers add up to the same whatever else is in a batch.
        tenths = np.zeros(len(row), dtype=np.int64)
        tenths[known] = of_tokens[row[known]]
        total = np.concatenate(([0], np.cumsum(tenths)))
        own = np.flatnonzero(candidates.label == label)
        start, end = candidates.start[own], candidates.end[own]
        n = n_known[end] - n_known[start]
        some = own[n > 0]
        means[some] = (total[end] - total[start])[n > 0] / (UNIT * n[n > 0])
    return means
