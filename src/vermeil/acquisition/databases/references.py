"""Which documents a database's records refer to, and which matches that supports.

Section 2.2 of "Acquisition": a name found in a document is taken for real only if one of the
records it may stand for refers to this very document.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.databases.genes import read_gene_links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import Matches
from vermeil.arrays import Flags, Ints, ranges
from vermeil.document import Document
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.source import Source

_DIGITS = re.compile(r"(?:(?i:pmid|pubmed)\W*)?(\d+)")


@dataclass(frozen=True, eq=False)
class References:
    """Links between documents and ids: those of document d are ``id[first[d]:first[d + 1]]``.

    Where all ``documents`` are numbers, ``PMID-10190553`` and ``10190553`` are the same document.
    """

    documents: tuple[str, ...]
    ids: tuple[str, ...]
    first: Ints
    id: NDArray[np.int32]

    @staticmethod
    def of(links: Iterable[tuple[str, str]]) -> "References":
        """Make references of pairs of an id and a document.

        >>> references = References.of([("672", "7545954"), ("675", "7545954"), ("672", "8")])
        >>> references.ids, references.number_of("PMID-7545954"), references.number_of("9")
        (('672', '675'), 0, -1)
        """
        documents: dict[str, int] = {}
        ids: dict[str, int] = {}
        pairs = [
            (documents.setdefault(document, len(documents)), ids.setdefault(id, len(ids)))
            for id, document in links
        ]
        columns = np.unique(np.array(pairs, dtype=np.int32).reshape(-1, 2), axis=0)
        first = np.searchsorted(columns[:, 0], np.arange(len(documents) + 1))
        return References(tuple(documents), tuple(ids), first, columns[:, 1].copy())

    def __len__(self) -> int:
        return len(self.id)

    def number_of(self, document: str) -> int:
        """Return the number of a document, -1 for one that is not known."""
        number = self._numbers.get(document, -1)
        if number < 0 and self._are_numbers and (digits := _DIGITS.fullmatch(document)):
            return self._numbers.get(digits[1], -1)
        return number

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {document: number for number, document in enumerate(self.documents)}

    @cached_property
    def _are_numbers(self) -> bool:
        return all(map(str.isdecimal, self.documents))


def read_references(path: Path) -> References:
    """Read Entrez Gene's ``gene2pubmed``, an organism's SQLite file or lines of id and document.

    A file of lines has the columns GeneID and PubMed_ID, or id and document, named in its first
    line; without such a line, the first two columns are taken. Lines that begin with ``#`` are
    skipped.
    """
    if path.suffix in (".sqlite", ".sqlite3", ".db"):
        return References.of(read_gene_links(path))
    return References.of(_links(path))


@dataclass(frozen=True, eq=False)
class Links:
    """References in terms of a lexicon: pairs of document and record as rising numbers."""

    lexicon: Lexicon
    references: References
    pairs: Ints

    @staticmethod
    def of(lexicon: Lexicon, references: References) -> "Links":
        """Bring a lexicon and references together; to be made once for many batches."""
        records: dict[str, list[int]] = {}
        for record, id in enumerate(lexicon.ids):
            records.setdefault(id, []).append(record)
        own = [records.get(id, []) for id in references.ids]
        n_own = np.array([len(each) for each in own], dtype=np.int64)
        flat = np.array([record for each in own for record in each], dtype=np.int64)
        document = np.repeat(np.arange(len(references.documents)), np.diff(references.first))
        end = np.cumsum(n_own)
        which, at = ranges((end - n_own)[references.id], end[references.id])
        pairs = document[which] * max(1, len(lexicon.ids)) + flat[at]
        return Links(lexicon, references, np.unique(pairs))

    @cached_property
    def linked_records(self) -> Flags:
        """Tell of each record whether some document is linked to it."""
        is_linked = np.zeros(len(self.lexicon.ids), dtype=bool)
        is_linked[self.pairs % max(1, len(is_linked))] = True
        return is_linked

    @cached_property
    def linked_keys(self) -> Flags:
        """Tell of each key whether some document is linked to one of its records."""
        row, record = self.lexicon.records_of(np.arange(len(self.lexicon)))
        are_linked = np.zeros(len(self.lexicon), dtype=bool)
        are_linked[row[self.linked_records[record]]] = True
        return are_linked

    def are_referenced(self, documents: Sequence[Document]) -> Flags:
        """Tell which documents any record refers to."""
        return self.numbers_of(documents) >= 0

    def support(self, matches: Matches, documents: Sequence[Document]) -> Flags:
        """Tell which matches have a record that refers to their document."""
        numbers = self.numbers_of(documents)
        rows = np.flatnonzero(numbers[matches.document] >= 0)
        which, record = self.lexicon.records_of(matches.key[rows])
        linked = self.have(numbers[matches.document[rows[which]]], record)
        supported = np.zeros(len(matches), dtype=bool)
        supported[rows[which[linked]]] = True
        return supported

    def have(self, number: Ints, record: Ints) -> Flags:
        """Tell which documents, by their number among the references, are linked to a record."""
        if not len(self.pairs):
            return np.zeros(len(record), dtype=bool)
        wanted = number * max(1, len(self.lexicon.ids)) + record
        place = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        linked: Flags = (number >= 0) & (self.pairs[place] == wanted)
        return linked

    def n_records(self, number: Ints) -> Ints:
        """Count the records that documents are linked to, by their number among the references."""
        n_ids = max(1, len(self.lexicon.ids))
        first = np.searchsorted(self.pairs, number * n_ids)
        counts: Ints = np.searchsorted(self.pairs, (number + 1) * n_ids) - first
        return counts

    def numbers_of(self, documents: Sequence[Document]) -> Ints:
        """Return the numbers of documents among the references, -1 for those without any."""
        numbers = [self.references.number_of(document.id) for document in documents]
        return np.array(numbers, dtype=np.int64)


def open_links(lexicon: Lexicon, path: Path) -> Links:
    """Read the references of a file and bring them together with a lexicon.

    Raise UsageError where there is no such file, or none of its ids is in the lexicon.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file")
    links = Links.of(lexicon, read_references(path))
    if not len(links.pairs):
        raise UsageError(f"{path}: none of its ids is in the lexicon")
    return links


def _links(path: Path) -> Iterator[tuple[str, str]]:
    id_at, document_at = 0, 1
    is_first = True
    for number, line in Source(path, "").lines():
        fields = [field.strip() for field in line.lstrip("#").split("\t")]
        names = ("GeneID", "PubMed_ID") if "GeneID" in fields else ("id", "document")
        if is_first and set(names) <= set(fields):
            id_at, document_at = (fields.index(name) for name in names)
        elif line.strip() and not line.startswith("#"):
            if len(fields) <= max(id_at, document_at):
                raise FormatError(
                    path, number, f"an id, a tab and a document were wanted, got {line[:40]!r}"
                )
            yield fields[id_at], fields[document_at]
        is_first = False
