"""The rules docs/architecture.md states, checked."""

import ast
import subprocess
import sys
from pathlib import Path

import vermeil

PACKAGE = Path(vermeil.__file__).parent
# Lower layers first. A module may import from its own layer and from those before it.
LAYERS = [
    {"lazy"},
    {"errors"},
    {"arrays"},
    {"shown"},
    {"tree"},
    {"document"},
    {"text"},
    {"columns"},
    {"formats"},
    {"samples"},
    {"models"},
    {"runs"},
    {"conversion"},
    {"consensus"},
    {"scoring"},
    {"vote_view"},
    {"recognise"},
    {"acquire"},
    {"parsers"},
    {"stages"},
    {"report"},
    {"review"},
    {"verbs"},
    {"exchange"},
    {"cli"},
]
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


def layer_of(name: str) -> int:
    for number, names in enumerate(LAYERS):
        if name in names:
            return number
    raise AssertionError(f"{name} stands in no layer of the import order")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def test_no_layer_imports_from_a_later_one() -> None:
    for path in modules():
        place = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if place == "__init__":
            continue
        for module in imports_of(path):
            if not module.startswith("vermeil."):
                continue
            name = module.split(".")[1]
            if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists():
                assert layer_of(name) <= layer_of(place), f"{path.name} imports {module}"


def test_the_review_does_without_the_report_and_stores_without_drawing() -> None:
    for path in (PACKAGE / "review").rglob("*.py"):
        used = imports_of(path)
        assert not any(module.startswith("vermeil.report") for module in used), path
        if path.stem not in ("app", "desk"):  # they show it
            assert not any(module.startswith("vermeil.vote_view") for module in used), path


def test_public_names_are_exactly_all() -> None:
    for name in vermeil.__all__:
        assert getattr(vermeil, name)
    public = {name for name in vars(vermeil) if not name.startswith("_")}
    submodules = {path.stem for path in PACKAGE.iterdir()}
    assert public - submodules == set(vermeil.__all__)


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
