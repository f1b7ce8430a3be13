import pickle
import re
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Centroid, Document, Span, Tree, VermeilError
from vermeil.document import reading_order
from vermeil.formats import read, write

GENE, DISEASE = Span(0, 5, "Gene"), Span(13, 26, "Disease")
TEXT = "BRCA1 causes breast cancer."


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Span(3, 3, "Gene"), "0 <= start < end, got 3 and 3"),
        (lambda: Span(-1, 3, "Gene"), "got -1 and 3"),
        (lambda: Span(0, 3, ""), "empty label"),
        (lambda: Span(0, 3, "Gene", 1.5), "between 0 and 1, got 1.5"),
        (lambda: Span(0, 3, "Gene", float("nan")), "between 0 and 1, got nan"),
        (lambda: Span(0, 9, "Gene", fragments=((0, 9),)), "at least two fragments"),
        (lambda: Span(0, 9, "Gene", fragments=((0, 5), (3, 9))), "in order and apart"),
        (lambda: Span(0, 9, "Gene", fragments=((1, 5), (6, 9))), "do not reach from 0 to 9"),
        (lambda: Centroid(2, 4, "Gene", 1, ((1, 1), (2, 1)), ((4, 1),)), "must fall from 1"),
        (lambda: Centroid(2, 4, "Gene", 1, ((2, 1),), ((5, 1), (4, 1))), "must rise from 5"),
        (lambda: Centroid(2, 4, "Gene", 1, ((3, 1),), ((3, 1),)), "3 and 3 leave nothing"),
        (lambda: Centroid(2, 4, "Gene", 1, ((2, 1),), ((2, 1),)), "2 and 2 leave nothing"),
        (lambda: Centroid(2, 4, "Gene", 1, ((-1, 1),), ((4, 1),)), "before the text: -1"),
        (lambda: Centroid(2, 4, "Gene", 1, (), ((4, 1),)), "at least one boundary"),
        (lambda: Document(id="", text="a"), "needs an id"),
        (lambda: Document(id="1", text="\ud835"), "half a surrogate pair at 0"),
        (lambda: Document(id="1", text="BRCA", layers={"a": (GENE,)}), "4 characters, but 'Gene'"),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_made(make: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        make()  # type: ignore[operator]


def test_spans_are_frozen_and_hashable() -> None:
    assert len({GENE, Span(0, 5, "Gene"), DISEASE}) == 2
    with pytest.raises(AttributeError):
        GENE.start = 3  # type: ignore[misc]


@given(documents(), st.randoms(use_true_random=False))
def test_a_layer_does_not_depend_on_the_order_of_its_spans(
    document: Document, random: object
) -> None:
    for name, layer in document.layers.items():
        shuffled = list(layer)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        assert document.with_layer(name, shuffled) == document
        assert list(layer) == sorted(layer, key=reading_order)


def test_an_empty_layer_is_not_the_same_as_no_layer() -> None:
    silent = Document(id="1", text=TEXT, layers={"ann": ()})
    assert silent != Document(id="1", text=TEXT)
    assert "ann" in silent.layers
    assert "ben" not in silent.layers


def test_alternatives_belong_to_the_layer_they_are_named_after() -> None:
    document = Document(
        id="1", text=TEXT, layers={"gold": (GENE,), "gold.alternatives": (DISEASE,)}
    )
    assert document.alternatives("gold") == (DISEASE,)
    assert document.alternatives("ann") == ()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("confidence", 17.0, "a confidence lies between 0 and 1"),
        ("confidence", nan, "a confidence lies between 0 and 1"),
        ("votes", -3.0, "votes are a number from 0 on"),
        ("votes", inf, "votes are a number from 0 on"),
        ("label", "", "has an empty label"),
        ("labels", (("", 1.0),), "has an empty label"),
        ("labels", (("Gene", -1.0),), "votes are a number from 0 on"),
        ("left", ((2, nan),), "votes are a number from 0 on"),
        ("right", ((5, -1.0),), "votes are a number from 0 on"),
        ("pairs", ((2, 5, -1.0),), "votes are a number from 0 on"),
    ],
)
def test_centroids_are_checked_as_spans_are(field: str, value: object, message: str) -> None:
    centroid = Centroid(2, 5, "Gene", 1.0, ((2, 1.0),), ((5, 1.0),))
    with pytest.raises(ValueError, match=message):
        msgspec.structs.replace(centroid, **{field: value})


def test_a_pair_of_boundaries_lies_in_the_text() -> None:
    centroid = Centroid(2, 5, "Gene", 1.0, ((2, 1.0),), ((5, 1.0),), pairs=((2, 99, 1.0),))
    with pytest.raises(ValueError, match="extends to 99"):
        Document(id="1", text="abcdefg", standards={"silver": (centroid,)})


def test_the_modal_span_has_the_best_supported_boundaries() -> None:
    centroid = Centroid(10, 18, "Gene", 4, ((10, 1), (0, 3)), ((18, 2), (34, 2)))
    assert centroid.modal == Span(0, 18, "Gene")
    assert centroid.extent == (0, 34)


@given(documents())
def test_documents_travel_between_processes(document: Document) -> None:
    assert pickle.loads(pickle.dumps(document)) == document


def test_structs_refuse_misspelt_fields() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `lable`"):
        msgspec.json.decode('{"start":0,"end":1,"label":"a","lable":"b"}', type=Span)


def test_a_copy_keeps_what_was_checked_and_checks_what_is_new() -> None:
    document = Document(id="1", text=TEXT, layers={"ann": (GENE,)})
    changed = document.replace(layers={**document.layers, "ben": [DISEASE, GENE]})
    assert changed.layers["ann"] is document.layers["ann"]
    assert changed.layers["ben"] == (GENE, DISEASE)
    assert document == Document(id="1", text=TEXT, layers={"ann": (GENE,)})
    with pytest.raises(ValueError, match="but 'Gene' of 'ben' ends at 99"):
        document.with_layer("ben", [Span(0, 99, "Gene")])
    with pytest.raises(ValueError, match="'ann' extends to 99"):
        document.with_standard("ann", [Centroid(0, 5, "Gene", 1, ((0, 1),), ((99, 1),))])


def test_everything_is_checked_again_where_the_text_or_the_id_changes() -> None:
    document = Document(id="1", text=TEXT, layers={"ann": (GENE,)})
    with pytest.raises(ValueError, match="has 4 characters"):
        document.replace(text="BRCA")
    with pytest.raises(ValueError, match="needs an id"):
        document.replace(id="")


@given(documents())
def test_a_document_put_together_from_its_fields_is_the_same(document: Document) -> None:
    fields = ("layers", "standards", "trees", "meta")
    bare = document.replace(**{key: {} for key in fields})
    assert bare == Document(id=document.id, text=document.text)
    assert bare.replace(**{name: getattr(document, name) for name in fields}) == document


@pytest.mark.parametrize("whole", [np.int64, np.int32, np.uint8])
def test_numbers_of_numpy_are_kept_as_those_of_python(whole: type, tmp_path: Path) -> None:
    sure = np.float32(0.5)
    span = Span(whole(0), whole(3), "Gene", sure, ids=["1"], fragments=[[whole(0), 1], [2, 3]])  # type: ignore[arg-type]
    document = Document(id=np.int64(28483577), text="p53", layers={"anna": [span]})  # type: ignore[arg-type, dict-item]
    [kept] = document.layers["anna"]
    assert (type(kept.start), type(kept.end), type(kept.confidence)) == (int, int, float)
    assert (kept.ids, kept.fragments) == (("1",), ((0, 1), (2, 3)))
    assert document.id == "28483577"
    for path in ("out.jsonl", "out.parquet", "out.conll"):
        write([document], tmp_path / path)
    [again] = read(tmp_path / "out.jsonl")
    assert again == document


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: layer_of(Span(0.0, 3.0, "Gene")), "the start of a span is 0.0 (float)"),  # type: ignore[arg-type]
        (lambda: Span("0", 3, "Gene"), "the start of a span is '0' (str)"),  # type: ignore[arg-type]
        (lambda: layer_of(Span(0, 3, 7)), "the label of a span is 7 (int)"),  # type: ignore[arg-type]
        (lambda: Span(0, 3, "Gene", "sure"), "the confidence of a span is 'sure'"),  # type: ignore[arg-type]
        (lambda: layer_of(Span(0, 3, "Gene", ids="MESH:1")), "a database id of a span is 'MESH:1'"),  # type: ignore[arg-type]
        (lambda: layer_of(Span(0, 3, "Gene", ids=(1,))), "a database id of a span is 1 (int)"),  # type: ignore[arg-type]
        (lambda: layer_of({"start": 0, "end": 3}), "what 'anna' said is {'start': 0"),
        (lambda: layer_of((0, 3, "Gene")), "what 'anna' said is (0, 3, 'Gene') (tuple)"),
        (lambda: layer_of(None), "what 'anna' said is None"),
        (lambda: Document(id="1", text=None), "the text of document '1' is None"),  # type: ignore[arg-type]
        (lambda: Document(id=1.5, text="p53"), "the id of a document is 1.5 (float)"),  # type: ignore[arg-type]
        (lambda: Document(id=None, text="p53"), "the id of a document is None"),  # type: ignore[arg-type]
        (lambda: Document(id="1", text="p53", layers=[]), "layers is [] (list)"),  # type: ignore[arg-type]
        (lambda: Document(id="1", text="p53", layers={1: ()}), "the name of an annotator is 1"),  # type: ignore[dict-item]
        (lambda: Document(id="1", text="p53", standards={"a": (1,)}), "what 'a' said is (1,)"),  # type: ignore[dict-item]
        (lambda: Document(id="1", text="p53").with_layer("anna", [{}]), "what 'anna' said is {}"),  # type: ignore[list-item]
        (lambda: Document(id="1", text="p53").replace(layers={"anna": 3}), "what 'anna' said is 3"),
        (lambda: Document(id="1", text="\ud800"), "half a surrogate pair"),
        (lambda: Span(3, 3, "Gene"), "0 <= start < end"),
        (lambda: Tree.parse("(S"), "not closed"),
    ],
)
def test_what_makes_no_document_is_refused_in_a_line(make: Callable[[], object], said: str) -> None:
    with pytest.raises(VermeilError, match=re.escape(said)) as found:
        make()
    assert isinstance(found.value, ValueError)


def test_spans_may_come_from_anything_that_has_them() -> None:
    spans = (Span(n, n + 1, "Gene") for n in (1, 0))
    assert [span.start for span in layer_of(*spans).layers["anna"]] == [0, 1]
    document = Document(id="1", text="p53", layers={"anna": (Span(n, 3, "G") for n in (1, 0))})  # type: ignore[dict-item]
    assert [span.start for span in document.layers["anna"]] == [0, 1]


def layer_of(*spans: Any) -> Document:
    return Document(id="1", text="p53", layers={"anna": spans if spans[0] is not None else None})  # type: ignore[dict-item]
