"""The rules docs/architecture.md states, checked."""

import ast
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import vermeil
from docs.house import PACKAGE, ROOMS

MOST_MODULES = 16
MOST_POSITIONAL = 6
HEAVY = {
    "pyarrow",
    "pandas",
    "spacy",
    "bioc",
    "lxml",
    "rapidfuzz",
    "scipy",
    "sklearn",
    "matplotlib",
}
BANNED_NAMES = {"utils", "helpers", "common", "misc", "base", "core", "manager", "handler"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def rooms_of(module: str) -> list[str]:
    """The folders a module of ours lies in, the outermost first; a module at the top is its own."""
    parts = module.split(".")[1:]
    is_module = PACKAGE.joinpath(*parts).with_suffix(".py").exists()
    return parts[:-1] if is_module and parts[1:] else parts


def pairs() -> list[tuple[list[str], list[str], str]]:
    """Every import within the house: the folders of who imports, of what, and a line to show."""
    found = []
    for path in modules():
        place = path.relative_to(PACKAGE).with_suffix("").parts
        here = list(place[:-1] or place)
        for module in imports_of(path):
            if module.startswith("vermeil.") and (there := existing(module)):
                found.append((here, rooms_of(there), f"{'/'.join(place)} imports {module}"))
    return found


def existing(module: str) -> str:
    """Cut a dotted name down to the module or package it lies in; empty where there is none."""
    parts = module.split(".")[1:]
    while parts:
        path = PACKAGE.joinpath(*parts)
        if path.is_dir() or path.with_suffix(".py").exists():
            return ".".join(["vermeil", *parts])
        parts.pop()
    return ""


def test_every_room_has_its_place_in_the_order() -> None:
    there = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert there - {"__init__", "__pycache__"} == set(ROOMS)
    assert len(set(ROOMS)) == len(ROOMS)


def test_no_room_imports_from_a_later_one() -> None:
    for here, there, line in pairs():
        if here != ["__init__"] and here[0] != there[0]:
            assert ROOMS.index(there[0]) < ROOMS.index(here[0]), line


def test_no_two_folders_side_by_side_import_each_other() -> None:
    known: dict[tuple[str, str], str] = {}
    for here, there, line in pairs():
        for depth, (one, other) in enumerate(zip(here, there, strict=False)):
            if one != other:
                above = "/".join(here[:depth])
                known[f"{above}/{one}", f"{above}/{other}"] = line
                assert (f"{above}/{other}", f"{above}/{one}") not in known, line
                break


def test_no_folder_has_more_modules_than_a_stranger_can_see_through() -> None:
    for folder in {path.parent for path in modules()}:
        names = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
        assert len(names) <= MOST_MODULES, f"{folder.relative_to(PACKAGE)}: {names}"


def test_no_public_class_has_the_name_of_another() -> None:
    homes: dict[str, Path] = {}
    for path in modules():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert node.name not in homes, f"{node.name}: {homes[node.name]} and {path}"
                homes[node.name] = path


def test_arguments_beyond_a_few_are_named() -> None:
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and _is_made_by(node):
                given = [each for each in node.args if not isinstance(each, ast.Starred)]
                assert len(given) <= MOST_POSITIONAL, f"{path}:{node.lineno}"


def _is_made_by(call: ast.Call) -> bool:
    """Whether a call makes an object of a class, as its capital tells."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    return name.lstrip("_")[:1].isupper()


def test_no_docstring_begins_in_dialect() -> None:
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                said = ast.get_docstring(node) or ""
                assert not said.startswith("Give "), f"{path}: {said.splitlines()[0]}"


def test_every_room_says_what_is_public() -> None:
    for path in PACKAGE.glob("*/__init__.py"):  # folders within a room are plumbing
        assert "\n__all__" in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("room", [path.parent.name for path in PACKAGE.glob("*/__init__.py")])
def test_what_a_room_says_it_has_is_there_and_nothing_else(room: str) -> None:
    package = import_module(f"vermeil.{room}")
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'secret'"):
        _ = package.secret


def test_who_looks_for_the_name_of_a_command_is_told_that_of_the_verb() -> None:
    script = "import vermeil; vermeil.consensus"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stderr
    assert "no attribute 'consensus'; it is called combine" in said


@pytest.mark.parametrize("room", ["recognise", "acquisition", "scoring", "reports", "review"])
def test_public_names_cost_nothing_until_they_are_asked_for(room: str) -> None:
    script = f"import sys, vermeil.{room}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not {"numpy", *HEAVY} & set(loaded)


def test_the_review_does_without_the_report_and_stores_without_drawing() -> None:
    for path in (PACKAGE / "review").rglob("*.py"):
        used = imports_of(path)
        assert not any(module.startswith("vermeil.reports") for module in used), path
        if path.stem not in ("page_files", "desk"):  # they show it
            assert not any(module.startswith("vermeil.vote_view") for module in used), path


def test_public_names_are_exactly_all() -> None:
    for name in vermeil.__all__:
        assert getattr(vermeil, name)
    public = {name for name in vars(vermeil) if not name.startswith("_")}
    submodules = {path.stem for path in PACKAGE.iterdir()}
    assert public - submodules == set(vermeil.__all__)


def test_every_package_has_the_public_names_it_lists() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        within = path.parent.relative_to(PACKAGE.parent).parts
        package = import_module(".".join(within))
        modules_here = {each.stem for each in path.parent.iterdir()}
        for name in getattr(package, "__all__", ()):
            is_module = isinstance(getattr(package, name), ModuleType)
            if path.parent != PACKAGE:
                assert is_module == (name in modules_here), f"{path}: is {name} a module or not?"


def test_starting_the_command_line_loads_nothing_heavy() -> None:
    script = "import sys, vermeil.cli; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    ).stdout.split()
    assert HEAVY.isdisjoint(loaded)


def test_modules_are_named_after_what_they_hold() -> None:
    assert BANNED_NAMES.isdisjoint(path.stem for path in modules())


def test_nothing_can_run_code_from_data() -> None:
    for path in modules():
        assert not {"pickle", "marshal", "shelve", "joblib"} & set(imports_of(path)), path
