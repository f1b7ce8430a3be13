"""The features of a linear tagger: Table 1 of the acquisition paper, in a window of two tokens.

Of each word: itself (w) and in small letters (wl), its pattern of characters (shape), the same with
runs as one (shaped), its type, and its first and last one to four characters (p1 to p4, s1 to s4).
They count for the token, the two before and the two after; w, shape, shaped and type also for pairs
of neighbours among these five. Part of speech and chunk (pos, chk) count in the same way where
somebody has found them (see ``syntax``). The tag before is a feature as well, but not one of a
text: see ``learning``.

A token is a row of five words and four pairs. What a word or a pair says is computed once for a
batch, and hashed: nothing of the text can be read from it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.models.schema import FINITE, ArraySpec
from vermeil.sequences.features.rows import FEATURE_BITS, Encoded, FeatureRows
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.word_classes import WordClasses

WINDOW = 2
N_BITS = 20
"""Columns are two to the power of so many; 22 are no better than 20."""

WEIGHTS = {
    "columns": ArraySpec("whole", least=0, most=(1 << FEATURE_BITS) - 1, rises=True),
    "weights": ArraySpec("number", ("n", "tags"), least=-FINITE, most=FINITE),
    "before": ArraySpec("number", ("before", "tags"), most=FINITE),
}
"""The arrays of linear weights; a pair of tags that cannot be has minus infinity."""

LONGEST_AFFIX = 4

_NONE = "\x00"
_MULTIPLIER, _SCATTER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


class _Patterns(dict[int, str]):
    """What stands for a character in a shape, by its code point."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_letter = character.isalpha()
        sign = "L" if is_letter else "D" if character.isdigit() else character
        self[code] = "U" if character.isupper() and is_letter else sign
        return self[code]


_PATTERNS = _Patterns()


def encode_linear(
    axis: TokenAxis,
    *,
    hide_words: bool = False,
    n_bits: int = N_BITS,
    classes: Sequence[WordClasses] = (),
) -> Encoded:
    """Describe the tokens of a batch in ``2 ** n_bits`` columns (at most FEATURE_BITS).

    With ``hide_words`` nothing tells the word of the token itself but its shapes and affixes: it
    has no w and wl, and no pair of words. ``classes`` count alone and in pairs.
    """
    words = axis.vocabulary.words
    padded, at = _with_margins(axis, axis.vocabulary.number, beyond=len(words))
    hashes = _word_hashes([*words, _NONE])
    pair, pair_hashes = _pairs(padded, hashes, PAIRED)
    build = _Layout(n_bits)
    for offset in range(-WINDOW, WINDOW + 1):
        hidden = {"w", "wl"} if hide_words and offset == 0 else set()
        build.add(padded[at + offset], hashes, hidden)
    for offset in range(-WINDOW, WINDOW):
        hidden = {"w"} if hide_words and offset in (-1, 0) else set()
        build.add(pair[at + offset], pair_hashes, hidden)
    for own in classes:
        padded, at = _with_margins(axis, own.number, beyond=len(own.names))
        hashes = {own.kind: hash_words([*own.names, _NONE])}
        pair, pair_hashes = _pairs(padded, hashes, (own.kind,))
        for offset in range(-WINDOW, WINDOW + 1):
            build.add(padded[at + offset], hashes, ())
        for offset in range(-WINDOW, WINDOW):
            build.add(pair[at + offset], pair_hashes, ())
    return build.done()


def columns_of(encoded: Encoded) -> NDArray[np.int32]:
    """Write out the columns of each token (row), in order. Every token has equally many."""
    if not len(encoded.row):
        return np.zeros((0, 0), dtype=np.int32)
    width = np.diff(encoded.rows.first)
    of_views = [
        encoded.rows.features[encoded.rows.first[row][:, None] + np.arange(width[row[0]])]
        for row in encoded.row.T
    ]
    return np.sort(np.concatenate(of_views, axis=1).astype(np.int32), axis=1)


def shape(word: str) -> str:
    """Write U for capitals, L for other letters, D for digits.

    >>> shape("Human"), shape("IL-2Rα")
    ('ULLLL', 'UU-DUL')
    """
    return word.translate(_PATTERNS)


def short_shape(word: str) -> str:
    """Write the shape with runs of one sign as one.

    >>> short_shape("Human"), short_shape("BRCA1")
    ('UL', 'UD')
    """
    pattern = shape(word)
    before = _NONE + pattern
    return "".join(sign for sign, last in zip(pattern, before[:-1], strict=True) if sign != last)


def word_type(word: str) -> str:
    """Name the first condition that a word meets.

    >>> [word_type(word) for word in ("12", "a/b", "BRCA", "BRCA1")]
    ['digits', 'symbols', 'capitals', 'capitals and digits']
    >>> [word_type(word) for word in ("Human", "p53", "gene", "mRNA")]
    ['initial', 'has digits', 'small', 'mixed']
    """
    if word.isdigit():
        return "digits"
    if not word.isalnum():
        return "symbols"
    if word.isupper() and len(word) > 1:
        return "capitals" if word.isalpha() else "capitals and digits"
    if word[0].isupper() and (word[1:].islower() or len(word) == 1):
        return "initial"
    if not word.isalpha():
        return "has digits"
    return "small" if word.islower() else "mixed"


def _prefix(length: int) -> Callable[[str], str]:
    return lambda word: word[:length] if len(word) >= length else _NONE


def _suffix(length: int) -> Callable[[str], str]:
    return lambda word: word[-length:] if len(word) >= length else _NONE


SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "w": str,
    "wl": str.lower,
    "shape": shape,
    "shaped": short_shape,
    "type": word_type,
    **{f"p{length}": _prefix(length) for length in range(1, LONGEST_AFFIX + 1)},
    **{f"s{length}": _suffix(length) for length in range(1, LONGEST_AFFIX + 1)},
}
"""What is said of a word, by the names of Table 1."""

PAIRED = ("w", "shape", "shaped", "type")
"""What is said of two neighbours."""


def _with_margins(axis: TokenAxis, number: Ints, *, beyond: int) -> tuple[Ints, Ints]:
    """Lay sentences apart, so that a window sees nothing of the next; and where the tokens are."""
    padded = np.full(len(number) + WINDOW * len(axis.first_token), beyond)
    at = np.arange(len(number)) + WINDOW * (axis.sentence + 1)
    padded[at] = number
    return padded, at


def _word_hashes(words: Sequence[str]) -> dict[str, Hashes]:
    return {name: hash_words([spell(word) for word in words]) for name, spell in SPELLINGS.items()}


def _pairs(
    padded: Ints, hashes: Mapping[str, Hashes], paired: Sequence[str]
) -> tuple[Ints, dict[str, Hashes]]:
    """Number the pairs of neighbours, each by its first, and hash what is said of them."""
    n_words = len(hashes[paired[0]])
    distinct, pair = np.unique(padded[:-1] * n_words + padded[1:], return_inverse=True)
    one, other = np.divmod(distinct, n_words)
    return pair, {
        name: _scattered(hashes[name][one] * _MULTIPLIER) + hashes[name][other] for name in paired
    }


class _Layout:
    """Collects the views of tokens; each has its own columns for the same features."""

    def __init__(self, n_bits: int) -> None:
        self._shift = np.uint64(64 - n_bits)
        self._views: list[Ints] = []
        self._widths: list[Ints] = [np.zeros(1, dtype=np.int64)]
        self._features: list[Ints] = []
        self._n_rows = 0

    def add(self, number: Ints, hashes: Mapping[str, Hashes], hidden: Collection[str]) -> None:
        """Add a view: which row each token is, and what is said of rows, but for the hidden."""
        told = [
            self._column(values, kind)
            for kind, (name, values) in enumerate(hashes.items())
            if name not in hidden
        ]
        n_rows = len(told[0])
        self._views.append(number + self._n_rows)
        self._widths.append(np.full(n_rows, len(told)))
        self._features.append(np.stack(told, axis=1).ravel())
        self._n_rows += n_rows

    def _column(self, values: Hashes, kind: int) -> Ints:
        salt = np.uint64((len(self._views) << 8) + kind + 1)
        return (_scattered((values + salt) * _MULTIPLIER) >> self._shift).astype(np.int64)

    def done(self) -> Encoded:
        rows = FeatureRows(np.cumsum(np.concatenate(self._widths)), np.concatenate(self._features))
        return Encoded(np.stack(self._views, axis=1), rows)


def _scattered(values: Hashes) -> Hashes:
    mixed = (values ^ (values >> np.uint64(30))) * _SCATTER
    return mixed ^ (mixed >> np.uint64(29))
