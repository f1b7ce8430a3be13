from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.acquisition.bed import pairs_of
from tests.acquisition.databases.test_entries import make_gene_database, write
from vermeil import Document
from vermeil.acquisition.databases.references import (
    Links,
    References,
    read_references,
)
from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.errors import FormatError

IDS = st.sampled_from(["1", "2", "3"])
NAMES = st.sampled_from(["AM", "PM", "TNF", "IL2"])
DOCUMENTS = st.sampled_from(["10", "11", "12"])


@given(
    st.lists(st.builds(Entry, NAMES, IDS, st.sampled_from(["Gene", "Drug"])), max_size=8),
    st.lists(st.tuples(IDS, DOCUMENTS), max_size=8),
    st.lists(st.lists(NAMES, max_size=5).map(" ".join), max_size=3),
)
def test_a_match_is_supported_if_a_record_of_its_name_refers_to_the_document(
    entries: list[Entry], links: list[tuple[str, str]], texts: list[str]
) -> None:
    documents = [Document(id=f"PMID-{10 + n}", text=text) for n, text in enumerate(texts)]
    lexicon, references = compile_lexicon(entries), References.of(links)
    matches = match(lexicon, documents)
    wanted = [
        any(
            (id, documents[number].id[5:]) in links
            for ids in lexicon.labels_of(key).values()
            for id in ids
        )
        for number, key in zip(matches.document.tolist(), matches.key.tolist(), strict=True)
    ]
    assert Links.of(lexicon, references).support(matches, documents).tolist() == wanted


def links_of(path: Path) -> list[tuple[str, str]]:
    return pairs_of(read_references(path))


def test_references_are_read_from_every_source(tmp_path: Path) -> None:
    path = write(tmp_path / "gene2pubmed", "#tax_id\tGeneID\tPubMed_ID\n9606\t672\t7545954\n")
    assert links_of(path) == [("7545954", "672")]
    path = write(tmp_path / "links.tsv", "document\tid\nD1\tx\n")
    assert links_of(path) == [("D1", "x")]
    path = write(tmp_path / "plain.tsv", "# made by hand\nx\tD1\n\nx\tD1\ny\tD1\n")
    assert links_of(path) == [("D1", "x"), ("D1", "y")]
    path = make_gene_database(tmp_path / "org.Hs.eg.sqlite")
    assert links_of(path) == [("7545954", "672"), ("7545954", "7157"), ("8", "7157")]


def test_a_line_with_one_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a.tsv:2: an id, a tab and a document were wanted"):
        read_references(write(tmp_path / "a.tsv", "x\tD1\nlonely\n"))


def test_ids_are_compared_by_digits_only_among_numbers() -> None:
    numbers = References.of([("1", "123")])
    assert [numbers.number_of(id) for id in ("PMID-123", "pmid:123", "123")] == [0, 0, 0]
    assert [numbers.number_of(id) for id in ("PMC123", "PMC-123-sec1", "1234")] == [-1, -1, -1]
    mixed = References.of([("1", "123"), ("1", "doc")])
    assert mixed.number_of("PMID-123") == -1


@pytest.mark.corpus
def test_the_links_of_the_bed_are_all_there(corpora: Path) -> None:
    references = read_references(corpora / "acquire" / "gene2pubmed.tsv.gz")
    assert len(references) == 31115
    assert np.diff(references.first).min() > 0
