"""Every example of docs/python.md runs, and prints what the page shows, to the letter."""

import re
import sys
import traceback
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "python.md"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
STACK = "Traceback (most recent call last):\n    ..."

for package in ("pandas", "sklearn", "spacy"):
    pytest.importorskip(package)


def examples(block: str) -> list[tuple[str, str]]:
    """Part a block into statements and what they print; unlike doctest's, that may have blanks.

    >>> examples(">>> for n in (1, 2):\\n...     print(n)\\n1\\n2\\n")
    [('for n in (1, 2):\\n    print(n)\\n', '1\\n2')]
    """
    found: list[tuple[list[str], list[str]]] = []
    for line in block.splitlines():
        if line.startswith(">>> "):
            found.append(([line[4:]], []))
        elif line.startswith("...") and not found[-1][1]:
            found[-1][0].append(line[4:])
        else:
            found[-1][1].append(line)
    return [("\n".join(code) + "\n", "\n".join(said)) for code, said in found]


def show(value: object) -> None:
    if value is not None:
        sys.stdout.write(f"{value!r}\n")


def printed(code: str, names: dict[str, Any]) -> str:
    out = StringIO()
    with redirect_stdout(out):
        try:
            exec(compile(code, "python.md", "single"), names)
        except Exception as error:
            out.write("\n".join([STACK, *traceback.format_exception_only(error)]))
    return out.getvalue().rstrip("\n")


def test_the_page_runs_and_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "displayhook", show)
    names: dict[str, Any] = {"__name__": "__main__"}
    n = 0
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for code, said in examples(block):
            assert printed(code, names) == said, code
            n += 1
    assert n > 60


def test_every_verb_is_on_the_page() -> None:
    import vermeil

    page = PAGE.read_text(encoding="utf-8")
    verbs = [name for name in vermeil.__all__ if name[0].islower()]
    shown = [name for name in verbs if re.search(rf"\bvm\.{name}\b|\.{name}\(", page)]
    assert shown == verbs
