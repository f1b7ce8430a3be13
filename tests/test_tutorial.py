"""The tutorial, the how-to pages and the README run as written, and print what they show.

All ``sh`` blocks of a page run in order in one bash with ``-e``; ``python`` blocks share a
namespace. A ``text`` block shows what the block before it prints; ``…`` stands for anything in a
line and, on a line of its own, for any lines. A command that serves a page is asked for it, and
stopped. Pages begin in an empty folder, the README in one with the samples.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

import pytest

from vermeil.samples import FOLDER as SAMPLES

for package in ("pyarrow", "sklearn", "starlette"):
    pytest.importorskip(package)

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted([README, ROOT / "docs" / "tutorial.md", *(ROOT / "docs" / "how-to").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SERVING = re.compile(r"^(vermeil review (?!.*--(?:account|export|no-serve)\b).*)\n", re.MULTILINE)
END = "end of the block"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    line: int


def blocks_of(page: str) -> list[Block]:
    """Find the fenced blocks of a page."""
    return [
        Block(found[1], found[2], page.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(page)
    ]


def is_shown(expected: str, printed: str) -> bool:
    """Compare what a page shows with what was printed; blank lines do not matter.

    >>> is_shown("a … c\\n…\\nz\\n", "a b c\\n\\n1\\n2\\nz\\n")
    True
    """
    pattern = "".join(
        r"(?:.*\n)*?"
        if line.strip() == "…"
        else ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ ]*\n"
        for line in expected.splitlines()
        if line.strip()
    )
    lines = [line for line in printed.splitlines(keepends=True) if line.strip()]
    return re.fullmatch(pattern, "".join(lines)) is not None


def run_page(blocks: list[Block], folder: Path) -> Iterator[tuple[Block, str]]:
    """Run the blocks in order; yield each with what it printed."""
    names: dict[str, object] = {}
    with subprocess.Popen(
        ["bash", "-e"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment(),
    ) as shell:
        for block in blocks:
            if block.language == "sh":
                parts = SERVING.split(block.text)
                done = [
                    served(part, folder) if n % 2 else typed(shell, part)
                    for n, part in enumerate(parts)
                ]
                yield block, "".join(done)
            elif block.language == "python":
                with redirect_stdout(StringIO()) as printed:
                    exec(compile(block.text, f"line {block.line}", "exec"), names)
                yield block, printed.getvalue()


def environment() -> dict[str, str]:
    """Return an environment in which ``vermeil`` and ``python`` are those under test."""
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT / "src"),
        "COLUMNS": "100",
    }


def typed(shell: "subprocess.Popen[str]", commands: str) -> str:
    """Have a shell run some commands; return what they print, also on stderr."""
    assert shell.stdin is not None
    assert shell.stdout is not None
    shell.stdin.write(f"{commands}\necho '{END}'\n")
    shell.stdin.flush()
    printed = ""
    for line in shell.stdout:
        if line.strip() == END:
            return printed
        printed += line
    raise AssertionError(f"{commands}\nfailed after it had printed:\n\n{printed}")


def served(command: str, folder: Path) -> str:
    """Start a server at any port, ask it for its page, and stop it as a user would."""
    with subprocess.Popen(
        ["bash", "-c", f"exec {command.replace('review', 'review --port 0', 1)}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment(),
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        printed = ""
        for line in server.stdout:
            printed += line
            if address := re.search(r"http://\S+", line):
                with urlopen(address[0].rstrip(".,;")) as answer:
                    assert answer.status == 200
                break
        os.killpg(server.pid, signal.SIGINT)
        server.stdout.read()
    assert "http://" in printed, printed
    return printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_as_it_is_written_and_prints_what_it_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if page == README:
        for sample in SAMPLES.glob("[!_]*.*"):
            shutil.copy(sample, tmp_path)
    blocks = blocks_of(page.read_text(encoding="utf-8"))
    printed = dict(run_page(blocks, tmp_path))
    assert printed
    for block, after in pairwise(blocks):
        if after.language == "text":
            said = f"{page.name}:{after.line}: this was printed:\n\n{printed[block]}"
            assert is_shown(after.text, printed[block]), said


def test_what_a_page_shows_is_compared_line_by_line() -> None:
    assert is_shown("a\nb\n", "a  \nb\n")
    assert not is_shown("a\n", "a\nb\n")
    assert not is_shown("a.\n", "ab\n")


def test_a_block_that_fails_fails_the_page(tmp_path: Path) -> None:
    [block] = blocks_of("```sh\nfalse\ntrue\n```\n")
    with pytest.raises(AssertionError):
        dict(run_page([block], tmp_path))
