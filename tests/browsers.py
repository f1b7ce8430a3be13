"""A real browser for tests: Debian's chromium, driven by playwright, or a skip with the reason.

Import the fixtures: ``from tests.browsers import browser, page`` (pytest finds them by name).
"""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Start one browser for all tests; skip where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no chromium on the path; make browser installs it")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """Give a fresh page, 1280 pixels wide, on which any error of a script fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    fresh = context.new_page()
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    yield fresh
    context.close()
    assert not errors, errors
