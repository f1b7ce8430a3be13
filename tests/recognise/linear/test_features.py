from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil import Document
from vermeil.recognise.linear.features import (
    PAIRED,
    SPELLINGS,
    columns_of,
    encode_linear,
)
from vermeil.sequences.features.rows import FEATURE_BITS
from vermeil.sequences.tokens.axis import TokenAxis

N_COLUMNS = 5 * len(SPELLINGS) + 4 * len(PAIRED)

texts = st.lists(st.text(st.sampled_from("abA1-α. \n🧬Z"), max_size=30), min_size=1, max_size=4)


def axis_of(*texts: str) -> TokenAxis:
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    return TokenAxis.of(documents, tokeniser="separators")


def columns(*texts: str, hide_words: bool = False) -> list[list[int]]:
    rows: list[list[int]] = columns_of(
        encode_linear(axis_of(*texts), hide_words=hide_words)
    ).tolist()
    return rows


def strings(axis: TokenAxis, *, hide_words: bool) -> list[set[str]]:
    """List the features of each token as the paper would write them: the naive twin."""
    found = []
    for first, last in pairwise(axis.first_token.tolist()):
        padded = ["\x00", "\x00", *axis.words[first:last], "\x00", "\x00"]
        for at in range(2, len(padded) - 2):
            own = {
                f"{name}[{place}]={spell(padded[at + place])}"
                for place in range(-2, 3)
                for name, spell in SPELLINGS.items()
                if not (hide_words and place == 0 and name in ("w", "wl"))
            }
            own |= {
                f"{name}[{place}|]={SPELLINGS[name](padded[at + place])}"
                f"|{SPELLINGS[name](padded[at + place + 1])}"
                for place in range(-2, 2)
                for name in PAIRED
                if not (hide_words and place in (-1, 0) and name == "w")
            }
            found.append(own)
    return found


@given(texts, st.booleans())
def test_columns_are_the_features_written_out(texts: list[str], hide_words: bool) -> None:
    axis = axis_of(*texts)
    ours = columns_of(encode_linear(axis, hide_words=hide_words, n_bits=FEATURE_BITS)).tolist()
    theirs = strings(axis, hide_words=hide_words)
    assert len(ours) == len(theirs)
    column_of: dict[str, int] = {}
    for features in theirs:
        for each in features:
            column_of.setdefault(each, len(column_of))
    known = {column for row in ours for column in row}
    assert len(known) == len(column_of)
    for row, features in zip(ours, theirs, strict=True):
        assert len(row) == len(features)
        for other_row, other in zip(ours, theirs, strict=True):
            assert len(set(row) & set(other_row)) == len(features & other)


def test_every_token_has_all_features_of_the_table() -> None:
    assert {len(row) for row in columns("NF-kappa B binds. It does.")} == {N_COLUMNS}
    assert {len(row) for row in columns("NF-kappa B.", hide_words=True)} == {N_COLUMNS - 4}
    assert columns() == columns("") == []


def test_a_hidden_word_shows_in_its_neighbours_only() -> None:
    seen, other = "the gene Abcdefghi binds here", "the gene Abcdxfghi binds here"
    both = columns(seen, hide_words=True), columns(other, hide_words=True)
    same = [one == two for one, two in zip(*both, strict=True)]
    assert same == [False, False, True, False, False]
    both = columns(seen), columns(other)
    assert not any(one == two for one, two in zip(*both, strict=True))


def test_the_batch_does_not_change_a_column() -> None:
    together = columns("IL-2 binds.", "It was BRCA1 (p53).")
    assert together == [*columns("IL-2 binds."), *columns("It was BRCA1 (p53).")]


@pytest.mark.parametrize("n_bits", [8, 20, 22])
def test_columns_are_as_many_as_asked_for(n_bits: int) -> None:
    axis = axis_of(" ".join(f"w{number}" for number in range(300)))
    found = columns_of(encode_linear(axis, n_bits=n_bits))
    assert found.min() >= 0
    assert (1 << n_bits) * 0.9 < found.max() < 1 << n_bits
    assert np.array_equal(found, np.sort(found, axis=1))
