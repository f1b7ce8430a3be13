import zlib
from collections import Counter
from collections.abc import Iterable

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from vermeil.sequences.features.hashed_rows import HashedRows, chunk_rows, word_rows
from vermeil.sequences.features.word_strings import (
    N_POSITIONS,
    chunk_features,
    context_features,
    shape,
    shapes,
    spelling_features,
)

CHARACTERS = "abnesABCNI1290+-()αωςΣéßİ\U0001d6fc\U0001f9ec\u0301\u0800\ufb01"
WORDS = st.lists(st.text(CHARACTERS, min_size=1, max_size=45), max_size=4)


def hashes(features: Iterable[str]) -> Counter[int]:
    return Counter(zlib.crc32(each.encode()) for each in features)


def counted(rows: HashedRows) -> list[Counter[int]]:
    return [Counter(row.tolist()) for row in np.split(rows.hashes, rows.first[1:-1])][
        : len(rows.first) - 1
    ]


@given(WORDS, st.booleans())
@example(["Na", "Fe(", "IV", "lead", "beta", "toluenes", "hΣ", "x" * 30], True)
def test_rows_of_words_are_their_features_hashed(words: list[str], n_grams: bool) -> None:
    facts = np.array([[7, number] for number in range(len(words))], dtype=np.uint32)
    full, context = word_rows(words, facts.reshape(-1, 2), n_grams=n_grams)
    told = [Counter([7, number]) for number in range(len(words))]
    spelling = [hashes(spelling_features(word, n_grams=n_grams)) for word in words]
    assert counted(full) == [one + more for one, more in zip(spelling, told, strict=True)]
    around = [hashes(context_features(word, n_grams=n_grams)) for word in words]
    assert counted(context) == [one + more for one, more in zip(around, told, strict=True)]


PLACES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, N_POSITIONS - 1)), max_size=9)


@given(WORDS, PLACES, st.booleans())
@example(["NF-κB", "a" * 41], [(1, 0), (0, 3), (1, 2)], True)
def test_rows_of_chunks_are_their_features_with_and_without_a_position(
    chunks: list[str], places: list[tuple[int, int]], n_grams: bool
) -> None:
    used = [(chunk, position) for chunk, position in places if chunk < len(chunks)]
    chunk, position = np.array(used, dtype=np.int64).reshape(-1, 2).T
    wanted = []
    for of, at in used:
        features = list(chunk_features(chunks[of], n_grams=n_grams))
        wanted.append(hashes([*features, *(f"{at}:{each}" for each in features)]))
    assert counted(chunk_rows(chunks, chunk, position, n_grams=n_grams)) == wanted


@given(WORDS)
def test_shapes_are_those_of_single_words(words: list[str]) -> None:
    assert shapes(words) == [shape(word) for word in words]


def test_a_row_is_added_at_the_end() -> None:
    full, _ = word_rows(["a"], np.zeros((1, 0), dtype=np.uint32), n_grams=False)
    longer = full.with_row(np.array([5], dtype=np.uint32))
    assert counted(longer) == [*counted(full), Counter([5])]
