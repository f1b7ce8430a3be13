"""Labels that differ: what is called otherwise here and there gets one name as it is read."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from vermeil.document import Centroid, Document, Span
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source

SCOPE = "scope"

_NOT_WORD = re.compile(r"[\W_]+")

Labelled = TypeVar("Labelled", Span, Centroid)


class Labels(msgspec.Struct, frozen=True):
    """How labels are read: ``renamed`` as told, ``folds`` those that differ in case or punctuation.

    Folded labels are in lower case and without punctuation; what is told comes after folding, so
    that ``chemical=Chemical`` names all that are alike.

    >>> labels = Labels({"chemical": "Chemical"}, folds=True)
    >>> labels.of("CHEMICAL"), labels.of("Cell_Line"), labels.of("cell line")
    ('Chemical', 'cellline', 'cellline')
    """

    renamed: dict[str, str] = {}
    folds: bool = False

    @staticmethod
    def given(
        map: Mapping[str, str] | Iterable[str] | None = None,
        map_file: str | PathLike[str] | None = None,
        fold_labels: bool = False,
    ) -> "Labels":
        """Take what a user says: A=B pairs or a mapping, a file with a pair a line, and folding."""
        pairs = map.items() if isinstance(map, Mapping) else [_pair(each) for each in map or ()]
        told = {**(_in_file(Path(map_file)) if map_file is not None else {}), **dict(pairs)}
        if fold_labels:
            told = {folded(old): new for old, new in told.items()}
        return Labels(told, fold_labels)

    def of(self, label: str) -> str:
        """Rename a label."""
        label = folded(label) if self.folds else label
        return self.renamed.get(label, label)

    def apply(
        self, documents: Iterable[Document], ledger: Ledger, *, are_all: bool = False
    ) -> Iterator[Document]:
        """Rename the labels of documents, and count how often.

        Where these are all there are, also say which labels were never met.
        """
        if not (self.renamed or self.folds):
            yield from documents
            return
        met: set[str] = set()
        for document in documents:
            changes: Counter[tuple[str, str]] = Counter()
            yield self._document(document, changes, met)
            for (old, new), n in changes.items():
                ledger.note("renamed", f"labels {old} to {new}", document.id, n=n)
        for old in self.renamed if are_all else ():
            if old not in met:
                ledger.note("never met", "labels that were to be renamed", old)

    def _document(
        self, document: Document, changes: Counter[tuple[str, str]], met: set[str]
    ) -> Document:
        meta = dict(document.meta)
        if isinstance(scope := meta.get(SCOPE), dict):
            meta[SCOPE] = {name: self._scope(labels) for name, labels in scope.items()}
        layers = {name: self._all(layer, changes, met) for name, layer in document.layers.items()}
        standards = {
            name: self._all(each, changes, met) for name, each in document.standards.items()
        }
        return document.replace(layers=layers, standards=standards, meta=meta)

    def _scope(self, labels: Any) -> Any:
        return (
            sorted({self.of(str(each)) for each in labels}) if isinstance(labels, list) else labels
        )

    def _all(
        self, marked: Iterable[Labelled], changes: Counter[tuple[str, str]], met: set[str]
    ) -> tuple[Labelled, ...]:
        found: list[Labelled] = []
        for each in marked:
            met.add(folded(each.label) if self.folds else each.label)
            label = self.of(each.label)
            if label != each.label:
                changes[each.label, label] += 1
                each = msgspec.structs.replace(each, label=label)
            found.append(each)
        return tuple(found)


def folded(label: str) -> str:
    """Spell a label in lower case, without punctuation; one of nothing else stays."""
    return _NOT_WORD.sub("", label.casefold()) or label


def alike(labels: Iterable[str]) -> list[list[str]]:
    """Put labels together that differ only by case or punctuation.

    >>> alike(["CHEMICAL", "Gene", "chemical", "Cell-Line", "cell_line"])
    [['CHEMICAL', 'chemical'], ['Cell-Line', 'cell_line']]
    """
    groups: dict[str, list[str]] = {}
    for label in sorted(set(labels)):
        groups.setdefault(folded(label), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _pair(given: str, where: str = "--map") -> tuple[str, str]:
    old, equals, new = given.partition("=")
    if not equals or not old.strip() or not new.strip():
        raise UsageError(f"{where} takes OLD=NEW, got {given!r}")
    return old.strip(), new.strip()


def _in_file(path: Path) -> dict[str, str]:
    """Read pairs, one a line: ``OLD=NEW``, or two columns between tabs; ``#`` begins a remark."""
    told = {}
    for number, line in Source(path, "").lines():
        if line.strip() and not line.startswith("#"):
            given = "=".join(line.split("\t")) if line.count("\t") == 1 else line
            old, new = _pair(given, f"{path}:{number}: a line")
            told[old] = new
    return told
