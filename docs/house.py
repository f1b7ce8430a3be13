"""The order of the house: which package may import which, and the box that shows it.

``tests/test_architecture.py`` enforces this list and ``make docs`` draws it in architecture.md, so
the two cannot drift apart.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

WIDTH = 100
"""Columns of the box."""

PACKAGE = Path(__file__).parent.parent / "src" / "vermeil"
ROOMS = (
    "lazy",
    "errors",
    "arrays",
    "shown",
    "tree",
    "given",
    "document",
    "text",
    "scope",
    "columns",
    "formats",
    "samples",
    "models",
    "runs",
    "sequences",
    "conversion",
    "consensus",
    "scoring",
    "vote_view",
    "recognise",
    "acquisition",
    "programs",
    "parsers",
    "annotators",
    "stages",
    "reports",
    "review",
    "verbs",
    "exchange",
    "cli",
)
"""Lowest first. A module imports from its own room and from those before it, never from a later."""


def box() -> str:
    """Draw the rooms and their folders, each with the first sentence of its own docstring."""
    lines = [line for room in ROOMS for line in _lines(room)]
    width = max(len(name) for name, _ in lines) + 2
    return "\n".join(
        fill(said, WIDTH, initial_indent=f"{name:<{width}}", subsequent_indent=" " * width)
        for name, said in lines
    )


def _lines(room: str) -> Iterator[tuple[str, str]]:
    folder = PACKAGE / room
    if not folder.is_dir():
        yield f"{room}.py", _sentence(folder.with_suffix(".py"))
        return
    yield f"{room}/", _sentence(folder / "__init__.py")
    for inner in sorted(folder.rglob("__init__.py")):
        if inner.parent != folder:
            depth = len(inner.relative_to(folder).parts) - 1
            yield f"{'  ' * depth}{inner.parent.name}/", _sentence(inner)


def _sentence(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.splitlines()[0].rstrip(".")
