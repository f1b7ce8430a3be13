"""Documentation is tested like code."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from vermeil.formats import FORMATS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("**/*.md")])
WIDTH = 100
SOURCES = [
    str(path)
    for top in ("src", "tests", "benchmarks", "docs", "models")
    for path in ROOT.glob(f"{top}/**/*")
]


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_current() -> None:
    pages: dict[Path, str] = script("generate").pages()
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_fit_into_a_hundred_columns_but_for_tables_and_links(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    bare = [re.sub(r"\]\([^)]*\)", "]", line) for line in lines if not line.startswith("|")]
    assert [line for line in bare if len(line) > WIDTH] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_source_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"`((?:\w+/)*\w+\.(?:py|js))`", page.read_text(encoding="utf-8"))
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in SOURCES)]
    assert missing == []


def test_every_page_is_in_the_navigation_of_the_site_and_nothing_else() -> None:
    listed = re.findall(
        r"^ +- (?:.+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE
    )
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.glob("**/*.md"))


def test_the_api_reference_shows_every_package_that_lists_its_names() -> None:
    shown = " ".join(page.read_text(encoding="utf-8") for page in DOCS.glob("api/*.md"))
    for package in ROOT.glob("src/vermeil/*/__init__.py"):
        name, text = package.parent.name, package.read_text(encoding="utf-8")
        if "\n__all__ = " in text and name not in ("cli", "verbs"):
            assert f"::: vermeil.{name}\n" in shown


def test_examples_in_docstrings_are_shown_as_code() -> None:
    pytest.importorskip("griffe")
    fenced = script("examples").fenced
    assert fenced("Add.\n\n>>> 1 + 1\n2\n\nMore.") == "Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore."


def test_the_readme_counts_the_formats_right() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{len(FORMATS)} formats" in readme


def test_a_stranger_finishes_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count("\n") <= 160
    assert len(re.findall(r"^!\[", readme, re.MULTILINE)) == 3


def test_pictures_are_small() -> None:
    assert all(path.stat().st_size < 200_000 for path in (DOCS / "pictures").glob("*"))


@pytest.mark.parametrize("page", ["README.md", "docs/benchmarks.md"])
def test_numbers_name_a_script_that_is_there(page: str) -> None:
    scripts = re.findall(r"python -m (benchmarks\.\w+)", (ROOT / page).read_text(encoding="utf-8"))
    assert scripts
    for name in scripts:
        assert (ROOT / (name.replace(".", "/") + ".py")).exists()
