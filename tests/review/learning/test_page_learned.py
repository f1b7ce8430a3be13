"""The page says what was learned, and n goes where a decision mends most."""

from typing import TYPE_CHECKING

from tests.review.pages import enter, go, heading, press, shows, until
from vermeil.review.learning.memory import Memory
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEARNED = "document.getElementById('learned').textContent"


def test_the_page_says_what_was_learned(page: "Page", address: str, store: Store) -> None:
    memory = Memory(store)
    memory.learn()
    enter(page, address, "cleo")
    until(page, f"{LEARNED}.includes('about')")
    assert "Learned from 0 settled places" in (page.text_content("#learned") or "")
    press(page, "x")
    memory.learn()
    until(page, f"{LEARNED}.includes('Learned from 1 settled place.')")
    shows(page, "contested")  # what is on the desk stays there


def test_n_goes_to_the_open_name_of_the_whole_queue(
    page: "Page", address: str, store: Store
) -> None:
    Memory(store).learn()
    enter(page, address, "cleo")
    go(page, "#/review/2")
    shows(page, "sure")
    page.keyboard.press("n")
    shows(page, "contested")
    assert heading(page) == "breast cancer"  # which mends more than the first name there
