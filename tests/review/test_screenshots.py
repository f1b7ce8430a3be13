"""Pictures of the page to look at, light and dark, wide and narrow; kept where asked for.

They are made in any case, and checked for what no picture may show: text that runs out of the
page, or that cannot be told from its background. VERMEIL_SCREENSHOTS names the folder to keep them.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browsers import kept, opened, violations
from tests.review.pages import enter, go, saved, shows
from tests.review.reviews import accepting, rejecting
from tests.review.servers import Front
from vermeil.formats.corpus import read_corpus
from vermeil.review.history import ADJUDICATED, hearts_for, record
from vermeil.review.importing import import_documents
from vermeil.review.store import Store
from vermeil.review.team.archive import set_archived
from vermeil.review.team.guidance import set_guidelines
from vermeil.samples import ANNOTATORS, GOLD

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
# The least contrast of the colours of the theme against their ground, as WCAG counts it.
CONTRAST = """() => { const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number)
  .map((v) => v / 255).map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b; };
  const of = (name) => { const at = document.body.appendChild(document.createElement('i'));
  at.style.color = `var(--${name})`; const found = light(getComputedStyle(at).color);
  at.remove(); return found; };
  const paper = of('paper');
  return Math.min(...['ink', 'quiet', 'accent', 'yes', 'no', 'focus'].map((name) => {
  const [a, b] = [of(name), paper].sort((x, y) => y - x); return (a + .05) / (b + .05); })); }"""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples") / "review.db"
    with Store(path) as store:
        texts = read_corpus(list(ANNOTATORS), text=GOLD)
        import_documents(
            store,
            (
                each.replace(
                    layers={k: v for k, v in each.layers.items() if not k.startswith("gold")}
                )
                for each in texts
            ),
        )
        _differ(store)
        set_guidelines(store, "# Genes")
        set_archived(store, "olga", 81, True)
    return path


def _differ(store: Store) -> None:
    """Let two curators settle a document, each in their own way, and somebody adjudicate it."""
    for layer, change in (("anna", accepting), ("ben", rejecting), (ADJUDICATED, accepting)):
        hearts = hearts_for(store, layer, DISPUTED, store.document(DISPUTED))
        changes = [change((heart.start, heart.end, heart.label)) for heart in hearts]
        record(
            store,
            key=layer,
            curator=layer,
            layer=layer,
            document=DISPUTED,
            action="accept",
            changes=changes,
        )


DISPUTED = 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_page_fits_and_can_be_read(
    browser: "Browser", front: Front, samples: Path, tmp_path: Path, scheme: str, size: str
) -> None:
    """Every view; axe looks at all of it once, and at its colours in the dark."""
    width, height = SIZES[size]
    viewport = {"width": width, "height": height}
    rules = () if scheme == "light" else ("color-contrast",)
    with Store(samples) as store, opened(browser, viewport=viewport, color_scheme=scheme) as page:

        def look(view: str) -> None:
            page.screenshot(path=kept(tmp_path) / f"{view}-{scheme}-{size}.png")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
            if size == "wide":
                assert violations(page, *rules) == [], view

        front.show(store)
        page.goto(front.address)
        page.wait_for_selector("#login", state="visible")
        look("login")
        enter(page, front.address, f"cleo {scheme} {size}")
        go(page, "#/review/1")
        shows(page, "sample-001")
        for key in ("a", "]", "o", "n", "x", "n"):
            page.keyboard.press(key)
        saved(page)
        page.click("#history summary")
        page.wait_for_selector("#events li")
        assert page.evaluate(CONTRAST) >= 4.5
        assert page.evaluate(CLIPPED) == []
        look("review")
        page.keyboard.press("?")
        look("keys")
        page.keyboard.press("Escape")
        for view, shown in SHEETS.items():
            go(page, f"#/{view}")
            page.wait_for_selector(f"text={shown}")
            look(view.replace("/", "-"))


CLIPPED = """() => [...document.querySelectorAll('button, select, #queue .quiet, h1, #panel th')]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).display !== 'inline')
  .map((each) => each.outerHTML.slice(0, 80))"""
# Words that do not fit where they stand.

SHEETS = {
    "adjudicate/2": "Reopen",
    "agreement": "Agreement among curators",
    "files": "Import",
    "settings": "What was done",
    "adjudicate": "There is nothing on which finished curators differ",
}
"""The other views, and what each says."""
