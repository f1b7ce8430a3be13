"""Names where parsers differ: listed, said in words beside the name, and marked in the text."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.browsers import violations
from tests.review.pages import go, press, shows
from vermeil import Document, Span
from vermeil.review.desk import on_desk
from vermeil.review.importing import import_documents
from vermeil.review.queue import listed, progress
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page

TEXT = "p53 binds mutant DNA in vivo"
P53, DNA = Span(0, 3, "Gene"), Span(10, 20, "Gene")


def document(id: str, *stretches: Any, trust: Any = 0.81) -> Document:
    """Make a text with two names whose tree is doubtful here and there."""
    layers = {"anna": (P53, DNA), "ben": (P53, DNA), "llm": (P53,)}
    return Document(
        id=id, text=TEXT, layers=layers, meta={"trust": trust, "doubtful": [*stretches]}
    )


def test_documents_with_a_name_where_parsers_differ_are_listed_the_most_doubtful_first(
    store: Store,
) -> None:
    import_documents(
        store,
        [
            document("little", [0, 3, 0.7]),
            document("much", [4, 13, 0.4], [0, 3, 0.7]),
            document("beside", [21, 28, 0.1]),
        ],
    )
    entries = listed(store, "cleo", show="doubtful")
    assert [each.id for each in entries] == ["much", "little"]
    assert [each.doubt for each in entries] == pytest.approx([0.6, 0.3])
    assert progress(store, "cleo").n_doubtful == 2


@pytest.mark.parametrize(
    "said", ["p53", [1], [0, 99, 0.5], [3, 0, 0.5], [0, 3, 7], [0, 3, "x"], None, {"a": 1}]
)
def test_what_is_no_stretch_of_the_text_is_passed_over(store: Store, said: Any) -> None:
    import_documents(store, [document("odd", said, trust=said)])
    desk = on_desk(store, "cleo", 4)
    assert desk["doubtful"] == []
    assert desk["trust"] is None
    assert listed(store, "cleo", show="doubtful") == []


def test_the_desk_says_where_parsers_differ(cleo: "Page", store: Store) -> None:
    assert cleo.locator("#show option[value=doubtful]").is_hidden()
    assert cleo.locator("#doubts").count() == 0
    import_documents(store, [document("doubtful", [4, 13, 0.572])])
    go(cleo, "#/review/4")
    shows(cleo, "doubtful")
    assert cleo.inner_text("#doubts") == (
        "Dotted below: parsers differ on how this is built; their tree is trusted 81%."
    )
    assert "parsers" not in cleo.inner_text("#panel .facts")
    press(cleo, "a")
    assert "parsers agree only 57% here" in cleo.inner_text("#panel .facts")
    assert "parsers agree only 57% here" in cleo.inner_text("#spoken")
    marked = "".join(cleo.locator("#text .doubtful").all_text_contents())
    assert marked == TEXT[4:13]
    [first, second] = cleo.locator("#names li").all_inner_texts()
    assert "parsers" not in first
    assert "parsers agree only 57% here" in second
    assert violations(cleo) == []
