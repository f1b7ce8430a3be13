import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from tests.engine.parsers import flat, parser
from vermeil.engine.parser_answers import Failure
from vermeil.engine.parser_output import RunSummary, parse_to_file
from vermeil.engine.parser_runs import Parser
from vermeil.errors import UsageError
from vermeil.formats import read

SENTENCES = [("a", "1"), ("b", "2"), ("DIE", "x"), ("c", "3"), ("EMPTY", "y"), ("d", "4")]
LINES = ["(())" if words[0] in ("DIE", "EMPTY") else flat(words) for words in SENTENCES]
TABLE = (
    "sentence\treason\tdetail\n3\tcrashed\texit status 3: cannot parse this\n5\tempty answer\t\n"
)
Answers = Iterator[str | Failure]


class Interrupted(Exception):
    pass


def interrupted_after(n: int, answers: Answers) -> Answers:
    for number, answer in enumerate(answers):
        if number == n:
            raise Interrupted
        yield answer


def interrupt(target: Path, n: int, **more: bool) -> None:
    with pytest.raises(Interrupted):
        parse_to_file(
            SENTENCES, target, parser(), watch=lambda answers: interrupted_after(n, answers), **more
        )


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out.mrg"


def names(target: Path) -> set[str]:
    return {path.name for path in target.parent.iterdir()}


def test_trees_and_failures_are_written(target: Path) -> None:
    summary = parse_to_file(SENTENCES, target, parser(), n_workers=2)
    assert summary == RunSummary(6, 0, summary.failures)
    assert summary.failures == {"crashed": 1, "empty answer": 1}
    assert summary.n_parsed == 4
    assert target.read_text().splitlines() == LINES
    assert Path(f"{target}.failures.tsv").read_text() == TABLE
    assert names(target) == {"out.mrg", "out.mrg.failures.tsv"}


def test_what_is_written_reads_back_line_by_line(target: Path) -> None:
    parse_to_file(SENTENCES, target, parser())
    trees = [document.trees["out"][0] for document in read(target)]
    assert [tree is None for tree in trees] == [line == "(())" for line in LINES]


def test_a_name_that_ends_in_gz_is_packed(tmp_path: Path) -> None:
    parse_to_file(SENTENCES, tmp_path / "out.mrg.gz", parser())
    assert gzip.decompress((tmp_path / "out.mrg.gz").read_bytes()).decode().splitlines() == LINES


@pytest.mark.parametrize("n", range(len(SENTENCES)))
def test_an_interrupted_run_goes_on_where_it_stopped(target: Path, n: int) -> None:
    interrupt(target, n)
    assert not target.exists()
    summary = parse_to_file(SENTENCES, target, parser())
    assert summary.n_before == n
    assert summary.failures.total() == 2
    assert target.read_text().splitlines() == LINES
    assert Path(f"{target}.failures.tsv").read_text() == TABLE
    assert names(target) == {"out.mrg", "out.mrg.failures.tsv"}


@settings(max_examples=15)
@given(st.integers(0, 400))
def test_wherever_a_partial_file_is_torn_it_is_repaired(
    tmp_path_factory: pytest.TempPathFactory, n_bytes: int
) -> None:
    target = tmp_path_factory.mktemp("torn") / "out.mrg"
    interrupt(target, 5)
    partial = Path(f"{target}.partial")
    partial.write_bytes(partial.read_bytes()[:-n_bytes] if n_bytes else partial.read_bytes())
    parse_to_file(SENTENCES, target, parser())
    assert target.read_text().splitlines() == LINES
    assert Path(f"{target}.failures.tsv").read_text() == TABLE


def test_a_partial_file_of_another_run_is_not_taken_up(target: Path) -> None:
    interrupt(target, 2)
    with pytest.raises(UsageError, match="a run over other sentences"):
        parse_to_file(SENTENCES[:5], target, parser())
    with pytest.raises(UsageError, match=r"a run of another command; .* --restart"):
        parse_to_file(SENTENCES, target, parser("spaced"))
    summary = parse_to_file(SENTENCES, target, parser("spaced"), restart=True)
    assert summary.n_before == 0
    assert target.read_text().splitlines() == LINES


def test_a_file_that_only_looks_partial_is_left_alone(target: Path) -> None:
    partial = Path(f"{target}.partial")
    partial.write_text("my notes\n")
    with pytest.raises(UsageError, match="was not left by a run of a parser"):
        parse_to_file(SENTENCES, target, parser())
    assert partial.read_text() == "my notes\n"


def test_two_runs_do_not_write_the_same_file(target: Path) -> None:
    def another(answers: Answers) -> Answers:
        with pytest.raises(UsageError, match="another run is writing there"):
            parse_to_file(SENTENCES, target, parser())
        return answers

    parse_to_file(SENTENCES, target, parser(), watch=another)
    assert target.read_text().splitlines() == LINES


def test_a_broken_parser_leaves_nothing_behind(target: Path) -> None:
    with pytest.raises(UsageError):
        parse_to_file(SENTENCES, target, parser("usage"))
    assert names(target) == set()


def test_failures_of_a_parser_that_broke_on_the_way_are_tried_again(tmp_path: Path) -> None:
    target, model = tmp_path / "out.mrg", tmp_path / "model"
    script = tmp_path / "parse.sh"
    script.write_text(
        f"test -e {model} || exit 4\n"
        'while read w; do echo "(S (X $w))"\n'
        f"test $w = c && rm {model} && exit 4; done\n"
    )
    sentences = [(word,) for word in "abcdefgh"]
    breaking = Parser(("sh", str(script)), startup=0.0)
    model.touch()
    with pytest.raises(UsageError, match="exit status 4"):
        parse_to_file(sentences, target, breaking)
    script.write_text('while read w; do echo "(S (X $w))"; done')
    summary = parse_to_file(sentences, target, breaking)
    assert (summary.n_before, summary.n_parsed) == (3, 8)


def test_a_table_of_an_earlier_run_does_not_stay(target: Path) -> None:
    parse_to_file(SENTENCES, target, parser())
    parse_to_file([("a",)], target, parser())
    assert names(target) == {"out.mrg"}


def test_a_folder_that_is_not_there_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written: No such file or directory"):
        parse_to_file(SENTENCES, tmp_path / "no" / "out.mrg", parser())


RUN = """
import sys
from pathlib import Path
from tests.engine.parsers import parser
from vermeil.engine.parser_output import parse_to_file
def watch(answers):
    for number, answer in enumerate(answers):
        if number == 10: print("ready", flush=True)
        yield answer
parse_to_file([("SLOW", str(n)) for n in range(40)], Path(sys.argv[1]), parser(), watch=watch)
"""


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_killed_goes_on_where_it_stopped(target: Path, kind: signal.Signals) -> None:
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-c", RUN, str(target)]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        running.send_signal(kind)
    assert running.returncode == -kind
    assert not target.exists()
    sentences = [("SLOW", str(n)) for n in range(40)]
    summary = parse_to_file(sentences, target, parser())
    assert 10 <= summary.n_before < 40
    assert target.read_text().splitlines() == [flat(words) for words in sentences]
