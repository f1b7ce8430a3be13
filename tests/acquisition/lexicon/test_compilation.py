import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests.acquisition.naive_matching import rows_of
from vermeil import Document
from vermeil.acquisition.lexicon.compilation import SPELLINGS, Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.files import load_lexicon, save_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.acquisition.lexicon.spellings import SpellingTable
from vermeil.acquisition.lexicon.unwanted import frequent_words, words_of_list
from vermeil.errors import FormatError, UnknownNameError

ENTRIES = [
    Entry("IL-2", "3558", "Gene"),
    Entry("IL2", "3558", "Gene"),
    Entry("Il2", "16183", "Gene"),
    Entry("IL-2", "D1", "Drug"),
    Entry("IL-2", "3558", "Gene"),
    Entry("and", "1", "Gene"),
    Entry("CAT", "847", "Gene"),
    Entry("x", "2", "Gene"),
    Entry("123", "3", "Gene"),
    Entry("y" * 101, "4", "Gene"),
    Entry("ζ\U0001d6fc", "5", "Gene"),
]


@pytest.fixture
def lexicon() -> Lexicon:
    return compile_lexicon(ENTRIES, spelling="normalised", stop_words={"and", "cat"})


def test_what_is_removed_is_counted_by_reason(lexicon: Lexicon) -> None:
    assert lexicon.compilation.removed == {
        "repeated": 1,
        "stop word": 1,
        "shorter than 2": 1,
        "without a letter": 1,
        "longer than 100": 1,
    }
    assert lexicon.compilation.n_entries == len(ENTRIES)
    assert (lexicon.compilation.n_names, lexicon.compilation.n_keys) == (5, 3)


def test_names_spelled_alike_share_a_key_with_all_ids(lexicon: Lexicon) -> None:
    assert lexicon.names_of(0) == ("IL-2", "IL2", "Il2")
    assert lexicon.labels_of(0) == {"Gene": ("3558", "16183"), "Drug": ("D1",)}


def test_a_name_like_a_stop_word_is_found_only_as_it_is_written(lexicon: Lexicon) -> None:
    matches = match(lexicon, [Document(id="1", text="the cat has CAT")])
    assert matches.start.tolist() == [12]


def test_a_last_letter_may_stand_for_a_greek_one() -> None:
    entries = [Entry("IFNG", "3458", "Gene"), Entry("IFN", "0", "Gene")]
    texts = [Document(id="1", text="IFN-gamma and IFN-γ, IFNgamma2, IFNG")]
    loose = match(compile_lexicon(entries, spelling="normalised"), texts, tokeniser="punctuation")
    assert [row[:3] for row in rows_of(loose)] == [(0, 0, 9), (0, 14, 19), (0, 32, 36)]
    folded = match(compile_lexicon(entries, spelling="folded"), texts, tokeniser="punctuation")
    assert [row[:3] for row in rows_of(folded)] == [(0, 0, 3), (0, 14, 17), (0, 32, 36)]


def test_a_name_that_breaks_off_is_removed() -> None:
    lexicon = compile_lexicon([Entry("TNF-", "1", "Gene"), Entry("Ca2+", "2", "Ion")])
    assert lexicon.compilation.removed == {"broken off": 1}
    assert lexicon.names_of(0) == ("Ca2+",)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_names_of_families_are_dropped_only_if_asked_for(spelling: str) -> None:
    members = [(f"STAT{number}", str(number)) for number in (1, 2, 3)]
    entries = [
        Entry(name, id, "Gene") for symbol, id in members for name in (symbol, "STAT", "IL2")
    ]
    entries += [Entry("IL2", "9", "Gene"), Entry("STAT1", "1", "Gene")]
    text = [Document(id="1", text="STAT and STAT1 and IL2")]
    whole = compile_lexicon(entries, spelling=spelling)
    assert [row[1:3] for row in rows_of(match(whole, text))] == [(0, 4), (9, 14), (19, 22)]
    assert [whole.names_of(key) for key in np.flatnonzero(whole.is_family).tolist()] == [("STAT",)]
    without = compile_lexicon(entries, spelling=spelling, with_families=False)
    assert [row[1:3] for row in rows_of(match(without, text))] == [(9, 14), (19, 22)]
    assert without.compilation.removed == {"repeated": 1, "family": 3}
    assert not without.is_family.any()
    [_, (_, _, _, key, _)] = rows_of(match(without, text))
    assert without.names_of(key) == ("IL2",)
    assert without.labels_of(key) == {"Gene": ("1", "2", "3", "9")}


def test_a_name_that_was_foreseen_as_a_variant_is_not_repeated() -> None:
    entries = [Entry("IFNG", "1", "Gene"), Entry("IFN gamma", "1", "Gene")]
    assert compile_lexicon(entries, spelling="normalised").compilation.removed == {}


def test_an_unknown_spelling_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'exact'"):
        compile_lexicon([], spelling="exakt")


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_a_saved_lexicon_comes_back(tmp_path: Path, spelling: str) -> None:
    lexicon = compile_lexicon(ENTRIES, spelling=spelling)
    path = tmp_path / "genes.lexicon"
    save_lexicon(lexicon, path)
    loaded = load_lexicon(path)
    documents = [Document(id="1", text="il2, IL-2 and CAT; ζ\U0001d6fc")]
    assert rows_of(match(loaded, documents)) == rows_of(match(lexicon, documents))
    assert loaded.compilation == lexicon.compilation
    assert [loaded.labels_of(key) for key in range(len(loaded))] == [
        lexicon.labels_of(key) for key in range(len(lexicon))
    ]
    first = path.read_bytes()
    save_lexicon(loaded, path)
    assert path.read_bytes() == first


def test_arrays_are_mapped_where_they_lie(tmp_path: Path, lexicon: Lexicon) -> None:
    path = tmp_path / "genes.lexicon"
    save_lexicon(lexicon, path)
    hashes = load_lexicon(path).names.hashes
    assert hashes.flags.aligned
    assert not hashes.flags.owndata
    assert not hashes.flags.writeable


def test_a_damaged_file_gives_one_line(tmp_path: Path, lexicon: Lexicon) -> None:
    path = tmp_path / "genes.lexicon"
    save_lexicon(lexicon, path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 97):
        damaged = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        path.write_bytes(damaged)
        with suppress(FormatError):
            load_lexicon(path)
    for cut in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(FormatError):
            load_lexicon(path)


def test_a_changed_array_is_noticed(tmp_path: Path, lexicon: Lexicon) -> None:
    path = tmp_path / "genes.lexicon"
    save_lexicon(lexicon, path)
    whole = path.read_bytes()
    at = whole.index(lexicon.names.hashes.tobytes())
    path.write_bytes(whole[:at] + b"\0\0" + whole[at + 2 :])
    with pytest.raises(FormatError, match="checksum"):
        load_lexicon(path)


def test_foreign_files_and_later_versions_are_refused(tmp_path: Path, lexicon: Lexicon) -> None:
    path = tmp_path / "a.zip"
    with pytest.raises(FormatError, match="cannot be read"):
        load_lexicon(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other", "x")
    with pytest.raises(FormatError, match="no lexicon"):
        load_lexicon(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", '{"format": "vermeil lexicon", "version": 9}')
    with pytest.raises(FormatError, match="is of version 9"):
        load_lexicon(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", '{"format": "vermeil lexicon", "version": 2}')
    with pytest.raises(FormatError, match="header is not complete"):
        load_lexicon(path)


def test_names_that_hash_alike_are_told_apart_by_their_letters() -> None:
    table = SpellingTable.of(["il2"], "normalised")
    symbols = np.array([1, 2, 3, 9, 9, 9], dtype=np.uint32)
    same = table._is_spelled(
        np.where(symbols < 9, table.spelt[[0, 1, 2, 0, 0, 0]], 0),
        np.array([0, 3]),
        np.array([3, 6]),
        np.array([0, 0]),
    )
    assert same.tolist() == [True, False]


def test_stop_words_come_from_a_list_or_from_text(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("cell\nParis\nfor\n", encoding="utf-8")
    assert {"cell", "for", "the"} <= words_of_list(path)
    assert "paris" not in words_of_list(path)
    texts = ["the cell saw TNF", "Cells saw p53-like", "TNF saw tnf"]
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    frequent = frequent_words(documents, min_documents=2, min_small=0.6)
    assert "saw" in frequent
    assert not {"tnf", "cell", "like"} & frequent
