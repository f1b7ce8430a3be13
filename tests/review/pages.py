"""The review page in a browser: how to get there, what to wait for, what was answered."""

from time import monotonic
from typing import TYPE_CHECKING, Any

from tests.browsers import PATIENCE
from tests.review.reviews import CONTESTED
from vermeil.review.history import work_on
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page

NOTHING_TO_SETTLE = "document.getElementById('facts').textContent.startsWith('There is nothing')"
UNSENT = "Object.keys(localStorage).some((key) => key.startsWith('vermeil-review'))"


def enter(page: "Page", address: str, name: str) -> "Page":
    page.goto(address)
    page.wait_for_selector("#login", state="visible")
    page.fill("#login-name", name)
    page.keyboard.press("Enter")
    page.wait_for_selector("#text .segment")
    painted(page)
    return page


def painted(page: "Page") -> None:
    """Wait until the page was on the screen once: before, a browser throws keys away."""
    page.bring_to_front()
    page.evaluate(
        "requestAnimationFrame(() => requestAnimationFrame(() => { window.isPainted = true; }))"
    )
    until(page, "window.isPainted === true")


def go(page: "Page", hash: str) -> None:
    """Follow a link within the page."""
    page.evaluate("hash => { location.hash = hash }", hash)


def until(page: "Page", condition: str) -> None:
    """Wait until an expression is true in the page, whose policy allows no waiting there."""
    limit = monotonic() + PATIENCE
    while not page.evaluate(condition):
        assert monotonic() < limit, condition
        page.wait_for_timeout(20)


def shows(page: "Page", id: str) -> None:
    """Wait until a document is open."""
    until(page, f"document.getElementById('document-id').textContent === {id!r}")


def saved(page: "Page") -> None:
    """Wait until the server has acknowledged everything."""
    until(page, f"!{UNSENT}")


def press(page: "Page", *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    saved(page)


def answers(store: Store, document: int = CONTESTED, layer: str = "cleo") -> dict[Any, Any]:
    """Read what was answered: the verdict, or the accepted name with its alternatives."""
    found = {}
    for answer in work_on(store, layer, document):
        name = answer.name
        said = (name.start, name.end, name.label, *name.alternatives) if name else answer.verdict
        found[answer.place] = said
    return found


def heading(page: "Page") -> str:
    return page.inner_text("#panel h2")
