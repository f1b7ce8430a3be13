import pytest

from tests.acquisition.bed import abstracts
from vermeil.acquisition.manual_curve import ManualCurve, Piece, worth
from vermeil.errors import UsageError
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe
from vermeil.reports.acquired import worth_page

pytest.importorskip("sklearn")

RECIPE = Recipe(("Gene",), tokeniser="punctuation")
FAST = LinearOptions(n_folds=0, n_bits=14)
TRAIN, JUDGES = abstracts(260)[:40], abstracts(260)[240:]


def test_annotation_is_dealt_into_pieces_and_the_last_tagger_has_all_of_it() -> None:
    model = LinearTagger.fit(TRAIN[:10], RECIPE, options=FAST)
    told: list[int] = []
    found = worth(
        TRAIN,
        JUDGES,
        model,
        RECIPE,
        n_pieces=4,
        options=FAST,
        watch=lambda piece: told.append(piece.number),
    )
    assert told == [1, 2, 3, 4]
    assert [piece.n_documents for piece in found.pieces] == [10, 20, 30, 40]
    assert found.pieces[-1].n_tokens > 3.9 * found.pieces[0].n_tokens > 0
    assert found.pieces[0].n_sentences == 40
    assert 0 < found.f1 <= found.pieces[-1].f1
    equal = found.as_good
    assert equal is not None
    assert all(piece.f1 < found.f1 for piece in found.pieces[: equal.number - 1])
    assert "Figure 8" in worth_page(found)


def test_the_least_annotation_that_is_as_good_is_found_or_there_is_none() -> None:
    pieces = tuple(Piece(n, n, n, n, f1) for n, f1 in ((1, 0.4), (2, 0.6), (3, 0.5)))
    assert ManualCurve("x", 0.5, 3, pieces).as_good == pieces[1]
    assert ManualCurve("x", 0.7, 3, pieces).as_good is None


def test_more_pieces_than_documents_are_refused() -> None:
    model = LinearTagger.fit(TRAIN, RECIPE, options=FAST)
    with pytest.raises(UsageError, match="3 documents cannot be dealt into 20 pieces"):
        worth(TRAIN[:3], JUDGES, model, RECIPE)
