import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli import command_line
from vermeil import Document, Span
from vermeil.cli import app
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import write

TEXT = "BRCA1 causes breast cancer."
GENE, DISEASE, CANCER = Span(0, 5, "Gene"), Span(13, 26, "Disease"), Span(20, 26, "Disease")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    layers = {"anna": (GENE, DISEASE), "anna.alternatives": (CANCER,)}
    one = Document(id="1", text=TEXT, layers=layers)
    two = Document(id="2", text=TEXT, layers={"anna": (GENE,)})
    write([one, two], "anna.jsonl")
    write([Document(id="1", text=TEXT, layers={"x": (GENE, CANCER)})], "ben.jsonl")
    write([Document(id=n, text=TEXT, layers={"x": (GENE,)}) for n in "12"], "cleo.jsonl")


run = partial(command_line.run, "agree")


INPUTS = ("anna.jsonl", "ben=ben.jsonl", "cleo=cleo.jsonl")


def test_json_has_everything() -> None:
    found = json.loads(run(*INPUTS, "--json", "--show", "1"))
    assert found["annotators"] == ["anna", "ben", "cleo"]
    assert found["documents_all_looked_at"] == 1
    assert found["looked"] == [
        {"annotators": ["anna", "ben", "cleo"], "n": 1},
        {"annotators": ["anna", "cleo"], "n": 1},
    ]
    pair = found["pairs"][0]
    assert (pair["first"], pair["second"], pair["documents"]) == ("anna", "ben", 1)
    assert (pair["exact"]["f1"], pair["overlap"]["f1"], pair["hearts"]["f1"]) == (0.5, 1, 1)
    assert (pair["hearts"]["same_left"], pair["hearts"]["same_right"]) == (0.5, 1)
    assert [each["annotator"] for each in found["leave_one_out"]] == ["anna", "ben", "cleo"]
    # Two share one of two names; cleo looks for genes only, and so 6 of 8 match.
    assert found["least_agreement"] == [{"id": "1", "exact": 0.75, "annotators": 3}]
    told = json.loads(run(*INPUTS, "--json", "--show", "1", "--scope", "cleo=*"))
    assert told["least_agreement"] == [{"id": "1", "exact": 0.6, "annotators": 3}]
    assert (found["scope"]["cleo"], told["scope"]["cleo"]) == (["Gene"], ["Disease", "Gene"])
    assert found["labels"][0]["label"] == "Disease"
    assert found["labels"][0]["annotators"] == 2


def test_undefined_is_null() -> None:
    write([Document(id="1", text=TEXT, layers={"a": (), "b": ()})], "nothing.jsonl")
    found = json.loads(run("nothing.jsonl", "--json"))
    assert found["krippendorff_alpha"] is None
    assert found["exact"] is None


def test_tables_show_pairs_all_together_and_each_against_the_others() -> None:
    shown = run(*INPUTS, "--show", "2", "--bootstrap", "20")
    assert shown.startswith("2 documents, 3 annotators; everybody looked at 1\n")
    for title in (
        "Documents both looked at",
        "F1, exact",
        "F1, overlap",
        "F1 over hearts",
        "Cohen's kappa over character pairs",
        "All together",
        "Against the consensus of the others",
        "Least agreement",
    ):
        assert f"\n{title}" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_many_annotators_are_numbered() -> None:
    layers = {f"annotator-{n:02}": (GENE,) for n in range(12)}
    write([Document(id="1", text=TEXT, layers=layers)], "many.jsonl")
    shown = run("many.jsonl", "--no-leave-one-out")
    assert "12  annotator-11" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_layers_can_be_chosen() -> None:
    found = json.loads(run(*INPUTS, "--json", "--layers", "cleo,anna"))
    assert found["annotators"] == ["anna", "cleo"]
    with pytest.raises(UnknownNameError, match="did you mean 'cleo'"):
        run(*INPUTS, "--layers", "anna,clea")
    with pytest.raises(UsageError, match="two layers or more"):
        run("ben=ben.jsonl")


def test_no_order_of_inputs_changes_a_byte() -> None:
    options = ("--json", "--show", "2", "--bootstrap", "10", "--seed", "1")
    assert run(*INPUTS, *options) == run(*reversed(INPUTS), *options)


@pytest.fixture
def crowd(tmp_path: Path) -> list[Document]:
    """Twenty people, three on each document; one of them marks what nobody else does."""
    names = [f"person-{number:02}" for number in range(20)]
    documents = []
    for number in range(40):
        looked = [names[(number + k) % 20] for k in range(3)]
        layers = {each: (CANCER,) if each == "person-07" else (GENE, DISEASE) for each in looked}
        documents.append(Document(id=f"{number:02}", text=TEXT, layers=layers))
    write(documents, "crowd.jsonl")
    return documents


def test_of_a_crowd_the_most_telling_rows_are_shown(crowd: list[Document]) -> None:
    shown = run("crowd.jsonl")
    assert "\n40 of 190 pairs met\n" in shown
    assert "\nPairs that disagree most (10 of 40; see --full)\n" in shown
    assert "\nAnnotators who agree least: with those they met, with half of the others" in shown
    least = shown.split("Annotators who agree least")[1].splitlines()[2]
    assert least.split()[:2] == ["person-07", "4"]
    assert "breast cancer / cancer (Disease; 05)" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 100
    assert len(run("crowd.jsonl", "--full").splitlines()) > len(shown.splitlines()) + 30
    found = json.loads(run("crowd.jsonl", "--json"))
    assert len(found["pairs"]) == 40
    assert len(found["leave_one_out"]) == 20


def test_it_says_why_a_kappa_of_what_everybody_saw_is_not_defined(crowd: list[Document]) -> None:
    said = "Fleiss' kappa is of documents that everybody looked at: there are none."
    assert f"\n{said}\n" in run("crowd.jsonl")
    assert said not in run(*INPUTS)


def test_a_rank_correlation_that_is_not_defined_has_a_dash_for_its_chance() -> None:
    layers = dict.fromkeys(("anna", "ben", "cleo", "gold"), (GENE,))
    write([Document(id=str(n), text=TEXT, layers=layers) for n in range(3)], "alike.jsonl")
    shown = run("alike.jsonl", "--gold", "gold")
    assert "Spearman's rho of gold and silver: – (p –, 3 annotators)" in shown


def test_labels_that_are_taken_for_each_other_are_shown_with_an_example() -> None:
    layers = {"anna": (GENE, DISEASE), "ben": (GENE, Span(13, 26, "Gene"))}
    layers["cleo"] = layers["anna"]
    write([Document(id="7", text=TEXT, layers=layers)], "mixed.jsonl")
    shown = run("mixed.jsonl", "--scope", "ben=*")
    assert "\nLabels taken for each other\n" in shown
    assert "breast cancer (Disease, Gene; 7)" in shown


@pytest.mark.parametrize("engine", ["process", "pool"])
def test_every_engine_prints_the_same(engine: str, crowd: list[Document], tmp_path: Path) -> None:
    options = ("--json", "--show", "3", "--bootstrap", "5")
    sharded = ("--engine", engine, "--shard-size", "0.002", "--resume", str(tmp_path / "run"))
    wanted = run("crowd.jsonl", *options)
    assert run("crowd.jsonl", *options, *sharded) == wanted
    assert run(*INPUTS, *options, "--engine", engine) == run(*INPUTS, *options)


def test_standard_input_is_gone_through_twice_as_files_are(crowd: list[Document]) -> None:
    given = Path("crowd.jsonl").read_text(encoding="utf-8")
    assert run("-", "--from", "jsonl", given=given) == run("crowd.jsonl")


def test_a_former_consensus_is_nobody_to_compare_unless_it_is_named() -> None:
    command_line.run("consensus", *INPUTS, "-o", "silver.jsonl")
    result = CliRunner().invoke(app, ["agree", "silver.jsonl", "--json"])
    assert json.loads(result.stdout) == json.loads(run(*INPUTS, "--json"))
    assert "left out 1 former consensus (consensus; --layers can name it)" in result.stderr
    named = json.loads(run("silver.jsonl", "--layers", "anna,consensus", "--json"))
    assert named["annotators"] == ["anna", "consensus"]
