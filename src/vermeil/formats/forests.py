"""The trees of several parsers for the same sentences, read in step.

A forest is what several parsers said about one sentence. Files are aligned by position: the third
tree of each is about the third sentence. Their words must be the same once escapes are undone and
traces left out; what differs is an error that shows both words, never a sentence quietly dropped.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from vermeil.arrays import Flags
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.steps import drop_traces, prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.errors import FormatError, UnknownNameError, UsageError
from vermeil.formats import Format, get_format, guess_format, settled_options
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source, stem
from vermeil.formats.inputs import Input
from vermeil.shown import Brief
from vermeil.tree import Tree, parse_line

BATCH = 2000
"""Sentences held at a time."""

Line: TypeAlias = tuple[int | None, str]
"""A tree as it stands in a file: the line on which it begins, and its text, empty for a failure."""


@dataclass(frozen=True, slots=True, repr=False)
class Forests(Brief):
    """A batch of sentences as all parsers see them, the parsers in the order of their files.

    ``first`` is the number of the first sentence, counted from 1.
    """

    first: int
    tables: Mapping[str, TreeTable]

    def _told(self) -> str:
        parsers = f"{len(self.tables)} parsers: {', '.join(self.tables)}"
        return f"{len(self):,} sentences from {self.first:,} on, {parsers}"

    def __len__(self) -> int:
        return len(next(iter(self.tables.values())))

    def of(self, parsers: Iterable[str]) -> "Forests":
        """Keep some of the parsers, in this order."""
        return Forests(self.first, {name: self.tables[name] for name in parsers})

    def without(self, parser: str | None) -> "Forests":
        """Leave one of the parsers out."""
        return self.of(name for name in self.tables if name != parser)

    def prepared(
        self, steps: Sequence[str], *, standard: str | None = None
    ) -> dict[str, TreeTable]:
        """Return the tables after the named steps; ``standard`` names the treebank among them."""
        return {
            name: prepare(table, steps, is_standard=name == standard)
            for name, table in self.tables.items()
        }


@dataclass(frozen=True, slots=True, repr=False)
class HeldTrees(Brief):
    """The trees of a parser that are in memory, one a sentence, None where it has no parse."""

    name: str
    trees: Sequence[Tree | None]


@dataclass(frozen=True, slots=True, repr=False)
class HeldLines(Brief):
    """Trees of a file as they stand in it: the line on which each begins, and its brackets."""

    name: str
    path: Path
    lines: Sequence[Line]


def read_forests(
    inputs: Sequence[Input | HeldTrees | HeldLines],
    *,
    ledger: Ledger | None = None,
    options: Mapping[str, str] | None = None,
    batch: int = BATCH,
    first: int = 1,
) -> Iterator[Forests]:
    """Yield batches of sentences with the trees of every input, a file or trees in memory.

    A tree that cannot be read, or whose words are not those of the inputs before it, ends the
    run; where the ledger skips bad records it counts as a parse failure. ``first`` is the number
    of the first sentence.
    """
    files = _files(inputs, ledger or Ledger(), options or {})
    by_name = {file.name: file for file in files}
    if len(by_name) < len(files):
        raise UsageError("two inputs have the same name; tell them apart with NAME=PATH")
    names = TreeNames()
    while sum(file.fill(batch) for file in files):
        uneven = _uneven(files, first)
        n_common = min(len(file.texts) for file in files)
        tables: dict[str, TreeTable] = {}
        for name, file in by_name.items():
            file.keep(n_common)
            table = file.read(names)
            for other, reference in tables.items():
                table = file.agreeing(table, reference, by_name[other].source.path, first)
            tables[name] = table
        # What is wrong with a tree or its words explains more than that there are too few.
        if uneven is not None:
            raise uneven
        yield Forests(first, tables)
        first += len(files[0].texts)


def lines_in_step(
    inputs: Sequence[Input], options: Mapping[str, str] | None = None
) -> Iterator[list[Line]]:
    """Yield the trees of each sentence unread, one of every input.

    Raise FormatError where an input ends before another.
    """
    files = _files(inputs, Ledger(), options or {})
    first = 1
    while sum(file.fill(BATCH) for file in files):
        uneven = _uneven(files, first)
        if uneven is not None:
            raise uneven
        yield from ([*row] for row in zip(*(file.given for file in files), strict=True))
        first += len(files[0].texts)


def _files(
    inputs: Sequence[Input | HeldTrees | HeldLines], ledger: Ledger, options: Mapping[str, str]
) -> "list[_File]":
    files = [_File(each, ledger, options) for each in inputs]
    for option in options:
        if not any(option in file.source.options for file in files):
            raise UsageError(f"no input has an option {option!r} (-O)")
    return files


class _File:
    """One input, some sentences at a time: their bracket text and the lines they begin on."""

    def __init__(
        self, given: Input | HeldTrees | HeldLines, ledger: Ledger, options: Mapping[str, str]
    ) -> None:
        self._all: Iterator[Line]
        if isinstance(given, HeldLines):
            self.name, self._all = given.name, iter(given.lines)
            self.source = Source(given.path, given.name, ledger, options)
        elif isinstance(given, HeldTrees):
            self.name = given.name
            self.source = Source(Path(given.name), given.name, ledger)
            self._all = ((None, "" if tree is None else str(tree)) for tree in given.trees)
        else:
            self.name = given.annotator or stem(given.path)
            self.source, self._all = _opened(given, self.name, ledger, options)
        self.lines: list[int | None] = []
        self.texts: list[str] = []

    def fill(self, n: int) -> int:
        """Take the next ``n`` sentences; tell how many there were."""
        taken = list(islice(self._all, n))
        self.lines, self.texts = [line for line, _ in taken], [text for _, text in taken]
        return len(taken)

    @property
    def given(self) -> Iterator[Line]:
        """The sentences taken, as they were given."""
        return zip(self.lines, self.texts, strict=True)

    def keep(self, n: int) -> None:
        """Keep the first ``n`` of the sentences taken."""
        del self.lines[n:], self.texts[n:]

    def read(self, names: TreeNames) -> TreeTable:
        """Read all sentences at once, or one by one to find out which cannot be read."""
        try:
            return TreeTable.parse(self.texts, names)
        except ValueError:
            for number, text in enumerate(self.texts):
                try:
                    parse_line(text)
                except ValueError as error:
                    self._fail(number, error)
        return TreeTable.parse(self.texts, names)

    def agreeing(self, table: TreeTable, reference: TreeTable, path: Path, first: int) -> TreeTable:
        """Take the parses away whose words are not those of ``reference``."""
        mine, theirs = drop_traces(table), drop_traces(reference)
        differs = _differs(mine, theirs)
        for number in np.flatnonzero(differs).tolist():
            self._fail(number, _difference(mine, theirs, number, first, path))
        return table.without_sentences(differs) if differs.any() else table

    def _fail(self, number: int, error: Exception | str) -> None:
        self.source.bad(self.lines[number], self.texts[number], error)
        self.texts[number] = ""


def _opened(
    given: Input, name: str, ledger: Ledger, options: Mapping[str, str]
) -> tuple[Source, Iterator[Line]]:
    format = given.format or guess_format(given.path)
    row = get_format(format)
    if "trees" not in row.carries:
        raise UsageError(f"{given.path}: {format} holds no parse trees")
    known = {key: value for key, value in options.items() if key in row.options}
    source = Source(given.path, name, ledger, settled_options(format, row, known))
    return source, _brackets(source, row)


def _brackets(source: Source, row: Format) -> Iterator[Line]:
    """Yield each tree as bracket text, with the line on which it begins where there are lines."""
    if row.brackets is not None:
        yield from row.brackets(source)
        return
    assert row.read is not None, "a format that holds trees holds their words"
    for document in row.read(source):
        parsers = list(document.trees)
        if source.annotator not in parsers and len(parsers) > 1:
            raise UnknownNameError(f"parser in {source.path}", source.annotator, parsers)
        name = source.annotator if source.annotator in parsers else parsers[0] if parsers else ""
        for tree in document.trees.get(name, ()):
            yield None, "" if tree is None else str(tree)


def _uneven(files: Sequence[_File], first: int) -> FormatError | None:
    lengths = [len(file.texts) for file in files]
    if min(lengths) == max(lengths):
        return None
    short, long = files[lengths.index(min(lengths))], files[lengths.index(max(lengths))]
    return FormatError(
        short.source.path,
        None,
        f"ends after sentence {first - 1 + len(short.texts)}, and {long.source.path} goes on; "
        "a sentence that was not parsed needs an empty line or (())",
    )


def _differs(table: TreeTable, reference: TreeTable) -> Flags:
    """Tell in which of the sentences that both have the words are not the same."""
    both = ~table.failed & ~reference.failed
    alike = both & (table.n_words == reference.n_words)
    mine = np.flatnonzero(np.repeat(alike, table.n_words))
    theirs = np.flatnonzero(np.repeat(alike, reference.n_words))
    other = table.word[mine] != reference.word[theirs]
    alike[table.sentence_of_word[mine[other]]] = False
    differs: Flags = both & ~alike
    return differs


def _difference(table: TreeTable, reference: TreeTable, number: int, first: int, path: Path) -> str:
    """Say where the words of a sentence part, and whether a line may have been lost."""
    mine, theirs = _words(table, number), _words(reference, number)
    place = next(
        (n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b),
        min(len(mine), len(theirs)),
    )
    here, there = (
        repr(words[place]) if place < len(words) else "missing" for words in (mine, theirs)
    )
    said = f"sentence {first + number}: word {place + 1} is {here}, and in {path} it is {there}"
    if mine and number + 1 < len(reference) and mine == _words(reference, number + 1):
        said += "; these are the words of its next sentence, so one is missing here"
    elif theirs and number + 1 < len(table) and theirs == _words(table, number + 1):
        said += "; its words come one sentence later here, so there is one too many"
    return said


def _words(table: TreeTable, number: int) -> list[str]:
    codes = table.word[table.first_word[number] : table.first_word[number + 1]]
    return [table.names.words.names[code] for code in codes.tolist()]
