from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.recognise.rescoring import leaf_masks
from vermeil.recognise.rescoring.leaf_masks import MOST_LEAVES, LeafMasks, TreeNodes

N_FEATURES = 3
VALUES = st.sampled_from((-1.0, 0.0, 0.5, 1.0, np.nan))


class Grown:
    """Trees grown by hypothesis, as lists of nodes; a leaf is its own daughter."""

    def __init__(self) -> None:
        self.root: list[int] = []
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.missing_left: list[bool] = []
        self.value: list[float] = []

    def grow(self, draw: st.DrawFn, n_leaves: int) -> int:
        node = len(self.left)
        self.feature.append(draw(st.integers(0, N_FEATURES - 1)))
        self.threshold.append(draw(st.sampled_from((-0.5, 0.0, 0.5))))
        self.missing_left.append(draw(st.booleans()))
        self.value.append(float(draw(st.integers(-99, 99))))
        self.left.append(node)
        self.right.append(node)
        if n_leaves > 1:
            n_left = draw(st.integers(1, n_leaves - 1))
            self.left[node] = self.grow(draw, n_left)
            self.right[node] = self.grow(draw, n_leaves - n_left)
        return node

    def masks(self) -> LeafMasks:
        names = [column.name for column in fields(TreeNodes)]
        return LeafMasks.of(TreeNodes(*(np.array(getattr(self, name)) for name in names)))

    def walk(self, row: list[float]) -> float:
        """Walk down each tree, as one would without masks."""
        total = 0.0
        for node in self.root:
            while self.left[node] != node:
                value = row[self.feature[node]]
                if np.isnan(value):
                    goes_left = self.missing_left[node]
                else:
                    goes_left = value <= self.threshold[node]
                node = self.left[node] if goes_left else self.right[node]
            total += self.value[node]
        return total


@st.composite
def grown_trees(draw: st.DrawFn) -> Grown:
    trees = Grown()
    for _ in range(draw(st.integers(1, 3))):
        trees.root.append(trees.grow(draw, draw(st.integers(1, MOST_LEAVES))))
    return trees


@given(grown_trees(), st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=5))
def test_masks_reach_the_leaves_that_a_walk_reaches(trees: Grown, rows: list[list[float]]) -> None:
    for few in (0, 40):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(leaf_masks, "_FEW", few)
            patched.setattr(leaf_masks, "_MANY", 0)
            totals = trees.masks().totals(np.array(rows))
        assert totals.tolist() == [trees.walk(row) for row in rows]


def test_many_rows_are_worked_on_in_stretches() -> None:
    trees = Grown()
    trees.root, trees.feature, trees.threshold = [0], [0, 0, 0], [0.5, 0.0, 0.0]
    trees.left, trees.right, trees.missing_left = [1, 1, 2], [2, 1, 2], [True] * 3
    trees.value = [0.0, 3.0, 5.0]
    totals = trees.masks().totals(np.arange(1000.0).reshape(-1, 1))
    assert totals == pytest.approx([3.0] + [5.0] * 999)
