import pytest
from hypothesis import given

from tests.strategies import documents
from vermeil import Document, Span
from vermeil.formats.files.features import EVERYTHING, FEATURES, reduce, title_end, trimmed
from vermeil.formats.files.ledger import Ledger

TEXT = "p53 and\tp63 "


def counts(document: Document, carries: frozenset[str]) -> dict[tuple[str, str], int]:
    ledger = Ledger()
    reduce(document, carries, ledger)
    return dict(ledger.counts)


@given(documents())
def test_a_format_that_carries_everything_changes_nothing(document: Document) -> None:
    assert reduce(document, EVERYTHING, Ledger()) is document


@pytest.mark.parametrize("feature", sorted(FEATURES))
@given(document=documents())
def test_whatever_changes_a_document_is_counted(feature: str, document: Document) -> None:
    ledger = Ledger()
    reduced = reduce(document, EVERYTHING - {feature}, ledger)
    assert (reduced != document) == bool(ledger.counts)


@given(documents())
def test_reducing_twice_loses_nothing_more(document: Document) -> None:
    carries = frozenset({"text", "spans", "labels", "offsets", "layers", "abstention", "nested"})
    once = reduce(document, carries, Ledger())
    again = Ledger()
    assert reduce(once, carries, again) == once
    assert not again.counts


@given(documents())
def test_texts_keep_their_length_so_that_no_offset_moves(document: Document) -> None:
    assert len(reduce(document, frozenset({"text"}), Ledger()).text) == len(document.text)


def test_losses_are_named_with_their_number() -> None:
    layer = (Span(0, 3, "Gene", 0.5, ids=("a",)), Span(4, 11, "Gene", 0.6))
    document = Document(id="1", text=TEXT, layers={"ann": layer}, meta={"year": 2020})
    assert counts(document, EVERYTHING - {"confidence", "ids", "meta", "plain meta"}) == {
        ("dropped", "confidences"): 2,
        ("dropped", "database ids"): 1,
        ("dropped", "metadata entries"): 1,
    }


def test_a_discontinuous_span_becomes_its_extent_where_gaps_are_not_carried() -> None:
    span = Span(0, 11, "Gene", fragments=((0, 1), (8, 11)))
    document = Document(id="1", text=TEXT, layers={"ann": (span,)})
    reduced = reduce(document, EVERYTHING - {"discontinuous"}, Ledger())
    assert reduced.layers["ann"] == (Span(0, 11, "Gene"),)


@pytest.mark.parametrize(
    ("span", "inside"),
    [
        (Span(0, 3, "Gene"), Span(0, 3, "Gene")),
        (Span(3, 12, "Gene"), Span(4, 11, "Gene")),
        (Span(3, 4, "Gene"), None),
        (Span(0, 8, "Gene", fragments=((0, 3), (7, 8))), Span(0, 3, "Gene")),
    ],
)
def test_white_space_is_trimmed_off_the_edges(span: Span, inside: Span | None) -> None:
    assert trimmed(span, TEXT) == inside


@pytest.mark.parametrize(
    ("sections", "end"),
    [
        ([(0, 3, "title"), (4, 9, "abstract")], 3),
        ([(0, 3, "title"), (5, 9, "abstract")], None),
        ([(0, 3, "title"), (4, 8, "abstract")], None),
        ([(0, 3, "body"), (4, 9, "abstract")], None),
        ([(0, 9, "title")], None),
    ],
)
def test_the_title_ends_where_exactly_a_title_and_an_abstract_follow_each_other(
    sections: list[tuple[int, int, str]], end: int | None
) -> None:
    listed = [{"start": s, "end": e, "kind": kind} for s, e, kind in sections]
    assert title_end(Document(id="1", text="p53 binds", meta={"sections": listed})) == end
