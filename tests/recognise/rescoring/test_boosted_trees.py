from typing import Any

import numpy as np
import pytest

from vermeil.recognise.rescoring.boosted_trees import BoostedTrees

ensemble = pytest.importorskip("sklearn.ensemble")


def examples() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    values = random.normal(size=(2000, 5))
    right = values[:, 0] + values[:, 1] * values[:, 2] > 0
    values[random.random(values.shape) < 0.2] = np.nan
    return values, right


def test_trees_give_what_scikit_learn_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    values, right = examples()
    fitted: list[Any] = []
    original = ensemble.HistGradientBoostingClassifier.fit

    def remembering(self: Any, *arguments: Any) -> Any:
        fitted.append(self)
        return original(self, *arguments)

    monkeypatch.setattr(ensemble.HistGradientBoostingClassifier, "fit", remembering)
    trees = BoostedTrees.fit(values, right)
    assert trees.log_odds(values) == pytest.approx(fitted[0].decision_function(values), abs=1e-6)


def test_trees_come_back_from_their_arrays_but_for_rounding() -> None:
    values, right = examples()
    trees = BoostedTrees.fit(values, right)
    again = BoostedTrees.from_arrays(trees.arrays())
    assert again.log_odds(values) == pytest.approx(trees.log_odds(values), abs=1e-3)


def test_no_rows_give_no_odds() -> None:
    values, right = examples()
    assert len(BoostedTrees.fit(values, right).log_odds(values[:0])) == 0


def test_a_feature_that_is_missing_everywhere_says_nothing() -> None:
    values, right = examples()
    values[:, 4] = np.nan
    trees = BoostedTrees.fit(values, right)
    nodes = trees.nodes
    assert 4 not in nodes.feature[nodes.left != np.arange(len(nodes.left))]
