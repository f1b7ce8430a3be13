"""The brackets that several parsers propose, pooled: who proposed each, and what share that is.

The count is the one behind every vote (``vermeil.consensus.tally``). What differs from spans of
text is what may stand together: spans of a standard may not overlap, brackets of a tree may hold
one another but not cross.

Members are tables of the same sentences with the same preparation. A bracket that a member has
twice is pooled twice. Rows are in the order in which a tree of them would be read depth first; of
brackets over the same words those come first that members have higher up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.trees.brackets import Brackets
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.tally import changes, tally
from vermeil.errors import UsageError
from vermeil.tree import Bracket


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Distinct brackets, one row each, with the members that ``have`` them.

    ``parsed[s, m]`` tells whether member ``m`` has a tree for sentence ``s``; ``n_words`` is the
    same for all that have one. ``rows_of[m]`` is the row of each bracket of member ``m``, in the
    order of its table.

    >>> trees = {"a": "(S (NP (NN p53)) (VP (VBZ binds)))", "b": "(S (NN p53) (NP (NNS binds)))"}
    >>> first = TreeTable.parse([trees["a"]])
    >>> pool = Pool.of({"a": first, "b": TreeTable.parse([trees["b"]], first.names)})
    >>> [pool.labels[code] for code in pool.label], pool.shares([1, 1]).tolist()
    (['S', 'NP', 'NP', 'VP'], [1.0, 0.5, 0.5, 0.5])
    """

    members: tuple[str, ...]
    labels: Sequence[str]
    parsed: Flags
    n_words: Ints
    sentence: Ints
    start: Ints
    end: Ints
    label: Ints
    have: Flags
    rows_of: tuple[Ints, ...] = ()

    @staticmethod
    def of(tables: Mapping[str, TreeTable]) -> "Pool":
        """Pool the constituents of all members.

        Raise UsageError where two of them have different numbers of words for a sentence.
        """
        _refuse_unequal(tables)
        parts = [Brackets.of(table) for table in tables.values()]
        sentence, start, end, label = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("sentence", "start", "end", "label")
        )
        copy, height = (
            np.concatenate(column) for column in zip(*map(_chained, parts), strict=True)
        )
        member = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        columns = (sentence, start, -end, label, copy)
        rows, have, number = tally(columns, member, len(parts))
        mean_height = np.bincount(number, height) / np.bincount(number) if len(rows) else height
        labels = next(iter(tables.values())).names.labels.names
        alphabetical = np.argsort(np.argsort(np.array([*labels, ""])))
        order = np.lexsort(
            (
                copy[rows],
                alphabetical[label[rows]],
                mean_height.round(9),
                -end[rows],
                start[rows],
                sentence[rows],
            )
        )
        rows = rows[order]
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        bounds = np.cumsum([len(part) for part in parts])[:-1]
        return Pool(
            tuple(tables),
            labels=labels,
            parsed=~np.stack([table.failed for table in tables.values()], axis=1),
            n_words=np.max([table.n_words for table in tables.values()], axis=0),
            sentence=sentence[rows],
            start=start[rows],
            end=end[rows],
            label=label[rows],
            have=have[order],
            rows_of=tuple(np.split(place[number], bounds)),
        )

    def __len__(self) -> int:
        return len(self.sentence)

    def weight_of_all(self, weights: Sequence[float] | Floats) -> Floats:
        """For each sentence, the weight of the members that parsed it."""
        total: Floats = self.parsed.astype(np.float64) @ np.asarray(weights, dtype=np.float64)
        return total

    def shares(self, weights: Sequence[float] | Floats) -> Floats:
        """For each bracket, the weight behind it as a share of the members that parsed.

        Where none of these has any weight they count alike.
        """
        weight = np.asarray(weights, dtype=np.float64)
        weighty = self.weight_of_all(weight)[self.sentence] > 0
        weight = np.where(weighty[:, None], weight, 1.0)
        support = (self.have * weight).sum(axis=1)
        shares: Floats = support / (self.parsed[self.sentence] * weight).sum(axis=1)
        return shares

    @property
    def bounds(self) -> Ints:
        """Where the rows of each sentence begin, and where the last one's end."""
        found: Ints = np.searchsorted(self.sentence, np.arange(len(self.parsed) + 1))
        return found

    def brackets(self, rows: slice | Ints) -> list[Bracket]:
        """Return some rows as brackets."""
        columns = (column[rows].tolist() for column in (self.start, self.end, self.label))
        return [
            Bracket(start, end, self.labels[code])
            for start, end, code in zip(*columns, strict=True)
        ]


def _refuse_unequal(tables: Mapping[str, TreeTable]) -> None:
    lengths = np.stack([table.n_words for table in tables.values()], axis=1)
    failed = np.stack([table.failed for table in tables.values()], axis=1)
    differs = ((lengths != lengths.max(axis=1, keepdims=True)) & ~failed).any(axis=1)
    if differs.any():
        raise UsageError(
            f"sentence {int(np.argmax(differs)) + 1} of the batch has other words in one parser "
            "than in another after preparation; choose steps that do not go by part of speech"
        )


def _chained(brackets: Brackets) -> tuple[Ints, Floats]:
    """For brackets over the same words: how many equal ones come before, and how high each is.

    The height is 0 for the highest of its words, 1 for the lowest, in between where it is alone.
    """
    is_new = changes(brackets.sentence, brackets.start, brackets.end)
    chain = np.cumsum(is_new) - 1
    place = _since(is_new)
    length = np.bincount(chain)[chain] if len(chain) else chain
    height = np.where(length > 1, place / np.maximum(1, length - 1), 0.5)
    order = np.lexsort((place, brackets.label, chain))
    copy = np.empty(len(order), dtype=np.int64)
    copy[order] = _since(changes(chain[order], brackets.label[order]))
    return copy, height


def _since(is_new: Flags) -> Ints:
    """Count the rows since the last one that is new."""
    number = np.arange(len(is_new))
    return number - np.maximum.accumulate(np.where(is_new, number, 0))
