"""The page as a reader has it: what a count leads to, keys, hostile texts, dark and paper."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browsers import kept, violations
from tests.browsers import opened as opened_tab
from tests.reports.findings import HOSTILE, Page, corpus, hostile, without_gold
from vermeil import Document, Span, Tree, samples
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable
from vermeil.formats.corpus import read_corpus
from vermeil.formats.forests import Forests
from vermeil.reports.drawing.elements import finding
from vermeil.reports.notebook import show
from vermeil.reports.page import make_page
from vermeil.reports.spans.findings import find_spans
from vermeil.reports.trees.findings import find_trees
from vermeil.verbs.trees.reading import parser_source
from vermeil.vote_view.lanes import vote_view

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

Open = Callable[[str], "Tab"]
A4_WIDTH = 718
"""Pixels between the margins of a page of paper."""

GOLD = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"
PARSED = "(S (NN p53) (NP (VBZ binds) (NP (NN DNA))))"


@pytest.fixture(scope="module")
def made() -> str:
    return make_page("A page", spans=find_spans(corpus(), n_resamples=0))


@pytest.fixture
def opened(page: "Tab", tmp_path: Path) -> Open:
    def open_page(made: str) -> "Tab":
        path = tmp_path / "report.html"
        path.write_text(made, encoding="utf-8")
        page.goto(path.as_uri())
        return page

    return open_page


FOLLOW = """async (links) => {
  const found = [];
  for (const link of links) {
    const there = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = "#nowhere";
    await there;
    const arrived = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = link;
    await arrived;
    found.push(Number(document.getElementById("found").dataset.n));
  }
  return found;
}"""
"""Follows links one after the other and gives the number of instances each leads to."""


def n_found(tab: "Tab") -> int:
    return int(tab.locator("#found").get_attribute("data-n") or -1)


@pytest.mark.parametrize("documents", [corpus(), without_gold()], ids=["gold", "no gold"])
def test_each_count_leads_to_as_many_instances(opened: Open, documents: list[Document]) -> None:
    made = make_page("A page", spans=find_spans(documents, n_resamples=0))
    tab = opened(made)
    counted = [
        (href, int(said.replace(",", "")))
        for href, said in Page(made).links
        if href.startswith("#find/") and said.replace(",", "").isdigit()
    ]
    assert len(counted) > 20
    found = tab.evaluate(FOLLOW, [href for href, _ in counted])
    assert [(href, n) for (href, _), n in zip(counted, found, strict=True)] == counted


def test_squares_of_labels_lead_to_as_many_instances(opened: Open, made: str) -> None:
    tab = opened(made)
    squares = tab.evaluate(
        """() => [...document.querySelectorAll('#labels svg a')].map((square) =>
        [square.getAttribute('href'), Number(square.querySelector('text').textContent)])"""
    )
    assert len(squares) > 10
    assert tab.evaluate(FOLLOW, [href for href, _ in squares]) == [n for _, n in squares]


def test_columns_lead_to_as_many_instances_or_texts(opened: Open, made: str) -> None:
    tab = opened(made)
    columns = tab.evaluate(
        """() => [...document.querySelectorAll('#pictures svg a')].map((each) =>
        [each.getAttribute('href'), Number(each.getAttribute('aria-label').split(': ').pop())])"""
    )
    kinds = {href.split("/")[1] for href, _ in columns}
    assert kinds == {"off", "doubt"}
    off = [(href, n) for href, n in columns if href.startswith("#find/off")]
    assert len(off) > 5
    assert tab.evaluate(FOLLOW, [href for href, _ in off]) == [n for _, n in off]
    for href, n in columns:
        if href.startswith("#find/doubt"):
            tab.evaluate(FOLLOW, [href])
            assert tab.locator("#found").get_attribute("data-texts") == str(n)


def test_a_square_of_agreement_leads_to_where_the_two_differ(opened: Open, made: str) -> None:
    tab = opened(made)
    tab.locator('#summary svg a[href="#find/differ/anna//ben"]').click()
    differing = sum(
        len(set(document.layers["anna"]) ^ set(document.layers["ben"])) for document in corpus()
    )
    tab.wait_for_function(
        "n => document.getElementById('found').dataset.n === n", arg=str(differing)
    )
    assert tab.locator("#found").inner_text().startswith("anna and ben differ: ")


def test_a_click_on_a_count_brings_its_instances_into_view(opened: Open, made: str) -> None:
    tab = opened(made)
    tab.locator("#scores a").first.click()
    tab.wait_for_function("document.getElementById('votes').getBoundingClientRect().top < 200")
    assert tab.locator("#shown .asked").count() > 0
    assert tab.evaluate("document.activeElement.id") == "found"


def test_the_choosers_narrow_what_is_shown(opened: Open, made: str) -> None:
    tab = opened(made)
    assert tab.locator("#shown > li").count() == 4
    tab.select_option("#kind", "ep-wrong")
    tab.select_option("#who", "tagger")
    by_tagger = n_found(tab)
    tab.select_option("#label", "Disease")
    assert 0 < n_found(tab) < by_tagger
    tab.fill("#words", "BREAST")
    assert tab.locator("#shown > li").count() == 1
    assert tab.evaluate("location.hash") == finding("ep-wrong", "tagger", "Disease")


def test_the_text_is_all_there_with_hearts_lanes_and_edges(opened: Open, made: str) -> None:
    tab = opened(made)
    tab.evaluate("hash => { location.hash = hash }", finding("text", "doc/4"))
    tab.wait_for_selector("#shown > li:only-child")
    shown = "".join(tab.locator(".view .word").all_text_contents())
    assert shown == corpus()[3].text
    assert "ferritin" in "".join(tab.locator(".view .heart").all_text_contents())
    assert tab.locator(".view .edge").count() > 0
    assert tab.locator(".view .bar").first.get_attribute("title")


def test_bars_edges_and_waves_stand_where_names_are(opened: Open, made: str) -> None:
    tab = opened(made)
    tab.evaluate("hash => { location.hash = hash }", finding("text", "doc/2"))
    tab.wait_for_selector("#shown > li:only-child")
    document = corpus()[1]
    segments = tab.evaluate(
        """() => [...document.querySelectorAll('.view .word')].map((word) => {
          const segment = word.closest('.segment') || document.createElement('span');
          const said = (name) => segment.querySelector(name)?.dataset.said ?? '';
          return { word: word.textContent, left: said('.edge.left'), right: said('.edge.right'),
            lanes: [...segment.querySelectorAll('.bar:not(.join)')].map(
              (bar) => Number(bar.dataset.lane)),
            wave: !!segment.querySelector('.wave') }; })"""
    )
    drawn = ("anna", "ben", "cleo", "tagger")
    for place, name in enumerate(drawn):
        barred = "".join(each["word"] for each in segments if place in each["lanes"])
        pieces = [piece for span in document.layers[name] for piece in span.pieces]
        assert barred == "".join(document.text[start:end] for start, end in pieces)
    view = vote_view(document, drawn)
    start = 0
    for each in segments:
        end = start + len(each["word"])
        lefts = [votes for heart in view.hearts for at, votes in heart.left if at == start]
        rights = [votes for heart in view.hearts for at, votes in heart.right if at == end]
        assert each["left"] == (f"{max(lefts):g}" if lefts else "")
        assert each["right"] == (f"{max(rights):g}" if rights else "")
        assert each["wave"] == any(view.wave[max(0, start - 1) : end])
        start = end


def test_what_hangs_on_a_word_goes_to_the_next_line_with_it(opened: Open) -> None:
    words = "alpha", "non-beta", "gamma delta", "AMP-activated", "kinase"
    text = " ".join(words * 12)
    layers = {
        name: tuple(
            Span(found.start(), found.end(), "Gene") for found in re.finditer(pattern, text)
        )
        for name, pattern in (("anna", r"non-beta gamma|AMP-"), ("ben", r"\w+-\w+ \w+"))
    }
    document = Document(id="1", text=text, layers=layers)
    tab = opened(make_page("Lines", spans=find_spans([document], n_resamples=0)))
    for width in range(400, 800, 23):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate(ASTRAY) == 0, width


ASTRAY = """[...document.querySelectorAll('.view .segment')].filter((segment) => {
  const word = segment.querySelector('.word').getBoundingClientRect();
  return [...segment.querySelectorAll('.wave, .bar')].some((hung) => {
    const { left, right } = hung.getBoundingClientRect();
    return Math.abs(left - word.left) > 1 || Math.abs(right - word.right) > 1; }); }).length"""
"""Counts the words under or over which something is drawn that is not as wide as they are."""


def test_the_votes_can_be_read_in_words(opened: Open, made: str) -> None:
    tab = opened(made)
    tab.evaluate("hash => { location.hash = hash }", finding("text", "doc/3"))
    tab.wait_for_selector("#shown > li:only-child")
    tab.locator("#shown summary").click()
    tab.locator("#shown .words li").first.wait_for()
    said = tab.locator("#shown .words").inner_text()
    assert "“p53” Gene: 1 of 3 votes" in said
    assert "ben marked “p53” Gene" in said
    assert tab.locator("#shown .sr").inner_text() == corpus()[2].text
    assert tab.locator("#shown .view").get_attribute("aria-hidden") == "true"


def test_every_link_and_chooser_is_reached_by_the_tab_key_in_reading_order(
    opened: Open, made: str
) -> None:
    tab = opened(made)
    tab.evaluate(
        """() => { window.reached = [];
        addEventListener('focusin', (event) => window.reached.push(event.target)); }"""
    )
    n_links = tab.locator("a:visible").count()
    for _ in range(n_links + 40):
        tab.keyboard.press("Tab")
    reached = tab.evaluate(
        """() => { const all = [...document.querySelectorAll('*')];
        return window.reached.map((each) => [all.indexOf(each), each.id, each.tagName]); }"""
    )
    first, *_ = reached
    once = reached[: reached.index(first, 1)] if first in reached[1:] else reached
    places = [place for place, _, _ in once]
    assert places == sorted(places)
    assert {"kind", "who", "label", "words"} <= {id for _, id, _ in once}
    assert sum(tag.lower() == "a" for _, _, tag in once) == n_links


def test_hostile_texts_ids_labels_and_names_do_nothing(opened: Open) -> None:
    tab = opened(make_page(HOSTILE, spans=find_spans(hostile(), n_resamples=0)))
    tab.locator("#shown summary").first.click()
    assert tab.evaluate("window.stolen === undefined")
    assert tab.locator("img").count() == 0
    assert tab.locator("h1").inner_text() == HOSTILE
    shown = "".join(tab.locator("#shown > li").first.locator(".word").all_text_contents())
    assert shown == hostile()[0].text


def test_markup_that_got_into_the_page_could_not_run(opened: Open) -> None:
    made = make_page("A page", spans=find_spans(corpus(), n_resamples=0))
    evil = "<script>window.stolen=1</script><img src=x onerror='window.stolen=1'>"
    refused: list[str] = []
    tab = opened("")
    tab.on("console", lambda message: refused.append(message.text))
    opened(made.replace("</main>", f"{evil}</main>"))
    while len([said for said in refused if "Content Security Policy" in said]) < 2:
        tab.wait_for_event("console")
    assert tab.evaluate("window.stolen === undefined")


def test_200_kilobytes_on_one_line_are_shown_in_part_and_then_whole(opened: Open) -> None:
    text = "x" * 100_000 + "BRCA1" + "y" * 100_000
    span = Span(100_000, 100_005, "Gene")
    documents = [Document(id="long", text=text, layers={"anna": (span,), "ben": (span,)})]
    tab = opened(make_page("A page", spans=find_spans(documents, n_resamples=0)))
    tab.select_option("#kind", "cp-right")
    shown = "".join(tab.locator(".view .word").all_text_contents())
    assert "BRCA1" in shown
    assert len(shown) <= 5000
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.get_by_text("Show all 200,005 characters").click()
    tab.wait_for_function(
        "[...document.querySelectorAll('.view .word')].map(e => e.textContent).join('').length"
        " === 200005"
    )


def test_a_link_to_a_folded_pair_of_trees_unfolds_it(opened: Open) -> None:
    names = TreeNames()
    tables = {
        name: TreeTable.parse([line], names) for name, line in (("gold", GOLD), ("a", PARSED))
    }
    batch = Forests(1, tables)
    tab = opened(make_page("Trees", trees=find_trees([batch], gold="gold", steps=())))
    folded = tab.locator("#exhibits details")
    assert folded.get_attribute("open") is None
    tab.locator("#parsers a").first.click()
    assert folded.get_attribute("open") is not None
    marked = folded.locator(".only-first, .only-second, .relabelled").all_text_contents()
    assert marked == ["-NP", "~VP→NP", "~NP→VP"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out_and_text_is_legible(
    browser: "Browser",
    tmp_path: Path,
    made: str,
    scheme: Any,
    width: int,
) -> None:
    path = tmp_path / "report.html"
    path.write_text(made, encoding="utf-8")
    viewport = {"width": width, "height": 900}
    with opened_tab(browser, viewport=viewport, color_scheme=scheme) as tab:
        tab.goto(path.as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        paper, ink = (
            sum(map(int, tab.evaluate(f"getComputedStyle(document.body).{name}")[4:-1].split(",")))
            for name in ("backgroundColor", "color")
        )
        assert abs(paper - ink) > 500
        assert (paper > ink) == (scheme == "light")
        picture = kept(tmp_path) / f"report-{scheme}-{width}.png"
        assert tab.screenshot(path=picture, full_page=True)


def test_it_prints_on_white_paper_without_what_is_only_for_screens(
    browser: "Browser",
    tmp_path: Path,
    made: str,
) -> None:
    path = tmp_path / "report.html"
    path.write_text(made, encoding="utf-8")
    with opened_tab(browser, viewport={"width": A4_WIDTH, "height": 1000}) as tab:
        tab.goto(path.as_uri())
        tab.emulate_media(media="print", color_scheme="dark")
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(255, 255, 255)"
        assert not tab.locator("form").is_visible()
        assert not tab.locator("nav").is_visible()
        assert tab.locator("#scores").is_visible()
        assert tab.evaluate("document.documentElement.scrollWidth") <= A4_WIDTH


def test_views_in_a_notebook_draw_themselves_in_their_frames(opened: Open) -> None:
    tab = opened(f"<!doctype html><body>{show(corpus()[0])._repr_html_()}")
    frame = tab.frame_locator("iframe")
    assert "".join(frame.locator(".word").all_text_contents()) == corpus()[0].text
    tab = opened(f"<!doctype html><body>{show(Tree.parse(GOLD), Tree.parse(PARSED))._repr_html_()}")
    assert tab.frame_locator("iframe").locator(".relabelled").count() == 2


def crowd(n: int) -> list[Document]:
    """A text that many looked at, each of whom found another part of it."""
    text = "p53 binds"
    layers = {f"worker {k:03}": (Span(0, 1 + k % 3, "Gene"),) for k in range(n)}
    return [Document(id=id, text=text, layers=layers) for id in "ab"]


def test_a_long_table_is_sorted_narrowed_and_shown_in_parts(opened: Open) -> None:
    tab = opened(make_page("A crowd", spans=find_spans(crowd(70), n_resamples=0)))
    rows = tab.locator("#scores tbody tr")
    assert rows.count() == 50
    form = tab.locator("form.narrow", has=tab.locator("xpath=following::table[1][@id='scores']"))
    assert "70 rows" in form.first.inner_text()
    more = "xpath=following::button[text()='Show more rows'][1]"
    tab.locator("#scores").locator(more).click()
    assert rows.count() == 70
    head = tab.locator("#scores thead .sort").filter(has_text="exact P").first
    head.click()
    falling = [float(said.split()[0]) for said in rows.locator("td:nth-child(2)").all_inner_texts()]
    assert falling == sorted(falling, reverse=True)
    head.click()
    assert tab.locator("#scores th[aria-sort=ascending]").count() == 1
    form.first.locator("input").fill("worker 01")
    assert rows.count() == 10


def test_the_page_has_a_key_of_colours(opened: Open, made: str) -> None:
    tab = opened(made)
    assert tab.locator("#colours li").all_inner_texts() == ["Chemical", "Disease", "Gene"]
    colours = tab.locator("#colours .key").evaluate_all(
        "keys => keys.map((key) => getComputedStyle(key).backgroundColor)"
    )
    assert len({*colours}) == 3


def test_text_from_right_to_left_is_laid_out_so(opened: Open) -> None:
    text = "חלבון p53 נקשר"
    layers = {"anna": (Span(6, 9, "Gene"),), "ben": ()}
    tab = opened(
        make_page(
            "x", spans=find_spans([Document(id="1", text=text, layers=layers)], n_resamples=0)
        )
    )
    view = tab.locator("#shown .view")
    assert view.evaluate("view => getComputedStyle(view).direction") == "rtl"
    box = tab.locator("#shown .vote-view, #shown .view").first.bounding_box()
    heart = tab.locator("#shown .heart").first.bounding_box()
    assert box is not None
    assert heart is not None
    assert heart["x"] > box["x"] + box["width"] / 2, "the text begins at the right edge"


def test_axe_has_nothing_to_say_of_anything_on_the_page(page: "Tab", tmp_path: Path) -> None:
    """All parts of a page, those that are folded too: annotators of the samples, and parsers."""
    read = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:2]
    trees = parser_source([str(samples.FOLDER / f"{each}.mrg") for each in PARSERS])
    path = tmp_path / "page.html"
    path.write_text(
        make_page(
            "A page",
            spans=find_spans(read, n_resamples=5),
            trees=find_trees(trees.batches(), gold="treebank", n_resamples=5),
        ),
        encoding="utf-8",
    )
    page.goto(path.as_uri())
    page.wait_for_selector("#shown > li")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=kept(tmp_path) / "report-dark-390.png")


PARSERS = ("treebank", "alpha", "beta", "gamma")


NUMBERS = """bars => bars.filter(bar => bar.dataset.said).map(bar => {
  const said = getComputedStyle(bar, "::before");
  return [said.backgroundColor, said.color, bar.style.getPropertyValue("--c")];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_number_of_a_near_miss_is_written_on_one_colour(
    made: str, opened: Open, scheme: Any
) -> None:
    tab = opened(made)
    tab.emulate_media(color_scheme=scheme)
    tab.locator("#found").wait_for(state="attached")
    numbers = tab.eval_on_selector_all(".bar.near", NUMBERS)
    assert numbers
    for behind, written, _ in numbers:
        assert _contrast(behind, written) >= 4.5


def test_white_space_around_words_does_not_narrow_rows(opened: Open) -> None:
    names = (Span(0, 5, "Gene"),)
    documents = [
        Document(
            id=f"{n:02}",
            text="BRCA1 gene",
            layers={f"worker-{(n + k) % 30:02}": names for k in (0, 7)},
        )
        for n in range(30)
    ]
    tab = opened(make_page("A crowd", spans=find_spans(documents, n_resamples=0)))
    form = tab.locator("form.narrow").first
    form.locator("input").fill("worker-11 ")
    assert form.locator("[role=status]").inner_text().strip() == "1 rows"


def _contrast(one: str, other: str) -> float:
    """Tell how far two colours are apart, as WCAG does."""
    light, dark = sorted(map(_luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
