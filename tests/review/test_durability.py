"""What was acknowledged survives; what was not is kept by the page and sent again."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.review.pages import answers, enter, saved, until
from tests.review.reviews import CANCER, CONTESTED, GENE
from tests.review.servers import started
from vermeil.review.history import events
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


class Killable:
    """A server process, its address, and what becomes of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.process, self.address = started(path)
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """Kill it so that it cannot tidy up."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def start_again(self) -> None:
        self.process, _ = started(self.path, self.port)


@pytest.fixture
def server(path: Path) -> Iterator[Killable]:
    running = Killable(path)
    yield running
    running.kill()


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    page: "Page", server: Killable, path: Path
) -> None:
    enter(page, server.address, "cleo")
    page.keyboard.press("a")
    saved(page)
    server.kill()
    with Store(path) as store:
        assert answers(store) == {GENE: GENE}, "what was acknowledged is on disk"
    page.keyboard.press("x")
    until(page, "document.getElementById('sent').textContent.startsWith('1 not saved yet')")
    page.keyboard.press("Backspace")
    page.keyboard.press("s")
    assert "second opinion" in page.inner_text("#panel .facts"), "work goes on meanwhile"
    server.start_again()
    saved(page)
    with Store(path) as store:
        assert [event.action for event in events(store)] == ["accept", "reject", "undo", "opinion"]
        assert answers(store) == {GENE: GENE, CANCER: "open"}


def test_what_was_not_sent_survives_closing_the_page(
    page: "Page", store: Store, address: str
) -> None:
    page.route("**/api/decisions", lambda route: route.abort())
    enter(page, address, "cleo")
    page.keyboard.press("a")
    until(page, "document.getElementById('sent').textContent.includes('not saved yet')")
    page.unroute("**/api/decisions")
    again = page.context.new_page()
    page.close()
    again.goto(f"{address}/#/review/{CONTESTED}")
    again.wait_for_selector("#names .accepted")
    saved(again)
    assert answers(store) == {GENE: GENE}


def test_an_answer_that_was_lost_on_the_way_is_not_done_twice(
    page: "Page", store: Store, address: str
) -> None:
    lost: list[str] = []

    def lose(route: "Route") -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    page.route("**/api/decisions", lose)
    enter(page, address, "cleo")
    with page.expect_event("requestfailed"):
        page.keyboard.press("a")
    saved(page)
    assert len(lost) == len(list(events(store))) == 1


def test_a_full_disk_is_shown_and_the_decision_kept(
    page: "Page", store: Store, address: str
) -> None:
    enter(page, address, "cleo")
    [(pages,)] = store.connection.execute("PRAGMA page_count")
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    page.keyboard.press("c")
    page.keyboard.insert_text("x" * 9000)
    page.keyboard.press("Enter")
    until(page, "document.getElementById('sent').textContent.includes('disk is full')")
    store.connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    saved(page)
    assert len(list(events(store))) == 1
