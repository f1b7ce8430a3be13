"""How a word is written: its features as strings, and its classes.

Families of features after Corbett and Copestake, section 3.5 (for theirs as printed see
``paper_features``): the word, its affixes and character n-grams, its shape, and whether it is an
element, ends like one, or is an oxidation state. Everything here follows from the spelling alone.
"""

import re
from collections.abc import Iterator, Sequence

from vermeil.sequences.features.elements import ELEMENT_NAMES, ELEMENTS
from vermeil.sequences.tokens.alphabet import SEPARATOR, code_points

N_GRAMS = (2, 3, 4)
LONGEST = 24
"""Characters of a word that n-grams are taken from; what is longer is no word."""

AFFIXES = (1, 2, 3, 4, 5)
CHUNK_AFFIXES = (3, 4, 5)
"""Lengths of beginnings and ends, of words and of runs of tokens."""

LONGEST_CHUNK = 40
"""Characters of the longest run of tokens that is known as a whole."""

N_POSITIONS = 4
"""Where a token may stand in a run: first, inside, last, or alone."""

_OXIDATION = re.compile(r"\(?(?:[IV]{1,4}|[0-9][+-]|[+-][0-9])\)?$")
_LONGEST_OXIDATION = len("(VIII)")
_RUNS = re.compile(r"(.)\1+")
_CLASSES = (
    (re.compile(r"[A-Z]"), "A"),
    (re.compile(r"[a-z]"), "a"),
    (re.compile(r"[0-9]"), "0"),
    (re.compile(r"[α-ωΑ-Ω]"), "α"),
)
_RANGES = (("A", "Z", "A"), ("a", "z", "a"), ("0", "9", "0"), ("α", "ω", "α"), ("\u0391", "Ω", "α"))
_GREEK_NAMES = frozenset(("alpha", "beta", "gamma", "delta", "epsilon", "kappa", "omega", "sigma"))


def shape(word: str) -> str:
    """Replace letters and digits by what they are, and runs of them by one.

    >>> shape("NF-kappaB"), shape("1,25(OH)2D3"), shape("β2")
    ('A-aA', '0,0(A)0A0', 'α0')
    """
    for pattern, sign in _CLASSES:
        word = pattern.sub(sign, word)
    return _RUNS.sub(r"\1", word)


def shapes(words: Sequence[str]) -> list[str]:
    """Return the shapes of many words at once; they hold no white space.

    >>> shapes(["NF-kappaB", "β2"])
    ['A-aA', 'α0']
    """
    codes = code_points(words).copy()
    for first, last, sign in _RANGES:
        codes[(codes >= ord(first)) & (codes <= ord(last))] = ord(sign)
    is_new = codes == ord(SEPARATOR)
    is_new[:1] = True
    is_new[1:] |= codes[1:] != codes[:-1]
    text: str = codes[is_new].tobytes().decode("utf-32-le", "surrogatepass")
    return text.split(SEPARATOR)[:-1]


def spelling_features(word: str, *, n_grams: bool = True) -> Iterator[str]:
    """Yield what can be said of a word by itself; ``n_grams`` are all parts of it, affixes too."""
    lower = word.lower()
    yield "bias"
    yield f"w={word}"
    yield f"l={lower}"
    yield f"s={lower.removesuffix('s')}"
    yield f"shape={shape(word)[:12]}"
    yield f"length={min(len(word), 12)}"
    yield from special_features(word, lower)
    if n_grams:
        for length in AFFIXES:
            if len(lower) > length:
                yield f"begins={lower[:length]}"
                yield f"ends={lower[-length:]}"
        padded = f"^{lower[:LONGEST]}$"
        for length in N_GRAMS:
            for begin in range(len(padded) - length + 1):
                yield f"n={padded[begin : begin + length]}"


def special_features(word: str, lower: str) -> Iterator[str]:
    """Yield the few classes of words that matter in names."""
    if word in ELEMENTS:
        yield "element"
    elif word[-2:] in ELEMENTS or word[-1:] in ELEMENTS:
        yield "ends like an element"
    if lower in ELEMENT_NAMES:
        yield "element name"
    if len(word) <= _LONGEST_OXIDATION and _OXIDATION.match(word):
        yield "oxidation"
    if lower in _GREEK_NAMES:
        yield "greek"


def context_features(word: str, *, n_grams: bool = True) -> Iterator[str]:
    """Yield what is said of a word to its neighbours."""
    lower = word.lower()
    yield f"l={lower}"
    yield f"shape={shape(word)[:8]}"
    if n_grams:
        yield f"ends={lower[-3:]}"
        if len(lower) > 4:
            yield f"begins={lower[:4]}"


def chunk_features(chunk: str, *, n_grams: bool = True) -> Iterator[str]:
    """Yield what is said of a run of tokens without white space between them."""
    lower = chunk.lower()
    yield f"shape={shape(chunk)[:16]}"
    yield f"length={min(len(chunk), 20)}"
    if len(chunk) <= LONGEST_CHUNK:
        yield f"l={lower}"
    for length in CHUNK_AFFIXES if n_grams else ():
        if len(lower) > length:
            yield f"begins={lower[:length]}"
            yield f"ends={lower[-length:]}"
