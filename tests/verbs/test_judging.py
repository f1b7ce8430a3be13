import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import vermeil as vm
from tests.verbs.samples import passages
from vermeil import Document, Span, VermeilError, samples
from vermeil.cli import app


def command(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def everything(tmp_path: Path) -> str:
    path = tmp_path / "all.jsonl"
    vm.write(passages(), path)
    return str(path)


def as_json(value: object) -> object:
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("by", ["", "exact", "biocreative", "partial", "centroid"])
def test_scores_are_those_of_the_command(everything: str, by: str) -> None:
    given = command("score", everything, "--standard", "gold", *(["--by", by] if by else []))
    told = str(vm.score(vm.read(everything), standard="gold", by=by))
    assert told.replace("looked=True", "--looked").split() == given.split()


def test_scores_as_data_are_those_of_the_command(everything: str) -> None:
    given = command("score", everything, "--standard", "gold", "--show", "3", "--json")
    scores = vm.score(vm.read(everything), show=3)
    assert as_json(scores.to_dict()) == json.loads(given)
    assert "by_document" not in scores.to_dict(documents=False)["systems"]["ben"]["views"]["exact"]


def test_agreement_is_that_of_the_command(everything: str) -> None:
    given = command("agree", everything, "--gold", "gold", "--show", "2")
    agreed = vm.agree(vm.read(everything), gold="gold", show=2)
    assert str(agreed).split() == given.split()
    given = command("agree", everything, "--gold", "gold", "--show", "2", "--json")
    assert as_json(agreed.to_dict()) == json.loads(given)


def test_an_audit_is_that_of_the_command(everything: str) -> None:
    given = command("audit", everything, "--layer", "gold", "--show", "2")
    audited = vm.audit(vm.read(everything), layer="gold", show=2)
    assert str(audited).split() == given.split()
    given = command("audit", everything, "--layer", "gold", "--json")
    assert as_json(audited.to_dict()) == json.loads(given)


def test_info_is_that_of_the_command(everything: str) -> None:
    assert str(vm.info(vm.read(everything))).split() == command("info", everything).split()


def test_one_system_is_asked_for_by_its_name() -> None:
    scores = vm.score(passages())
    assert scores["ben"].counts("exact").f1 == pytest.approx(0.737, abs=1e-3)
    assert list(scores) == ["anna", "ben", "dictionary", "llm", "tagger"]
    with pytest.raises(VermeilError, match="no system named 'bem'; did you mean 'ben'"):
        scores["bem"]


def test_some_systems_can_be_left_out() -> None:
    assert list(vm.score(passages(), systems="ben")) == ["ben"]
    assert list(vm.score(passages(), systems=["llm", "ben"])) == ["ben", "llm"]


def test_mistakes_are_listed_with_how_often() -> None:
    mistakes = vm.score(passages()).mistakes("ben", 3)
    assert len(mistakes) == 3
    assert [each.n for each in mistakes] == [4, 4, 4]
    assert mistakes[0].first.text == "EGFR"
    assert mistakes.to_pandas()["what"].tolist() == ["missed"] * 3
    assert "EGFR" in str(mistakes)
    assert len(vm.score(passages()).mistakes("ben")) > 100
    with pytest.raises(VermeilError, match="no view named 'strict'"):
        vm.score(passages()).mistakes("ben", by="strict")


def test_scores_as_a_frame_have_a_row_a_system_and_view() -> None:
    frame = vm.score(passages()).to_pandas().set_index(["system", "view"])
    assert frame.loc[("ben", "exact"), "f1"] == pytest.approx(0.737, abs=1e-3)
    assert len(frame) == 5 * 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"standard": "glod"}, "no layer named 'glod'; did you mean 'gold'"),
        ({"standard": 3}, "no layer named '3'"),
        ({"by": "exactly"}, "no view named 'exactly'; did you mean 'exact'"),
        ({"labels": "maybe"}, 'labels takes "same" or "any"'),
        ({"against": "bem"}, "no system named 'bem'"),
        ({"systems": ["bem"]}, "no system named 'bem'"),
    ],
)
def test_what_cannot_be_scored_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.score(passages(), **options)  # type: ignore[arg-type]


def test_without_gold_the_standard_is_asked_for() -> None:
    document = Document(id="1", text="p53", layers={"anna": (Span(0, 3, "Gene"),), "ben": ()})
    with pytest.raises(VermeilError, match="There are anna, ben; say standard=NAME"):
        vm.score(document)
    assert vm.score(document, standard="anna")["ben"].counts("exact").recall == 0
    with pytest.raises(VermeilError, match="there is no layer but 'anna' to score"):
        vm.score(Document(id="1", text="p53", layers={"anna": ()}), standard="anna")


@pytest.mark.parametrize("verb", [vm.score, vm.agree, vm.combine])
def test_files_given_one_by_one_are_to_be_brought_together(verb: Callable[..., object]) -> None:
    name = verb.__name__
    message = rf"{name} takes documents in one argument.*: {name}\(vermeil.read\(\[A, B\]\)\)"
    with pytest.raises(VermeilError, match=message):
        verb(samples.GOLD, samples.ANNOTATORS[0])


def test_every_result_says_in_a_line_what_it_is() -> None:
    for result in (
        vm.score(passages()),
        vm.agree(passages()),
        vm.audit(passages(), layer="gold"),
        vm.info(passages()),
        vm.score(passages()).mistakes("ben"),
    ):
        assert 10 < len(repr(result)) < 200
        assert "\n" not in repr(result)
        assert "<iframe" in result._repr_html_()


def test_names_cannot_steer_the_terminal() -> None:
    layers = {"gold": (Span(0, 3, "Gene"),), "\x1b[2J\u202eanna": (Span(0, 3, "Gene"),)}
    shown = str(vm.score(Document(id="1", text="p53", layers=layers)))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2J\\u202eanna" in shown


def test_alternatives_may_have_a_layer_of_another_name() -> None:
    def moved(document: Document) -> Document:
        layers = dict(document.layers)
        layers["also"] = layers.pop("gold.alternatives", ())
        return document.replace(layers=layers)

    other = [moved(document) for document in passages()]
    want = vm.score(passages(), systems="ben")["ben"].counts("biocreative")
    assert vm.score(other, systems="ben")["ben"].counts("biocreative") != want
    assert vm.score(other, systems="ben", alternatives="also")["ben"].counts("biocreative") == want
    found = vm.audit(other, layer="gold", alternatives="also").counts
    assert found == vm.audit(passages(), layer="gold").counts
    with pytest.raises(VermeilError, match="no layer named 'alsoo'"):
        vm.score(other, alternatives="alsoo")


def test_hostile_names_stay_text_in_a_notebook() -> None:
    bad = "<script>alert(1)</script>"
    layers = {"gold": (Span(0, 3, bad),), bad: (Span(0, 2, bad),)}
    document = Document(id=bad, text="p53 " + bad, layers=layers)
    for result in (
        vm.score(document, show=3, per_label=True),
        vm.score(document).mistakes(bad),
        vm.agree(document, show=1),
        vm.info(document),
        vm.combine(document, show=2),
        vm.read({bad: [document.replace(layers={"x": ()})]}),
    ):
        shown = result._repr_html_()
        assert shown.count("<") == 2  # the frame begins and ends
        assert "&lt;script&gt;alert" not in shown  # it is escaped again within the frame


def test_of_hundreds_of_layers_an_error_names_a_few() -> None:
    layers = {f"a{number}": (Span(0, 1, "Gene"),) for number in range(500)}
    with pytest.raises(VermeilError, match="which layer is the standard") as error:
        vm.score([Document(id="1", text="x", layers=layers)])
    assert len(str(error.value)) < 200
