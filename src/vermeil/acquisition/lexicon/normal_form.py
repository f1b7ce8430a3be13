"""How names and texts are spelled before they are compared.

A form turns each character, wherever it stands, into none, one or several others:

    exact        itself
    folded       its small letter, where that is one character
    normalised   nothing if it is no letter or digit; else its small letter without accents, in the
                 compatibility spelling of Unicode, and the names of Greek letters for the letters

so ``TNF-α``, ``TNF alpha`` and ``Tnfα`` all have the normal form ``tnfalpha``. Texts are spelled as
arrays, a batch at a time.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "sigma tau upsilon phi chi psi omega"
)
GREEK = dict(zip(map(chr, range(ord("α"), ord("ω") + 1)), _GREEK_NAMES.split(), strict=True))
"""Small Greek letters, the final sigma among them, and their names."""

_ENDINGS = dict(zip("ABGDE", _GREEK_NAMES.split(), strict=False))
_GREEK_ENDING = re.compile(r"([A-Z][A-Z0-9-]*[A-Z0-9])-?([ABGDE])(\d*)")

_LONGEST = 15
"""Characters of the longest form of one character, that of U+FDFA."""

_LOW = 0x3100
"""Code points below this have a place in a table; the few above are added batch by batch."""


def normal_form(name: str) -> str:
    """Return the normalised form of a name.

    >>> normal_form("TNF-α"), normal_form("Tnf alpha"), normal_form("µ2 (Ápα)")
    ('tnfalpha', 'tnfalpha', 'mu2apalpha')
    """
    return spelled(name, "normalised")


def spelled(name: str, form: str) -> str:
    """Spell a name in a row of FORMS.

    >>> spelled("TNF-α", "folded")
    'tnf-α'
    """
    return name.translate(_translation(form))


def with_greek_ending(symbol: str) -> str | None:
    """Spell a symbol with the Greek letter that its last letter may stand for.

    >>> with_greek_ending("IFNG"), with_greek_ending("TGF-B1"), with_greek_ending("Insulin")
    ('IFN gamma', 'TGF beta1', None)
    """
    parts = _GREEK_ENDING.fullmatch(symbol)
    return parts and f"{parts[1]} {_ENDINGS[parts[2]]}{parts[3]}"


def _folded(character: str) -> str:
    small = character.lower()
    return small if len(small) == 1 else character


def _normalised(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character).lower()
    # Lowering may compose what was taken apart, as in the Turkish capital I with a dot.
    letters = unicodedata.normalize("NFKD", parts)
    return "".join(GREEK.get(letter, letter) for letter in letters if letter.isalnum())


FORMS: dict[str, Callable[[str], str]] = {
    "exact": str,
    "folded": _folded,
    "normalised": _normalised,
}


class Speller:
    """What a form makes of code points, as symbols of an alphabet.

    ``letters`` are the code points of the alphabet, which rise; the symbol of a letter is its place
    counted from 1, and 0 stands for all that is not in the alphabet.
    """

    def __init__(self, form: str, letters: NDArray[np.uint32]) -> None:
        self._form, self._letters = form, letters
        self._low = self._symbols(_low_forms(form))
        self._n_bytes, self._bytes = (_translation_of(column) for column in self._low.T[:2])

    def spell(
        self, codes: NDArray[np.unsignedinteger]
    ) -> tuple[NDArray[np.unsignedinteger], Ints | None]:
        """Turn code points into symbols, and tell where among them each code point's begin.

        The places have one more at the end. They are None where each code point has one symbol.
        """
        if codes.dtype == np.uint8 and self._n_bytes and self._bytes:
            text = codes.tobytes()
            symbols = np.frombuffer(text.translate(self._bytes), dtype=np.uint8)
            if self._form != "normalised":
                return symbols, None
            n_symbols = np.frombuffer(text.translate(self._n_bytes), dtype=np.uint8)
            if n_symbols.max(initial=0) <= 1:
                return symbols[n_symbols.view(np.bool_)], _before(n_symbols)
        table, index = self._low, codes
        if codes.dtype != np.uint8 and (is_high := codes >= _LOW).any():
            high, place = np.unique(codes[is_high], return_inverse=True)
            table = np.concatenate((table, self._symbols(_forms_of(high.tolist(), self._form))))
            index = codes.astype(np.int64)
            index[is_high] = _LOW + place
        if self._form != "normalised":
            return table[index, 1], None
        rows = table[:, 0][index]
        places = _before(rows)
        symbols = np.repeat(table[:, 1][index], rows)
        longer, nth = np.flatnonzero(rows > 1), 2
        while len(longer):
            symbols[places[longer] + nth - 1] = table[:, nth][index[longer]]
            longer, nth = longer[rows[longer] > nth], nth + 1
        return symbols, places

    def _symbols(self, forms: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Turn the code points of ``_forms_of`` into symbols."""
        table = forms.copy()
        row, nth = np.nonzero(np.arange(_LONGEST) < forms[:, :1])
        wanted = forms[row, 1 + nth]
        place = np.searchsorted(self._letters, wanted)
        padded = np.append(self._letters, np.uint32(0xFFFFFFFF))
        table[row, 1 + nth] = np.where(padded[place] == wanted, place + 1, 0)
        return table


def _before(n_symbols: NDArray[np.unsignedinteger]) -> Ints:
    """Count the symbols before each code point, and all."""
    places = np.zeros(len(n_symbols) + 1, dtype=np.int64)
    np.cumsum(n_symbols, out=places[1:])
    return places


def _translation_of(column: NDArray[np.uint32]) -> bytes:
    """Make a table for ``bytes.translate``; nothing where a byte is too little."""
    low = column[:256]
    return low.astype(np.uint8).tobytes() if low.max() < 256 else b""


class _Translation(dict[int, str]):
    """What ``str.translate`` asks, worked out once for each character."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, code: int) -> str:
        self[code] = FORMS[self._form](chr(code))
        return self[code]


@cache
def _translation(form: str) -> _Translation:
    return _Translation(form)


@cache
def _low_forms(form: str) -> NDArray[np.uint32]:
    return _forms_of(range(_LOW), form)


def _forms_of(codes: Iterable[int], form: str) -> NDArray[np.uint32]:
    """Make a row for each code point: the length of its form, and the code points of that."""
    translation = _translation(form)
    forms = [translation[code] for code in codes]
    table = np.zeros((len(forms), 1 + _LONGEST), dtype=np.uint32)
    table[:, 0] = [len(form) for form in forms]
    row, nth = np.nonzero(np.arange(_LONGEST) < table[:, :1])
    table[row, 1 + nth] = [ord(letter) for form in forms for letter in form]
    return table
