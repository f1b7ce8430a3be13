"""The usual features of a name tagger, for the plain CRF that the cascade is compared with.

The word, its lower case, shape and affixes, elements, words of listed names and English words, a
window of two words to each side, and the longest match in a list of names. No character n-grams,
nothing learned beforehand. Features are hashed as in ``features.rows``: nothing of the text
can be read from them.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import AnyArray, Ints
from vermeil.models.model_files import Arrays
from vermeil.models.schema import HASHES, checked
from vermeil.recognise.words.name_list import NameList
from vermeil.recognise.words.token_sets import words_of
from vermeil.sequences.features.rows import FEATURE_BITS, Encoded, FeatureRows
from vermeil.sequences.features.word_strings import context_features, spelling_features
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.sequences.tokens.axis import TokenAxis

OFFSETS = (0, -1, 1, -2, 2)
LIST_OFFSETS = (0, -1, 1)
PLACES = ("O", "B", "I", "E", "S")
"""Where a token stands in a listed name: in none, first, inside, last, or the whole of it."""


@dataclass(frozen=True, slots=True, eq=False)
class WordLists:
    """What features ask: names, and the hashes of their words and of English words, which rise."""

    names: NameList
    name_words: Hashes
    english: Hashes

    @classmethod
    def of(cls, names: Iterable[str], english: Iterable[str], *, tokeniser: str) -> "WordLists":
        """Make lists of strings."""
        every = sorted(set(names))
        words = words_of(every, tokeniser=tokeniser)
        return cls(NameList.of(every, tokeniser=tokeniser), _sorted(words), _sorted(english))

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {"names": self.names.hashes, "parts": self.name_words, "english": self.english}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "WordLists":
        """Make the lists again that gave these arrays."""
        names, parts, english = (
            checked(arrays, {name: HASHES})[name].astype(np.uint64)
            for name in ("names", "parts", "english")
        )
        return cls(NameList.from_arrays({"hashes": names}), parts, english)


def encode_plain(axis: TokenAxis, lists: WordLists) -> Encoded:
    """Describe the tokens of a batch."""
    words, number = axis.vocabulary.words, axis.vocabulary.number
    told = _told(words, lists)
    own = [
        [*spelling_features(word, n_grams=False), *facts]
        for word, facts in zip(words, told, strict=True)
    ]
    near = [[*context_features(word), *facts] for word, facts in zip(words, told, strict=True)]
    views: list[tuple[str, Ints, list[list[str]]]] = []
    for offset in OFFSETS:
        at = axis.neighbours(number, offset, beyond=len(words))
        views.append((f"{offset}:", at, near if offset else own))
    place = _places(axis, lists.names)
    for offset in LIST_OFFSETS:
        at = axis.neighbours(place, offset, beyond=len(PLACES))
        views.append((f"list {offset}:", at, [[p] for p in PLACES]))
    return _together(views)


def _sorted(words: Iterable[str]) -> Hashes:
    return np.unique(hash_words([word.lower() for word in words]))


def _told(words: Sequence[str], lists: WordLists) -> list[tuple[str, str]]:
    """Say in which lists words are."""
    hashes = hash_words([word.lower() for word in words])
    known = (np.isin(hashes, each).tolist() for each in (lists.name_words, lists.english))
    return [(f"part={of_name}", f"english={own}") for of_name, own in zip(*known, strict=True)]


def _places(axis: TokenAxis, lexicon: NameList) -> Ints:
    start, end = lexicon.find(axis.words, axis.first_token)
    place = np.zeros(len(axis.words), dtype=np.int64)
    covered = np.zeros(len(axis.words) + 1, dtype=np.int64)
    covered[start] += 1
    covered[end] -= 1
    place[np.cumsum(covered)[:-1] > 0] = PLACES.index("I")
    place[start] = PLACES.index("B")
    place[end - 1] = PLACES.index("E")
    place[start[end - start == 1]] = PLACES.index("S")
    return place


def _together(views: Sequence[tuple[str, Ints, Sequence[Sequence[str]]]]) -> Encoded:
    """Lay the rows of all views on one axis; each view has a last row for what lies outside."""
    columns: list[Ints] = []
    rows: list[Ints] = []
    for name, number, features in views:
        columns.append(number + len(rows))
        rows.extend(np.fromiter(_hashed(name, each), dtype=np.int64) for each in (*features, ["-"]))
    first = np.cumsum([0, *map(len, rows)])
    return Encoded(np.stack(columns, axis=1), FeatureRows(first, np.concatenate(rows)))


def _hashed(view: str, features: Sequence[str]) -> Iterator[int]:
    seed = zlib.crc32(view.encode())
    return (zlib.crc32(each.encode(), seed) >> (32 - FEATURE_BITS) for each in features)
