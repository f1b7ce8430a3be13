"""Which tokens were seen inside names and which outside.

Section 3.4 of "Cascaded Classifiers" keeps five sets: chemical and non-chemical words, chemical and
non-chemical non-words, and ambiguous tokens, seen on both sides. A word has two small letters in a
row; the rest are non-words, many of them abbreviations and formulae. Which set a token belongs to
follows from its form and from one number: bit 0 is set if it was seen outside names, bit k + 1 if
inside a name of label k. Any labels will do, not only chemical ones.

Words are compared in lower case, non-words as they stand. What is kept is hashed, so that a model
holds no text of its corpus.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Flags, Ints
from vermeil.document import Document
from vermeil.models.model_files import Arrays
from vermeil.models.schema import HASHES, ArraySpec, checked
from vermeil.recognise.word_classes.forms import trimmed
from vermeil.sequences.tokens.alphabet import CodedWords, Hashes, hash_words
from vermeil.text.tokens import covering, tokenise

Sides: TypeAlias = dict[str, int]
"""For each token the number that says where it was seen."""

OUTSIDE, INSIDE = 1, 2
MAX_LABELS = 31

_KEPT = np.uint64((1 << 64) - (1 << 24))
_RUN = re.compile(r"\S+")
_TWO_SMALL_LETTERS = re.compile(r"[a-z][a-z]")


def is_word(token: str) -> bool:
    """Tell words from formulae, abbreviations, numbers and marks.

    >>> [is_word(token) for token in ("ethanol", "NaOH", "pH", "McCune")]
    [True, False, False, True]
    """
    return _TWO_SMALL_LETTERS.search(token) is not None


def are_words(tokens: CodedWords) -> Flags:
    """Tell which of many tokens ``is_word`` takes for words.

    >>> are_words(CodedWords.of(["ethanol", "NaOH", "pH", "McCune"])).tolist()
    [True, False, False, True]
    """
    codes = tokens.codes
    small = (codes >= ord("a")) & (codes <= ord("z"))
    two = np.flatnonzero(small[1:] & small[:-1])
    are = np.zeros(len(tokens.first), dtype=bool)
    are[np.searchsorted(tokens.first, two, side="right") - 1] = True
    return are


def folded(token: str) -> str:
    """Return what a token is compared by: a word in lower case, a non-word as it stands."""
    return token.lower() if is_word(token) else token


def set_of(token: str, side: int) -> str:
    """Name the set of section 3.4 that a token belongs to, "" if it was never seen.

    >>> [set_of("ethanol", 2), set_of("NaOH", 4), set_of("the", 1), set_of("lead", 3)]
    ['name word', 'name nonword', 'other word', 'ambiguous']
    """
    if not side:
        return ""
    if side & OUTSIDE and side != OUTSIDE:
        return "ambiguous"
    return f"{'other' if side == OUTSIDE else 'name'} {'word' if is_word(token) else 'nonword'}"


def words_of(names: Iterable[str], *, tokeniser: str = "fine") -> frozenset[str]:
    """List the words that names are made of, in lower case.

    >>> sorted(words_of(["Acetic acid", "1,2-dichloroethane", "NaCl"]))
    ['acetic', 'acid', 'dichloroethane']
    """
    text = "\n".join(names)
    tokens = {text[start:end] for start, end in tokenise(text, by=tokeniser)}
    return frozenset(token.lower() for token in tokens if is_word(token))


def find_sides(
    documents: Iterable[Document],
    labels: Sequence[str],
    *,
    annotator: str = "gold",
    tokeniser: str = "fine",
) -> Sides:
    """Find on which sides of the names of ``annotator`` each token of the documents stands.

    A token that a name covers in part is inside it. Names of other labels are as good as no names.
    Documents the annotator has not seen say nothing.
    """
    if len(labels) > MAX_LABELS:
        raise ValueError(f"there can be {MAX_LABELS} labels, got {len(labels)}")
    bits = {label: 2 << number for number, label in enumerate(labels)}
    sides: Sides = {}
    for document in documents:
        if annotator in document.layers:
            _add_sides(sides, document, annotator, bits, tokeniser)
    return sides


def find_run_sides(
    documents: Iterable[Document], labels: Sequence[str], *, annotator: str = "gold"
) -> Sides:
    """Find the sides of runs between white space, trimmed; one that is partly inside has both."""
    wanted = frozenset(labels)
    sides: Sides = {}
    for document in documents:
        if annotator not in document.layers:
            continue
        text = document.text
        inside = np.zeros(len(text) + 1, dtype=np.int64)
        for span in document.layers[annotator]:
            for start, end in span.pieces if span.label in wanted else ():
                inside[start:end] = 1
        n_inside = np.concatenate(([0], np.cumsum(inside))).tolist()
        for found in _RUN.finditer(text):
            run = trimmed(found[0])
            start = found.start() + found[0].find(run)
            n = n_inside[start + len(run)] - n_inside[start]
            side = INSIDE * (n > 0) | OUTSIDE * (n < len(run))
            sides[run] = sides.get(run, 0) | side
    return sides


@dataclass(frozen=True, slots=True)
class TokenSets:
    """The sides of tokens by the first 40 bits of their hashes, which rise."""

    hashes: Hashes
    sides: NDArray[np.uint32]

    @classmethod
    def of(cls, sides: Sides) -> "TokenSets":
        """Hash the tokens of ``find_sides``."""
        hashes = hash_words(list(sides))
        return cls._of_hashes(hashes, np.fromiter(sides.values(), np.uint32, len(sides)))

    @classmethod
    def _of_hashes(cls, hashes: Hashes, sides: NDArray[np.uint32]) -> "TokenSets":
        kept, first = np.unique(hashes & _KEPT, return_index=True)
        return cls(kept, sides[first])

    def sides_of(self, tokens: Sequence[str]) -> NDArray[np.uint32]:
        """Tell the sides of tokens; 0 for those never seen.

        >>> sets = TokenSets.of({"ethanol": 2, "lead": 3, "the": 1})
        >>> sets.sides_of(["Lead", "Ethanol", "poison"]).tolist()
        [3, 2, 0]
        """
        row = self.rows_of(hash_words([folded(token) for token in tokens]))
        sides = np.zeros(len(tokens), dtype=np.uint32)
        sides[row >= 0] = self.sides[row[row >= 0]]
        return sides

    def rows_of(self, hashes: Hashes) -> Ints:
        """Find the rows of tokens, folded and hashed; -1 for those never seen."""
        if not len(self.hashes):
            return np.full(len(hashes), -1)
        wanted = hashes & _KEPT
        at = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        return np.where(self.hashes[at] == wanted, at, -1)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {"hashes": self.hashes, "sides": self.sides}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "TokenSets":
        """Make the sets again that gave these arrays; they may have been saved with more bits."""
        fitting = checked(arrays, {"hashes": HASHES, "sides": ArraySpec("whole", least=0)})
        hashes, sides = fitting["hashes"].astype(np.uint64), fitting["sides"].astype(np.uint32)
        return cls._of_hashes(hashes, sides)


def _add_sides(
    sides: Sides, document: Document, annotator: str, bits: Mapping[str, int], tokeniser: str
) -> None:
    text = document.text
    tokens = tokenise(text, by=tokeniser)
    seen = [0] * len(tokens)
    for span in document.layers[annotator]:
        for piece in span.pieces if span.label in bits else ():
            for at in range(*covering(tokens, *piece)):
                seen[at] |= bits[span.label]
    for (start, end), side in zip(tokens, seen, strict=True):
        token = folded(text[start:end])
        sides[token] = sides.get(token, 0) | (side or OUTSIDE)
