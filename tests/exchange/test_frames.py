import sys
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import vermeil as vm
from tests.strategies import documents
from tests.verbs.samples import passages
from vermeil import Document, Span, VermeilError

pd = pytest.importorskip("pandas")

TEXT = "p53 binds BRCA1"
LAYERS = {"anna": (Span(0, 3, "Gene", confidence=0.5),), "ben": (Span(10, 15, "Gene"),)}
DOCUMENT = Document(id="1", text=TEXT, layers=LAYERS)


def row(**changes: object) -> dict[str, object]:
    return {"document": "1", "annotator": "anna", "start": 0, "end": 3, "label": "Gene", **changes}


def test_a_frame_has_a_row_a_span() -> None:
    frame = vm.to_pandas(passages())
    assert list(frame.columns) == [
        *("document", "annotator", "start", "end", "label", "text", "confidence")
    ]
    assert len(frame) == sum(len(layer) for each in passages() for layer in each.layers.values())
    first = frame.iloc[0]
    assert (first["document"], first["annotator"], first["text"]) == ("sample-001", "gold", "BRCA1")


def test_the_types_of_columns_do_not_depend_on_the_rows() -> None:
    empty = vm.to_pandas([])
    assert empty.dtypes.equals(vm.to_pandas(DOCUMENT).dtypes)


def test_what_a_frame_holds_comes_back() -> None:
    [back] = vm.from_pandas(vm.to_pandas(DOCUMENT), {"1": TEXT})
    assert back == DOCUMENT


@given(st.lists(documents(), max_size=3, unique_by=lambda each: each.id))
def test_everything_of_a_span_comes_back(given: list[Document]) -> None:
    frame = vm.to_pandas(given, further=True)
    back = vm.from_pandas(frame, {each.id: each.text for each in given})
    for before, after in zip(given, back, strict=True):
        marked = {name: layer for name, layer in before.layers.items() if layer}
        assert after.layers == marked


def test_some_layers_can_be_chosen() -> None:
    assert set(vm.to_pandas(passages(), layers="ben")["annotator"]) == {"ben"}
    with pytest.raises(VermeilError, match="no layer named 'bem'; did you mean 'ben'"):
        vm.to_pandas(passages(), layers=["bem"])


def test_who_looked_and_found_nothing_must_be_told() -> None:
    frame = pd.DataFrame([row()])
    texts = {"1": TEXT, "2": "nothing"}
    assert vm.from_pandas(frame, texts)["2"].layers == {}
    told = vm.from_pandas(frame, texts, looked=["anna", "ben"])
    assert told["2"].layers == {"anna": (), "ben": ()}
    assert told["1"].layers == {"anna": (Span(0, 3, "Gene"),), "ben": ()}


def test_layers_are_added_to_documents() -> None:
    [back] = vm.from_pandas(pd.DataFrame([row(annotator="cleo")]), [DOCUMENT])
    assert set(back.layers) == {"anna", "ben", "cleo"}


def test_numbers_of_other_kinds_are_numbers() -> None:
    frame = pd.DataFrame(
        {
            "document": [7],
            "start": np.array([0], dtype=np.int32),
            "end": [3.0],
            "label": pd.Categorical(["Gene"]),
            "confidence": np.array([0.25], dtype=np.float32),
        }
    )
    [back] = vm.from_pandas(frame, pd.Series({7: TEXT}), annotator="me")
    assert back.layers == {"me": (Span(0, 3, "Gene", confidence=0.25),)}
    assert type(back.layers["me"][0].start) is int


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_confidence_is_none(missing: object) -> None:
    [back] = vm.from_pandas(pd.DataFrame([row(confidence=missing)]), {"1": TEXT})
    assert back.layers["anna"][0].confidence is None


def test_other_columns_are_ignored() -> None:
    frame = pd.DataFrame([row(colour="red", meta=object())])
    assert vm.from_pandas(frame, {"1": TEXT})[0].layers["anna"] == (Span(0, 3, "Gene"),)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": "p52"}, "row 0: text at 0-3 is 'p53', not 'p52'"),
        ({"end": 99}, "row 0: ends at 99, and the text has 15 characters"),
        ({"start": -1}, "row 0: a span needs 0 <= start < end"),
        ({"start": 2.5}, r"row 0: start is (np.float64\()?2.5\)?, and a whole number was wanted"),
        ({"start": "0"}, "row 0: start is '0'"),
        ({"start": None}, "row 0: start is None"),
        ({"label": ""}, "row 0: the span 0-3 has an empty label"),
        ({"label": None}, "row 0: has no label"),
        ({"annotator": np.nan}, "row 0: has no annotator"),
        ({"confidence": 7}, "row 0: a confidence lies between 0 and 1"),
        ({"confidence": "sure"}, "row 0: could not convert"),
        ({"document": "2"}, r"no document \(of row 0\) in texts named '2'"),
    ],
)
def test_a_row_that_does_not_fit_is_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.from_pandas(pd.DataFrame([row(**changes)]), {"1": TEXT})


def test_what_is_no_frame_or_no_text_is_refused() -> None:
    with pytest.raises(VermeilError, match="takes a data frame, not list"):
        vm.from_pandas([row()], {"1": TEXT})
    with pytest.raises(VermeilError, match="has no column 'start' and no column 'end'; it has"):
        vm.from_pandas(pd.DataFrame({"document": ["1"], "label": ["Gene"]}), {"1": TEXT})
    for texts in (None, TEXT):
        with pytest.raises(VermeilError, match="needs the texts"):
            vm.from_pandas(pd.DataFrame([row()]), texts)
    with pytest.raises(VermeilError, match="the text of '1' is 7"):
        vm.from_pandas(pd.DataFrame([row()]), {"1": 7})
    with pytest.raises(VermeilError, match="two documents are called '1'"):
        vm.from_pandas(pd.DataFrame([row()]), [DOCUMENT, DOCUMENT])
    with pytest.raises(VermeilError, match="two texts are called '1'"):
        vm.from_pandas(pd.DataFrame([row()]), pd.Series([TEXT, TEXT], index=["1", "1"]))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(VermeilError, match="pip install 'pandas"):
        vm.to_pandas(DOCUMENT)
