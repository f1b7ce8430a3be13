import numpy as np
import pytest

from vermeil.arrays import Floats
from vermeil.sequences.chains.crf import Crf
from vermeil.sequences.chains.learning import LEAST_WEIGHT, Learning, TagWeights
from vermeil.sequences.chains.memm import SeparateMemm
from vermeil.sequences.tokens.tag_set import TagSet

TAGS = TagSet(("C",))


def test_weights_and_transitions_are_where_loss_and_penalty_are_least() -> None:
    # The loss is half the squared distance from 3, the penalty half the squared distance from 0.
    def loss(weights: Floats, transition: Floats) -> tuple[float, Floats, Floats]:
        far = (weights - 3, transition - 3)
        return float(sum((each**2).sum() for each in far)) / 2, *far

    weights, transition = Learning(n_rounds=50, penalty=0.5).least(loss, (2, 4, 3), (3, 3))
    assert weights == pytest.approx(np.full((2, 4, 3), 2.0))
    assert transition == pytest.approx(np.full((3, 3), 2.0))


@pytest.mark.parametrize(("kind", "shape"), [(Crf, (3, 3)), (SeparateMemm, (4, 3, 3))])
def test_features_without_a_large_weight_are_not_stored(
    kind: type[TagWeights], shape: tuple[int, ...]
) -> None:
    weights = np.zeros(shape)
    weights[..., 0, 1] = -1.5
    weights[..., 1, :] = LEAST_WEIGHT / 2
    weights[..., 2, 0] = LEAST_WEIGHT * 2
    model = kind(TAGS, np.array([5, 70, 900]), weights, np.ones((shape[0], 3)))
    again = kind.from_arrays(TAGS, model.arrays())
    assert again.features.tolist() == [5, 900]
    assert again.weights == pytest.approx(weights[..., [0, 2], :], abs=1e-3)
    assert np.array_equal(again.transition, model.transition)
    assert again.weights.dtype == np.float64
