"""Columns of parse trees: the twin of trees for work on many sentences at once.

A TreeTable lays the words of a batch of sentences on one axis and gives every constituent a row, so
that preparing and scoring trees is a few sorts over arrays instead of a walk per tree. Rows stand
in depth-first order, sentence by sentence; parts of speech belong to the words and are no rows.

Tables that are to be compared share their names: a code means the same name in all of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.trees.bracket_text import BracketText, scan
from vermeil.columns.trees.names import TreeNames
from vermeil.shown import Brief
from vermeil.tree import TRACE, Bracket, Tree, assemble, escape, parse_line

ROOT = "TOP"
"""The label of a root that its brackets do not name."""

_OF_WORDS = ("word", "spelt", "tag", "above", "place")
_OF_ROWS = ("label", "start", "end", "parent")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TreeTable(Brief):
    """The trees of one parser for a batch of sentences.

    ``first_word`` has one entry more than there are sentences: sentence ``s`` holds the words
    ``first_word[s]`` up to ``first_word[s + 1]``; ``failed`` tells which sentences have no parse
    (and no words). A word has its ``word`` and how that is ``spelt``, its ``tag``, the row
    ``above`` it and the ``place`` it had in its sentence before any was dropped. A constituent has
    its ``label``, its words from ``start`` up to ``end`` on the axis of the batch, and the row of
    its ``parent``. -1 is no row.

    >>> table = TreeTable.parse(["(S (NP (NN p53)) (VP (VBZ binds)))", ""])
    >>> table.start.tolist(), table.end.tolist(), table.parent.tolist()
    ([0, 0, 1], [2, 1, 2], [-1, 0, 0])
    >>> table.failed.tolist(), table.first_word.tolist()
    ([False, True], [0, 2, 2])
    """

    names: TreeNames
    failed: Flags
    first_word: Ints
    word: Ints
    spelt: Ints
    tag: Ints
    above: Ints
    place: Ints
    label: Ints
    start: Ints
    end: Ints
    parent: Ints

    def _told(self) -> str:
        return (
            f"{len(self):,} sentences, {int(self.failed.sum()):,} failed, "
            f"{len(self.word):,} words, {len(self.label):,} constituents"
        )

    @staticmethod
    def parse(lines: Sequence[str], names: TreeNames | None = None) -> "TreeTable":
        """Read one tree a line, as ``vermeil.tree.parse_line`` does but all at once.

        A line without a tree is a failure. Raise ValueError where a line does not hold one tree.
        """
        names = names or TreeNames()
        text = scan(lines) if lines else None
        if text is None:
            return TreeTable.of([parse_line(line) for line in lines], names)
        return _coded(text, names)

    @staticmethod
    def of(trees: Iterable[Tree | None], names: TreeNames | None = None) -> "TreeTable":
        """Lay trees out as columns."""
        names = names or TreeNames()
        failed: list[bool] = []
        first_word = [0]
        words: list[tuple[int, int, int]] = []
        rows: list[list[int]] = []
        for tree in trees:
            failed.append(tree is None)
            if tree is not None:
                _lay(tree, -1, names, words, rows)
            first_word.append(len(words))
        starts = np.array(first_word, dtype=np.int64)
        spelt, tag, above = _columns(words, 3)
        label, start, end, parent = _columns(rows, 4)
        return TreeTable(
            names,
            failed=np.array(failed, dtype=bool),
            first_word=starts,
            word=names.words_of(spelt),
            spelt=spelt,
            tag=tag,
            above=above,
            place=_places(tag != names.labels[TRACE], starts),
            label=label,
            start=start,
            end=end,
            parent=parent,
        )

    @staticmethod
    def united(tables: Sequence["TreeTable"]) -> "TreeTable":
        """Join tables of the same sentences, each of which at most one has parsed.

        Nothing must have been dropped from a sentence but all of it.

        >>> names = TreeNames()
        >>> lines = (["(S (NN a))", ""], ["", "(S (NN b))"])
        >>> table = TreeTable.united([TreeTable.parse(each, names) for each in lines])
        >>> print(table.tree_as_read(1), table.failed.tolist())
        (S (NN b)) [False, False]
        """
        first_word = np.sum([table.first_word for table in tables], axis=0)
        first_row = np.sum([table._first_row for table in tables], axis=0)
        made: dict[str, Ints] = {
            **{name: np.empty(first_word[-1], dtype=np.int64) for name in _OF_WORDS},
            **{name: np.empty(first_row[-1], dtype=np.int64) for name in _OF_ROWS},
        }
        for table in tables:
            sentence = table.sentence
            further = (first_word - table.first_word)[:-1]
            at_word = np.arange(len(table.word)) + further[table.sentence_of_word]
            at_row = np.arange(len(table.label)) + (first_row - table._first_row)[sentence]
            row = np.append(at_row, -1)
            moved = replace(
                table,
                above=row[table.above],
                start=table.start + further[sentence],
                end=table.end + further[sentence],
                parent=row[table.parent],
            )
            for name, column in made.items():
                column[at_word if name in _OF_WORDS else at_row] = getattr(moved, name)
        failed = np.all([table.failed for table in tables], axis=0)
        return TreeTable(tables[0].names, failed, first_word, **made)

    def __len__(self) -> int:
        return len(self.failed)

    def tree(self, number: int, *, root: str = ROOT) -> Tree | None:
        """Make a tree of a sentence as it is now, under a root of its own; None where it failed.

        >>> print(TreeTable.parse(["(NP (NN p53))"]).tree(0))
        (TOP (NP (NN p53)))
        """
        if self.failed[number]:
            return None
        first, end = self.first_word[number : number + 2].tolist()
        words = [escape(self.names.words.names[code]) for code in self.word[first:end].tolist()]
        tags = [tag for tag, _ in self.leaves(number)]
        return assemble(list(zip(tags, words, strict=True)), self.brackets(number), root=root)

    def tree_as_read(self, number: int) -> Tree | None:
        """Make the tree that a sentence was read from; None where it failed.

        Nothing must have been dropped since.

        >>> print(TreeTable.parse(["(NP (NN and\\\\/or))"]).tree_as_read(0))
        (NP (NN and\\/or))
        """
        if self.failed[number]:
            return None
        leaves, brackets = self.leaves(number), self.brackets(number)
        if not brackets:
            [(tag, word)] = leaves
            return Tree(tag, (word,))
        return assemble(leaves, brackets[1:], root=brackets[0].label)

    def leaves(self, number: int) -> list[tuple[str, str]]:
        """List the tag of each word of a sentence, and the word as its brackets spell it."""
        first, end = self.first_word[number : number + 2].tolist()
        labels, spellings = self.names.labels.names, self.names.spellings.names
        codes = zip(self.tag[first:end].tolist(), self.spelt[first:end].tolist(), strict=True)
        return [(labels[tag], spellings[word]) for tag, word in codes]

    def brackets(self, number: int) -> list[Bracket]:
        """List the constituents of a sentence that hold words, depth first."""
        first, end = self.first_word[number : number + 2].tolist()
        rows = slice(*np.searchsorted(self.start, (first, end)).tolist())
        columns = (self.start[rows], self.end[rows], self.label[rows])
        labels = self.names.labels.names
        return [
            Bracket(start - first, last - first, labels[label])
            for start, last, label in zip(*(each.tolist() for each in columns), strict=True)
            if start < last
        ]

    def sentence_columns(self, number: int) -> tuple[Ints, ...]:
        """Return what makes the tree of a sentence; equal columns are equal trees of one batch."""
        first, end = self.first_word[number : number + 2].tolist()
        rows = slice(*np.searchsorted(self.start, (first, end)).tolist())
        words = self.tag[first:end], self.spelt[first:end]
        return *words, self.label[rows], self.start[rows] - first, self.end[rows] - first

    @property
    def n_words(self) -> Ints:
        """How many words each sentence has."""
        return np.diff(self.first_word)

    @property
    def sentence_of_word(self) -> Ints:
        """The sentence of each word."""
        return np.repeat(np.arange(len(self)), self.n_words)

    @property
    def sentence(self) -> Ints:
        """The sentence of each constituent that holds words."""
        found: Ints = np.searchsorted(self.first_word, self.start, side="right") - 1
        return found

    @property
    def _first_row(self) -> Ints:
        """Where the constituents of each sentence begin, and where the last end; all hold words."""
        found: Ints = np.searchsorted(self.start, self.first_word)
        return found

    def without_words(self, dropped: Flags) -> "TreeTable":
        """Drop words. Constituents stay, even where they now hold no word."""
        position = np.concatenate(([0], np.cumsum(~dropped)))
        return replace(
            self,
            first_word=position[self.first_word],
            word=self.word[~dropped],
            spelt=self.spelt[~dropped],
            tag=self.tag[~dropped],
            above=self.above[~dropped],
            place=self.place[~dropped],
            start=position[self.start],
            end=position[self.end],
        )

    def without_rows(self, dropped: Flags) -> "TreeTable":
        """Drop constituents. What they held belongs to the one above."""
        # The last entry is for -1, which is its own parent and never dropped.
        heir = np.append(np.where(dropped, self.parent, np.arange(len(dropped))), -1)
        while True:
            further = heir[heir]
            if (further == heir).all():
                break
            heir = further
        number = np.append(np.cumsum(~dropped) - 1, -1)
        return replace(
            self,
            above=number[heir[self.above]],
            label=self.label[~dropped],
            start=self.start[~dropped],
            end=self.end[~dropped],
            parent=number[heir[self.parent[~dropped]]],
        )

    def without_sentences(self, dropped: Flags) -> "TreeTable":
        """Take the parses of some sentences away; the sentences stay, as failures."""
        rest = self.without_rows(dropped[self.sentence])
        rest = rest.without_words(np.repeat(dropped, self.n_words))
        return replace(rest, failed=self.failed | dropped)

    def relabelled(self, mapping: Callable[[str], str], *, tags: bool = False) -> "TreeTable":
        """Rename the labels of constituents, and with ``tags`` those of words too."""
        labels = self.names.labels
        code = np.array([labels[mapping(name)] for name in tuple(labels.names)], dtype=np.int64)
        if not len(code):
            return self
        return replace(self, label=code[self.label], tag=code[self.tag] if tags else self.tag)

    def labels_among(self, wanted: Iterable[str]) -> Flags:
        """Tell which constituents have one of these labels."""
        return np.isin(self.label, [self.names.labels[name] for name in wanted])

    def tags_among(self, wanted: Iterable[str]) -> Flags:
        """Tell which words have one of these parts of speech."""
        return np.isin(self.tag, [self.names.labels[name] for name in wanted])

    def words_among(self, wanted: Iterable[str]) -> Flags:
        """Tell which words are one of these."""
        return np.isin(self.word, [self.names.words[name] for name in wanted])


def _coded(text: BracketText, names: TreeNames) -> TreeTable:
    """Number the words and labels of bracket text."""
    codes = names.coded(text.tokens)
    spelt, tag = codes[text.word], names.labels_of(codes[text.tag])
    label = np.full(len(text.label), names.labels[ROOT])
    label[text.label >= 0] = names.labels_of(codes[text.label[text.label >= 0]])
    return TreeTable(
        names,
        failed=text.failed,
        first_word=text.first_word,
        word=names.words_of(spelt),
        spelt=spelt,
        tag=tag,
        above=text.above,
        place=_places(tag != names.labels[TRACE], text.first_word),
        label=label,
        start=text.start,
        end=text.end,
        parent=text.parent,
    )


def _places(is_real: Flags, first_word: Ints) -> Ints:
    """Number the words of each sentence; a trace has the number of the word after it."""
    number = np.cumsum(is_real, dtype=np.int64) - is_real
    n_before = np.append(number, is_real.sum())[first_word[:-1]]
    place: Ints = number - np.repeat(n_before, np.diff(first_word))
    return place


def _lay(
    tree: Tree,
    parent: int,
    names: TreeNames,
    words: list[tuple[int, int, int]],
    rows: list[list[int]],
) -> None:
    """Append the words and constituents of a tree, depth first."""
    label = names.labels[tree.label]
    if tree.is_tag:
        words.append((names.spellings[str(tree.children[0])], label, parent))
        return
    number = len(rows)
    rows.append([label, len(words), 0, parent])
    for child in tree.children:
        assert isinstance(child, Tree)
        _lay(child, number, names, words, rows)
    rows[number][2] = len(words)


def _columns(rows: Sequence[Sequence[int]], width: int) -> Iterator[Ints]:
    return iter(np.array(rows, dtype=np.int64).reshape(-1, width).T.copy())
