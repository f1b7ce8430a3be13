"""Documentation is tested like code."""

import importlib.util
import re
from pathlib import Path

import pytest

from vermeil.formats import FORMATS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def generated() -> dict[Path, str]:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages: dict[Path, str] = module.pages()
    return pages


def test_generated_pages_are_current() -> None:
    for path, text in generated().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_readme_counts_the_formats_right() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{len(FORMATS)} formats" in readme


def test_numbers_in_the_readme_name_their_script() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    scripts = re.findall(r"python -m (benchmarks\.\w+)", readme)
    assert scripts
    for script in scripts:
        assert (ROOT / (script.replace(".", "/") + ".py")).exists()
