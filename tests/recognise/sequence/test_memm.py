import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.arrays import Ints
from vermeil.recognise.features.matrix import FeatureMatrix
from vermeil.recognise.features.rows import Encoded
from vermeil.recognise.rivals.plain_features import NOTHING, encode_plain
from vermeil.recognise.sequence.lattice import lattice_of
from vermeil.recognise.sequence.memm import Memm, _allowed, _Loss, _tags_before, fit_memm
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.tokens.tag_set import TagSet
from vermeil.recognise.words.name_list import NameList

TEXTS = [
    "Patients received [C:morphine] or [C:acetic acid] before the operation.",
    "After [C:clonidine] the heart rate fell. Then [C:morphine] had no effect in [G:BRCA1] mice.",
    "The [G:protein kinase] was found in rats. [C:Acetic acid] too.",
]
DOCUMENTS = [marked(str(number), text) for number, text in enumerate(TEXTS)]
TAGS = TagSet(("C", "G"))


def encoded_texts() -> tuple[Encoded, Ints, Ints]:
    axis = TokenAxis.of(DOCUMENTS)
    tag = axis.tags_of(DOCUMENTS, TAGS, annotator="gold")
    encoded = encode_plain(axis, NameList.of([]), NOTHING)
    return encoded, tag, axis.first_token


@pytest.mark.parametrize("separate", [False, True])
def test_it_reads_back_what_it_learned(separate: bool) -> None:
    encoded, tag, first_token = encoded_texts()
    model = fit_memm(encoded, tag, first_token, TAGS, separate=separate, penalty=0.1)
    assert lattice_of(model.potentials(encoded, first_token)).marginal.argmax(1).tolist() == (
        tag.tolist()
    )


@pytest.mark.parametrize("n_blocks", [1, 6])
def test_the_gradient_is_the_slope_of_the_loss(n_blocks: int) -> None:
    encoded, tag, first_token = encoded_texts()
    matrix = FeatureMatrix.of(encoded, tag, len(TAGS), min_count=3)
    before = _tags_before(tag, first_token, len(TAGS))
    loss = _Loss(matrix, tag, before, _allowed(TAGS), 0.7, n_blocks)
    random = np.random.default_rng(0)
    at = random.normal(size=loss.n_parameters)
    way = random.normal(size=loss.n_parameters)
    step = 1e-3
    slope = (loss(at + step * way)[0] - loss(at - step * way)[0]) / (2 * step)
    assert loss(at)[1] @ way == pytest.approx(slope, rel=1e-3)


@pytest.mark.parametrize("separate", [False, True])
def test_the_loss_is_that_of_the_probabilities_it_gives(separate: bool) -> None:
    encoded, tag, first_token = encoded_texts()
    losses: list[float] = []
    model = fit_memm(
        encoded,
        tag,
        first_token,
        TAGS,
        separate=separate,
        watch=lambda _, loss: losses.append(loss),
    )
    before = _tags_before(tag, first_token, len(TAGS))
    given = model.potentials(encoded, first_token).log_probability
    parameters = np.concatenate((model.weights.ravel(), model.transition.ravel()))
    loss = 4.0 * (parameters @ parameters) / 2 - given[np.arange(len(tag)), before, tag].sum()
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == pytest.approx(loss, rel=1e-4)


def test_what_may_follow_a_tag_sums_to_one_and_the_rest_never_comes() -> None:
    encoded, tag, first_token = encoded_texts()
    model = fit_memm(encoded, tag, first_token, TAGS, n_rounds=5)
    probability = np.exp(model.potentials(encoded, first_token).log_probability)
    assert probability.sum(axis=2) == pytest.approx(1)
    assert not probability[:, ~_allowed(TAGS)].any()


def test_a_separate_model_learns_from_the_tokens_after_its_tag_alone() -> None:
    encoded, tag, first_token = encoded_texts()
    model = fit_memm(encoded, tag, first_token, TAGS, separate=True)
    within_gene = int(TAGS.inner[1])
    after = np.flatnonzero(_tags_before(tag, first_token, len(TAGS)) == within_gene)
    rows = encoded.row[after].ravel()
    seen = np.concatenate(
        [encoded.rows.features[slice(*encoded.rows.first[row : row + 2])] for row in rows]
    )
    assert model.weights[within_gene].any()
    assert not model.weights[within_gene][~np.isin(model.features, seen)].any()


def test_a_saved_model_is_nearly_the_same() -> None:
    encoded, tag, first_token = encoded_texts()
    saved = fit_memm(encoded, tag, first_token, TAGS)
    again = Memm.from_arrays(TAGS, saved.arrays())
    one, two = (
        lattice_of(model.potentials(encoded, first_token)).marginal for model in (saved, again)
    )
    assert two == pytest.approx(one, abs=0.02)
