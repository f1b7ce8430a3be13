"""Where a constituent stands in its own tree: its parent, its neighbours, its daughters, hashed."""

import zlib
from collections.abc import Sequence

import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.tree_table import TreeTable

N_CONTEXTS = 4
"""Columns: parent, left and right neighbour under the same parent, daughters in order."""

_NONE = zlib.crc32(b"nothing there")
_STEP = np.uint64(0x9E3779B97F4A7C15)


def contexts(table: TreeTable, hashes: Ints) -> Ints:
    """Describe each constituent that holds words; ``hashes`` has a number for each label.

    >>> table = TreeTable.parse(["(S (NP (DT the) (NN cell)) (VP (VBZ divides)))"])
    >>> described = contexts(table, hashed(table.names.labels.names))
    >>> described.shape, bool(described[1, 0] == described[2, 0])
    ((3, 4), True)
    """
    table = table.without_rows(table.start == table.end)
    n_rows = len(table.label)
    # Daughters of each constituent lie side by side, the words of a bare root at the beginning.
    owner = np.concatenate((table.above, table.parent))
    place = np.concatenate((np.arange(len(table.word)), table.start))
    label = hashes[np.concatenate((table.tag, table.label))]
    sentence = np.concatenate((table.sentence_of_word, table.sentence))
    order = np.lexsort((place, owner, sentence))
    owner, label, sentence = owner[order], label[order], sentence[order]
    same = (owner[1:] == owner[:-1]) & (sentence[1:] == sentence[:-1])
    left = np.concatenate(([_NONE], np.where(same, label[:-1], _NONE)))[: len(order)]
    right = np.concatenate((np.where(same, label[1:], _NONE), [_NONE]))[-len(order) or 1 :]
    at = np.empty(len(order), dtype=np.int64)
    at[order] = np.arange(len(order))
    of_row = at[len(table.word) :]
    parent = np.append(hashes[table.label], _NONE)[table.parent]
    found = np.stack((parent, left[of_row], right[of_row], _daughters(owner, label, n_rows)), 1)
    return found.astype(np.int64)


def hashed(names: Sequence[str]) -> Ints:
    """Number names by their spelling, however they are written and in whatever order they come."""
    return np.array([zlib.crc32(name.lower().encode()) for name in names] or [0], dtype=np.int64)


def _daughters(owner: Ints, label: Ints, n_rows: int) -> Ints:
    """Hash the labels of each constituent's daughters, in order."""
    held = owner >= 0
    owner, label = owner[held], label[held]
    order = np.argsort(owner, kind="stable")
    owner, label = owner[order], label[order]
    number = np.arange(len(owner)) - np.searchsorted(owner, owner)
    mixed = label.astype(np.uint64) * (np.uint64(2) * number.astype(np.uint64) * _STEP + _STEP)
    total = np.zeros(n_rows, dtype=np.uint64)
    np.add.at(total, owner, mixed ^ (mixed >> np.uint64(29)))
    return (total >> np.uint64(16)).astype(np.int64)
