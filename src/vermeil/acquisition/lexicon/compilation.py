"""A lexicon: the distinct names of a database's entries, ready to be found in text.

Names that are spelled alike belong to one key, and what is found is reported by key. Which names
are spelled alike depends on the lexicon's ``spelling``:

    exact          only those that are the same, character by character
    long-folded    also those that differ in case, if they have at least four letters and are not
                   all capitals
    folded         also those that differ in case
    normalised     also those that differ in case, white space, punctuation and Greek letters spelt
                   out or not, if at least three letters and digits are left; and a symbol whose
                   last letter may stand for a Greek one is also found with that (``IFNG`` as
                   ``IFN-gamma``), as a key of its own

A key found by its loose spelling must not be a stop word, so that the gene ``CAT`` is found where
it is written so, and ``cat`` is not. Section 2 of "Acquisition" uses exact names.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.lexicon.normal_form import normal_form, spelled, with_greek_ending
from vermeil.acquisition.lexicon.spellings import SpellingTable
from vermeil.acquisition.lexicon.unwanted import FUNCTION_WORDS, families
from vermeil.arrays import Flags, Ints, ranges
from vermeil.errors import UnknownNameError

SPELLINGS = {
    "exact": "exact",
    "long-folded": "folded",
    "folded": "folded",
    "normalised": "normalised",
}
"""The form of ``vermeil.acquisition.lexicon.normal_form`` that makes the keys, by spelling."""

LONG = 4
"""Letters of a name whose case is folded under ``long-folded``."""

_WORD = re.compile(r"\w+")


class Entry(NamedTuple):
    """One name of one record of a database. Several may share a name, an id, or both."""

    name: str
    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Compilation:
    """What became of the entries. ``removed`` counts entries by the reason they were removed."""

    n_entries: int
    removed: dict[str, int]
    n_names: int
    n_keys: int
    n_ids: int


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Names, the keys they belong to, and the ids and labels of the keys.

    ``key_of_name[n]`` is the key of row n of ``names``; ``key_of_loose[r]`` that of row r of
    ``loose``, the keys that are also found by their loose spelling. The records of key k are
    ``records[first_record[k]:first_record[k + 1]]``: record r is an id ``ids[r]`` with the label
    ``labels[label_of_record[r]]``. ``is_family`` tells which keys name families (see ``families``).
    """

    spelling: str
    labels: tuple[str, ...]
    ids: tuple[str, ...]
    label_of_record: NDArray[np.int32]
    names: SpellingTable
    key_of_name: NDArray[np.int32]
    loose: SpellingTable
    key_of_loose: NDArray[np.int32]
    has_function_word: Flags
    first_record: Ints
    records: NDArray[np.int32]
    is_family: Flags
    compilation: Compilation

    def __len__(self) -> int:
        return len(self.first_record) - 1

    def labels_of(self, key: int) -> dict[str, tuple[str, ...]]:
        """Return the labels of a key, and the ids under each."""
        found: dict[str, list[str]] = {}
        for record in self.records[self.first_record[key] : self.first_record[key + 1]].tolist():
            label = self.labels[self.label_of_record[record]]
            found.setdefault(label, []).append(self.ids[record])
        return {label: tuple(dict.fromkeys(ids)) for label, ids in found.items()}

    def names_of(self, key: int) -> tuple[str, ...]:
        """List the names that belong to a key."""
        order, first = self._names_by_key
        return tuple(self.names.name(row) for row in order[first[key] : first[key + 1]].tolist())

    def records_of(self, keys: Ints) -> tuple[Ints, Ints]:
        """List the records of keys: the row of ``keys`` that each belongs to, and the record."""
        row, place = ranges(self.first_record[keys], self.first_record[keys + 1])
        return row, self.records[place].astype(np.int64)

    @cached_property
    def _names_by_key(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.key_of_name, kind="stable")
        return order, np.searchsorted(self.key_of_name[order], np.arange(len(self) + 1))


def compile_lexicon(
    entries: Iterable[Entry],
    *,
    spelling: str = "exact",
    stop_words: Collection[str] = frozenset(),
    min_length: int = 2,
    max_length: int = 100,
    min_loose_length: int = 3,
    with_families: bool = True,
) -> Lexicon:
    """Compile entries into a lexicon.

    Removed are names without a letter, shorter than ``min_length`` or longer than ``max_length``
    characters, names that break off after a hyphen or slash, names that are stop words (all small
    letters, or one capital and small letters, and in ``stop_words`` when lowered) and repeated
    entries. Without ``with_families`` those of families are removed, too (see ``families``); the
    first name of a record is the preferred one. Names are kept in memory.

    >>> entries = [Entry("IL-2", "3558", "Gene"), Entry("IL2", "3558", "Gene")]
    >>> lexicon = compile_lexicon([*entries, Entry("7", "1", "x")], spelling="normalised")
    >>> len(lexicon), lexicon.names_of(0), lexicon.labels_of(0), lexicon.compilation.removed
    (1, ('IL-2', 'IL2'), {'Gene': ('3558',)}, {'without a letter': 1})
    """
    if spelling not in SPELLINGS:
        raise UnknownNameError("spelling", spelling, SPELLINGS)
    draft = _Draft(spelling, stop_words, min_length, max_length)
    draft.add(entries)
    if not with_families:
        draft.drop_families()
    return draft.lexicon(min_loose_length)


class _Draft:
    """Names, keys and records, numbered in the order in which they first came."""

    def __init__(
        self, spelling: str, stop_words: Collection[str], min_length: int, max_length: int
    ) -> None:
        self._spelling, self._stop_words = spelling, stop_words
        self._min_length, self._max_length = min_length, max_length
        self._n_entries = 0
        self._removed: Counter[str] = Counter()
        self._names: dict[str, int] = {}
        self._keys: dict[str, int] = {}
        self._key_of_name: list[int] = []
        self._records: dict[tuple[str, str], int] = {}
        self._preferred: set[str] = set()
        self._pairs: dict[tuple[int, int], None] = {}
        self._seen: set[tuple[int, int]] = set()

    def add(self, entries: Iterable[Entry]) -> None:
        """Add the entries that pass, and count the rest."""
        for name, id, label in entries:
            self._n_entries += 1
            if reason := self._objection(name):
                self._removed[reason] += 1
                continue
            if (id, label) not in self._records:
                self._preferred.add(normal_form(name))
            record = self._records.setdefault((id, label), len(self._records))
            number = self._take(name, record)
            if (number, record) in self._seen:
                self._removed["repeated"] += 1
            self._seen.add((number, record))
            greek = with_greek_ending(name) if self._spelling == "normalised" else None
            if greek is not None:
                self._take(greek, record)

    def drop_families(self) -> None:
        """Drop the names of families, and count their entries."""
        form_of = {name: normal_form(name) for name in self._names}
        of_families = families(form_of.values(), self._preferred)
        key_of = dict(zip(self._names, self._key_of_name, strict=True))
        gone = {number for name, number in self._names.items() if form_of[name] in of_families}
        self._removed["family"] = sum(number in gone for number, _ in self._seen)
        kept = {name: key for name, key in key_of.items() if form_of[name] not in of_families}
        keys = {old: new for new, old in enumerate(dict.fromkeys(kept.values()))}
        self._names = {name: number for number, name in enumerate(kept)}
        self._key_of_name = [keys[key] for key in kept.values()]
        self._keys = {spelt: keys[key] for spelt, key in self._keys.items() if key in keys}
        self._pairs = {(keys[key], record): None for key, record in self._pairs if key in keys}

    def lexicon(self, min_loose_length: int) -> Lexicon:
        """Make the lexicon."""
        names = list(self._names)
        labels = tuple(dict.fromkeys(label for _, label in self._records))
        codes = {label: code for code, label in enumerate(labels)}
        pairs = np.array(list(self._pairs), dtype=np.int32).reshape(-1, 2)
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        loose = list(self._loose(names, min_loose_length))
        with_function_words = self._keys_with_function_words(names)
        return Lexicon(
            spelling=self._spelling,
            labels=labels,
            ids=tuple(id for id, _ in self._records),
            label_of_record=np.array([codes[label] for _, label in self._records], dtype=np.int32),
            names=SpellingTable.of(names, "exact"),
            key_of_name=np.array(self._key_of_name, dtype=np.int32),
            loose=SpellingTable.of(loose, SPELLINGS[self._spelling]),
            key_of_loose=np.array([self._keys[key] for key in loose], dtype=np.int32),
            has_function_word=np.array(
                [self._keys[key] in with_function_words for key in loose], dtype=bool
            ),
            first_record=np.searchsorted(pairs[:, 0], np.arange(len(self._keys) + 1)),
            records=pairs[:, 1].copy(),
            is_family=self._keys_of_families(),
            compilation=Compilation(
                n_entries=self._n_entries,
                removed=dict(self._removed),
                n_names=len(names),
                n_keys=len(self._keys),
                n_ids=len({id for id, _ in self._records}),
            ),
        )

    def _keys_of_families(self) -> Flags:
        """Tell which keys name families."""
        forms = list(self._keys)
        if SPELLINGS[self._spelling] != "normalised":
            forms = [normal_form(key) for key in forms]
        of_families = families(forms, self._preferred)
        return np.array([form in of_families for form in forms], dtype=bool)

    def _take(self, name: str, record: int) -> int:
        """Add a name of a record, and return its number."""
        number = self._names.setdefault(name, len(self._names))
        if number == len(self._key_of_name):
            key = _key(name, self._spelling)
            self._key_of_name.append(self._keys.setdefault(key, len(self._keys)))
        self._pairs[self._key_of_name[number], record] = None
        return number

    def _objection(self, name: str) -> str | None:
        """Say why a name is of no use."""
        if not any(map(str.isalpha, name)):
            return "without a letter"
        if len(name) < self._min_length:
            return f"shorter than {self._min_length}"
        if len(name) > self._max_length:
            return f"longer than {self._max_length}"
        if name.endswith(("-", "/")):
            return "broken off"
        if name[1:].islower() and name.lower() in self._stop_words:
            return "stop word"
        return None

    def _loose(self, names: Iterable[str], min_length: int) -> Iterator[str]:
        """Yield the keys that may be found by their loose spelling."""
        if self._spelling == "exact":
            return
        if self._spelling == "long-folded":
            long = (_key(name, self._spelling) for name in names if _is_long(name))
            yield from dict.fromkeys(key for key in long if key not in self._stop_words)
            return
        for key in self._keys:
            is_long_enough = self._spelling == "folded" or len(key) >= min_length
            if is_long_enough and key not in self._stop_words and key not in FUNCTION_WORDS:
                yield key

    def _keys_with_function_words(self, names: Iterable[str]) -> set[int]:
        return {
            key
            for name, key in zip(names, self._key_of_name, strict=True)
            if not FUNCTION_WORDS.isdisjoint(_WORD.findall(name.lower()))
        }


def _key(name: str, spelling: str) -> str:
    """Return the key of a name; a name of which the form leaves nothing is its own key."""
    return spelled(name, SPELLINGS[spelling]) or name


def _is_long(name: str) -> bool:
    return sum(map(str.isalpha, name)) >= LONG and not name.isupper()
