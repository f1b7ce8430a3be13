import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest

import vermeil as vm
from tests.verbs.samples import passages
from tests.verbs.test_judging import command
from vermeil import Document, Model, Span, VermeilError, samples

TEXT = "We gave aspirin."


@cache
def chem() -> Model:
    return vm.load("chem")


@cache
def mine() -> Model:
    return vm.train(passages()[:20], layer="gold", label="Gene", by="cascade", english="none")


def names(document: Document, layer: str = "chem") -> list[str]:
    return [span.marked(document.text) for span in document.layers[layer]]


def test_a_string_gives_a_document() -> None:
    document = chem().tag(TEXT)
    assert names(document) == ["aspirin"]
    [span] = document.layers["chem"]
    assert span.confidence is not None
    assert span.confidence > 0.5


def test_strings_and_documents_give_a_corpus() -> None:
    tagged = chem().tag([TEXT, Document(id="x", text="Ibuprofen helps.")])
    assert [each.id for each in tagged] == ["1", "x"]
    assert names(tagged["x"]) == ["Ibuprofen"]


def test_columns_of_strings_are_taken_too() -> None:
    pandas = pytest.importorskip("pandas")
    assert names(chem().tag(pandas.Series([TEXT], index=[7]))[0]) == ["aspirin"]
    assert names(chem().tag(np.array([TEXT, TEXT]))[1]) == ["aspirin"]


def test_a_generator_gives_a_stream() -> None:
    taken = []

    def endless() -> Iterator[str]:
        while True:
            taken.append(1)
            yield "We gave aspirin. " * 50

    stream = chem().tag(endless())
    assert names(next(stream))[0] == "aspirin"
    assert len(taken) < 2000


def test_a_stream_ends_where_a_second_document_has_an_id() -> None:
    twins = [Document(id="x", text=TEXT), Document(id="x", text="Ibuprofen helps.")]
    with pytest.raises(VermeilError, match="two documents are called 'x'"):
        list(chem().tag(iter(twins)))


def test_a_corpus_from_files_streams() -> None:
    tagged = chem().tag(vm.read(samples.GOLD))
    assert not tagged.is_held
    assert len(tagged) == 81
    assert {"gold", "chem"} <= set(tagged[0].layers)


def test_the_layer_has_the_name_one_wants() -> None:
    assert set(chem().tag(TEXT, name="drugs").layers) == {"drugs"}
    with pytest.raises(VermeilError, match="has a layer 'chem' already; choose another name="):
        chem().tag(chem().tag(TEXT))


def test_a_higher_threshold_finds_no_more() -> None:
    few = chem().tag(passages(), threshold=0.9)
    many = chem().tag(passages(), threshold=np.float64(0.2))
    assert sum(map(len, map(names, few))) < sum(map(len, map(names, many)))


def test_boundary_distributions_can_be_had() -> None:
    assert "chem" in chem().tag(TEXT, standard=True).standards


def test_the_verb_takes_a_model_by_name_or_itself() -> None:
    assert vm.tag(TEXT, "chem") == vm.tag(TEXT, chem()) == chem().tag(TEXT)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "tag takes documents, not an int"),
        ([TEXT, 3], r"item 2 is 3 \(int\)"),
        (Path("a.txt"), "tag takes documents, not a PosixPath; read files"),
        ({"a": TEXT}, "tag takes documents, not a dict"),
        (None, "tag takes documents, not None"),
    ],
)
def test_what_cannot_be_tagged_is_said(given: object, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        chem().tag(given)  # type: ignore[call-overload]
    with pytest.raises(VermeilError, match="a threshold lies between 0 and 1"):
        chem().tag(TEXT, threshold=1.5)


def test_an_unknown_model_is_told() -> None:
    with pytest.raises(VermeilError, match="no model named 'chme'; did you mean 'chem'"):
        vm.load("chme")
    with pytest.raises(VermeilError, match="not 3"):
        vm.load(3)  # type: ignore[arg-type]


def test_a_model_of_ones_own_is_trained_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "genes.zip"
    mine().save(str(path))
    again = vm.load(path)
    assert repr(again) == "<Model genes: cascade for Gene>"
    text = "p53 binds BRCA1."
    assert names(again.tag(text), "genes") == names(mine().tag(text, name="x"), "x")
    assert again.card["documents"] == 20
    assert again.labels == ("Gene",)


def test_training_takes_names_as_files_or_lists(tmp_path: Path) -> None:
    path = tmp_path / "genes.txt"
    path.write_text("# genes\np53\nBRCA1\n")
    for given in (["p53", "BRCA1"], path, {"Gene": ["p53"], "Chemical": ["aspirin"]}):
        model = vm.train(
            passages()[:5],
            by="dictionary",
            lexicon=given,
            label=["Gene", "Chemical"] if isinstance(given, dict) else "Gene",
        )
        assert names(model.tag("p53 binds", name="x"), "x") == ["p53"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "casc"}, "did you mean 'cascade'"),
        ({"sequence": "cfr"}, "no sequence model named 'cfr'"),
        ({"layer": "glod"}, "no layer named 'glod'; did you mean 'gold'"),
        ({"label": "gene"}, "no label named 'gene'; did you mean 'Gene'"),
        ({"folds": 1}, "give folds=2 or more"),
        ({"folds": 1000}, "81 documents cannot be dealt into 1000 folds"),
        ({"by": "dictionary", "lexicon": ["p53"]}, "of which label are these names"),
    ],
)
def test_what_cannot_be_trained_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.train(passages(), **options)  # type: ignore[arg-type]


def test_the_layer_to_learn_from_is_asked_for_where_there_are_several() -> None:
    layers = {"a": (Span(0, 2, "Gene"),), "b": ()}
    with pytest.raises(VermeilError, match="there are the layers a, b; choose one with layer="):
        vm.train(Document(id="1", text=TEXT, layers=layers))


def test_tuning_is_that_of_the_command(tmp_path: Path) -> None:
    path = str(tmp_path / "all.jsonl")
    vm.write(passages(), path)
    tuned = vm.tune(passages(), "chem", precision=0.9)
    given = command("tune", path, "--model", "chem", "--precision", "0.9")
    assert str(tuned).split() == given.split()
    given = command("tune", path, "--model", "chem", "--precision", "0.9", "--json")
    assert json.loads(msgspec.json.encode(tuned.to_dict())) == json.loads(given)
    assert tuned.counts.precision >= 0.9
    assert 0 < tuned.threshold < 1
    assert "<svg" in tuned.draw()
    assert tuned.to_pandas()["threshold"].is_monotonic_decreasing
    assert repr(tuned).startswith("<Tuned: threshold 0.9")


def test_a_target_is_one_target() -> None:
    with pytest.raises(VermeilError, match="give one target"):
        chem().tune(passages(), precision=0.9, recall=0.9)


def test_an_explanation_is_that_of_the_command() -> None:
    told = chem().explain(TEXT, name="aspirin")
    given = command("explain", "--model", "chem", "--sentence", TEXT, "--name", "aspirin")
    assert str(told).split() == given.split()
    # Sums over other batches differ in the last bit.
    assert told.confidence == pytest.approx(chem().tag(TEXT).layers["chem"][0].confidence)
    assert vm.explain(TEXT, "chem", (8, 15)).confidence == told.confidence
    assert vm.explain(TEXT, "chem", "8-15").confidence == told.confidence
    assert len(told.to_pandas()) > 10
    assert told.to_dict()["text"] == "aspirin"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give the span as span="),
        ({"name": "aspirin", "span": (8, 15)}, "give the span as span="),
        ({"name": "ibuprofen"}, "does not occur in document '1'"),
        ({"name": "aspirin", "occurrence": 2}, "occurs once, and occurrence=2 was wanted"),
        ({"name": "aspirin", "occurrence": 0}, "occurs once, and occurrence=0 was wanted"),
        ({"span": "eight"}, "a span is a pair of offsets"),
        ({"span": (8, 15), "occurrence": 1}, "occurrence goes with name"),
    ],
)
def test_what_cannot_be_explained_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        chem().explain(TEXT, **options)  # type: ignore[arg-type]


def test_pictures_are_drawn_where_they_are_wanted(tmp_path: Path) -> None:
    chem().tune(passages(), precision=0.8, svg=tmp_path / "tuned.svg")
    assert "<svg" in (tmp_path / "tuned.svg").read_text()
    with pytest.raises(VermeilError, match="to draw curves, give folds=2 or more"):
        vm.train(passages(), curves=tmp_path / "curves.svg")
    vm.train(passages()[:6], label="Gene", by="hmm", folds=2, curves=tmp_path / "curves.svg")
    assert "<svg" in (tmp_path / "curves.svg").read_text()


def test_the_best_readings_of_a_sentence_come_with_their_probabilities() -> None:
    tagged = chem().tag("We gave aspirin and ibuprofen.", n_best=2)
    assert names(tagged) == ["aspirin", "ibuprofen"]
    [sentence] = tagged.meta["sequences"]["chem"]
    best, second = sentence["probabilities"]
    assert best > 0.5 > second > 0
    assert {span.confidence for span in tagged.layers["chem"]} == {best}
    with pytest.raises(VermeilError, match="so leave out overlaps=, standard="):
        chem().tag(TEXT, n_best=1, standard=True)


def test_the_card_of_chem_calls_the_pooled_average_by_its_name() -> None:
    for figures in vm.load("chem").card["figures"].values():
        assert 0 < figures["average precision"] < 1
        assert "mean average precision" not in figures


def test_the_card_of_gene_has_a_figure_of_sentences_that_it_was_not_trained_on() -> None:
    assert 0 < vm.load("gene").card["figures"]["BioCreative F on other sentences"] < 1
