"""The leaves that rows of values reach in all trees at once.

QuickScorer (Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees", SIGIR 2015), with whole arrays. The leaves of a tree are numbered
from left to right and are the bits of a mask. A node that sends a row to the right rules out the
leaves on its left, and the first leaf that no node rules out is the one the row reaches, in
whatever order nodes are asked. What all nodes of all trees that ask for one feature rule out
depends only on where its value lies among their thresholds. So a row costs one search and one row
of a table for each feature, and no walk down any tree.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints

MOST_LEAVES = 16
"""Leaves of a tree: the bits of a mask."""

Masks: TypeAlias = NDArray[np.uint16]

_EVERY_LEAF = 0xFFFF
_AT_ONCE = 512
_FEW = 40
"""Thresholds that are gone through one by one, where there are many values."""

_MANY = 256

# A product with this de Bruijn number has in its four highest bits a different number for each
# power of 2: the slot of a leaf.
_DE_BRUIJN = 0x09AF


@dataclass(frozen=True, slots=True, eq=False)
class TreeNodes:
    """Nodes of all trees on one axis; ``root`` is the first node of each tree.

    A value of the ``feature`` up to the ``threshold`` sends a row to the left, a missing one if
    ``missing_left`` says so. A leaf is its own daughter on both sides, and has a ``value``.
    """

    root: Ints
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Flags
    value: Floats


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMasks:
    """What one feature rules out: ``left[place, tree]`` are the leaves left.

    A value has as its place the number of thresholds below it; a missing one has the last place.
    """

    feature: int
    thresholds: Floats
    left: Masks

    def places(self, values: Floats) -> Ints | NDArray[np.uint8]:
        """Find the places of the values of all rows."""
        own = np.ascontiguousarray(values[:, self.feature])
        places: Ints | NDArray[np.uint8]
        if len(self.thresholds) > _FEW or len(own) < _MANY:
            places = np.searchsorted(self.thresholds, own)
        else:
            # To count the few that are below, all values side by side, is faster than to search.
            places = np.zeros(len(own), dtype=np.uint8)
            is_above = np.empty(len(own), dtype=bool)
            for threshold in self.thresholds.tolist():
                np.greater(own, threshold, out=is_above)
                places += is_above.view(np.uint8)
        np.putmask(places, np.isnan(own), len(self.thresholds) + 1)
        return places


@dataclass(frozen=True, slots=True, eq=False)
class LeafMasks:
    """Masks of all features, and ``value[tree, slot]`` of the leaves."""

    features: tuple[FeatureMasks, ...]
    value: Floats

    @classmethod
    def of(cls, nodes: TreeNodes) -> "LeafMasks":
        """Number the leaves of trees."""
        n_trees = len(nodes.root)
        node, tree, kept, leaf, slot = _numbered(nodes)
        slots = np.zeros(n_trees * MOST_LEAVES)
        slots[slot] = nodes.value[leaf]
        order = np.lexsort((nodes.threshold[node], nodes.feature[node]))
        node, tree, kept = node[order], tree[order], kept[order]
        feature, threshold = nodes.feature[node], nodes.threshold[node]
        is_first = np.append(True, feature[1:] != feature[:-1])[: len(node)]
        is_new = is_first | np.append(True, threshold[1:] != threshold[:-1])[: len(node)]
        # The tables of all features as one: each with a row before its thresholds, one after each,
        # and one for what is missing.
        row = np.cumsum(is_new + 2 * is_first.astype(np.int64)) - 2
        first = row[is_first] - 1
        end = np.append(first[1:], row[-1:] + 2)
        table = np.full((int(end.max(initial=0)), n_trees), _EVERY_LEAF, dtype=np.uint16)
        np.bitwise_and.at(table.reshape(-1), row * n_trees + tree, kept)
        missing = (end - 1)[np.cumsum(is_first) - 1]
        right = ~nodes.missing_left[node]
        np.bitwise_and.at(table.reshape(-1), (missing * n_trees + tree)[right], kept[right])
        thresholds = np.zeros(len(table))
        thresholds[row] = threshold
        features = []
        columns = feature[is_first].tolist(), first.tolist(), end.tolist()
        for each, begin, stop in zip(*columns, strict=True):
            places = table[begin : stop - 1]
            np.bitwise_and.accumulate(places, out=places)
            own = thresholds[begin + 1 : stop - 1]
            features.append(FeatureMasks(each, own, table[begin:stop]))
        return cls(tuple(features), slots.reshape(n_trees, MOST_LEAVES))

    def totals(self, values: Floats) -> Floats:
        """Add up, for each row, the values of the leaves it reaches."""
        places = [each.places(values) for each in self.features]
        first_slot = (
            np.arange(len(self.value), dtype=np.min_scalar_type(self.value.size)) * MOST_LEAVES
        )
        slots = self.value.ravel()
        totals = np.empty(len(values))
        left, more = (np.empty((_AT_ONCE, len(self.value)), dtype=np.uint16) for _ in range(2))
        for start in range(0, len(values), _AT_ONCE):
            rows = slice(start, min(start + _AT_ONCE, len(values)))
            mask, other = left[: rows.stop - start], more[: rows.stop - start]
            mask.fill(_EVERY_LEAF)
            for each, place in zip(self.features, places, strict=True):
                np.take(each.left, place[rows], axis=0, out=other, mode="clip")
                mask &= other
            mask &= -mask
            mask *= np.uint16(_DE_BRUIJN)
            mask >>= np.uint16(12)
            totals[rows] = slots.take(mask + first_slot).sum(axis=1)
        return totals


def _numbered(nodes: TreeNodes) -> tuple[Ints, Ints, Masks, Ints, Ints]:
    """Number the leaves of each tree from left to right.

    Return the inner nodes, their trees, and the leaves left of a row that each sends to the right;
    then the leaves and their places among the slots of all trees.
    """
    is_leaf = nodes.left == np.arange(len(nodes.left))
    n_leaves = is_leaf.astype(np.int64)
    tree, first = np.zeros_like(nodes.left), np.zeros_like(nodes.left)
    tree[nodes.root] = np.arange(len(nodes.root))
    levels = []
    level = nodes.root[~is_leaf[nodes.root]]
    while len(level):
        levels.append(level)
        level = np.concatenate((nodes.left[level], nodes.right[level]))
        level = level[~is_leaf[level]]
    for level in reversed(levels):
        n_leaves[level] = n_leaves[nodes.left[level]] + n_leaves[nodes.right[level]]
    for level in levels:
        left, right = nodes.left[level], nodes.right[level]
        tree[left] = tree[right] = tree[level]
        first[left] = first[level]
        first[right] = first[level] + n_leaves[left]
    inner = np.concatenate([*levels, nodes.root[:0]])
    begin, end = first[inner], first[inner] + n_leaves[nodes.left[inner]]
    kept = _EVERY_LEAF & ~((1 << end) - (1 << begin))
    reached = np.concatenate((nodes.left[inner], nodes.right[inner], nodes.root))
    leaf = reached[is_leaf[reached]]
    slot = ((_DE_BRUIJN << first[leaf]) & _EVERY_LEAF) >> 12
    return inner, tree[inner], kept.astype(np.uint16), leaf, tree[leaf] * MOST_LEAVES + slot
