import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.recognise.features.views import FAMILIES, view_tokens
from vermeil.recognise.word_classes.forms import gaps
from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources
from vermeil.sequences.features.matrix import PlacedWeights, token_scores
from vermeil.sequences.features.rows import FEATURE_BITS, Encoded, encode
from vermeil.sequences.tokens.axis import TokenAxis

DOCUMENTS = [
    marked("1", "We gave [C:ethanol] and [C:acetic acid] to mice. The mice slept."),
    marked("2", "Then [C:toluene] (5 mg) burned; [C:ethanol] did not."),
]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    lists = Lists.of(Resources({"C": ["acetic acid"]}), "fine")
    return Knowledge.fit(DOCUMENTS, ["C"], lists, annotator="gold")


def features_of(encoded: Encoded, token: int) -> list[set[int]]:
    rows = encoded.rows
    return [
        set(rows.features[rows.first[row] : rows.first[row + 1]].tolist())
        for row in encoded.row[token].tolist()
    ]


def test_a_token_has_the_same_features_whatever_else_is_in_the_batch(knowledge: Knowledge) -> None:
    both, one = TokenAxis.of(DOCUMENTS), TokenAxis.of(DOCUMENTS[1:])
    together, alone = (encode(view_tokens(axis, [knowledge])) for axis in (both, one))
    shift = int(both.first_of_document[1])
    for token in range(len(one.words)):
        assert features_of(together, shift + token) == features_of(alone, token)


def test_tokens_score_the_same_from_their_views_as_from_their_rows(knowledge: Knowledge) -> None:
    axis = TokenAxis.of(DOCUMENTS)
    weights = np.random.default_rng(0).normal(size=(1 << (FEATURE_BITS - 1), 3))
    placed = PlacedWeights.of(np.arange(0, 1 << FEATURE_BITS, 2), weights)
    views = view_tokens(axis, [knowledge])
    assert token_scores(views, placed).tolist() == token_scores(encode(views), placed).tolist()


def test_what_a_model_remembers_of_words_is_what_it_would_find_out(knowledge: Knowledge) -> None:
    odd = marked("3", "A \x00 b\x00c (\x00) [C:acid].\x00 Ethanol-" + "x" * 100 + " slept")
    rng, shape = np.random.default_rng(0), (1 << (FEATURE_BITS - 1), 3)
    models = [
        PlacedWeights.of(np.arange(k, 1 << FEATURE_BITS, 2), rng.normal(size=shape)) for k in (0, 1)
    ]
    for documents in (DOCUMENTS[:1], [odd, *DOCUMENTS], DOCUMENTS, [odd]):
        views = view_tokens(TokenAxis.of(documents), [knowledge])
        for placed in (*models, models[1]):
            assert (
                token_scores(views, placed).tolist() == token_scores(encode(views), placed).tolist()
            )


def test_neighbours_beyond_the_sentence_are_an_edge(knowledge: Knowledge) -> None:
    axis = TokenAxis.of(DOCUMENTS)
    encoded = encode(view_tokens(axis, [knowledge]))
    last, first = int(axis.first_token[1]) - 1, int(axis.first_token[1])
    [_, before, *_], [_, _, after, *_] = features_of(encoded, first), features_of(encoded, last)
    assert len(before) == len(after) == 1


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_can_be_left_out(knowledge: Knowledge, family: str) -> None:
    axis = TokenAxis.of(DOCUMENTS)
    whole = encode(view_tokens(axis, [knowledge]))
    less = encode(view_tokens(axis, [knowledge], families=FAMILIES - {family}))
    size = [sum(map(len, features_of(each, 2))) for each in (whole, less)]
    assert size[1] < size[0]


def test_without_n_grams_no_part_of_a_word_is_left(knowledge: Knowledge) -> None:
    """Words that differ only inside, so that whatever is told of a part of them differs too."""
    axis = TokenAxis.of([marked("1", "a pentadecol b"), marked("2", "a xintodezul b")])
    families = FAMILIES - {"n-grams", "preclassifier"}
    encoded = encode(view_tokens(axis, [knowledge], families=families))
    one, other = features_of(encoded, 1), features_of(encoded, 4)
    # Of the word: w=, l= and s=. Of the run: l=, with and without its place.
    assert len(one[0] - other[0]) == 3
    assert sum(len(mine - theirs) for mine, theirs in zip(one[-3:], other[-3:], strict=True)) == 2
    around = features_of(encoded, 0)[2], features_of(encoded, 3)[2]
    assert len(around[0] - around[1]) == 1


def test_without_the_preclassifier_the_lists_given_stay_and_those_learned_go() -> None:
    without = FAMILIES - {"preclassifier"}
    axis = TokenAxis.of(DOCUMENTS)
    given = Lists.of(Resources({"C": ["acetic acid"]}), "fine")
    taught = Knowledge.fit(DOCUMENTS, ["C"], given, annotator="gold")
    untaught = Knowledge.fit(DOCUMENTS, [], given, annotator="gold")
    listless = Knowledge.fit(DOCUMENTS, ["C"], Lists.of(Resources(), "fine"), annotator="gold")
    views = [encode(view_tokens(axis, [own], families=without)) for own in (taught, untaught)]
    assert [features_of(views[0], at) for at in range(8)] == [
        features_of(views[1], at) for at in range(8)
    ]
    acetic = axis.words.index("acetic")
    bare = encode(view_tokens(axis, [listless], families=without))
    assert features_of(views[0], acetic) != features_of(bare, acetic)


def test_each_document_is_described_with_the_knowledge_of_its_fold(knowledge: Knowledge) -> None:
    ignorant = Knowledge.fit([DOCUMENTS[1]], ["C"], Lists.of(Resources(), "fine"), annotator="gold")
    axis = TokenAxis.of(DOCUMENTS)
    fold = np.array([1, 0])
    mixed = encode(view_tokens(axis, [knowledge, ignorant], fold))
    first = int(axis.first_of_document[1])
    known, unknown = (encode(view_tokens(axis, [own])) for own in (knowledge, ignorant))
    assert features_of(mixed, 2) == features_of(unknown, 2) != features_of(known, 2)
    assert features_of(mixed, first + 1) == features_of(known, first + 1)


def test_white_space_before_tokens_is_seen() -> None:
    axis = TokenAxis.of([marked("1", "a-b c")])
    assert gaps(axis).tolist() == [True, False, False, True]
