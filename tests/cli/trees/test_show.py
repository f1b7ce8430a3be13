import json
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli import command_line
from vermeil import Document, Tree
from vermeil.formats import write

FIRST = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))\n(())\n(NP (NN a))\n"
SECOND = "(S (NP (NN p53)) (NP (VBZ binds) (NN DNA)))\n(S (NN x))\n(NP (NN b))\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("gold.mrg").write_text(FIRST)
    Path("ours.mrg").write_text(SECOND)


run = partial(command_line.run, "trees", "show")


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "trees", "show", *arguments)


def test_a_tree_is_an_outline() -> None:
    assert run("gold.mrg") == (
        "sentence 1: gold\n  S\n  ├─ NP  p53\n  └─ VP  binds\n     └─ NP  DNA\n"
    )


def test_two_trees_stand_side_by_side_where_there_is_room() -> None:
    lines = run("gold.mrg", "b=ours.mrg").splitlines()
    assert lines[:2] == [
        "sentence 1: gold and b",
        "- only in gold   + only in b   ~ same span, other label",
    ]
    assert [line.split("│", 1)[1] for line in lines[2:5]] == [
        "   S",
        "   ├─ NP  p53",
        " ~ └─ NP→VP  binds DNA",
    ]
    assert lines[4].startswith("~ └─ VP→NP  binds   ")


def test_otherwise_one_above_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert run("gold.mrg", "ours.mrg").splitlines()[2:] == [
        "gold",
        "  S",
        "  ├─ NP  p53",
        "~ └─ VP→NP  binds",
        "-    └─ NP  DNA",
        "ours",
        "  S",
        "  ├─ NP  p53",
        "~ └─ NP→VP  binds DNA",
    ]


def test_a_range_shows_several_and_failures_as_such() -> None:
    shown = run("gold.mrg", "--sentence", "1-3")
    assert "sentence 2: gold\n  (no parse)\n" in shown
    assert shown.endswith("sentence 3: gold\n  NP  a\n")


def test_a_picture_is_drawn_when_asked() -> None:
    assert run("gold.mrg", "ours.mrg", "--svg", "tree.svg") == ""
    picture = ElementTree.fromstring(Path("tree.svg").read_text())
    assert picture.tag.endswith("svg")
    assert run("gold.mrg", "ours.mrg", "--svg", "-") == Path("tree.svg").read_text()


def test_brackets_and_their_status_are_machine_readable() -> None:
    [sentence] = json.loads(run("gold.mrg", "ours.mrg", "--json"))
    assert sentence["words"] == ["p53", "binds", "DNA"]
    first, second = sentence["trees"]
    assert [each["status"] for each in first["brackets"]] == [
        "in both",
        "in both",
        "same span, other label",
        "only in the first",
    ]
    assert second["brackets"][2] == {
        "start": 1,
        "end": 3,
        "label": "NP",
        "status": "same span, other label",
        "other": "VP",
    }
    [alone] = json.loads(run("gold.mrg", "--sentence", "2", "--json"))
    assert alone["trees"] == [{"name": "gold", "brackets": None}]


def test_a_parser_of_several_is_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    tree = Tree.parse("(NP (NN a))")
    write([Document(id="1", text="a", trees={"x": (None,), "y": (tree,)})], "all.jsonl")
    assert run("y=all.jsonl").endswith("  NP  a\n")
    assert run("x=all.jsonl").endswith("  (no parse)\n")
    line = fail(capsys, "all.jsonl")
    assert line == "vermeil: all.jsonl: has several parsers; choose one as NAME=PATH (x, y)"


def test_other_words_are_an_error_with_both(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.mrg", "ours.mrg", "--sentence", "2-3")
    assert line == (
        "vermeil: gold and ours: sentence 3: word 1 is 'a' in the first and 'b' in the second"
    )


@pytest.mark.parametrize("sentence", ["x", "-3", "3-", "1-2-3", ""])
def test_a_range_must_be_one(capsys: pytest.CaptureFixture[str], sentence: str) -> None:
    line = fail(capsys, "gold.mrg", f"--sentence={sentence}")
    assert line.startswith("vermeil: --sentence takes a number or a range like 3-5, not ")


def test_a_sentence_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.mrg", "--sentence", "4")
    assert line == "vermeil: gold.mrg: has 3 sentences, and 4 was wanted"
    assert "counted from 1" in fail(capsys, "gold.mrg", "--sentence", "0")


def test_a_picture_needs_a_folder_and_stdout_for_itself(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.mrg", "--svg", "no/tree.svg")
    assert line == "vermeil: no/tree.svg: there is no folder 'no'; make it first"
    assert fail(capsys, "gold.mrg", "--svg", "-", "--json") == (
        "vermeil: --json and --svg - both write to standard output; drop --json, or give --svg FILE"
    )


def test_three_trees_are_too_many(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.mrg", "ours.mrg", "gold.mrg")
    assert line == "vermeil: one or two files can be shown, not 3"


def test_its_help_fits_a_screen() -> None:
    assert len(run("--help").splitlines()) <= 50


def test_lineages_are_shown_word_by_word(capsys: pytest.CaptureFixture[str]) -> None:
    Path("gold.mrg").write_text("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))\n")
    Path("other.mrg").write_text("(S (NP (NN p53)) (NP (NNS binds) (NN DNA)))\n")
    shown = command_line.run("trees", "show", "gold.mrg", "other.mrg", "--lineages")
    rows = [line.split() for line in shown.splitlines()]
    assert ["p53", "NP", "]", "[", "S", "NP", "]", "[", "S", "1.000"] in rows
    assert rows[-1] == ["mean", "0.861"]
    fail(capsys, "gold.mrg", "--lineages")


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        ("(S (NP (NN a)) (VP (VB b) (NP (NN c))))", "(S (NP (NN a)) (NP (NN b) (NN c)))"),
        ("(TOP (S (NP (NN a)) (VP (VB b))) (. .))", "(TOP (S (NN a) (VP (VB b))) (. .))"),
        ("(TOP (NP (NN a) (NN b)) (VP (VB c)))", "(TOP (NP (NN a)) (VP (NN b) (VB c)))"),
    ],
)
def test_lineages_have_the_score_that_the_sentence_has(gold: str, other: str) -> None:
    Path("gold.mrg").write_text(f"{gold}\n")
    Path("other.mrg").write_text(f"{other}\n")
    shown = command_line.run(
        "trees", "show", "gold.mrg", "other.mrg", "--lineages", "--prepare=clegg"
    )
    told = json.loads(command_line.run("trees", "score", "gold.mrg", "other.mrg", "--json"))
    score = told["parsers"]["other"]["all"]["la"]
    assert float(shown.split()[-1]) == pytest.approx(score, abs=5e-4)
