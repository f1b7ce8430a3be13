"""Fixtures: a small review, and clients of its server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browsers import browser, page  # noqa: F401
from tests.review.reviews import Curator, three_documents
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a review of three documents."""
    with Store(tmp_path / "review.db") as store:
        import_documents(store, three_documents())
    return tmp_path / "review.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Open the review."""
    with Store(path) as opened:
        yield opened


@pytest.fixture
def client(store: Store) -> Callable[[], "TestClient"]:
    """Give clients of one server, each with cookies of its own."""
    pytest.importorskip("starlette", reason="starlette is not installed")
    from starlette.testclient import TestClient

    from vermeil.review.web import make_app

    app = make_app(store, largest_upload=100_000)
    return lambda: TestClient(app, base_url="http://127.0.0.1:8765")


@pytest.fixture
def curator(client: Callable[[], "TestClient"]) -> Callable[[str], Curator]:
    """Let somebody of this name log in."""
    return lambda name: Curator(client(), name)
