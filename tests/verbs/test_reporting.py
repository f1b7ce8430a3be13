import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import vermeil as vm
from tests.verbs.samples import passages
from tests.verbs.test_judging import command
from tests.verbs.trees.test_trees import FLAT, GOLD
from vermeil import VermeilError


def test_the_page_is_that_of_the_command(tmp_path: Path) -> None:
    source, path = str(tmp_path / "all.jsonl"), tmp_path / "report.html"
    vm.write(passages()[:10], source)
    made = vm.report(passages()[:10], path, bootstrap=100)
    given = json.loads(
        command("report", source, "-o", str(tmp_path / "c.html"), "--bootstrap", "100", "--json")
    )
    by_command = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert path.read_text(encoding="utf-8") == by_command.replace(source, "IN…")
    assert json.loads(msgspec.json.encode(made.to_dict())) == given
    assert made.path == path
    assert repr(made) == "<ReportPage: 5 annotators of 10 texts>"
    assert "anna" in set(made.to_pandas()["system"])


def test_a_page_about_parsers(tmp_path: Path) -> None:
    trees = {"gold": [GOLD], "flat": [FLAT], "same": [GOLD]}
    made = vm.report(output=tmp_path / "trees.html", trees=trees, treebank={"other": [FLAT]})
    assert "2 parsers" in made.title
    assert "other" in made.page
    assert made.to_dict()["trees"]["parsers"].keys() == {"flat", "same"}


def test_a_page_need_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = vm.report(passages()[:3], None, bootstrap=0, layers=["anna", "ben"])
    assert made.page.startswith("<!DOCTYPE html>") or made.page.startswith("<!doctype html>")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "there is nothing to report on"),
        ([], "report was given no documents"),
        (3, "report takes documents, not an int"),
    ],
)
def test_what_cannot_be_reported_is_said(given: object, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.report(given)


def test_a_report_is_a_page(tmp_path: Path) -> None:
    with pytest.raises(VermeilError, match=r"report\.txt: the report is a page"):
        vm.report(passages(), tmp_path / "report.txt")
    with pytest.raises(VermeilError, match="no layer named 'glod'"):
        vm.report(passages(), tmp_path / "r.html", gold="glod")
    with pytest.raises(VermeilError, match="needs a treebank and a parser"):
        vm.report(output=tmp_path / "r.html", trees={"gold": [GOLD]})


def test_the_verbs_stay_verbs_whatever_is_imported() -> None:
    script = (
        "import vermeil.reports.page, vermeil.acquisition.labelling, vermeil as vm;"
        "import vermeil.cli.report, vermeil.cli.acquire;"
        "print(callable(vm.report), callable(vm.acquire), callable(vm.acquire.lexicon))"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert told.stdout.split() == [b"True"] * 3
