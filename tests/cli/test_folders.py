"""Folders as people stand in them and write into them."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import fail, run
from tests.recognise.tiny import save_tiny
from vermeil.formats import read

TEXT = "BRCA1 causes cancer."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ben.corpus" / "anna"
    folder.mkdir(parents=True)
    for id in ("1", "2"):
        (folder / f"{id}.txt").write_text(TEXT)
        (folder / f"{id}.ann").write_text("T1\tGene 0 5\tBRCA1\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("more", [[], ["-j", "2"], ["--skip-bad", "--log", "log.jsonl"]])
def test_a_folder_is_written_into_while_it_is_read(more: list[str]) -> None:
    run("convert", ".", "-o", "../outside.jsonl")
    for _ in range(2):
        for given, output in ((".", "all.jsonl"), ("../anna", "../anna/all.jsonl")):
            run("convert", given, "-o", output, *more)
            assert Path("all.jsonl").read_bytes() == Path("../outside.jsonl").read_bytes()
    assert not [*Path().glob("*.run"), *Path().glob(".*")]


def test_a_folder_of_texts_is_tagged_into_itself(tmp_path: Path) -> None:
    save_tiny(tmp_path / "tiny.zip")
    shutil.rmtree("../anna")
    Path("../anna").mkdir()
    os.chdir("../anna")
    Path("1.txt").write_text("Patients received cisplatin.")
    for _ in range(2):
        assert run("tag", "--model", str(tmp_path / "tiny.zip"), ".", "-o", "t.jsonl").startswith(
            "1 documents"
        )


def test_a_layer_for_each_file_goes_into_the_folder_and_again() -> None:
    for _ in range(2):
        run("convert", ".", "-o", "of-{layer}.jsonl")
    assert [each.id for each in read("of-anna.jsonl")] == ["1", "2"]


def test_the_folder_one_stands_in_is_called_by_its_name() -> None:
    for given in (".", "./", "../anna", "../anna/../anna", "../../ben.corpus/anna/."):
        run("convert", given, "-o", "../out.jsonl")
        [first, _] = read("../out.jsonl")
        assert list(first.layers) == ["anna"], given
    (below := Path("below")).mkdir()
    os.chdir(below)
    run("convert", "..", "-o", "../../out.jsonl")
    assert [list(each.layers) for each in read("../../out.jsonl")] == [["anna"]] * 2


@pytest.mark.parametrize("command", ["info", "convert", "consensus", "agree", "report"])
def test_an_empty_variable_is_no_folder(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = ["-o", "out.jsonl"] if command in ("convert", "consensus") else []
    assert "an input is named ''" in fail(capsys, command, "", *output)


@pytest.mark.parametrize(
    "name", ["nested.jsonl", "bom.csv", "deep/down/crlf.pubtator", "3.txt.gz", "4.xml"]
)
def test_a_folder_of_brat_and_other_things_is_asked_about(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("x")
    said = fail(capsys, "info", "../anna")
    assert f"../anna: holds brat (1.ann) and other files ({name}); say which are meant" in said
    assert "2 documents" in run("info", "../anna", "--from", "brat")
    assert "2 documents" in run("info", "../anna/*.ann")


def test_what_is_no_corpus_may_lie_beside_brat() -> None:
    for name in ("annotation.conf", "README.md", "LICENSE", "1.a2", ".hidden.jsonl", "report.html"):
        Path(name).write_text("x")
    assert "2 documents" in run("info", ".")


@pytest.mark.parametrize("more", [[], ["-j", "2", "--engine", "pool"]])
def test_annotators_called_after_their_files_are_noted_once(more: list[str]) -> None:
    Path("../people").mkdir()
    for name in ("anna", "ben"):
        said = '{"id": "x", "text": "BRCA1", "layers": {"me": []}}\n'
        Path(f"../people/{name}.jsonl").write_text(said)
    run("convert", "../people", "-o", "../all.jsonl", "--log", "../log.jsonl", *more)
    assert [set(each.layers) for each in read("../all.jsonl")] == [{"anna", "ben"}]
    noted = [json.loads(line) for line in Path("../log.jsonl").read_text().splitlines()]
    assert [each["detail"] for each in noted if each["deed"] == "called"] == ["anna", "ben"]
