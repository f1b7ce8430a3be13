"""Productions of a tree: constituents with the labels of their daughters, as columns.

A production is a constituent with the labels of its daughters in order, parts of speech included,
at its place in the sentence: ``NP → DT NN`` over words 3 to 5. Without the place it is a rule.

Productions are multisets. Constituents without words have no place, so they neither make
productions nor are daughters; words that are under no constituent (their root was dropped) belong
to no production.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vermeil.arrays import ColumnTable, Ints
from vermeil.columns.trees.names import NameCodes
from vermeil.columns.trees.table import TreeTable
from vermeil.shown import Brief

ARROW = " → "

_WIDTH = np.dtype(np.int64).itemsize

Key: TypeAlias = bytes


class Rules(dict[Key, int]):
    """Numbers rules in the order in which they are first met.

    A rule is looked up by the codes of its labels, parent first, as bytes. ``names`` spells each;
    ``daughters`` numbers its right-hand side. Productions to be compared share their rules.
    """

    def __init__(self, labels: NameCodes) -> None:
        super().__init__()
        self.names: list[str] = []
        self.daughters: list[int] = []
        self._labels = labels
        self._sides: dict[Key, int] = {}

    def __missing__(self, key: Key) -> int:
        self[key] = code = len(self.names)
        parent, *daughters = (self._labels.names[n] for n in np.frombuffer(key, dtype=np.int64))
        self.names.append(parent + ARROW + " ".join(daughters))
        self.daughters.append(self._sides.setdefault(key[_WIDTH:], len(self._sides)))
        return code


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Productions(Brief, ColumnTable):
    """The productions of a table: the ``row`` of the constituent, its place, label and rule.

    >>> table = TreeTable.parse(["(S (NP (DT The) (NN cell)) (VP (VBZ divides)))"])
    >>> found = productions(table)
    >>> [found.rules.names[rule] for rule in found.rule]
    ['S → NP VP', 'NP → DT NN', 'VP → VBZ']
    """

    rules: Rules
    row: Ints
    sentence: Ints
    start: Ints
    end: Ints
    label: Ints
    rule: Ints


def productions(table: TreeTable, rules: Rules | None = None) -> Productions:
    """List the productions of a table, depth first, sentence by sentence.

    Cost: a sort over constituents and words, and a look into a dict for each production.
    """
    rules = Rules(table.names.labels) if rules is None else rules
    row = np.flatnonzero(table.start < table.end)
    table = table.without_rows(table.start == table.end)
    n_rows = len(table.label)
    # Each rule's parent stands before its daughters, which lie side by side.
    owner = np.concatenate((np.arange(n_rows), table.above, table.parent))
    place = np.concatenate((np.full(n_rows, -1), np.arange(len(table.word)), table.start))
    label = np.concatenate((table.label, table.tag, table.label))
    order = np.lexsort((place, owner))
    order = order[np.count_nonzero(owner == -1) :]
    keys = label[order].astype(np.int64).tobytes()
    bounds = [0, *(np.cumsum(np.bincount(owner[order], minlength=n_rows)) * _WIDTH).tolist()]
    codes = [rules[keys[bounds[n] : bounds[n + 1]]] for n in range(n_rows)]
    return Productions(
        rules=rules,
        row=row,
        sentence=table.sentence,
        start=table.start,
        end=table.end,
        label=table.label,
        rule=np.array(codes, dtype=np.int64),
    )
