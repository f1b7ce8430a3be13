"""Keys and clicks while the next document is on its way: the desk shows what the address says."""

from time import monotonic
from typing import TYPE_CHECKING

from tests.browsers import PATIENCE
from tests.review.pages import answers, go, heading, press, saved, shows, until
from tests.review.reviews import AGREED, CANCER, CONTESTED, GENE
from vermeil.review.history import events, work_on
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


def held_back(page: "Page", number: int) -> "list[Route]":
    """Let the server seem to take its time over a document."""
    held: list[Route] = []
    page.route(f"**/api/documents/{number}?*", lambda route: held.append(route))
    return held


def until_held(page: "Page", held: "list[Route]") -> None:
    limit = monotonic() + PATIENCE
    while not held:
        assert monotonic() < limit, "nothing was asked for"
        page.wait_for_timeout(20)


def let_through(page: "Page", held: "list[Route]") -> None:
    for route in held:
        route.continue_()
    page.unroute_all()


def test_keys_do_nothing_to_the_document_that_was_left(cleo: "Page", store: Store) -> None:
    press(cleo, "a", "a")
    settled = answers(store)
    held = held_back(cleo, AGREED)
    for key in ("Enter", "x", "x", "]", "1", "Backspace", "X", "s", " "):
        cleo.keyboard.press(key)
    until_held(cleo, held)
    for key in ("x", "ArrowUp", "x", "Control+z", "o", "A"):
        cleo.keyboard.press(key)
    let_through(cleo, held)
    shows(cleo, "sure")
    saved(cleo)
    assert answers(store) == settled
    assert answers(store, AGREED) == {}
    assert [event.action for event in events(store)] == ["accept", "accept"]
    press(cleo, "a")
    assert answers(store, AGREED) == {(0, 7, "Chemical"): (0, 7, "Chemical")}


def test_clicks_do_nothing_to_the_document_that_was_left(cleo: "Page", store: Store) -> None:
    held = held_back(cleo, AGREED)
    cleo.evaluate(
        """hash => { location.hash = hash;
        for (const each of document.querySelectorAll('#panel button, #names button')) each.click();
        document.querySelector('#text .word').dispatchEvent(new MouseEvent('mouseup')); }""",
        f"#/review/{AGREED}",
    )
    until_held(cleo, held)
    assert cleo.get_attribute("#document", "aria-busy") == "true"
    cleo.evaluate(
        "() => { for (const each of document.querySelectorAll('#panel button')) each.click(); }"
    )
    let_through(cleo, held)
    shows(cleo, "sure")
    saved(cleo)
    assert not list(events(store))


def test_a_comment_is_kept_where_it_was_written_when_another_document_comes(
    cleo: "Page", store: Store
) -> None:
    cleo.keyboard.press("c")
    cleo.keyboard.insert_text("really?")
    go(cleo, f"#/review/{AGREED}")
    shows(cleo, "sure")
    saved(cleo)
    assert [answer.comment for answer in work_on(store, "cleo", CONTESTED)] == ["really?"]
    assert work_on(store, "cleo", AGREED) == ()


def test_an_undo_of_one_desk_is_not_shown_on_another(cleo: "Page", store: Store) -> None:
    held: list[Route] = []
    holds: list[bool] = []
    # The first two pass through here, so that it is known that nothing passes beside.
    cleo.route("**/api/decisions", lambda route: held.append(route) if holds else route.continue_())
    press(cleo, "a", "x")
    holds.append(True)
    cleo.keyboard.press("Backspace")
    until_held(cleo, held)
    go(cleo, f"#/adjudicate/{CONTESTED}")
    until(cleo, "document.getElementById('legend').textContent.includes('cleo')")
    let_through(cleo, held)
    saved(cleo)
    until(cleo, f"location.hash === '#/review/{CONTESTED}'")
    shows(cleo, "contested")
    assert answers(store) == {GENE: GENE}
    assert CANCER not in answers(store)


def test_a_document_that_cannot_be_read_is_asked_for_again(cleo: "Page", store: Store) -> None:
    cleo.route(f"**/api/documents/{AGREED}?*", lambda route: route.abort(), times=1)
    go(cleo, f"#/review/{AGREED}")
    shows(cleo, "sure")
    assert heading(cleo) == "Aspirin"


def test_what_takes_long_says_so_and_is_not_done_twice(cleo: "Page", store: Store) -> None:
    held = held_back(cleo, AGREED)
    go(cleo, f"#/review/{AGREED}")
    until_held(cleo, held)
    assert cleo.inner_text("#facts") == "Loading …"
    let_through(cleo, held)
    shows(cleo, "sure")
    go(cleo, "#/files")
    cleo.set_input_files("#file", {"name": "zoe.jsonl", "mimeType": "", "buffer": NEW.encode()})
    held.clear()
    cleo.route("**/api/import?*", lambda route: held.append(route))
    cleo.click("#sheet button:text-is('Import')")
    until_held(cleo, held)
    assert cleo.inner_text("#imported") == "Importing …"
    assert cleo.is_disabled("#sheet button:text-is('Import')")
    let_through(cleo, held)
    until(cleo, "document.getElementById('imported').textContent.startsWith('1 new')")
    assert cleo.is_enabled("#sheet button:text-is('Import')")


NEW = '{"id": "new", "text": "BRCA2", "layers": {"zoe": []}}'
