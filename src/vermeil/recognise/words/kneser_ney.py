"""Character n-grams with modified Kneser-Ney smoothing.

Chen and Goodman, "An empirical study of smoothing techniques for language modeling" (1998), as
section 3.4 of "Cascaded Classifiers" uses it. With h' for a history h without its first symbol,

    p(w|h) = (c(hw) - D(c(hw))) / c(h·) + γ(h) p(w|h'),    γ(h) = Σ_w D(c(hw)) / c(h·)

where D is D1, D2 or D3+ by the count, estimated at each order from how many n-grams occur once to
four times. Counts are occurrences at the highest order and numbers of distinct symbols before the
n-gram at lower ones. Below single symbols all symbols but the padding are equally likely.

Where the textbook is silent: an n-gram that begins with padding keeps its occurrences at every
order, since only padding can stand before it (as SRILM and KenLM do); where the counts of counts
give no usable discount, as they seldom do for single symbols, it is 0.5, 1 or 1.5 (as KenLM's).

An n-gram is an integer, six bits a symbol, the last symbol lowest. The sorted n-grams of an order
stand beside their log-probabilities and those of their histories' γ, so that one search finds both.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.models.model_files import Arrays, Header, widened
from vermeil.models.schema import ArraySpec, checked, told
from vermeil.sequences.tokens.alphabet import ALPHABET, BITS, PADDING, SpelledWords, spell

ORDER = 4
MAX_ORDER = 10
"""Ten symbols of six bits are what an integer holds."""

USUAL_DISCOUNTS = (0.5, 1.0, 1.5)
"""What is taken off counts of one, two and more where the data cannot say."""

_N_NEXT = len(ALPHABET) - 1


class _Grams(NamedTuple):
    """The n-grams of one order in rising order, and what is known of them."""

    codes: Ints
    log_probability: Floats
    log_gamma: Floats


class CharacterModel:
    """The probability of a word, spelled symbol by symbol up to its end.

    >>> model = CharacterModel.fit(["benzene", "toluene", "xylene"])
    >>> chemical, other = model.log_probability(["benzyl", "gloves"])
    >>> bool(chemical > other)
    True
    """

    def __init__(self, order: int, codes: Ints, counts: Ints) -> None:
        """Take the n-grams of the highest order, each once and in rising order, with counts."""
        self.order, self._codes, self._counts = order, codes, counts
        self._grams = _all_orders(order, codes, counts)

    @classmethod
    def fit(
        cls, words: Sequence[str], *, counts: ArrayLike | None = None, order: int = ORDER
    ) -> "CharacterModel":
        """Learn from words, each taken once or ``counts`` times, with n-grams up to ``order``.

        From no words at all, every symbol is as likely as any other.
        """
        if not 1 <= order <= MAX_ORDER:
            raise ValueError(f"the order lies between 1 and {MAX_ORDER}, got {order}")
        spelling = spell(words)
        times = np.ones(len(words), int) if counts is None else np.asarray(counts, dtype=np.int64)
        codes, number = np.unique(_windows(spelling, order), return_inverse=True)
        lengths = np.diff(spelling.first, append=len(spelling.symbols))
        occurrences = np.bincount(number, np.repeat(times, lengths), minlength=len(codes))
        is_seen = occurrences > 0
        return cls(order, codes[is_seen], occurrences[is_seen].astype(np.int64))

    def log_probability(self, words: Sequence[str]) -> Floats:
        """Return the natural logarithm of the probability of each word."""
        if not words:
            return np.zeros(0)
        spelling = spell(words)
        return np.add.reduceat(self._log_next(_windows(spelling, self.order)), spelling.first)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save, in the smallest integers that hold it."""
        largest = int(self._codes.max(initial=0)), int(self._counts.max(initial=0))
        smallest = [np.min_scalar_type(number) for number in largest]
        return {
            "codes": self._codes.astype(smallest[0]),
            "counts": self._counts.astype(smallest[1]),
        }

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {"order": self.order, "alphabet": ALPHABET}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "CharacterModel":
        """Make the model again that gave these; ValueError if its alphabet is not ours."""
        if header["alphabet"] != ALPHABET:
            raise ValueError(f"the alphabet is {header['alphabet']!r}, wanted {ALPHABET!r}")
        order = told(header, "order", int)
        if not 1 <= order <= MAX_ORDER:
            raise ValueError(f"the order lies between 1 and {MAX_ORDER}, got {order}")
        fitting = checked(arrays, _schema(order))
        codes, counts = widened(fitting, "codes", "counts")
        symbols = codes[:, None] >> (BITS * np.arange(order)) & ((1 << BITS) - 1)
        if symbols.max(initial=0) >= len(ALPHABET):
            raise ValueError("codes hold letters that are not in the alphabet")
        return cls(order, codes, counts)

    def _log_next(self, windows: Ints) -> Floats:
        """Return the log-probability of the last symbol of each window after the others.

        From the highest order down, for those still sought: an n-gram that is known ends the
        search, one that is not costs the γ of its history, if that is known.
        """
        total = np.zeros(len(windows))
        sought = np.arange(len(windows))
        for length in range(self.order, 0, -1):
            grams = self._grams[length - 1]
            codes = windows[sought] & _mask(length)
            at = np.searchsorted(grams.codes, codes)
            is_known = grams.codes[at] == codes
            total[sought[is_known]] += grams.log_probability[at[is_known]]
            sought, codes, at = sought[~is_known], codes[~is_known], at[~is_known]
            total[sought] += _log_gamma(grams, codes >> BITS, at)
        total[sought] -= np.log(_N_NEXT)
        return total


def _windows(spelling: SpelledWords, order: int) -> Ints:
    """Find, for each symbol, the n-gram of the highest order that ends with it."""
    symbols, first = spelling
    lengths = np.diff(first, append=len(symbols))
    place = np.arange(len(symbols)) - np.repeat(first, lengths)
    windows = symbols.copy()
    for back in range(1, order):
        # Before a word stands PADDING, which is zero.
        windows[back:] |= np.where(place[back:] >= back, symbols[:-back] << (BITS * back), 0)
    return windows


def _all_orders(order: int, codes: Ints, counts: Ints) -> list[_Grams]:
    """Count n-grams from the highest order down, then work out probabilities from the lowest up."""
    counted = [(codes, counts)]
    for length in range(order - 1, 0, -1):
        codes, counts = _shortened(codes, counts, length)
        counted.append((codes, counts))
    grams: list[_Grams] = []
    for length, (codes, counts) in enumerate(reversed(counted), start=1):
        if length == 1:
            lower = np.full(len(codes), 1 / _N_NEXT)
        else:
            shorter = grams[-1]
            at = np.searchsorted(shorter.codes, codes & _mask(length - 1))
            lower = np.exp(shorter.log_probability[at])
        grams.append(_smoothed(codes, counts, lower))
    return grams


def _shortened(codes: Ints, counts: Ints, length: int) -> tuple[Ints, Ints]:
    """Drop the first symbol: count the distinct ones dropped, or occurrences after padding."""
    suffixes, number = np.unique(codes & _mask(length), return_inverse=True)
    is_padded = suffixes >> (BITS * (length - 1)) == PADDING
    weights = np.where(is_padded[number], counts, 1)
    return suffixes, np.bincount(number, weights, minlength=len(suffixes)).astype(np.int64)


def _smoothed(codes: Ints, counts: Ints, lower: Floats) -> _Grams:
    """Interpolate the discounted counts of one order with the probabilities of the order below."""
    histories = codes >> BITS
    history = np.cumsum(np.concatenate(([False], histories[1:] != histories[:-1])))[: len(codes)]
    discounts = _discounts(counts)[np.minimum(counts, 3)]
    total = np.bincount(history, counts)[history]
    gamma = np.bincount(history, discounts)[history] / total
    probability = (counts - discounts) / total + gamma * lower
    # A last n-gram that no symbols make spares searches the question whether they ran off the end.
    return _Grams(
        np.append(codes, np.iinfo(np.int64).max),
        np.append(np.log(probability), 0.0),
        np.append(np.log(gamma), 0.0),
    )


def _discounts(counts: Ints) -> Floats:
    """Estimate what is taken off a count of 0, 1, 2, 3 or more, as Chen and Goodman do."""
    n = np.bincount(counts[counts <= 4], minlength=5).astype(np.float64)
    if n[1:].all():
        y = n[1] / (n[1] + 2 * n[2])
        estimated = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
        if all(0 < discount <= k for k, discount in enumerate(estimated, start=1)):
            return np.array([0.0, *estimated])
    return np.array([0.0, *USUAL_DISCOUNTS])


def _log_gamma(grams: _Grams, histories: Ints, at: Ints) -> Floats:
    """Find γ of histories in the n-grams on either side of where theirs would stand; else 1."""
    before = np.maximum(at - 1, 0)
    result = np.where(grams.codes[at] >> BITS == histories, grams.log_gamma[at], 0.0)
    follows = grams.codes[before] >> BITS == histories
    return np.where(follows, grams.log_gamma[before], result)


def _mask(length: int) -> int:
    return (1 << (BITS * length)) - 1


def _schema(order: int) -> dict[str, ArraySpec]:
    return {
        "codes": ArraySpec("whole", least=0, most=(1 << BITS * order) - 1, rises=True),
        "counts": ArraySpec("whole", least=1, most=2**48),
    }
