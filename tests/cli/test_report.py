import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.reports.findings import Page, corpus
from vermeil.cli.options.groups import spelt_out
from vermeil.cli.report import report
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import write
from vermeil.scoring.scores import score

app = typer.Typer()
app.command()(spelt_out(report))

GOLD = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))\n"
PARSED = "(S (NN p53) (NP (VBZ binds) (NP (NN DNA))))\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(corpus(), "corpus.jsonl")
    Path("gold.mrg").write_text(GOLD, encoding="utf-8")
    Path("a.mrg").write_text(PARSED, encoding="utf-8")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--bootstrap", "20"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_it_writes_one_page() -> None:
    assert run("corpus.jsonl", "-o", "page.html", "--title", "Four texts") == ""
    page = Page(Path("page.html").read_text(encoding="utf-8"))
    assert "<h1>Four texts</h1>" in page.page
    assert len(page.data["texts"]) == 4
    assert {path.name for path in Path().iterdir()} == {
        "corpus.jsonl",
        "page.html",
        "gold.mrg",
        "a.mrg",
    }


def test_the_page_can_go_to_standard_output() -> None:
    assert run("corpus.jsonl", "-o", "-").startswith("<!doctype html>")


def test_annotators_and_trees_share_a_page() -> None:
    run("corpus.jsonl", "--trees", "gold.mrg", "--trees", "a=a.mrg", "--prepare", "none")
    page = Path("report.html").read_text(encoding="utf-8")
    assert "<h1>4 annotators of 4 texts and 1 parser</h1>" in page
    for id in ("summary", "votes", "trees", "exhibits"):
        assert f'id="{id}"' in page


def test_trees_alone_make_a_page() -> None:
    run("--trees", "gold.mrg", "--trees", "a=a.mrg", "--prepare", "none")
    assert 'id="votes"' not in Path("report.html").read_text(encoding="utf-8")


def test_json_has_the_numbers_of_score_and_agree() -> None:
    found = json.loads(run("corpus.jsonl", "--json", "--trees", "gold.mrg", "--trees", "a=a.mrg"))
    exact = score(corpus(), standard="gold")["ben"].counts("exact")
    assert found["gold"] == "gold"
    assert found["score"]["systems"]["ben"]["views"]["exact"]["f1"] == exact.f1
    assert found["agree"]["annotators"] == ["anna", "ben", "cleo", "tagger"]
    assert found["trees"]["parsers"]["a"]["sentences"] == 1
    assert set(found["contested"]) == {each.id for each in corpus()}


def test_another_layer_can_be_the_standard_and_some_be_left_out() -> None:
    run("corpus.jsonl", "--standard", "anna", "--layers", "ben,cleo", "--max-documents", "1")
    page = Page(Path("report.html").read_text(encoding="utf-8"))
    assert page.data["standard"] == "anna"
    assert page.data["annotators"] == ["ben", "cleo", "consensus"]
    assert (len(page.data["texts"]), page.data["n_left_out"]) == (1, 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to report on"),
        (["--trees", "gold.mrg"], "--trees needs a treebank and a parser"),
        (["corpus.jsonl", "-o", "-", "--json"], "both write to standard output"),
        (["corpus.jsonl", "-o", "report.pdf"], "call it report.pdf.html"),
        (["corpus.jsonl", "-o", "nowhere/report.html"], "there is no folder 'nowhere'"),
        (["corpus.jsonl", "--treebank", "gold.mrg"], "--treebank is compared with"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        run(*arguments)
    assert not Path("report.html").exists()


def test_a_standard_nobody_has_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'gold'"):
        run("corpus.jsonl", "--gold", "gold1")


def test_another_treebank_is_shown_beside_what_parsers_make() -> None:
    Path("news.mrg").write_text("(S (NP (NNS Shares)) (VP (VBD fell)))\n", encoding="utf-8")
    trees = ("--trees", "gold.mrg", "--trees", "a=a.mrg")
    found = json.loads(run(*trees, "--treebank", "news.mrg", "--json"))
    assert found["trees"]["treebanks"]["news"]["rules"] == {
        "NP → NNS": 1,
        "S → NP VP": 1,
        "VP → VBD": 1,
    }
    with pytest.raises(UsageError, match="two inputs are called 'a'"):
        run(*trees, "--treebank", "a=news.mrg")


def test_commands_on_the_page_read_as_the_page_did() -> None:
    run(
        "corpus.jsonl",
        "-o",
        "page.html",
        "--from",
        "jsonl",
        "--map",
        "Gene=Protein",
        "--fold-labels",
    )
    page = re.sub("</?span>", "", Path("page.html").read_text(encoding="utf-8"))
    assert "vermeil agree corpus.jsonl --from jsonl --map Gene=Protein --fold-labels" in page
