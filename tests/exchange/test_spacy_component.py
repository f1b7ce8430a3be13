import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import vermeil as vm
from tests.verbs.samples import passages
from tests.verbs.test_models import mine
from vermeil import Span, VermeilError
from vermeil.models import path_of
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.recogniser import load, save

spacy = pytest.importorskip("spacy")
pytest.importorskip("vermeil.exchange.spacy_component")

TEXT = "We gave aspirin and NMDA-like drugs."


def pipeline(**config: object) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("vermeil", config=config)
    return nlp


def offsets(spans: Any) -> list[tuple[int, int, str]]:
    return [(each.start_char, each.end_char, each.label_) for each in spans]


def wanted(document: vm.Document, layer: str) -> list[tuple[int, int, str]]:
    return [(each.start, each.end, each.label) for each in document.layers[layer]]


def test_the_entry_point_leads_to_the_factory() -> None:
    root = Path(__file__).parent.parent.parent
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    place = project["entry-points"]["spacy_factories"]["vermeil"]
    module, _, name = place.partition(":")
    assert callable(getattr(import_module(module), name))
    assert spacy.blank("en").has_factory("vermeil")


def test_entities_are_set_with_their_confidences() -> None:
    doc = pipeline(model="chem")(TEXT)
    assert [each.text for each in doc.ents] == ["aspirin", "NMDA"]
    assert all(0.5 <= each._.confidence <= 1 for each in doc.ents)
    assert vm.from_spacy(doc, annotator="chem").layers == vm.load("chem").tag(TEXT).layers


def test_no_offset_moves_in_batches_of_real_passages() -> None:
    texts = [each.text for each in passages()]
    found = vm.load("gene").tag(texts)
    docs = pipeline(model="gene").pipe(texts, batch_size=7)
    for doc, document in zip(docs, found, strict=True):
        assert doc.text == document.text
        assert offsets(doc.ents) == wanted(document, "gene")


def test_without_splitting_names_that_cut_a_token_are_left_out() -> None:
    texts = [each.text for each in passages()]
    whole = pipeline(model="gene")
    kept = pipeline(model="gene", split_tokens=False)
    bare = spacy.blank("en")
    n_all = n_kept = 0
    for split, plain in zip(whole.pipe(texts), kept.pipe(texts), strict=True):
        assert [each.text for each in plain] == [each.text for each in bare(plain.text)]
        assert set(offsets(plain.ents)) <= set(offsets(split.ents))
        n_all, n_kept = n_all + len(split.ents), n_kept + len(plain.ents)
    assert n_kept < n_all


def test_a_higher_threshold_finds_fewer() -> None:
    text = passages()[0].text
    few = set(offsets(pipeline(model="chem", threshold=0.95)(text).ents))
    assert few < set(offsets(pipeline(model="chem", threshold=0.1)(text).ents))


def test_unless_told_a_name_needs_the_confidence_that_its_model_asks(tmp_path: Path) -> None:
    chem = load(path_of("chem"))
    assert isinstance(chem, Cascade)
    path, text = tmp_path / "strict.zip", passages()[0].text
    save(replace(chem, recipe=replace(chem.recipe, threshold=0.95)), path)
    found = offsets(pipeline(model=str(path))(text).ents)
    assert found == wanted(vm.load(path).tag(text), "strict")
    assert set(found) < set(offsets(pipeline(model=str(path), threshold=0.1)(text).ents))


def test_names_may_go_to_a_span_group() -> None:
    nlp = pipeline(model="chem", span_group="drugs", overlaps=True, threshold=0.001)
    doc = nlp("We gave aspirin and 5-HT-like drugs.")
    assert not doc.ents
    group = doc.spans["drugs"]
    assert len(group.attrs["scores"]) == len(group) > 2
    [layer] = vm.from_spacy(doc).layers.values()
    assert all(span.confidence is not None for span in layer)


def test_entities_of_others_stay_unless_overwritten() -> None:
    for overwrite, label in ((False, "MINE"), (True, "Chemical")):
        nlp = spacy.blank("en")
        ruler = nlp.add_pipe("entity_ruler")
        ruler.add_patterns(
            [{"label": "MINE", "pattern": "aspirin"}, {"label": "MINE", "pattern": "drugs"}]
        )
        nlp.add_pipe("vermeil", config={"model": "chem", "overwrite_ents": overwrite})
        assert offsets(nlp(TEXT).ents) == [
            (8, 15, label),
            (20, 24, "Chemical"),
            (30, 35, "MINE"),
        ]


def test_two_models_share_a_pipeline() -> None:
    nlp = pipeline(model="chem")
    nlp.add_pipe("vermeil", name="genes", config={"model": "gene"})
    labels = {each.label_ for doc in nlp.pipe(d.text for d in passages()[:5]) for each in doc.ents}
    assert labels == {"Chemical", "Gene"}


def test_a_pipeline_is_stored_and_loaded(tmp_path: Path) -> None:
    nlp = pipeline(model="chem", threshold=0.3)
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert offsets(again(TEXT).ents) == offsets(nlp(TEXT).ents)
    assert again.get_pipe("vermeil").threshold == 0.3
    assert not (tmp_path / "pipeline" / "vermeil" / "model.zip").exists()
    other = pipeline(model="chem").from_bytes(nlp.to_bytes())
    assert other.get_pipe("vermeil").threshold == 0.3


def test_a_model_of_ones_own_is_stored_inside(tmp_path: Path) -> None:
    path = tmp_path / "genes.zip"
    mine().save(path)
    nlp = pipeline(model=str(path))
    before = offsets(nlp("p53 binds BRCA1.").ents)
    nlp.to_disk(tmp_path / "pipeline")
    stored = nlp.to_bytes()
    path.unlink()
    again = spacy.load(tmp_path / "pipeline")
    assert offsets(again("p53 binds BRCA1.").ents) == before != []
    again.to_disk(tmp_path / "second")
    assert offsets(spacy.load(tmp_path / "second")("p53 binds BRCA1.").ents) == before
    fresh = pipeline(model="chem").from_bytes(stored)
    assert offsets(fresh("p53 binds BRCA1.").ents) == before


def test_a_doc_that_was_parsed_keeps_its_parse() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("vermeil", config={"model": "gene"})
    for document in passages()[:20]:
        doc = nlp(document.text)
        assert doc.text == document.text
        assert len(list(doc.sents)) >= 1


def test_an_empty_text_has_no_names() -> None:
    assert not pipeline(model="chem")("").ents
    assert [len(doc.ents) for doc in pipeline(model="chem").pipe(["", TEXT, " "])] == [0, 2, 0]
    assert list(pipeline(model="chem").pipe([])) == []


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"model": "chme"}, "no model named 'chme'; did you mean 'chem'"),
        ({"threshold": 2.0}, "a threshold lies between 0 and 1"),
        ({"overlaps": True}, "name a span_group for overlaps"),
    ],
)
def test_what_cannot_be_is_said_when_the_component_is_added(
    config: dict[str, object], message: str
) -> None:
    with pytest.raises(VermeilError, match=message):
        pipeline(**config)


def test_a_model_that_is_not_there_is_said_when_it_is_needed() -> None:
    nlp = pipeline(model="nowhere/mine.zip")
    with pytest.raises(VermeilError, match="cannot be read"):
        nlp(TEXT)


def test_confidences_survive_a_docbin(tmp_path: Path) -> None:
    doc = pipeline(model="chem")(TEXT)
    path = tmp_path / "docs.spacy"
    spacy.tokens.DocBin(store_user_data=True, docs=[doc]).to_disk(path)
    [document] = vm.read(path)
    assert [(s.start, s.end) for s in document.layers["docs"]] == [(8, 15), (20, 24)]
    assert Span(8, 15, "Chemical") in document.layers["docs"]
