"""What is known of some sentences beside their parses: right trees, and names in them.

Sentences are found by their words. A treebank need not have the sentences of the parsers, nor their
order: whatever sentence it has, too, is known. Words are compared as files of parsers are, escapes
undone and traces left out; texts with names may have other white space.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeAlias

from vermeil.columns.trees.steps import drop_traces
from vermeil.columns.trees.table import TreeTable
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.shown import Brief
from vermeil.tree import Tree

Words = tuple[str, ...]
Edge: TypeAlias = tuple[int, int, float]
"""A name over the words or characters from a start up to an end, and how sure it is."""


@dataclass(frozen=True, slots=True, repr=False)
class GoldTrees(Brief):
    """Right trees by the words of their sentences; of several for the same words the first.

    >>> table = TreeTable.parse(["(NP (NN p53))"])
    >>> gold = GoldTrees.read([Forests(1, {"gold": table})])
    >>> gold.of([TreeTable.parse(["(X (NN p53))", "(X (NN p54))"])])
    [Tree('(NP (NN p53))'), None]
    """

    trees: dict[Words, Tree]

    @staticmethod
    def read(batches: Iterable[Forests]) -> "GoldTrees":
        """Take the trees of batches that have one parser, the treebank."""
        found: dict[Words, Tree] = {}
        for batch in batches:
            [table] = batch.tables.values()
            for number, words in enumerate(_words(table)):
                tree = table.tree_as_read(number)
                if tree is not None:
                    found.setdefault(words, tree)
        return GoldTrees(found)

    def of(self, tables: Sequence[TreeTable]) -> list[Tree | None]:
        """Find the right trees of sentences as parsers have them."""
        columns = [_words(table) for table in tables]
        return [
            next((self.trees[words] for words in row if words in self.trees), None)
            for row in zip(*columns, strict=True)
        ]

    def _told(self) -> str:
        return f"{len(self.trees):,} right trees"


@dataclass(frozen=True, slots=True, repr=False)
class NamedTexts(Brief):
    """Names by the squeezed text of their sentence: start and end in that, and how sure each is.

    A name that says nothing of its confidence is sure. All names count, whoever marked them.

    >>> from vermeil.document import Span
    >>> name = Span(0, 8, "Gene", 0.9)
    >>> said = Document(id="1", text="p53 gene helps", layers={"anna": (name,)})
    >>> table = TreeTable.parse(["(S (NP (NN p53) (NN gene)) (VP (VBZ helps)))"])
    >>> NamedTexts.of([said]).edges([table], [table])
    [[(0, 2, 0.9)]]
    """

    names: Mapping[str, Sequence[Edge]]

    @staticmethod
    def of(documents: Iterable[Document]) -> "NamedTexts":
        """Take documents whose texts are sentences."""
        found: dict[str, list[Edge]] = {}
        for document in documents:
            text = document.text
            here = found.setdefault(squeezed(text), [])
            for spans in document.layers.values():
                for span in spans:
                    start = len(squeezed(text[: span.start]))
                    n = len(squeezed(text[span.start : span.end]))
                    chance = 1.0 if span.confidence is None else span.confidence
                    here.append((start, start + n, chance))
        return NamedTexts(found)

    def edges(self, tables: Sequence[TreeTable], prepared: Sequence[TreeTable]) -> list[list[Edge]]:
        """List the names of several words of each sentence, over its words after preparation.

        A name that begins or ends inside a word covers all of it.
        """
        whole = [_words(table) for table in tables]
        found: list[list[Edge]] = []
        for number in range(len(tables[0])):
            member = next((n for n, words in enumerate(whole) if words[number]), 0)
            words, kept = whole[member][number], prepared[member]
            places = kept.place[kept.first_word[number] : kept.first_word[number + 1]].tolist()
            ends = list(accumulate(len(squeezed(word)) for word in words))
            edges: list[Edge] = []
            for start, end, chance in self.names.get(squeezed("".join(words)), ()):
                first = bisect_left(places, bisect_right(ends, start))
                last = bisect_right(places, bisect_left(ends, end))
                if last - first > 1:
                    edges.append((first, last, chance))
            found.append(edges)
        return found

    def _told(self) -> str:
        return f"names in {len(self.names):,} texts"


def squeezed(text: str) -> str:
    """Leave white space out."""
    return "".join(text.split())


def read_gold(path: str, format: str | None = None) -> GoldTrees:
    """Read the trees of a file, once for all shards of a worker as long as it stays the same."""
    state = Path(path).stat() if Path(path).exists() else None
    return _read(path, format, state.st_mtime_ns if state else 0, state.st_size if state else 0)


@lru_cache(maxsize=1)
def _read(path: str, format: str | None, changed: int, size: int) -> GoldTrees:
    found = GoldTrees.read(read_forests([Input(Path(path), "gold", format)]))
    if not found.trees:
        raise UsageError(f"{path}: holds no trees to learn from")
    return found


def _words(table: TreeTable) -> list[Words]:
    """List the words of every sentence; there are none where it has no parse."""
    plain = drop_traces(table)
    names = plain.names.words.names
    bounds = plain.first_word.tolist()
    return [
        tuple(names[code] for code in plain.word[begin:end].tolist())
        for begin, end in pairwise(bounds)
    ]
