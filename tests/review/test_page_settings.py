"""What the owner sets on the page is seen at once; a crowd does not fill the desk."""

from typing import TYPE_CHECKING

from tests.review.pages import answers, go, press, shows, until
from tests.review.reviews import CONTESTED, TEXT
from vermeil import Document, Span
from vermeil.review.importing import import_documents
from vermeil.review.store import Store
from vermeil.review.team.guidance import set_labels, team_labels

if TYPE_CHECKING:
    from playwright.sync_api import Page


def set_up(page: "Page") -> None:
    go(page, "#/settings")
    page.wait_for_selector("#sheet >> text=Annotators")


def test_labels_and_annotators_are_set_and_the_desk_follows(cleo: "Page", store: Store) -> None:
    set_up(cleo)
    cleo.click("text=Begin with those in use")
    cleo.click("text=Add a label")
    cleo.locator("#label-rows tr:last-child input").fill("Cell line")
    cleo.locator("#label-rows tr:last-child [aria-label=Key]").select_option("9")
    cleo.click("text=Save labels")
    cleo.wait_for_selector("text=Only these labels can be given")
    assert [each.label for each in team_labels(store)][-1] == "Cell line"
    cleo.once("dialog", lambda dialog: dialog.accept())
    cleo.click("[aria-label='Archive llm']")
    cleo.wait_for_selector("[aria-label='Restore llm']")
    go(cleo, f"#/review/{CONTESTED}")
    shows(cleo, "contested")
    until(cleo, "document.getElementById('legend').textContent === 'Lanes from the top: anna, ben'")
    press(cleo, "9")
    assert [said[2] for said in answers(store).values()] == ["Cell line"]


def test_what_cannot_be_set_is_said_and_nothing_is_lost(cleo: "Page", store: Store) -> None:
    set_labels(store, [])
    set_up(cleo)
    for name in ("Gene", "Gene"):
        cleo.click("text=Add a label")
        cleo.locator("#label-rows tr:last-child input").fill(name)
    cleo.click("text=Save labels")
    until(cleo, "document.getElementById('message').textContent.includes('of its own')")
    assert cleo.locator("#label-rows tr").count() == 2, "what was typed is still there"
    assert team_labels(store) == []


def test_of_a_crowd_those_who_marked_something_have_lanes(cleo: "Page", store: Store) -> None:
    crowd = {f"p{n:02}": (Span(4, 9, "Gene"),) if n < 3 else () for n in range(40)}
    import_documents(store, [Document(id="contested", text=TEXT, layers=crowd)])
    cleo.reload()
    shows(cleo, "contested")
    legend = cleo.inner_text("#legend")
    assert legend.endswith("p02; 37 who looked marked nothing")
    assert cleo.inner_text("#panel details summary") == "37 others marked nothing here"
    rows = cleo.locator("#panel [aria-label='Who said what'] th").all_inner_texts()
    assert rows == ["anna", "ben", "llm", "p00", "p01", "p02"]
    loud = {name: (Span(4, 9, "Gene"),) for name in list(crowd)[:20]}
    import_documents(store, [Document(id="contested", text=TEXT, layers=loud)])
    cleo.reload()
    shows(cleo, "contested")
    assert cleo.inner_text("#legend") == "Lanes of 23 annotators; 20 who looked marked nothing"


def test_the_pairs_of_many_curators_come_by_the_page(cleo: "Page") -> None:
    figures = {"n_documents": 3, "exact": 0.5, "overlap": 0.5, "hearts": 0.5, "kappa": None}
    pairs = [{"first": f"c{n}", "second": f"c{n + 1}", **figures} for n in range(120)]
    found = {"n_documents": 3, "exact": 0.5, "alpha": 0.5, "fleiss": None, "pairs": pairs}
    cleo.route("**/api/agreement", lambda route: route.fulfill(json=found))
    go(cleo, "#/agreement")
    cleo.wait_for_selector("text=50 of 120 pairs of curators")
    cleo.click("text=Show more")
    cleo.wait_for_selector("text=100 of 120 pairs of curators")
    cleo.fill("[aria-label='Find pairs of curators']", "c119")
    cleo.wait_for_selector("text=2 of 2 pairs of curators")
    cleo.unroute_all()
