"""Columns of parse trees: the twin of trees for work on many sentences at once.

A TreeTable lays the words of a batch of sentences on one axis and gives every constituent a row, so
that preparing and scoring trees is a few sorts over arrays instead of a walk per tree. Rows stand
in depth-first order, sentence by sentence; parts of speech belong to the words and are no rows.

Tables that are to be compared share their names: a code means the same name in all of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.shown import Brief
from vermeil.tree import MAX_DEPTH, TRACE, Bracket, Tree, assemble, escape, parse_line, unescape

_FAILURES = ("", "()", "(())")
_OTHER_SPACE = re.compile(r"[^\S \t\n]")
_BLANK, _BREAK, _OPEN, _CLOSE, _TOKEN, _ODD = range(6)
_KINDS = np.full(256, _TOKEN, dtype=np.int8)
_KINDS[[ord(character) for character in " \t\n()"]] = _BLANK, _BLANK, _BREAK, _OPEN, _CLOSE
_KINDS[[ord(character) for character in "\r\f\v\x1c\x1d\x1e\x1f"]] = _ODD


class NameCodes(dict[str, int]):
    """Numbers names in the order in which they are first looked up.

    ``spelling`` gives the name of what is looked up.

    >>> codes = NameCodes(unescape)
    >>> codes["("], codes["-LRB-"], codes["p53"], codes.names
    (0, 0, 1, ['(', 'p53'])
    """

    def __init__(self, spelling: Callable[[str], str] = str) -> None:
        super().__init__()
        self.names: list[str] = []
        self._spelling = spelling
        self._code_of_name: dict[str, int] = {}

    def __missing__(self, key: str) -> int:
        name = self._spelling(key)
        if name not in self._code_of_name:
            self._code_of_name[name] = len(self.names)
            self.names.append(name)
        self[key] = code = self._code_of_name[name]
        return code


@dataclass(frozen=True, slots=True, repr=False)
class TreeNames(Brief):
    """The names behind the codes of tables that belong together.

    Constituents and parts of speech share ``labels``; ``words`` have their escapes undone.
    """

    labels: NameCodes = field(default_factory=NameCodes)
    words: NameCodes = field(default_factory=lambda: NameCodes(unescape))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TreeTable(Brief):
    """The trees of one parser for a batch of sentences.

    ``first_word`` has one entry more than there are sentences: sentence ``s`` holds the words
    ``first_word[s]`` up to ``first_word[s + 1]``; ``failed`` tells which sentences have no parse
    (and no words). A word has its ``word``, ``tag``, the row ``above`` it and the ``place`` it had
    in its sentence before any was dropped. A constituent has its ``label``, its words from
    ``start`` up to ``end`` on the axis of the batch, and the row of its ``parent``. -1 is no row.

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
    tag: Ints
    above: Ints
    place: Ints
    label: Ints
    start: Ints
    end: Ints
    parent: Ints

    def _facts(self) -> Iterable[str]:
        yield f"{len(self):,} sentences"
        yield f"{int(self.failed.sum()):,} failed"
        yield f"{len(self.word):,} words"
        yield f"{len(self.label):,} constituents"

    @staticmethod
    def parse(lines: Sequence[str], names: TreeNames | None = None) -> "TreeTable":
        """Read one tree a line, as ``vermeil.tree.parse_line`` does but all at once.

        A line without a tree is a failure. Raise ValueError where a line does not hold one tree.
        """
        names = names or TreeNames()
        table = _scan(lines, names) if lines else None
        if table is None:
            table = TreeTable.of([parse_line(line) for line in lines], names)
        return table

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
        word, tag, above = _columns(words, 3)
        starts = np.array(first_word, dtype=np.int64)
        place = _places(tag != names.labels[TRACE], starts)
        return TreeTable(
            names, np.array(failed, dtype=bool), starts, word, tag, above, place, *_columns(rows, 4)
        )

    def __len__(self) -> int:
        return len(self.failed)

    def tree(self, number: int, *, root: str = "TOP") -> Tree | None:
        """Give a sentence as a tree under a root of its own; None where it failed.

        >>> print(TreeTable.parse(["(NP (NN p53))"]).tree(0))
        (TOP (NP (NN p53)))
        """
        if self.failed[number]:
            return None
        first, end = self.first_word[number : number + 2].tolist()
        labels, words = self.names.labels.names, self.names.words.names
        codes = zip(self.tag[first:end].tolist(), self.word[first:end].tolist(), strict=True)
        rows = np.flatnonzero(
            (self.start >= first) & (self.end <= end) & (self.start < self.end)
        ).tolist()
        brackets = [
            Bracket(
                int(self.start[row]) - first, int(self.end[row]) - first, labels[self.label[row]]
            )
            for row in rows
        ]
        leaves = [(labels[tag], escape(words[word])) for tag, word in codes]
        return assemble(leaves, brackets, root=root)

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

    def without_words(self, dropped: Flags) -> "TreeTable":
        """Drop words. Constituents stay, even where they now hold no word."""
        position = np.concatenate(([0], np.cumsum(~dropped)))
        return replace(
            self,
            first_word=position[self.first_word],
            word=self.word[~dropped],
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


def _scan(lines: Sequence[str], names: TreeNames) -> TreeTable | None:
    """Read well-formed lines with array operations; None where anything is out of the ordinary.

    Brackets, tokens and line breaks are events. What may follow what is checked over all events,
    so that what passes is what ``parse_line`` would read the same way.
    """
    text = "\n".join(["" if line in _FAILURES else line for line in lines])
    if text.count("\n") != len(lines) - 1 or (not text.isascii() and _OTHER_SPACE.search(text)):
        return None
    kind = _events(text)
    if (kind == _ODD).any():
        return None
    before, after = np.append(_BREAK, kind[:-1]), np.append(kind[1:], _BREAK)
    is_open, is_close, is_token = kind == _OPEN, kind == _CLOSE, kind == _TOKEN
    is_label, is_word = is_token & (before == _OPEN), is_token & (before == _TOKEN)
    depth = np.cumsum(is_open.astype(np.int64) - is_close)
    is_fine = np.select(
        [is_open, is_close, is_label, is_word, is_token],
        [
            ((depth == 1) == (before == _BREAK))
            & ((after == _TOKEN) | ((after == _OPEN) & (depth == 1))),
            after != _TOKEN,
            (after == _OPEN) | (after == _TOKEN),
            (after == _CLOSE) & np.append(False, is_label[:-1]),
            False,
        ],
        ((after == _BREAK) | (after == _OPEN)) & (depth == 0),
    )
    if not is_fine.all() or depth.min() < 0 or depth.max() > MAX_DEPTH:
        return None
    tokens = text.replace("(", " ").replace(")", " ").split()
    is_label_token = is_label[is_token]
    words = map(names.words.__getitem__, compress(tokens, (~is_label_token).tolist()))
    word = np.fromiter(words, dtype=np.int64, count=int(is_word.sum()))
    labels = map(names.labels.__getitem__, compress(tokens, is_label_token.tolist()))
    is_tag = np.append(is_word[1:], False) & is_label
    label = np.full(len(kind), names.labels["TOP"] if len(kind) else 0)
    label[np.flatnonzero(is_label) - 1] = np.fromiter(labels, dtype=np.int64)
    return _nested(names, kind, is_word, is_tag, word, label)


def _events(text: str) -> Ints:
    """List the brackets, the tokens and the line breaks, one of each at either end included."""
    kind = _KINDS[np.frombuffer(f"\n{text}\n".encode("utf-8", "surrogatepass"), dtype=np.uint8)]
    inside = (kind[1:] == _TOKEN) & (kind[:-1] == _TOKEN)
    events: Ints = kind[(kind != _BLANK) & ~np.append(False, inside)]
    return events


def _nested(
    names: TreeNames, kind: Ints, is_word: Flags, is_tag: Flags, word: Ints, label: Ints
) -> TreeTable:
    """Find out what holds what, given events that are known to be well formed."""
    opens = np.flatnonzero((kind == _OPEN) & ~np.append(is_tag[1:], False))
    closes = np.flatnonzero((kind == _CLOSE) & ~np.append(False, is_word[:-1]))
    depth = np.zeros(len(kind), dtype=np.int64)
    depth[opens], depth[closes] = 1, -1
    n_opened = np.cumsum(depth == 1, dtype=np.int64)
    depth = np.cumsum(depth)
    n_words = np.cumsum(is_word, dtype=np.int64)
    by_depth = np.argsort(depth[opens], kind="stable")
    close = np.empty_like(closes)
    close[by_depth] = closes[np.argsort(depth[closes], kind="stable")]
    # Of the constituents opened so far at some depth, the last one is the one still open.
    rank = depth[opens] * (len(opens) + 1) + np.arange(len(opens))
    holders = np.append(by_depth, -1)

    def holder(at: Ints, depth_of_holder: Ints) -> Ints:
        wanted = depth_of_holder * (len(opens) + 1) + n_opened[at] - (kind[at] == _OPEN)
        found = np.searchsorted(rank[by_depth], wanted) - 1
        return np.where(depth_of_holder > 0, holders[found], -1)

    at_word = np.flatnonzero(is_word)
    tag = label[np.flatnonzero(is_tag) - 1]
    breaks = np.flatnonzero(kind == _BREAK)
    first_word = n_words[breaks]
    return TreeTable(
        names,
        kind[breaks[:-1] + 1] == _BREAK,
        first_word,
        word,
        tag,
        holder(at_word, depth[at_word]),
        _places(tag != names.labels[TRACE], first_word),
        label[opens],
        n_words[opens],
        n_words[close],
        holder(opens, depth[opens] - 1),
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
        words.append((names.words[str(tree.children[0])], label, parent))
        return
    number = len(rows)
    rows.append([label, len(words), 0, parent])
    for child in tree.children:
        assert isinstance(child, Tree)
        _lay(child, number, names, words, rows)
    rows[number][2] = len(words)


def _columns(rows: Sequence[Sequence[int]], width: int) -> Iterator[Ints]:
    return iter(np.array(rows, dtype=np.int64).reshape(-1, width).T.copy())
