import pytest

from tests.review.reviews import AGREED, CONTESTED, GENE
from tests.review.test_importing import decide_for
from vermeil import Document, Span
from vermeil.review.decisions import Answer, Change, Name
from vermeil.review.importing import import_documents
from vermeil.review.queue import listed
from vermeil.review.store import Store


def found(store: Store, search: str) -> list[str]:
    return sorted(entry.id for entry in listed(store, "cleo", show="all", search=search))


@pytest.mark.parametrize(
    ("search", "ids"),
    [
        ("aspirin", ["sure"]),
        ("ASPIR", ["sure"]),
        ("breast mice", ["contested"]),
        ('"breast cancer"', ["contested"]),
        ('"cancer breast"', []),
        ("name:aspirin", ["sure"]),
        ("name:mice", []),
        ("text:mice", ["contested"]),
        ("label:Gene", ["contested"]),
        ("annotator:anna", ["contested", "empty", "sure"]),
        ("annotator:anna label:chemical", ["sure"]),
        ("id:tested", ["contested"]),
        ("label:", []),
        ("nothing there", []),
        ('" OR 1 NEAR(', []),
        ("BRCA1 AND NOT *", []),
    ],
)
def test_texts_and_what_is_said_of_them_are_found(
    store: Store, search: str, ids: list[str]
) -> None:
    assert found(store, search) == ids


def test_comments_and_what_curators_decide_are_found_at_once(store: Store) -> None:
    assert found(store, "comment:isoform") == []
    answer = Answer(GENE, "accepted", Name(4, 9, "Protein"), comment="which isoform?")
    decide_for(store, "cleo", CONTESTED, Change(GENE, None, answer))
    assert found(store, "comment:isoform") == found(store, "label:Protein") == ["contested"]


def test_new_annotators_are_found_and_old_files_are_indexed(store: Store) -> None:
    new = Document(id="sure", text="Aspirin helps.", layers={"zoe": (Span(8, 13, "Verb"),)})
    import_documents(store, [new])
    assert found(store, "annotator:zoe") == found(store, "name:helps") == ["sure"]
    with store.writing() as connection:
        connection.execute("DELETE FROM search_said")
    assert found(store, "annotator:zoe") == ["sure"]
    assert listed(store, "cleo", show="done", search="aspirin") == []
    assert AGREED == 2
