from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from vermeil.acquisition.support.company import LEAST, NameCompany
from vermeil.recognise.word_classes.clusters import SIZES, Classes
from vermeil.recognise.word_classes.forms import forms_of
from vermeil.recognise.word_classes.learned_words import (
    WHOLE,
    LearnedWords,
    WordTable,
    short_hashes,
)
from vermeil.recognise.word_classes.spellings import N_BUCKETS

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMES = [f"{one}{two}X" for one in LETTERS for two in LETTERS][: 2 * LEAST]
OTHERS = [f"{name.lower()}z" for name in NAMES]
AMONG_GENES, ELSEWHERE = (WHOLE, 0), (0, WHOLE)


def words_at(places: Mapping[str, tuple[int, int]]) -> LearnedWords:
    """Make words with vectors of two numbers."""
    hashes = short_hashes(forms_of(list(places)))
    order = np.argsort(hashes)
    table = WordTable(
        hashes[order],
        Classes(
            np.zeros((len(places), len(SIZES)), dtype=np.int64),
            (np.eye(1, 2, dtype=np.float32),) * len(SIZES),
        ),
        buckets=np.zeros((N_BUCKETS, 2), dtype=np.int8),
        scale=1.0,
        vectors=np.array(list(places.values()), dtype=np.int8)[order],
    )
    return LearnedWords(table, table)


def company(strings: Sequence[str], score: Sequence[float], words: LearnedWords) -> NameCompany:
    return NameCompany.fit(strings, np.array(score), words, threshold=-2.25)


@pytest.fixture(scope="module")
def learned() -> NameCompany:
    """Learn from names, from other words, and from a name that no reference supports."""
    places = dict.fromkeys([*NAMES, "H3"], AMONG_GENES) | dict.fromkeys(OTHERS, ELSEWHERE)
    strings = [*NAMES, *OTHERS, "H3", "H3"]
    return company(
        strings, [0.0] * len(NAMES) + [-6.0] * len(OTHERS) + [-5.0] * 2, words_at(places)
    )


def test_a_name_that_no_reference_supports_is_known_by_its_company(learned: NameCompany) -> None:
    unsupported, name = learned.of(["H3", NAMES[0]]).tolist()
    assert unsupported == pytest.approx(name)
    assert unsupported > 1


def test_company_never_speaks_against_a_string(learned: NameCompany) -> None:
    assert not learned.of(OTHERS).any()


def test_of_strings_that_were_not_there_company_says_nothing(learned: NameCompany) -> None:
    assert learned.of(["Q99", NAMES[3], "Q99"]).tolist()[::2] == [0.0, 0.0]
    assert learned.of([]).tolist() == []


def test_spellings_of_a_name_do_not_teach_each_other() -> None:
    spellings = ["Tax", "tax", "TAX", "T-ax"]
    alone = dict.fromkeys(spellings, (WHOLE, WHOLE))
    places = dict.fromkeys(NAMES, AMONG_GENES) | dict.fromkeys(OTHERS, ELSEWHERE) | alone
    base = [0.0] * len(NAMES) + [-6.0] * len(OTHERS)
    strings = [*NAMES, *OTHERS, *spellings]
    low, high = (
        company(strings, base + [own] * len(spellings), words_at(places)).of(["Tax"])[0]
        for own in (-9.0, -4.0)
    )
    assert low == pytest.approx(high)


def test_few_strings_teach_nothing() -> None:
    strings = [*NAMES[: LEAST - 1], *OTHERS]
    places = dict.fromkeys(NAMES, AMONG_GENES) | dict.fromkeys(OTHERS, ELSEWHERE)
    score = [0.0] * (LEAST - 1) + [-6.0] * len(OTHERS)
    assert not company(strings, score, words_at(places)).scores.any()
    assert not len(company([], [], words_at(places)).scores)
