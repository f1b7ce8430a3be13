import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.recognise.annotated import marked
from tests.strategies import documents
from vermeil import Document, Span
from vermeil.recognise.words.token_sets import (
    TokenSets,
    find_run_sides,
    find_sides,
    folded,
    is_word,
)
from vermeil.text.tokens import TOKENISERS

SIDES = st.dictionaries(st.text(max_size=4).map(folded), st.integers(1, 7), max_size=8)


def test_tokens_are_inside_outside_or_ambiguous() -> None:
    text = "Lead and [C:lead acetate] in [G:BRCA1] of [C:NaCl] or NaCl"
    assert find_sides([marked("1", text)], ["C", "G"]) == {
        "lead": 3, "and": 1, "acetate": 2, "in": 1, "BRCA": 4, "1": 4, "of": 1,
        "Na": 3, "Cl": 3, "or": 1,
    }  # fmt: skip


def test_runs_are_inside_outside_or_ambiguous_without_the_punctuation_around_them() -> None:
    text = "([C:5-FU]), [G:p53]-null and [C:NaCl]."
    assert find_run_sides([marked("1", text)], ["C", "G"]) == {
        "5-FU": 2, "p53-null": 3, "and": 1, "NaCl": 2,
    }  # fmt: skip


def test_names_of_other_labels_are_no_names() -> None:
    assert find_sides([marked("1", "[C:zinc] [G:finger]")], ["C"]) == {"zinc": 2, "finger": 1}


def test_a_token_a_name_touches_is_inside_it() -> None:
    spans = (Span(2, 9, "C", fragments=((2, 4), (8, 9))),)
    document = Document(id="1", text="ethane or al", layers={"gold": spans})
    assert find_sides([document], ["C"]) == {"ethane": 2, "or": 2, "al": 1}


def test_documents_nobody_looked_at_say_nothing() -> None:
    assert find_sides([Document(id="1", text="ethane")], ["C"]) == {}


def test_more_labels_than_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="31 labels, got 40"):
        find_sides([], [str(n) for n in range(40)])


@pytest.mark.parametrize("tokeniser", TOKENISERS)
@given(document=documents(annotators=("gold",)))
def test_every_token_is_on_some_side(tokeniser: str, document: Document) -> None:
    sides = find_sides([document], ["Gene", "Disease"], tokeniser=tokeniser)
    tokens = {
        folded(document.text[start:end]) for start, end in TOKENISERS[tokeniser](document.text)
    }
    assert set(sides) == (tokens if "gold" in document.layers else set())
    assert all(0 < side < 8 for side in sides.values())


@given(SIDES, st.lists(st.text(max_size=4)))
def test_looking_up_is_looking_into_the_dictionary(sides: dict[str, int], asked: list[str]) -> None:
    sets = TokenSets.of(sides)
    tokens = [*sides, *asked]
    wanted = [sides.get(folded(token), 0) for token in tokens]
    assert sets.sides_of(tokens).tolist() == wanted
    assert TokenSets.from_arrays(sets.arrays()).sides_of(tokens).tolist() == wanted


@given(st.text(max_size=6))
def test_what_a_token_is_compared_by_is_compared_by_itself(token: str) -> None:
    assert is_word(folded(token)) >= is_word(token)
    assert folded(folded(token)) == folded(token) or not token.isascii()


def test_nothing_was_seen_in_nothing() -> None:
    assert np.array_equal(TokenSets.of({}).sides_of(["a", "b"]), [0, 0])
