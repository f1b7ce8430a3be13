"""Words as numbers: spelled in a small alphabet, or hashed whole.

The alphabet of the character models has 64 symbols, so that a symbol takes 6 bits: the padding
before a word, the end of a word, one symbol for all that is unknown, one for a run of digits, 26
Latin and 24 Greek letters and ten marks that occur in names. Case and accents are dropped, dashes
and primes are those of ASCII. A word is read as if it were padded: ``^^^word$``.

Many words are laid on one axis; no loop runs over words or characters.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints

Symbols: TypeAlias = Ints
Hashes: TypeAlias = NDArray[np.uint64]

BITS = 6
PADDING, END, UNKNOWN, DIGITS = range(4)
LATIN = "abcdefghijklmnopqrstuvwxyz"  # the module string compiles patterns that nobody here needs
GREEK = "".join(chr(code) for code in range(ord("α"), ord("ω") + 1) if chr(code) != "ς")
ALPHABET = f"^$?0{LATIN}{GREEK}-,.()[]'+/"
"""The symbols in the order of their numbers; ``^``, ``$`` and ``?`` are no characters of a text."""

_FOLDED = str.maketrans("ς‐\u2011–—\u2212′’", "σ-----''")
_NUMBERS = {character: number for number, character in enumerate(ALPHABET) if number >= DIGITS}
_TABLE_SIZE = 0x2300
_NOT_ASKED = -1
SEPARATOR = "\n"
"""What stands after each word among code points."""

_STAND_IN = "\x00"


class SpelledWords(NamedTuple):
    """Words on one axis: their symbols, each word with its END, and where each word begins."""

    symbols: Symbols
    first: Symbols


class CodedWords(NamedTuple):
    """The code points of words on one axis, a separator after each; where each word begins, and how
    many characters it has."""

    codes: NDArray[np.uint32]
    first: Ints
    length: Ints

    @staticmethod
    def of(words: Sequence[str]) -> "CodedWords":
        """Lay words out.

        >>> CodedWords.of(["to", "a"]).length.tolist()
        [2, 1]
        """
        codes = code_points(words)
        first = word_starts(codes)
        return CodedWords(codes, first, np.diff(first, append=len(codes)) - 1)

    def some(self, which: Ints) -> "CodedWords":
        """Select some of the words, maybe more than once."""
        return CodedWords(self.codes, self.first[which], self.length[which])


def spell(words: Sequence[str]) -> SpelledWords:
    """Write words in the alphabet, runs of digits as one symbol.

    >>> "".join(ALPHABET[symbol] for symbol in spell(["Δ9-THC", "é§"]).symbols)
    'δ0-thc$e?$'
    """
    codes = code_points(words)
    symbols = _symbols_of(np.minimum(codes, _TABLE_SIZE))
    is_digit = symbols == DIGITS
    is_digit[1:] &= is_digit[:-1].copy()
    is_digit[:1] = False
    symbols = symbols[~is_digit]
    return SpelledWords(symbols, _after(symbols == END))


def hash_words(words: Sequence[str]) -> Hashes:
    """Hash each word to a number of 64 bits that tells words apart and nothing else about them.

    It is the same on every machine: a sum over its characters of a mixed character and place.

    >>> hash_words(["water", "Water", "water"]).tolist()
    [4825055937860341568, 8277889150011357885, 4825055937860341568]
    """
    return hash_coded(CodedWords.of(words))


def hash_coded(words: CodedWords) -> Hashes:
    """Hash words that are laid out already, as ``hash_words`` does."""
    codes, first, length = words
    if not len(codes):
        return np.zeros(0, dtype=np.uint64)
    place = np.arange(len(codes)) - np.repeat(first, length + 1)
    mixed = _mixed(codes + (place.astype(np.uint64) << np.uint64(21)))
    return _mixed(np.add.reduceat(mixed, first))


def code_points(words: Sequence[str]) -> NDArray[np.uint32]:
    """Lay the code points of words on one axis, a separator after each word."""
    text = SEPARATOR.join([*words, ""])
    if text.count(SEPARATOR) != len(words):
        text = SEPARATOR.join([*(word.replace(SEPARATOR, _STAND_IN) for word in words), ""])
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def word_starts(codes: NDArray[np.unsignedinteger[Any]]) -> Symbols:
    """Find where words begin among their code points.

    >>> word_starts(code_points(["to", "be"])).tolist()
    [0, 3]
    """
    return _after(codes == ord(SEPARATOR))


def _after(is_last: Flags) -> Symbols:
    """Find where words begin: at 0 and after each last place but the very last."""
    ends = np.flatnonzero(is_last) + 1
    return np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1]))[: len(ends)]


def _symbols_of(codes: NDArray[np.uint32]) -> Symbols:
    """Find the symbols of code points up to _TABLE_SIZE."""
    table = _symbol_table()
    symbols: Symbols = table[codes]
    new = symbols == _NOT_ASKED
    if new.any():
        for code in np.flatnonzero(np.bincount(codes[new])).tolist():
            folded = unicodedata.normalize("NFKD", chr(code).translate(_FOLDED))[0].lower()[0]
            table[code] = DIGITS if folded.isdigit() else _NUMBERS.get(folded, UNKNOWN)
        symbols = table[codes]
    return symbols


@cache
def _symbol_table() -> Symbols:
    """Keep the symbols of the code points that came so far."""
    table = np.full(_TABLE_SIZE + 1, _NOT_ASKED, dtype=np.int64)
    table[ord(SEPARATOR)] = END
    table[_TABLE_SIZE] = UNKNOWN
    return table


def _mixed(values: Hashes) -> Hashes:
    """Scatter 64-bit numbers: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
