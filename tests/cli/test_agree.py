import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli import command_line
from vermeil import Document, Span
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
    # Three pairs share one of two names, or the one name of cleo: 6 of 10 match.
    assert found["least_agreement"] == [{"id": "1", "exact": 0.6, "annotators": 3}]


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
