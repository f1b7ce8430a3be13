"""Right trees of some sentences, which are found by their words.

A treebank need not have the sentences of the parsers, nor their order: whatever sentence it has,
too, is known. Words are compared as files of parsers are, escapes undone and traces left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from vermeil.columns.tree_steps import drop_traces
from vermeil.columns.tree_table import TreeTable
from vermeil.errors import UsageError
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.shown import Brief
from vermeil.tree import Tree

Words = tuple[str, ...]


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
