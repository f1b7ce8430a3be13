"""What every tokeniser promises, and what each of them is for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.errors import UnknownNameError
from vermeil.text.tokens import TOKENISERS, Token, covering, split_at, tokenise

TEXTS = st.text(alphabet="abAN19 αβ\U0001d6fc\u0301-–,.;:()[]/'′+%_ \n\r\t\u2003→²", max_size=40)
ANY_TEXTS = st.text(max_size=40)


def marked(text: str, by: str) -> list[str]:
    return [text[start:end] for start, end in tokenise(text, by=by)]


@pytest.mark.parametrize("name", sorted(TOKENISERS))
@given(text=TEXTS | ANY_TEXTS)
def test_tokens_are_in_order_and_cover_exactly_what_is_not_white_space(
    name: str, text: str
) -> None:
    place = 0
    for start, end in tokenise(text, by=name):
        assert place <= start < end <= len(text)
        assert not text[place:start].strip()
        assert not any(char.isspace() for char in text[start:end])
        place = end
    assert not text[place:].strip()


@pytest.mark.parametrize("name", sorted(TOKENISERS))
@given(first=TEXTS, second=TEXTS)
def test_white_space_keeps_tokens_from_influencing_each_other(
    name: str, first: str, second: str
) -> None:
    shift = len(first) + 1
    apart = tokenise(first, by=name) + [
        (start + shift, end + shift) for start, end in tokenise(second, by=name)
    ]
    assert tokenise(f"{first} {second}", by=name) == apart


@pytest.mark.parametrize("name", sorted(TOKENISERS))
@pytest.mark.parametrize(
    "piece", ["(", "a-", "a.", "[(a)-induced", "(a)-", "'", "5'", "-", ",a", ")-induced", "A", "+"]
)
def test_no_tokeniser_chokes_on_a_long_chunk(name: str, piece: str) -> None:
    assert tokenise(piece * 20_000, by=name)


def test_an_unknown_tokeniser_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="no tokeniser named 'word'; did you mean 'words'"):
        tokenise("text", by="word")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IL-2", "IL - 2"),
        ("hMLH1", "h MLH 1"),
        ("τOCOH", "τ OCOH"),
        ("Ca²⁺", "Ca ² ⁺"),
        ("e\u0301te\u0301", "e\u0301te\u0301"),
        ("IkappaB", "Ikappa B"),
        ("snake_case", "snake _ case"),
    ],
)
def test_fine_tokens_part_letters_digits_and_marks(text: str, expected: str) -> None:
    assert " ".join(marked(text, "fine")) == expected


@pytest.mark.parametrize(
    "word",
    ["IL-2", "NF-kappaB", "5′-UTR", "3'-end", "0.05", ".05", "e.g.", "i.e.", "1,000", "Ca2+",
     "gp0.7", "Crohn's", "TNF-α", "c.35delG"],
)  # fmt: skip
def test_words_keep_together(word: str) -> None:
    assert marked(word, "words") == [word]
    assert marked(f"({word}),", "words") == ["(", word, ")", ","]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cells.", "cells ."),
        ("and/or", "and / or"),
        ("poly(A)", "poly ( A )"),
        ("p<0.05", "p < 0.05"),
        ("1,2", "1 , 2"),
    ],
)
def test_words_split(text: str, expected: str) -> None:
    assert " ".join(marked(text, "words")) == expected


@pytest.mark.parametrize(
    "name",
    ["2-(4-isobutylphenyl)propanoic", "(CH3)2CO", "N-acetyl", "1,2-dichloroethane", "N,N-dimethyl",
     "3',5'-cyclic", "(+)-catechin", "[3H]dopamine", "Ca2+", "α,β-enone",
     "bicyclo[2.2.1]heptane", "C18:1", "(S)-ibuprofen", "1-(3a,4-x)-y"],
)  # fmt: skip
def test_chemistry_keeps_names_whole(name: str) -> None:
    assert marked(name, "chemistry") == [name]
    assert marked(f"({name}),", "chemistry") == ["(", name, ")", ","]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ethanol-induced", "ethanol - induced"),
        ("Glucose-Dependent", "Glucose - Dependent"),
        ("NaCl-free", "NaCl - free"),
        ("non-ethanol", "non - ethanol"),
        ("(DOX)-induced", "( DOX ) - induced"),
        ("H2O/EtOH", "H2O / EtOH"),
        ("A→B", "A → B"),
        ("A-->B", "A --> B"),
        ("acid(2", "acid ( 2"),
        ("(aspirin", "( aspirin"),
        ("((a)", "( ( a )"),
        ("DNA,RNA", "DNA , RNA"),
        ("lithium,sodium", "lithium , sodium"),
        ("aspirin's", "aspirin ' s"),
        ("NE-", "NE -"),
        ("acid.The", "acid . The"),
    ],
)
def test_chemistry_splits(text: str, expected: str) -> None:
    assert " ".join(marked(text, "chemistry")) == expected


def test_separators_of_the_paper_leave_brackets_and_slashes_in() -> None:
    assert marked("IL-2/(p53).", "separators-paper") == ["IL", "-", "2/(p53)", "."]
    assert marked("IL-2/(p53).", "separators") == ["IL", "-", "2", "/", "(", "p53", ")", "."]


def test_separators_may_be_characters_that_mean_something_in_a_pattern() -> None:
    assert split_at("]^-\\")("a]b^c-d\\e") == [(at, at + 1) for at in range(9)]
    assert split_at("")("a-b c") == [(0, 3), (4, 5)]


@given(text=TEXTS, edges=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_covering_finds_the_tokens_that_share_a_character(
    text: str, edges: tuple[int, int]
) -> None:
    start, end = sorted(edges)
    tokens = tokenise(text)

    def shares(token: Token) -> bool:
        return max(start, token[0]) < min(end, token[1])

    first, last = covering(tokens, start, end)
    assert tokens[first:last] == [token for token in tokens if shares(token)]
