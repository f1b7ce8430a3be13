"""A real browser for tests: Debian's chromium, driven by playwright, or a skip with the reason.

``tests/conftest.py`` makes the fixtures known: one browser for all tests of a process. Tests wait
for what they expect, however long a slow machine takes, and never for a while.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60.0
"""Seconds after which what a test waits for will not come."""


def chromium() -> str | None:
    """Find the browser on the path."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Start one browser for all tests; skip where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        pytest.skip("no chromium on the path; make browser installs it")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """Give a fresh page, 1280 pixels wide, on which any error of a script fails the test."""
    with opened(browser) as fresh:
        yield fresh


@contextmanager
def opened(browser: "Browser", **options: Any) -> "Iterator[Page]":
    """Open a page in a context of its own; ``options`` are those of ``new_context``."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(1000 * PATIENCE)
    fresh = context.new_page()
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    yield fresh
    context.close()
    assert not errors, errors


def kept(tmp_path: Path) -> Path:
    """Give the folder for pictures to look at: VERMEIL_SCREENSHOTS, or one that is thrown away."""
    folder = Path(os.environ.get("VERMEIL_SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def violations(page: "Page", *rules: str) -> list[str]:
    """Let axe look at a page, for everything or these rules; a line for each that it breaks."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else None
    found = axe.Axe().run(page, options=options).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]
