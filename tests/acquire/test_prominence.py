"""What a document is about: the title, and what comes up more than once."""

import numpy as np

from vermeil import Document
from vermeil.acquire.matching import Matches
from vermeil.acquire.prominence import Prominence

DOCUMENTS = [
    Document(id="1", text="On BRCA1 in mice. We saw p53 and p53 but BRCA1 once more, and IL2."),
    Document(id="2", text="p53 again"),
    Document(id="3", text=""),
]


def matches_of(*words: str) -> Matches:
    """Find words in the documents; each is a key of its own."""
    rows = sorted(
        (number, at, at + len(word), key)
        for number, document in enumerate(DOCUMENTS)
        for key, word in enumerate(words)
        for at in range(len(document.text))
        if document.text.startswith(word, at)
    )
    document, start, end, key = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Matches(document, start, end, key, np.ones(len(rows), dtype=bool))


def test_all_matches_of_a_key_in_a_document_are_alike() -> None:
    found = Prominence.of(matches_of("BRCA1", "p53", "IL2"), DOCUMENTS)
    assert found.times.tolist() == [2, 2, 2, 2, 1, 1]
    assert found.in_title.tolist() == [True, False, False, True, False, True]
    assert found.is_high.tolist() == [True, True, True, True, False, True]


def test_features_tell_how_often_and_where_and_nothing_else() -> None:
    columns = Prominence.of(matches_of("BRCA1", "p53", "IL2"), DOCUMENTS).columns
    assert (columns[0] == columns[3]).all()
    assert (columns[1] == columns[2]).all()
    assert len(np.unique(columns[:, 2])) == 4


def test_nothing_matched_is_nothing_prominent() -> None:
    nothing = Prominence.of(matches_of(), DOCUMENTS)
    assert len(nothing.times) == len(nothing.is_high) == len(nothing.columns) == 0
