from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.acquisition.naive_matching import naive_match, rows_of
from vermeil import Document
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.lexicon.compilation import SPELLINGS, Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.matching import leftmost_longest, match
from vermeil.acquisition.lexicon.spellings import BEGINNINGS
from vermeil.formats import read

PIECES = st.sampled_from([
    "IL", "il", "2", "-", " ", "α", "alpha", "Alpha", "R", "(", ")", "[", "and", "of", "TNF", ". ",
    "\n\n", "\n", "p53", "\U0001d6fc", "é", "e\u0301", ",", "B", "x", "/", "µ", "IN", "in", "\t",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)
NAMES = st.lists(PIECES, min_size=1, max_size=6).map("".join)


def lexicon_of(*names: str, spelling: str = "exact", min_length: int = 2) -> Lexicon:
    entries = [Entry(name, str(number), "Gene") for number, name in enumerate(names)]
    return compile_lexicon(entries, spelling=spelling, min_length=min_length)


def found(lexicon: Lexicon, text: str) -> list[str]:
    matches = match(lexicon, [Document(id="1", text=text)])
    spans = zip(matches.start.tolist(), matches.end.tolist(), strict=True)
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
@pytest.mark.parametrize("tokeniser", ["fine", "separators", "words"])
@pytest.mark.parametrize("overlapping", [False, True])
@given(st.lists(TEXTS, max_size=3), st.lists(NAMES, max_size=8))
def test_matches_are_those_of_a_dict_over_token_windows(
    spelling: str, tokeniser: str, overlapping: bool, texts: list[str], names: list[str]
) -> None:
    # Names that occur: stretches of the texts themselves, with other case.
    names = [*names, *(text[:6].strip() for text in texts), *(text[2:9].upper() for text in texts)]
    lexicon = lexicon_of(*names, spelling=spelling, min_length=1)
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    matches = match(lexicon, documents, tokeniser=tokeniser, overlapping=overlapping)
    wanted = naive_match(lexicon, documents, tokeniser=tokeniser, overlapping=overlapping)
    assert rows_of(matches) == wanted


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=20))
def test_overlaps_are_settled_from_the_left_by_length(spans: list[tuple[int, int]]) -> None:
    start = np.array([at for at, _ in spans], dtype=np.int64)
    end = start + np.array([length for _, length in spans], dtype=np.int64)
    chosen, free = [], 0
    for at, last in sorted(
        zip(start.tolist(), end.tolist(), strict=True), key=lambda s: (s[0], -s[1])
    ):
        if at >= free:
            chosen.append((at, last))
            free = last
    rows = leftmost_longest(start, end)
    assert list(zip(start[rows].tolist(), end[rows].tolist(), strict=True)) == chosen


def test_a_longer_name_that_ends_inside_a_token_hides_nothing() -> None:
    assert found(lexicon_of("p53", "p53 bin"), "the p53 binds") == ["p53"]


def test_names_of_any_length_are_found() -> None:
    names = ["a" * length for length in range(2, BEGINNINGS[-1] + 20)]
    lexicon = lexicon_of(*names)
    assert found(lexicon, " ".join(names)) == names


def test_no_match_reaches_over_the_end_of_a_sentence_a_paragraph_or_a_document() -> None:
    lexicon = lexicon_of("IL 2", spelling="normalised")
    assert found(lexicon, "We saw IL. 2 of them. IL\n\n2 IL (IL, 2). IL-2") == ["IL, 2", "IL-2"]
    documents = [Document(id="1", text="IL"), Document(id="2", text="2")]
    assert not len(match(lexicon, documents))


def test_a_normalised_match_has_balanced_brackets_and_ends_in_letters_or_digits() -> None:
    lexicon = lexicon_of("IL2R", spelling="normalised")
    assert found(lexicon, "(IL-2R) IL(2)R IL(2R") == ["IL-2R", "IL(2)R"]


def test_function_words_are_only_in_names_that_have_them() -> None:
    lexicon = lexicon_of("candor", "suppressor of fused", spelling="normalised", min_length=1)
    assert found(lexicon, "C and or; Suppressor-of Fused") == ["Suppressor-of Fused"]


def test_the_longest_wins_whether_exact_or_not() -> None:
    lexicon = lexicon_of("IL-2", "IL2 receptor", spelling="normalised")
    matches = match(lexicon, [Document(id="1", text="IL-2 receptor, IL-2")])
    assert matches.is_exact.tolist() == [False, True]
    assert matches.end.tolist() == [13, 19]


def test_short_names_and_names_in_capitals_keep_their_case_when_only_long_ones_are_folded() -> None:
    lexicon = lexicon_of("Insulin", "CAT", "Rel", "TNFA", spelling="long-folded")
    assert found(lexicon, "insulin INSULIN cat CAT rel Rel tnfa TNFA") == [
        "insulin", "INSULIN", "CAT", "Rel", "TNFA",
    ]  # fmt: skip


def test_nothing_is_found_with_an_empty_lexicon_or_in_no_documents() -> None:
    assert not len(match(compile_lexicon([]), [Document(id="1", text="IL-2")]))
    assert not len(match(lexicon_of("IL-2"), []))
    assert found(lexicon_of("IL-2"), "") == []


def test_how_documents_are_batched_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = lexicon_of("IL-2", "TNFα", spelling="normalised")
    texts = ["IL-2 and TNF-alpha", "", "none", "il2 TNFα"] * 3
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    whole = rows_of(match(lexicon, documents))
    monkeypatch.setattr("vermeil.acquisition.lexicon.matching.BATCH", 2)
    assert rows_of(match(lexicon, documents)) == whole
    assert len(whole) == 12


@pytest.mark.corpus
def test_real_names_in_real_abstracts_are_those_of_the_dict(corpora: Path) -> None:
    folder = corpora / "acquire"
    entries = islice(read_entries(folder / "Homo_sapiens.gene_info.gz"), 60_000)
    lexicon = compile_lexicon(entries, spelling="normalised")
    documents = list(islice(read(folder / "ge-train"), 3))
    for overlapping in (False, True):
        wanted = naive_match(lexicon, documents, tokeniser="fine", overlapping=overlapping)
        matches = match(lexicon, documents, tokeniser="fine", overlapping=overlapping)
        assert len(wanted) > 50
        assert rows_of(matches) == wanted
