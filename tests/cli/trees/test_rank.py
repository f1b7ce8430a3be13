import json
from pathlib import Path

import pytest

import vermeil as vm
from tests.cli import command_line

GOOD = "(S (NP (PRP We)) (VP (VBD gave) (NP (JJ acetic) (NN acid)) (ADVP (RB daily))))"
CROSSED = "(S (NP (PRP We)) (VP (VBD gave) (JJ acetic)) (NP (NN acid) (RB daily)))"
OTHER = "(S (NP (PRP It)) (VP (VBD worked)))"
SAME = "(S (PRP It) (VP (VBD worked)))"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mrg").write_text(f"{CROSSED}\n{OTHER}\n\n")
    Path("b.mrg").write_text(f"{GOOD}\n{SAME}\n\n")


def run(*arguments: str) -> str:
    return command_line.run("trees", "rank", "a.mrg", "b.mrg", "--model", "chem", *arguments)


def test_names_choose_among_parses_and_else_the_first_parser_does() -> None:
    shown = run("-o", "out.mrg")
    assert "3 sentences ranked by 1 names of several words" in shown.replace("  ", " ")
    assert "1 sentences without any parse" in shown
    assert Path("out.mrg").read_text().splitlines() == [GOOD, OTHER, "(())"]


def test_a_margin_keeps_the_first_parser() -> None:
    report = json.loads(run("-o", "out.mrg", "--margin", "5", "--json"))
    assert report["chosen"] == {"a": 2, "b": 0}
    assert (report["sentences"], report["without_parse"]) == (3, 1)


def test_python_ranks_alike() -> None:
    ranked = vm.trees.rank({"a": "a.mrg", "b": "b.mrg"}, "chem")
    assert ranked.to_dict() == json.loads(run("-o", "out.mrg", "--json"))
    assert str(ranked[0]) == GOOD
    assert (len(ranked), ranked[2]) == (3, None)
    with pytest.raises(vm.VermeilError, match="margin= takes 0 or more"):
        vm.trees.rank({"a": "a.mrg"}, "chem", margin=-1)


def test_trees_need_a_format_that_holds_them(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["trees", "rank", "a.mrg", "--model", "chem", "-o", "out.conll"]
    assert "holds no parse trees" in command_line.fail(capsys, *given)
