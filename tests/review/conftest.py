"""Fixtures: a small review, and clients of its server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING

import pytest

from tests.browsers import opened
from tests.review.pages import NOTHING_TO_SETTLE, UNSENT, enter, go, shows, until
from tests.review.reviews import CONTESTED, Curator, three_documents
from tests.review.servers import Front, fronted
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a review of three documents, once; tests work on copies."""
    path = tmp_path_factory.mktemp("untouched") / "review.db"
    with Store(path) as store:
        import_documents(store, three_documents())
    return path


@pytest.fixture
def path(tmp_path: Path, untouched: Path) -> Path:
    """Make a review of three documents and return its path."""
    return Path(copy(untouched, tmp_path / "review.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Open the review."""
    with Store(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def front() -> Iterator[Front]:
    """Start one server for all tests in a browser."""
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    with fronted() as found:
        yield found


@pytest.fixture
def address(front: Front, store: Store) -> str:
    """Serve the review; gives the address."""
    front.show(store)
    return front.address


@pytest.fixture
def client(store: Store) -> Callable[[], "TestClient"]:
    """Make clients of one server, each with cookies of its own; no time passes on it."""
    pytest.importorskip("starlette", reason="starlette is not installed")
    from starlette.testclient import TestClient

    from vermeil.review.web.accounts import Throttle
    from vermeil.review.web.app import LARGEST_UPLOADS, make_app

    largest = dict.fromkeys(LARGEST_UPLOADS, 100_000)
    app = make_app(store, largest_uploads=largest, throttle=Throttle(clock=lambda: 0.0))
    return lambda: TestClient(app, base_url="http://127.0.0.1:8765")


@pytest.fixture
def curator(client: Callable[[], "TestClient"]) -> Callable[[str], Curator]:
    """Let somebody of this name log in."""
    return lambda name: Curator(client(), name)


@pytest.fixture(scope="module")
def tab(browser: "Browser") -> Iterator["Page"]:
    """One page for most tests here: loading it is what takes the time."""
    with opened(browser) as found:
        yield found


@pytest.fixture
def cleo(tab: "Page", address: str) -> "Page":
    """A curator with the contested document open, the gene under the hand, nothing decided."""
    is_in_order = f"!{UNSENT} && location.hash !== '#/adjudicate'"
    if tab.url.startswith(address) and tab.evaluate(is_in_order):
        go(tab, "#/adjudicate")
        until(tab, NOTHING_TO_SETTLE)
        go(tab, f"#/review/{CONTESTED}")
    else:
        tab.goto("about:blank")
        tab.context.clear_cookies()
        enter(tab, address, "cleo")
    shows(tab, "contested")
    return tab
