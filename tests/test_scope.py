import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Centroid, Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.runs.results import put_together, taken_apart
from vermeil.scope import Scope, checked_scope, parse_scopes, scope_in

CHEMICAL, GENE = Span(0, 3, "Chemical"), Span(4, 7, "Gene")


def document(**fields: object) -> Document:
    return Document(**{"id": "1", "text": "CO2 p53", **fields})  # type: ignore[arg-type]


def test_who_never_uses_a_label_does_not_look_for_it() -> None:
    scope = Scope.of([document(layers={"chem": (CHEMICAL,), "gene": (GENE,), "none": ()})])
    assert scope.labels_of("chem") == frozenset({"Chemical"})
    assert not scope.looks_for("chem", "Gene")
    assert scope.looks_for("gene", "Gene")
    assert scope.labels == frozenset({"Chemical", "Gene"})


def test_who_used_no_label_and_who_is_unknown_look_for_everything() -> None:
    scope = Scope.of([document(layers={"none": ()})])
    assert scope.labels_of("none") is None
    assert scope.labels_of("stranger") is None
    assert scope.looks_for("none", "Gene")


def test_the_document_wins_over_what_was_told_and_that_over_use() -> None:
    said = document(meta={"scope": {"anna": ["Disease"], "eve": []}})
    scope = Scope.of([document(layers={"anna": (GENE,)})], parse_scopes(["anna=Gene,Chemical"]))
    assert scope.labels_of("anna") == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("anna", document()) == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("anna", said) == frozenset({"Disease"})
    assert scope.labels_of("eve", said) == frozenset()
    assert not scope.looks_for("eve", "Gene", said)


def test_a_star_is_everything() -> None:
    scope = Scope.of([document(layers={"anna": (GENE,)})], parse_scopes(["anna=*"]))
    assert scope.looks_for("anna", "Disease")


def test_standards_and_alternatives_count_as_use() -> None:
    layers = {"gold": (GENE,), "gold.alternatives": (CHEMICAL,)}
    scope = Scope.of([document(layers=layers, standards={"both": (Centroid.of(CHEMICAL),)})])
    assert scope.labels_of("gold") == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("gold.alternatives") == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("both") == frozenset({"Chemical"})


@given(st.lists(documents(), max_size=4), st.integers(0, 4))
def test_scopes_of_parts_add_to_that_of_the_whole(corpus: list[Document], cut: int) -> None:
    parts = corpus[:cut], corpus[cut:]
    whole = Scope.of(corpus)
    assert Scope.of(parts[0]) + Scope.of(parts[1]) == whole
    assert put_together(Scope, taken_apart(whole)) == whole


@pytest.mark.parametrize("given", ["anna", "anna=", "=Gene", "anna= , ", ""])
def test_a_scope_that_cannot_be_read_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"NAME=LABEL,LABEL, got {given!r}")):
        parse_scopes([given])


def test_a_scope_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice for 'anna'"):
        parse_scopes(["anna=Gene", "anna=Disease"])


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("full text", "maps annotators to labels"),
        ({"anna": "Gene"}, "'anna' needs a list of labels, got 'Gene'"),
        ({"anna": ["Gene", 3]}, "'anna' needs a list of labels"),
        ({"anna": {"Gene": 1}}, "'anna' needs a list of labels"),
        ({"anna": None}, "'anna' needs a list of labels, got None"),
        ({"": ["Gene"]}, "names annotators by strings"),
    ],
)
def test_metadata_that_are_no_scope_are_refused_in_one_line(given: object, complaint: str) -> None:
    with pytest.raises(UsageError, match=f"document '1'.*{complaint}"):
        scope_in(document(meta={"scope": given}))
    with pytest.raises(UsageError, match=f"^scope.*{complaint}"):
        checked_scope(given)


def test_what_is_told_of_nobody_is_refused_when_all_is_seen() -> None:
    scope = Scope.of([document(layers={"anna": (GENE,)})], parse_scopes(["ann=Gene"]))
    with pytest.raises(UnknownNameError, match="did you mean 'anna'"):
        scope.checked()
