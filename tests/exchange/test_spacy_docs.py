import sys

import pytest
from hypothesis import given, settings

import vermeil as vm
from tests.strategies import documents
from tests.verbs.samples import passages
from vermeil import Document, Span, VermeilError

spacy = pytest.importorskip("spacy")

TEXT = "5-HT-like p53β binds"
DOCUMENT = Document(id="1", text=TEXT, layers={"anna": (Span(0, 4, "Chemical", confidence=0.5),)})


@settings(max_examples=25)
@given(documents())
def test_layers_come_back_from_a_doc(document: Document) -> None:
    back = vm.from_spacy(vm.to_spacy(document))
    assert back.text == document.text
    assert back.layers == document.layers
    assert back.id == document.id


def test_the_tokens_of_a_pipeline_are_kept_where_no_span_cuts_them() -> None:
    nlp = spacy.blank("en")
    for document in passages()[:10]:
        doc = vm.to_spacy(document, nlp)
        assert doc.text == document.text
        assert vm.from_spacy(doc).layers == document.layers
        plain = {token.idx for token in nlp(document.text) if not token.is_space}
        assert plain <= {token.idx for token in doc}


def test_the_only_layer_becomes_the_entities() -> None:
    doc = vm.to_spacy(DOCUMENT)
    assert [(each.text, each.label_) for each in doc.ents] == [("5-HT", "Chemical")]
    assert set(vm.from_spacy(doc).layers) == {"anna"}


def test_the_layer_of_the_entities_can_be_chosen() -> None:
    doc = vm.to_spacy(passages()[0], layer="ben")
    assert [each.text for each in doc.ents][:2] == ["BRCA1", "BRCA2"]
    assert not vm.to_spacy(passages()[0]).ents
    with pytest.raises(VermeilError, match="no layer named 'bem'; did you mean 'ben'"):
        vm.to_spacy(passages()[0], layer="bem")


def test_entities_of_other_people_are_a_layer() -> None:
    doc = spacy.blank("en")("We gave aspirin.")
    doc.ents = [doc.char_span(8, 15, label="DRUG")]
    document = vm.from_spacy(doc, id="x", annotator="them")
    assert document.id == "x"
    assert document.layers == {"them": (Span(8, 15, "DRUG"),)}


def test_a_doc_without_annotation_has_no_layer() -> None:
    assert vm.from_spacy(spacy.blank("en")("We gave aspirin.")).layers == {}


@pytest.mark.parametrize("given", [None, "text", DOCUMENT, 3])
def test_what_is_no_doc_is_refused(given: object) -> None:
    with pytest.raises(VermeilError, match="takes a spaCy Doc, not"):
        vm.from_spacy(given)  # type: ignore[arg-type]
    if given is not DOCUMENT:
        with pytest.raises(VermeilError, match="takes one document, not"):
            vm.to_spacy(given)  # type: ignore[arg-type]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(VermeilError, match="pip install 'spacy"):
        vm.to_spacy(DOCUMENT)
