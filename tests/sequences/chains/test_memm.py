import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.recognise.rivals.plain_features import WordLists, encode_plain
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.learning import Learning, TaggedTokens
from vermeil.sequences.chains.memm import Memm, SeparateMemm, _allowed, _Loss, _tags_before
from vermeil.sequences.chains.potentials import LocalPotentials
from vermeil.sequences.features.matrix import FeatureMatrix
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet

TEXTS = [
    "Patients received [C:morphine] or [C:acetic acid] before the operation.",
    "After [C:clonidine] the heart rate fell. Then [C:morphine] had no effect in [G:BRCA1] mice.",
    "The [G:protein kinase] was found in rats. [C:Acetic acid] too.",
]
DOCUMENTS = [marked(str(number), text) for number, text in enumerate(TEXTS)]
TAGS = TagSet(("C", "G"))


def tagged_tokens() -> TaggedTokens:
    axis = TokenAxis.of(DOCUMENTS)
    tag = axis.tags_of(DOCUMENTS, TAGS, annotator="gold")
    encoded = encode_plain(axis, WordLists.of([], [], tokeniser="fine"))
    return TaggedTokens(encoded, tag, axis.first_token, TAGS)


def potentials_of(model: Memm, tokens: TaggedTokens) -> LocalPotentials:
    return model.potentials(tokens.encoded, tokens.first_token)


@pytest.mark.parametrize("form", [Memm, SeparateMemm])
def test_it_reads_back_what_it_learned(form: type[Memm]) -> None:
    tokens = tagged_tokens()
    model = form.fit(tokens, Learning(n_rounds=100, penalty=0.1))
    marginal = lattice_of(potentials_of(model, tokens)).marginal
    assert marginal.argmax(1).tolist() == tokens.tag.tolist()


@pytest.mark.parametrize("n_blocks", [1, 6])
def test_the_slopes_are_those_of_the_loss(n_blocks: int) -> None:
    tokens = tagged_tokens()
    matrix = FeatureMatrix.of(tokens.encoded, tokens.tag, len(TAGS), min_count=3)
    before = _tags_before(tokens.tag, tokens.first_token, len(TAGS))
    loss = _Loss(matrix, tokens.tag, before, _allowed(TAGS))
    random = np.random.default_rng(0)
    shapes = (n_blocks, len(matrix.features), len(TAGS)), (len(TAGS) + 1, len(TAGS))
    at = [random.normal(size=shape) for shape in shapes]
    way = [random.normal(size=shape) for shape in shapes]
    step = 1e-3
    ahead, behind = (
        loss(*(here + sign * step * there for here, there in zip(at, way, strict=True)))[0]
        for sign in (1, -1)
    )
    _, *slopes = loss(*at)
    along = sum((slope * there).sum() for slope, there in zip(slopes, way, strict=True))
    assert along == pytest.approx((ahead - behind) / (2 * step), rel=1e-3)


@pytest.mark.parametrize("form", [Memm, SeparateMemm])
def test_the_loss_is_that_of_the_probabilities_it_gives(form: type[Memm]) -> None:
    tokens = tagged_tokens()
    losses: list[float] = []
    model = form.fit(tokens, watch=lambda _, loss: losses.append(loss))
    before = _tags_before(tokens.tag, tokens.first_token, len(TAGS))
    given = potentials_of(model, tokens).log_probability
    parameters = np.concatenate((model.weights.ravel(), model.transition.ravel()))
    likelihood = given[np.arange(len(tokens.tag)), before, tokens.tag].sum()
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == pytest.approx(4.0 * (parameters @ parameters) / 2 - likelihood, rel=1e-4)


def test_what_may_follow_a_tag_sums_to_one_and_the_rest_never_comes() -> None:
    tokens = tagged_tokens()
    model = Memm.fit(tokens, Learning(n_rounds=5))
    probability = np.exp(potentials_of(model, tokens).log_probability)
    assert probability.sum(axis=2) == pytest.approx(1)
    assert not probability[:, ~_allowed(TAGS)].any()


def test_a_separate_model_learns_from_the_tokens_after_its_tag_alone() -> None:
    tokens = tagged_tokens()
    model = SeparateMemm.fit(tokens)
    within_gene = int(TAGS.inner[1])
    before = _tags_before(tokens.tag, tokens.first_token, len(TAGS))
    rows = tokens.encoded.rows
    seen = np.concatenate(
        [
            rows.features[slice(*rows.first[row : row + 2])]
            for row in tokens.encoded.row[before == within_gene].ravel()
        ]
    )
    assert model.weights[within_gene].any()
    assert not model.weights[within_gene][~np.isin(model.features, seen)].any()


def test_a_saved_model_is_nearly_the_same() -> None:
    tokens = tagged_tokens()
    saved = Memm.fit(tokens)
    again = Memm.from_arrays(TAGS, saved.arrays())
    one, two = (lattice_of(potentials_of(model, tokens)).marginal for model in (saved, again))
    assert two == pytest.approx(one, abs=0.02)
