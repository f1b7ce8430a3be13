"""``trees parse`` on the engine: resumed shard by shard, whatever ended it."""

import gzip
import json
import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner

from tests.parsers.parsers import flat, parser
from vermeil.cli import app
from vermeil.errors import UsageError
from vermeil.formats import read
from vermeil.formats.files.ledger import Ledger
from vermeil.parsers import stage as parse_stage
from vermeil.runs import engines
from vermeil.runs.engines import Engine, InProcess
from vermeil.runs.tasks import Reading

SENTENCES = [("a", "1"), ("b", "2"), ("DIE", "x"), ("c", "3"), ("EMPTY", "y"), ("d", "4")]
LINES = ["(())" if words[0] in ("DIE", "EMPTY") else flat(words) for words in SENTENCES]
TABLE = (
    "sentence\treason\tdetail\n3\tcrashed\texit status 3: cannot parse this\n5\tempty answer\t\n"
)
WHOLE = {"out.mrg", "out.mrg.failures.tsv"}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six sentences in three shards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parse_stage, "SHARD", 2)
    say(SENTENCES)


def say(sentences: Sequence[tuple[str, ...]]) -> None:
    Path("in.txt").write_text("".join(" ".join(words) + "\n" for words in sentences))


def run(*options: str, mode: str = "live", output: str = "out.mrg") -> dict[str, Any]:
    command = shlex.join(parser(mode).command)
    arguments = ["trees", "parse", "in.txt", "--cmd", command, "-o", output, "--startup", "0"]
    result = CliRunner().invoke(app, [*arguments, *options, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


class Interrupted(Exception):
    pass


def interrupt(n_shards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin a run and end it after some shards."""

    class Ending(InProcess):
        n_done = 0

        def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
            if self.n_done == n_shards:
                raise Interrupted
            self.n_done += 1
            return super().submit(function, *arguments)

    def ending(n_workers: int, address: str | None) -> Engine:
        return Ending()

    with monkeypatch.context() as patch:
        patch.setitem(engines.ENGINES, "process", ending)
        with pytest.raises(Interrupted):
            run()


def names() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"in.txt"}


def check_whole() -> None:
    assert Path("out.mrg").read_text().splitlines() == LINES
    assert Path("out.mrg.failures.tsv").read_text() == TABLE
    assert names() == WHOLE


def test_trees_and_failures_are_written_and_read_back() -> None:
    told = run()
    assert (told["sentences"], told["parsed"], told["done_before"]) == (6, 4, 0)
    assert told["failures"] == {"crashed": 1, "empty answer": 1}
    check_whole()
    trees = [document.trees["out"][0] for document in read("out.mrg")]
    assert [tree is None for tree in trees] == [line == "(())" for line in LINES]


def test_a_name_that_ends_in_gz_is_packed() -> None:
    run(output="out.mrg.gz")
    assert gzip.decompress(Path("out.mrg.gz").read_bytes()).decode().splitlines() == LINES


@pytest.mark.parametrize("n_shards", range(3))
def test_an_interrupted_run_goes_on_where_it_stopped(
    n_shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(n_shards, monkeypatch)
    assert not Path("out.mrg").exists()
    assert run("--timeout", "19")["done_before"] == 2 * n_shards
    check_whole()


def test_a_run_goes_on_without_its_input_as_it_was_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interrupt(1, monkeypatch)
    monkeypatch.setattr(parse_stage, "SHARD", 5)
    assert run()["done_before"] == 2
    check_whole()


def test_what_another_run_has_left_is_not_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(2, monkeypatch)
    with pytest.raises(UsageError, match=r"an option has changed \(commands: "):
        run(mode="spaced")
    say(SENTENCES[:5])
    with pytest.raises(UsageError, match=r"an option has changed \(sentences: "):
        run()
    say(SENTENCES)
    assert run("--restart", mode="spaced")["done_before"] == 0
    check_whole()


@pytest.mark.parametrize("options", [(), ("--restart",), ("--engine", "process")])
def test_a_folder_that_only_looks_like_that_of_a_run_is_left_alone(
    options: tuple[str, ...],
) -> None:
    Path("out.mrg.run").mkdir()
    Path("out.mrg.run/notes.txt").write_text("my notes\n")
    with pytest.raises(UsageError, match=r"out\.mrg\.run: holds notes\.txt, which no run has left"):
        run(*options)
    assert Path("out.mrg.run/notes.txt").read_text() == "my notes\n"


def test_a_broken_parser_leaves_nothing_behind() -> None:
    with pytest.raises(UsageError, match=r"^the parser gives no tree, .* usage: parser MODEL"):
        run(mode="usage")
    assert names() == set()


def test_failures_of_a_parser_that_broke_on_the_way_are_tried_again() -> None:
    script, model = Path("parse.sh"), Path("model")
    script.write_text(
        f"test -e {model} || exit 4\n"
        'while read w; do echo "(S (X $w))"\n'
        f"test $w = c && rm {model} && exit 4; done\n"
    )
    say([(word,) for word in "abcdefgh"])
    arguments = ["trees", "parse", "in.txt", "--cmd", "sh parse.sh", "-o", "out.mrg", "--json"]
    model.touch()
    with pytest.raises(UsageError, match="exit status 4"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    script.write_text('while read w; do echo "(S (X $w))"; done')
    told = json.loads(CliRunner().invoke(app, arguments, catch_exceptions=False).stdout)
    assert (told["done_before"], told["parsed"]) == (2, 8)


def test_a_table_of_an_earlier_run_does_not_stay() -> None:
    run()
    say([("a",)])
    run()
    assert names() == {"out.mrg"}


def test_a_parser_lives_on_from_shard_to_shard_and_ends_with_the_run() -> None:
    children = set(psutil.Process().children())
    say([("PID",)] * 6)
    run()
    assert len({line.split()[0] for line in Path("out.mrg").read_text().splitlines()}) == 1
    assert set(psutil.Process().children()) == children


@pytest.mark.parametrize(("at_once", "sizes"), [(0, [4, 4, 2]), (3, [3, 3, 3, 1]), (7, [7, 3])])
def test_sentences_given_at_once_stay_in_one_shard(
    at_once: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_stage, "SHARD", 4)
    sentences = [("a\u00a0b", str(n)) for n in range(10)]
    stage = parse_stage.ParseStage((("parser",),), at_once=at_once)
    shards = stage.shards(parse_stage.Unparsed(sentences), Path(), 0)
    laid_out = [list(stage.read(shard, Reading(), Ledger())) for shard in shards]
    assert [len(some) for some in laid_out] == sizes
    assert [words for some in laid_out for words in some] == sentences
