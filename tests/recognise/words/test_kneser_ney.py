from collections import Counter, defaultdict
from math import log

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil.recognise.words.kneser_ney import USUAL_DISCOUNTS, CharacterModel
from vermeil.sequences.tokens.alphabet import ALPHABET, spell

LETTERS = st.text(alphabet="abAé09α-§", max_size=6)
WORDS = st.lists(LETTERS, min_size=1, max_size=12)
ORDERS = st.integers(1, 6)


class NaiveModel:
    """Modified Kneser-Ney by dictionaries, symbol by symbol, straight from the formulas."""

    def __init__(self, words: list[str], counts: list[int], order: int) -> None:
        self.order = order
        occurrences: Counter[str] = Counter()
        for word, count in zip(words, counts, strict=True):
            padded = "^" * (order - 1) + spelled(word)
            for end in range(order, len(padded) + 1):
                occurrences[padded[end - order : end]] += count
        self.counts = {order: {gram: n for gram, n in occurrences.items() if n}}
        for length in range(order - 1, 0, -1):
            shorter: Counter[str] = Counter()
            for gram, count in self.counts[length + 1].items():
                shorter[gram[1:]] += count if gram[1] == "^" else 1
            self.counts[length] = shorter
        self.discounts = {n: discounts(list(self.counts[n].values())) for n in self.counts}
        self.following: dict[int, dict[str, dict[str, int]]] = {
            length: defaultdict(dict) for length in self.counts
        }
        for length, grams in self.counts.items():
            for gram, count in grams.items():
                self.following[length][gram[:-1]][gram[-1]] = count

    def probability(self, history: str, symbol: str, length: int) -> float:
        if length == 0:
            return 1 / (len(ALPHABET) - 1)
        following = self.following[length].get(history)
        lower = self.probability(history[1:], symbol, length - 1)
        if not following:
            return lower
        taken = {each: self.discounts[length][min(n, 3) - 1] for each, n in following.items()}
        total = sum(following.values())
        kept = following.get(symbol, 0) - taken.get(symbol, 0.0)
        return kept / total + sum(taken.values()) / total * lower

    def log_probability(self, word: str) -> float:
        before = self.order - 1
        padded = "^" * before + spelled(word)
        return sum(
            log(self.probability(padded[at - before : at], padded[at], self.order))
            for at in range(before, len(padded))
        )


def discounts(counts: list[int]) -> tuple[float, ...]:
    n1, n2, n3, n4 = (counts.count(k) for k in (1, 2, 3, 4))
    if not n1 or not n2 or not n3 or not n4:
        return USUAL_DISCOUNTS
    y = n1 / (n1 + 2 * n2)
    found = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    usable = all(0 < discount <= k for k, discount in enumerate(found, start=1))
    return found if usable else USUAL_DISCOUNTS


def spelled(word: str) -> str:
    return "".join(ALPHABET[symbol] for symbol in spell([word]).symbols)


@given(WORDS, WORDS, ORDERS, st.data())
def test_it_gives_what_dictionaries_give(
    known: list[str], asked: list[str], order: int, data: st.DataObject
) -> None:
    counts = [data.draw(st.integers(0, 5)) for _ in known]
    model = CharacterModel.fit(known, counts=counts, order=order)
    naive = NaiveModel(known, counts, order)
    for word, found in zip([*known, *asked], model.log_probability([*known, *asked]), strict=True):
        assert found == pytest.approx(naive.log_probability(word), abs=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 7, 10])
def test_it_gives_what_dictionaries_give_where_discounts_are_estimated(order: int) -> None:
    drawn = np.random.default_rng(0).geometric(0.25, size=(150, 5))
    words = ["".join(ALPHABET[3 + n] for n in row) for row in drawn]
    model, naive = CharacterModel.fit(words, order=order), NaiveModel(words, [1] * 150, order)
    assert order not in range(2, 5) or naive.discounts[order] != USUAL_DISCOUNTS
    asked = [*words, "heathen", "zebra", "", "7,8-DIHYDRO"]
    for word, found in zip(asked, model.log_probability(asked), strict=True):
        assert found == pytest.approx(naive.log_probability(word), abs=1e-9)


@given(WORDS, ORDERS)
def test_a_count_is_so_many_occurrences(words: list[str], order: int) -> None:
    twice = CharacterModel.fit([*words, *words], order=order)
    counted = CharacterModel.fit(words, counts=[2] * len(words), order=order)
    assert np.array_equal(twice.log_probability(words), counted.log_probability(words))


@given(WORDS, WORDS)
def test_no_neighbour_changes_the_probability_of_a_word(words: list[str], asked: list[str]) -> None:
    model = CharacterModel.fit(words)
    together = model.log_probability(asked)
    assert together.tolist() == [model.log_probability([word])[0] for word in asked]


@given(WORDS, WORDS, ORDERS)
def test_a_saved_model_is_the_same_model(words: list[str], asked: list[str], order: int) -> None:
    model = CharacterModel.fit(words, order=order)
    again = CharacterModel.from_arrays(model.header(), model.arrays())
    assert np.array_equal(model.log_probability(asked), again.log_probability(asked))


def test_a_model_of_another_alphabet_is_refused() -> None:
    model = CharacterModel.fit(["ethanol"])
    with pytest.raises(ValueError, match="alphabet is 'abc'"):
        CharacterModel.from_arrays({"order": 4, "alphabet": "abc"}, model.arrays())


@pytest.mark.parametrize("order", [0, 11])
def test_an_order_that_does_not_fit_is_refused(order: int) -> None:
    with pytest.raises(ValueError, match="between 1 and 10"):
        CharacterModel.fit(["ethanol"], order=order)


def test_without_words_every_symbol_is_as_likely() -> None:
    model = CharacterModel.fit([])
    assert model.log_probability([]).tolist() == []
    assert model.log_probability(["ab"])[0] == pytest.approx(-3 * log(63))
