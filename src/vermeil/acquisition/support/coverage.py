"""Names that many papers mention and few are about, told by the papers that are.

A support rate asks in how many of the documents that hold a name it is supported. That is little
for ``insulin``, a name all the same, as it is for ``was``. Coverage asks the other way round: of
the documents that references link to its records, how many hold the name? Of those about insulin
nearly all, and ten times more than of others. What is covered in this way is a name, and its
records are seldom linked; so when matches are judged, but not while the support model learns, its
rate is taken among as many documents as are linked, or a fifth of those that hold it.

Some names have no record that any document is linked to: ``ubiquitin`` where references are for
human genes, of which one is ubiquitin B and another ubiquitin C. Such a word, in small letters, is
covered by the documents of its family: the records with a name that is this word and a number or
letter.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import Matches
from vermeil.acquisition.lexicon.normal_form import GREEK
from vermeil.acquisition.lexicon.spellings import SpellingTable
from vermeil.acquisition.support.counts import PRIOR, KeySupport
from vermeil.arrays import Flags, Ints, ranges
from vermeil.document import Document
from vermeil.models.model_files import widened
from vermeil.models.schema import ArraySpec, checked

MOST_RECORDS = 8
"""Documents linked to more records are lists of genes: they need not hold a name of each."""

LIFT = 10.0
"""How many times more often than elsewhere a covered name stands in the documents linked to it."""

SHARE, FAMILY_SHARE = 0.3, 0.2
"""The least share of linked documents that hold a covered name, by its own records or a family's.

The documents of a family speak of its other members, too.
"""

LEAST = 2
"""Documents that are linked, and those among them that hold the name."""

RATE = 0.2
"""A name with a higher rate is believed without this; chosen on GE abstracts."""

KEPT = 0.2
"""Of the documents that hold a covered name, those that count at least."""

LONG = 5
"""Letters of a word that stands for a family."""

_MEMBER = re.compile(
    r"\d+[a-z]?|[a-z]\d{0,2}|[ivx]+|type|chain|isoform|like|family|member|class|group|subunit"
    r"|protein|clustered|" + "|".join(sorted(set(GREEK.values()))),
    re.IGNORECASE,
)
_FIRST = re.compile(r"([A-Za-z][a-z]{4,})\d*")
_PARTS = re.compile(r"[^\W_]+")
_SCHEMA = {
    "documents": ArraySpec("whole", (1,), least=0),
    "linked": ArraySpec("whole", ("keys",), least=0),
    "holding": ArraySpec("whole", ("keys",), least=0),
}


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """The records of the families that keys stand for: those of ``keys[n]`` are
    ``records[first[n]:first[n + 1]]``."""

    keys: Ints
    first: Ints
    records: Ints

    @staticmethod
    def of(lexicon: Lexicon, links: Links) -> "Families":
        """Find the keys of words of which no record is linked, and their linked families."""
        is_linked, has_linked = links.linked_records, links.linked_keys
        members: dict[str, set[int]] = {}
        words: dict[str, int] = {}
        asked = np.flatnonzero(has_linked[lexicon.key_of_name] | _are_letters(lexicon.names))
        for number, key in zip(asked.tolist(), lexicon.key_of_name[asked].tolist(), strict=True):
            name = lexicon.names.name(number)
            if has_linked[key]:
                if (stem := family_word(name)) is not None:
                    members.setdefault(stem, set()).add(key)
            elif _is_word(name):
                words.setdefault(name.lower(), key)
        pairs = [
            (words[stem], record)
            for stem, keys in members.items()
            if stem in words
            for record in lexicon.records_of(np.array(sorted(keys)))[1].tolist()
            if is_linked[record]
        ]
        table = np.unique(np.array(pairs, dtype=np.int64).reshape(-1, 2), axis=0)
        keys, first = np.unique(table[:, 0], return_index=True)
        return Families(keys, np.append(first, len(table)), table[:, 1].copy())

    def are_words(self, key: Ints) -> Flags:
        """Tell which keys stand for a family."""
        return np.isin(key, self.keys)

    def records_of(self, keys: Ints) -> tuple[Ints, Ints]:
        """List the records of keys: the row of ``keys`` that each belongs to, and the record."""
        rows = np.flatnonzero(self.are_words(keys))
        place = np.searchsorted(self.keys, keys[rows])
        which, at = ranges(self.first[place], self.first[place + 1])
        return rows[which], self.records[at]


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """For each key, the documents linked to its records or its family, and those that hold it."""

    families: Families
    n_documents: int
    n_linked: Ints
    n_holding: Ints

    @staticmethod
    def of(links: Links, matches: Matches, documents: Sequence[Document]) -> "Coverage":
        """Count over the matches of documents that references know."""
        lexicon = links.lexicon
        families, numbers = Families.of(lexicon, links), links.numbers_of(documents)
        n_keys, n_ids = len(lexicon), max(1, len(lexicon.ids))
        counted = np.zeros(len(links.references.documents), dtype=bool)
        counted[numbers] = links.n_records(numbers) <= MOST_RECORDS
        order = np.argsort(links.pairs % n_ids, kind="stable")
        document = (links.pairs // n_ids)[order]
        first = np.searchsorted((links.pairs % n_ids)[order], np.arange(n_ids + 1))
        keys = np.unique(matches.key)
        row, record = _all_records(lexicon, families, keys)
        which, at = ranges(first[record], first[record + 1])
        own = counted[document[at]]
        linked = np.unique(keys[row[which[own]]] * len(counted) + document[at[own]])
        held = np.unique(matches.key * len(counted) + numbers[matches.document])
        return Coverage(
            families,
            n_documents=len(documents),
            n_linked=np.bincount(linked // len(counted), minlength=n_keys),
            n_holding=np.bincount(
                np.intersect1d(linked, held, assume_unique=True) // len(counted), minlength=n_keys
            ),
        )

    def apply(
        self, support: KeySupport, links: Links, matches: Matches, documents: Sequence[Document]
    ) -> KeySupport:
        """Say of covered names how often they are supported where they could be.

        A match is no witness for itself: where its own document is counted, it is left out.
        """
        n, key = support.n_documents, matches.key
        own = self._are_counted(links, matches, documents)
        linked, holding = self.n_linked[key] - own, self.n_holding[key] - own
        share = np.where(self.families.are_words(key), FAMILY_SHARE, SHARE)
        by_chance = linked * n / max(1, self.n_documents)
        covered = (
            (support.rate < RATE)
            & (linked >= LEAST)
            & (holding >= LEAST)
            & (holding >= share * linked)
            & (holding >= LIFT * by_chance)
        )
        fewer = np.maximum(linked, (KEPT * n).astype(np.int64))
        fewer = np.maximum(np.minimum(fewer, n), holding)
        return KeySupport(
            np.where(covered, fewer, n),
            np.where(covered, (holding + PRIOR) / (fewer + 1), support.rate),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all there is to save."""
        return {
            "documents": np.array([self.n_documents]),
            "linked": self.n_linked.astype(np.int32),
            "holding": self.n_holding.astype(np.int32),
        }

    @staticmethod
    def from_arrays(
        lexicon: Lexicon, links: Links, arrays: Mapping[str, NDArray[Any]]
    ) -> "Coverage":
        """Make the counts again that gave these arrays, for the same lexicon and references."""
        n_documents, n_linked, n_holding = widened(checked(arrays, _SCHEMA), *_SCHEMA)
        if (n_holding > n_linked).any():
            raise ValueError("more linked documents hold a name than there are")
        families = Families.of(lexicon, links)
        return Coverage(families, int(n_documents[0]), n_linked, n_holding)

    def _are_counted(self, links: Links, matches: Matches, documents: Sequence[Document]) -> Ints:
        """Tell by 1 and 0 which matches stand in a document that is counted for their key."""
        numbers = links.numbers_of(documents)
        counted = numbers >= 0
        counted[counted] = links.n_records(numbers[counted]) <= MOST_RECORDS
        rows = np.flatnonzero(counted[matches.document])
        which, record = _all_records(links.lexicon, self.families, matches.key[rows])
        is_linked = links.have(numbers[matches.document[rows[which]]], record)
        own = np.zeros(len(matches), dtype=np.int64)
        own[rows[which[is_linked]]] = 1
        return own


def family_word(name: str) -> str | None:
    """Return the word that stands for the family of a name, in small letters; None without one.

    >>> family_word("ubiquitin B"), family_word("tubulin, alpha 1a"), family_word("histone H3.1")
    ('ubiquitin', 'tubulin', 'histone')
    >>> family_word("ubiquitin"), family_word("ubiquitin ligase 1"), family_word("STAT 1")
    (None, None, None)
    """
    parts = _PARTS.findall(name)
    if not parts or (first := _FIRST.fullmatch(parts[0])) is None:
        return None
    is_member = len(parts) > 1 and all(map(_MEMBER.fullmatch, parts[1:]))
    return first[1].lower() if is_member or first[1] != parts[0] else None


def _are_letters(names: SpellingTable) -> Flags:
    """Tell which names are of letters only; most are not, and need not be spelled out."""
    if not len(names):
        return np.zeros(0, dtype=bool)
    is_letter = np.array([False, *(chr(code).isalpha() for code in names.letters.tolist())])
    all_letters: Flags = np.logical_and.reduceat(is_letter[names.spelt], names.first[:-1])
    return all_letters & (np.diff(names.first) >= LONG)


def _is_word(name: str) -> bool:
    return len(name) >= LONG and name.isalpha() and name[1:].islower()


def _all_records(lexicon: Lexicon, families: Families, keys: Ints) -> tuple[Ints, Ints]:
    """List the records of keys and of their families, with the row of ``keys`` of each."""
    own, wider = lexicon.records_of(keys), families.records_of(keys)
    return np.concatenate((own[0], wider[0])), np.concatenate((own[1], wider[1]))
