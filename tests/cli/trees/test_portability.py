import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.cli import command_line
from vermeil import samples, trees
from vermeil.errors import UnknownNameError, UsageError

run = partial(command_line.run, "trees", "portability")
PARSERS = ("alpha.mrg", "beta.mrg", "gamma.mrg")
FILES = ("treebank.mrg", *PARSERS)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        shutil.copy(samples.FOLDER / name, name)
    shutil.copytree(samples.FOLDER / "news", "news")


def test_a_folder_stands_for_the_files_in_it_of_the_same_names() -> None:
    listed = [part for name in FILES for part in ("--versus", f"news/{name}")]
    assert run(*FILES, "--versus", "news", "--json") == run(*FILES, *listed, "--json")


def test_losses_have_intervals_and_treebanks_their_names() -> None:
    versus = ("--versus", "news=news/treebank.mrg", "--versus", "news/beta.mrg")
    found = json.loads(run("bio=treebank.mrg", "beta.mrg", *versus, "--json"))
    assert list(found["treebanks"]) == ["bio", "news"]
    figures = found["parsers"]["beta"]["figures"]
    assert figures["tags"]["versus"] == 1
    assert figures["tags"]["here"] == 0.95
    assert figures["f1"]["lost"]["low"] < figures["f1"]["lost"]["value"]
    assert figures["la_wrong"]["versus"] is None
    shown = run("bio=treebank.mrg", "beta.mrg", *versus)
    assert "Lost on bio against news" in shown
    assert "beta: constituents missed, in % of those wanted, by cause" in shown


def test_python_gives_what_the_command_does() -> None:
    found = trees.portability("treebank.mrg", list(PARSERS), versus="news")
    assert found.to_dict() == json.loads(run(*FILES, "--versus", "news", "--json"))
    assert "Lost on here against versus" in str(found)


def test_a_parser_that_is_missing_at_home_is_named() -> None:
    with pytest.raises(UnknownNameError, match="'beta'"):
        run("treebank.mrg", "beta.mrg", "--versus", "news/treebank.mrg", "--versus=news/alpha.mrg")
    with pytest.raises(UsageError, match="no parser"):
        run("treebank.mrg", "beta.mrg", "--versus", "news/treebank.mrg")
    Path("news/beta.mrg").unlink()
    with pytest.raises(UsageError, match=r"beta\.mrg: no such file"):
        run("treebank.mrg", "beta.mrg", "--versus", "news")


def test_the_report_has_a_part_about_it() -> None:
    command_line.run(
        "report",
        "--trees",
        "treebank.mrg",
        "--trees",
        "beta.mrg",
        "--versus",
        "news",
        "-o",
        "a.html",
    )
    page = Path("a.html").read_text()
    assert "Lost from one treebank to another" in page
    assert "Missed constituents by cause" in page
    assert "Sentences of treebank by length" in page
