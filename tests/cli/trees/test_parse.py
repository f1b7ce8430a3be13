import gzip
import json
import shlex
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.cli import command_line
from tests.parsers.parsers import SCRIPT, flat
from vermeil import Document, Tree
from vermeil.cli import app
from vermeil.errors import UsageError
from vermeil.formats import write

PARSER = shlex.join([sys.executable, "-S", "-c", SCRIPT])
TREES = "(S (NN p53) (VBZ binds))\n(())\n(S (-LRB- -LRB-) (NN a))\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("p53 binds\n\nDIE now\n( β )\n")
    Path("in.mrg").write_text(TREES)


def run(*arguments: str, stdin: str | None = None) -> Result:
    command = ["trees", "parse", *arguments]
    return CliRunner().invoke(app, command, input=stdin, catch_exceptions=False)


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "trees", "parse", *arguments, is_silent=False)


def test_sentences_become_trees_line_by_line() -> None:
    result = run("in.txt", "--cmd", PARSER, "-o", "out.mrg", "-j", "2")
    assert result.exit_code == 0
    assert Path("out.mrg").read_text().splitlines() == [
        flat(("p53", "binds")),
        "(())",
        "(())",
        flat(("-LRB-", "β", "-RRB-")),
    ]
    assert Path("out.mrg.failures.tsv").read_text() == (
        "sentence\treason\tdetail\n2\tno words\t\n3\tcrashed\texit status 3: cannot parse this\n"
    )
    assert result.stdout.splitlines()[0] == "4 sentences"


def test_the_summary_is_machine_readable() -> None:
    summary = json.loads(run("in.txt", "--cmd", PARSER, "-o", "out.mrg", "--json").stdout)
    assert summary.pop("seconds") > 0
    assert summary == {
        "sentences": 4,
        "parsed": 2,
        "failures": {"no words": 1, "crashed": 1},
        "done_before": 0,
    }


def test_the_words_of_trees_are_parsed_anew() -> None:
    run("in.mrg", "--cmd", PARSER, "-o", "out.mrg")
    assert Path("out.mrg").read_text().splitlines() == [
        flat(("p53", "binds")),
        "(())",
        flat(("-LRB-", "a")),
    ]


@pytest.mark.parametrize("name", ["in.jsonl", "in.mrg.gz", "trees"])
def test_trees_are_found_in_any_file_that_has_them(name: str) -> None:
    if name == "in.jsonl":
        tree = Tree.parse("(S (NN p53) (VBZ binds))")
        write([Document(id="1", text="p53 binds", trees={"a": (None,), "b": (tree,)})], name)
    elif name == "in.mrg.gz":
        Path(name).write_bytes(gzip.compress(TREES.encode()))
    else:
        Path(name).write_text(TREES)
    run(name, "--cmd", PARSER, "-o", "out.mrg")
    assert Path("out.mrg").read_text().splitlines()[0] == flat(("p53", "binds"))


def test_it_works_in_a_pipe() -> None:
    result = run("-", "--cmd", PARSER, "-o", "-", stdin="p53 binds\nDIE\n")
    assert result.stdout == flat(("p53", "binds")) + "\n(())\n"
    assert result.stderr == "vermeil: 1 parsed, 1 crashed\n"


def test_trees_on_stdin_are_not_taken_for_sentences() -> None:
    with pytest.raises(UsageError, match="-: these look like trees; say --from penn"):
        run("-", "--cmd", PARSER, "-o", "-", stdin=TREES)
    result = run("-", "--cmd", PARSER, "-o", "-", "--from", "penn", stdin=TREES)
    assert result.stdout.splitlines()[0] == flat(("p53", "binds"))
    result = run("-", "--cmd", PARSER, "-o", "-", "--from", "lines", stdin="(S (NN p53))\n")
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-o", "-", "--json"], "--json and -o - both write to standard output; drop --json"),
        (["-o", "no/out.mrg"], r"no/out\.mrg: there is no folder 'no'; make it first"),
    ],
)
def test_output_that_cannot_be_is_refused_before_parsing(
    options: list[str], complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        run("in.txt", "--cmd", "no-such-parser", *options)


def test_a_parser_that_answers_at_the_end() -> None:
    result = run("in.txt", "--cmd", PARSER + " buffers", "-o", "out.mrg", "--one-shot", "10")
    assert result.exit_code == 0
    assert Path("out.mrg").read_text().splitlines()[0] == flat(("p53", "binds"))


def test_nothing_parsed_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.txt").write_text("EMPTY\nDIE\n")
    line = fail(capsys, "in.txt", "--cmd", PARSER, "-o", "out.mrg")
    assert line == (
        "vermeil: in.txt: nothing could be parsed: 0 parsed, 1 empty answer, 1 crashed; "
        "see out.mrg.failures.tsv"
    )


def test_a_wrong_command_ends_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "in.txt", "--cmd", "no-such-parser", "-o", "out.mrg")
    assert line == "vermeil: there is no command 'no-such-parser'; give its path"
    line = fail(capsys, "in.txt", "--cmd", "sh -c 'echo bad model >&2; exit 9'", "-o", "out.mrg")
    assert line == (
        "vermeil: the parser gives no tree, not even for 'It works .' (crashed: exit status 9: "
        "bad model); try by hand: echo 'It works .' | sh -c 'echo bad model >&2; exit 9'"
    )
    line = fail(capsys, "in.txt", "--cmd", "sh -c 'oops", "-o", "out.mrg")
    assert line == 'vermeil: --cmd "sh -c \'oops": No closing quotation'
    assert not Path("out.mrg").exists()


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "nowhere.txt", "--cmd", PARSER, "-o", "out.mrg")
    assert line == "vermeil: nowhere.txt: no such file or folder"


def test_its_help_fits_a_screen() -> None:
    assert len(run("--help").stdout.splitlines()) <= 50


@pytest.mark.corpus
def test_a_corpus_keeps_its_words(corpora: Path) -> None:
    source = str(corpora / "genia-trees" / "gold.mrg")
    summary = json.loads(run(source, "--cmd", PARSER, "-o", "out.mrg", "-j", "2", "--json").stdout)
    assert (summary["sentences"], summary["parsed"]) == (912, 912)
