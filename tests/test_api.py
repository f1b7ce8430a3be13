"""``import vermeil``: everything is there, nothing else is, and it costs next to nothing."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import vermeil
from tests.test_architecture import HEAVY

SOURCE = Path(vermeil.__file__).read_text(encoding="utf-8")


def told(script: str) -> list[str]:
    return subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    ).stdout.split()


def test_importing_vermeil_loads_nothing_heavy() -> None:
    script = "import sys, vermeil; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    assert (HEAVY | {"numpy", "rich", "typer"}).isdisjoint(told(script))


def test_looking_at_the_names_loads_none_of_them() -> None:
    script = "import sys, vermeil; dir(vermeil); print('vermeil.verbs' in sys.modules)"
    assert told(script) == ["False"]


def test_every_name_of_all_is_there_and_dir_shows_just_these() -> None:
    for name in vermeil.__all__:
        assert getattr(vermeil, name) is not None
    assert [name for name in dir(vermeil) if not name.startswith("__")] == sorted(vermeil.__all__)
    assert len(set(vermeil.__all__)) == len(vermeil.__all__)


def test_nothing_leaks_into_the_package() -> None:
    script = "import vermeil; print(*(n for n in vars(vermeil) if not n.startswith('_')))"
    submodules = {path.stem for path in Path(vermeil.__file__).parent.iterdir()}
    assert set(told(script)) - submodules <= set(vermeil.__all__)


def lazy_names() -> list[str]:
    guarded = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    return [
        alias.name
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]


def test_type_checkers_see_the_names_that_are_loaded_on_demand() -> None:
    script = "import vermeil; print(*(n for n in vars(vermeil) if not n.startswith('_')))"
    assert set(vermeil.__all__) - set(told(script)) == set(lazy_names())


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sore'"):
        vermeil.sore  # noqa: B018


def test_star_import_brings_all_and_no_more() -> None:
    script = (
        "from vermeil import *; import vermeil;"
        "print(set(vermeil.__all__) <= set(dir()), '_lazily' in dir())"
    )
    assert told(script) == ["True", "False"]


@pytest.mark.parametrize("name", lazy_names())
def test_every_verb_says_what_it_is_for(name: str) -> None:
    assert (inspect.getdoc(getattr(vermeil, name)) or "").strip()


def test_every_type_says_in_a_short_line_what_it_is() -> None:
    from vermeil import Centroid, Document, Span, SpanTable, Tree

    long = "x" * 5000
    span = Span(0, 4, long, attributes=((long, long),))
    heart = Centroid(5, 6, "Gene", 3.0, tuple((n, 1.0) for n in (5, 4, 3)), ((6, 1.0),))
    document = Document(
        id=long,
        text=long,
        layers={f"annotator-{n}": (span,) * 100 for n in range(100)},
        standards={"consensus": (heart,)},
    )
    tree = Tree("S", tuple(Tree("NN", ("word",)) for _ in range(1000)))
    for thing in (span, heart, document, tree, SpanTable.from_documents([document])):
        assert 10 < len(repr(thing)) < 200, type(thing)
    assert repr(Document(id="\x1b[2J", text="")).isprintable()
