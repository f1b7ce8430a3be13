"""Tables keep within the terminal, whatever is in them."""

import fcntl
import os
import struct
import subprocess
import sys
import termios
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given
from rich.cells import cell_len
from typer.testing import CliRunner

from vermeil.cli import app
from vermeil.formats import write
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input
from vermeil.samples import ANNOTATORS, GOLD
from vermeil.verbs.tables.layout import lay_out

WORDS = st.text("abc漢12,.é", max_size=30)
CELLS = st.lists(WORDS, max_size=4).map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, ...]]:
    n_columns, n_rows = draw(st.integers(1, 7)), draw(st.integers(0, 4))
    cells = st.lists(CELLS, min_size=n_rows + 1, max_size=n_rows + 1)
    return [tuple(draw(cells)) for _ in range(n_columns)]


def without_blanks(lines: list[str]) -> list[str]:
    return sorted("".join(lines).replace(" ", ""))


@given(tables(), st.integers(40, 120), st.integers(1, 3))
def test_no_line_is_wider_than_the_terminal(
    columns: list[tuple[str, ...]], room: int, n_keys: int
) -> None:
    parts = lay_out(columns, room, wide=columns[-1][0], n_keys=n_keys)
    assert all(cell_len(line) <= room for part in parts for lines in part for line in lines)


@given(tables(), st.integers(40, 120))
def test_nothing_is_cut_off(columns: list[tuple[str, ...]], room: int) -> None:
    parts = lay_out(columns, room, wide=columns[-1][0])
    shown = [line for part in parts for lines in part for line in lines]
    wanted = [cell for column in columns for cell in column]
    repeated = [*columns[0]] * (len(parts) - 1)
    assert without_blanks(shown) == without_blanks([*wanted, *repeated])


def test_the_wide_column_is_folded_between_words() -> None:
    columns = [("name", "a"), ("what it is", "one two three four five six seven"), ("n", "1")]
    [(headings, lines)] = lay_out(columns, 40, wide="what it is")
    assert headings == ["name  what it is                       n"]
    assert lines == ["a     one two three four five six      1", "      seven"]


def test_headings_are_folded_before_a_table_is_cut_in_two() -> None:
    columns = [("system", "a-long-name"), ("recall at 95% precision", "0.5"), ("F", "0.75")]
    [(headings, lines)] = lay_out(columns, 30)
    assert [line.split() for line in headings] == [
        ["recall", "at"],
        ["95%"],
        ["system", "precision", "F"],
    ]
    assert lines == ["a-long-name        0.5  0.75"]


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Write the samples, with one annotator of a long name."""
    wordy = Input(ANNOTATORS[0].path, "a-system-with-a-really-long-name", ANNOTATORS[0].format)
    path = tmp_path / "corpus.jsonl"
    write(read_corpus([GOLD, wordy, *ANNOTATORS[1:]]), path)
    return str(path)


@pytest.mark.parametrize(
    "given",
    [
        "convert --list",
        "info CORPUS",
        "agree CORPUS --bootstrap 10 --gold gold",
        "score CORPUS --standard gold --bootstrap 10 --per-label --show 3",
        "score CORPUS --standard gold --by partial",
        "score CORPUS --standard gold --by centroid",
    ],
)
def test_what_commands_show_of_the_samples_fits_80_columns(
    given: str, corpus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    arguments = [corpus if each == "CORPUS" else each for each in given.split()]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert max(map(cell_len, result.stdout.splitlines())) <= 80


def test_a_terminal_of_80_columns_is_asked_for_its_width() -> None:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    script = "from vermeil.cli import main; main()"
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    process = subprocess.Popen(
        [sys.executable, "-c", script, "convert", "--list"],
        stdin=theirs,
        stdout=theirs,
        env=environment,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # what a Linux terminal answers when the other side has gone
            break
        shown += some
    os.close(ours)
    assert process.wait() == 0
    lines = shown.decode().replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()
    assert 60 < max(map(cell_len, lines)) <= 80
