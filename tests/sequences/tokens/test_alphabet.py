import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil.sequences.tokens.alphabet import ALPHABET, BITS, END, hash_words, spell

WORDS = st.lists(st.text(max_size=8), max_size=8)


def spelled(word: str) -> str:
    return "".join(ALPHABET[symbol] for symbol in spell([word]).symbols)


def test_the_alphabet_fills_its_bits_and_says_nothing_twice() -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 1 << BITS


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Ethanol", "ethanol$"),
        ("1,25-OH2", "0,0-oh0$"),
        ("5′–Ωµς", "0'-ωμσ$"),
        ("naïve", "naive$"),
        ("H₂O²", "h0o0$"),
        ("^$?%\U0001f9ec", "?????$"),
        ("a\nb", "a?b$"),
        ("", "$"),
    ],
)
def test_words_are_spelled_in_the_alphabet(word: str, wanted: str) -> None:
    assert spelled(word) == wanted


@given(WORDS)
def test_words_are_spelled_alike_alone_and_together(words: list[str]) -> None:
    symbols, first = spell(words)
    together = [ALPHABET[symbol] for symbol in symbols]
    assert "".join(together) == "".join(map(spelled, words))
    assert first.tolist() == [0, *(np.flatnonzero(symbols == END) + 1)][: len(words)]


@given(WORDS)
def test_words_hash_alike_alone_and_together(words: list[str]) -> None:
    assert hash_words(words).tolist() == [hash_words([word])[0] for word in words]


def test_words_that_differ_hash_apart() -> None:
    letters = "abAB01-α"
    words = [*letters, *(a + b for a in letters for b in letters), "", "aab", "aba", "baa"]
    assert len(set(hash_words(words).tolist())) == len(words)
