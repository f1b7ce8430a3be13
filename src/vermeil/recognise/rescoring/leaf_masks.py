"""The leaves that rows of values reach in all trees at once.

QuickScorer (Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees", SIGIR 2015), with whole arrays. The leaves of a tree are numbered
from left to right and are the bits of a mask. A node that sends a row to the right rules out the
leaves on its left, and the first leaf that no node rules out is the one the row reaches, in
whatever order nodes are asked. What all nodes of all trees that ask for one feature rule out
depends only on where its value lies among their thresholds. So a row costs one search and one row
of a table for each feature, and no walk down any tree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints

MOST_LEAVES = 16
"""Leaves of a tree: the bits of a mask."""

Masks: TypeAlias = NDArray[np.uint16]

_EVERY_LEAF = 0xFFFF
_AT_ONCE = 256
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

    def places(self, values: Floats) -> Ints:
        """Find the places of the values of all rows."""
        own = np.ascontiguousarray(values[:, self.feature])
        places: Ints = np.searchsorted(self.thresholds, own)
        places[np.isnan(own)] = len(self.thresholds) + 1
        return places


@dataclass(frozen=True, slots=True, eq=False)
class LeafMasks:
    """Masks of all features, and ``value[tree, slot]`` of the leaves."""

    features: tuple[FeatureMasks, ...]
    value: Floats

    @classmethod
    def of(cls, nodes: TreeNodes) -> "LeafMasks":
        """Number the leaves of trees."""
        root, feature, threshold = nodes.root, nodes.feature, nodes.threshold
        daughters = list(zip(nodes.left.tolist(), nodes.right.tolist(), strict=True))
        slots = np.zeros((len(root), MOST_LEAVES))
        asked: list[tuple[int, int, int]] = []
        for tree, top in enumerate(root.tolist()):
            leaves: list[int] = []
            asked.extend((node, tree, kept) for node, kept in _nodes(daughters, top, leaves))
            slots[tree, [_slot(number) for number in range(len(leaves))]] = nodes.value[leaves]
        node, tree_of, kept = np.array(asked, dtype=np.int64).reshape(-1, 3).T
        features = []
        for each in np.unique(feature[node]).tolist():
            own = feature[node] == each
            asking, trees, masks = node[own], tree_of[own], kept[own].astype(np.uint16)
            thresholds = np.unique(threshold[asking])
            table = np.full((len(thresholds) + 2, len(root)), _EVERY_LEAF, dtype=np.uint16)
            below = np.searchsorted(thresholds, threshold[asking])
            for place in range(len(thresholds)):
                at = below == place
                np.bitwise_and.at(table[place + 1], trees[at], masks[at])
            table[:-1] = np.bitwise_and.accumulate(table[:-1])
            goes_right = ~nodes.missing_left[asking]
            np.bitwise_and.at(table[-1], trees[goes_right], masks[goes_right])
            features.append(FeatureMasks(each, thresholds, table))
        return cls(tuple(features), slots)

    def totals(self, values: Floats) -> Floats:
        """Add up, for each row, the values of the leaves it reaches."""
        places = [each.places(values) for each in self.features]
        first_slot = np.arange(len(self.value)) * MOST_LEAVES
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
            totals[rows] = slots[mask + first_slot].sum(axis=1)
        return totals


def _nodes(
    daughters: Sequence[tuple[int, int]], node: int, leaves: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield the inner nodes below a node, with the leaves left of a row sent to the right.

    Leaves are added to ``leaves`` from left to right.
    """
    left, right = daughters[node]
    if left == node:
        leaves.append(node)
        return
    n_before = len(leaves)
    yield from _nodes(daughters, left, leaves)
    yield node, _EVERY_LEAF & ~((1 << len(leaves)) - (1 << n_before))
    yield from _nodes(daughters, right, leaves)


def _slot(number: int) -> int:
    return ((_DE_BRUIJN << number) & _EVERY_LEAF) >> 12
