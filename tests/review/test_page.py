"""The page in a real browser: every key and action, and what must not go wrong."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browsers import opened
from tests.review.pages import (
    NOTHING_TO_SETTLE,
    answers,
    enter,
    go,
    heading,
    painted,
    press,
    saved,
    shows,
    until,
)
from tests.review.reviews import AGREED, CONTESTED, NOTHING, TEXT, replay
from vermeil import Document, Span
from vermeil.review.history import ADJUDICATED, events, work_on
from vermeil.review.importing import import_documents
from vermeil.review.store import Store
from vermeil.review.team.archive import is_archived
from vermeil.review.team.guidance import parse_labels, set_guidelines, set_labels

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

GENE, CANCER = (4, 9, "Gene"), (29, 35, "Disease")


def test_a_accepts_the_modal_span_and_goes_on(cleo: "Page", store: Store) -> None:
    assert heading(cleo) == "BRCA1"
    press(cleo, "a")
    assert answers(store) == {GENE: GENE}
    assert "cancer" in heading(cleo)


def test_x_rejects_and_the_document_is_settled(cleo: "Page", store: Store) -> None:
    press(cleo, "x", "x")
    assert answers(store) == {GENE: "rejected", CANCER: "rejected"}
    assert "settled" in cleo.inner_text("#facts")


def test_space_skips_and_then_goes_to_the_next_document(cleo: "Page", store: Store) -> None:
    press(cleo, " ", " ")
    assert answers(store) == {GENE: "skipped", CANCER: "skipped"}
    shows(cleo, "sure")


def test_backspace_undoes_and_y_redoes(cleo: "Page", store: Store) -> None:
    press(cleo, "a", "x", "Backspace")
    assert answers(store) == {GENE: GENE}
    press(cleo, "Backspace")
    assert answers(store) == {}
    press(cleo, "y")
    assert answers(store) == {GENE: GENE}
    press(cleo, "Control+z")
    assert answers(store) == {}
    press(cleo, "Control+y")
    assert answers(store) == {GENE: GENE}


def test_undo_after_reload_goes_back_to_where_it_was(cleo: "Page", store: Store) -> None:
    press(cleo, "a", "N")
    shows(cleo, "sure")
    cleo.reload()
    cleo.wait_for_selector("#text .segment")
    press(cleo, "Backspace")
    shows(cleo, "contested")
    assert answers(store) == {}
    assert [event.action for event in events(store)] == ["accept", "undo"]


def test_digits_give_labels_and_l_any_other(cleo: "Page", store: Store) -> None:
    labels = cleo.locator("#panel .label").all_inner_texts()
    place = next(n for n, text in enumerate(labels, start=1) if "Chemical" in text)
    press(cleo, str(place))
    assert answers(store) == {GENE: (4, 9, "Chemical")}
    cleo.keyboard.press("l")
    cleo.keyboard.type("Protein", delay=1)
    press(cleo, "Enter")
    assert answers(store) == {GENE: (4, 9, "Protein")}


def test_brackets_snap_edges_to_voted_boundaries(cleo: "Page", store: Store) -> None:
    press(cleo, "]")
    assert answers(store)[GENE] == (4, 14, "Gene")
    press(cleo, "]")
    assert answers(store)[GENE] == (4, 9, "Gene")
    press(cleo, "n", "[")
    first = answers(store)[CANCER]
    press(cleo, "[")
    second = answers(store)[CANCER]
    assert {first, second} == {(22, 35, "Disease"), (29, 35, "Disease")}
    press(cleo, "{")
    assert answers(store)[CANCER] == first
    press(cleo, "ArrowUp", "}")
    assert answers(store)[GENE] == (4, 14, "Gene")


def test_edges_move_by_characters_and_stay_in_the_text(cleo: "Page", store: Store) -> None:
    press(cleo, ",", ",", ">")
    assert answers(store)[GENE] == (2, 10, "Gene")
    press(cleo, ".", "<")
    assert answers(store)[GENE] == (3, 9, "Gene")
    press(cleo, ",", ",", ",", ",", ",")
    assert answers(store)[GENE] == (0, 9, "Gene")


def test_o_marks_alternatives_v_chooses_and_shift_o_drops(cleo: "Page", store: Store) -> None:
    press(cleo, "o")
    assert answers(store)[GENE] == (4, 9, "Gene", (4, 14))
    press(cleo, "<")
    assert answers(store)[GENE] == (4, 9, "Gene", (4, 13)), "the alternative is under the hand"
    press(cleo, "v", ">")
    assert answers(store)[GENE] == (4, 10, "Gene", (4, 13))
    press(cleo, "v", "O")
    assert answers(store)[GENE] == (4, 10, "Gene")


def test_n_and_p_go_through_open_names_and_arrows_through_all(cleo: "Page") -> None:
    cleo.keyboard.press("n")
    second = heading(cleo)
    assert "cancer" in second
    cleo.keyboard.press("p")
    assert heading(cleo) == "BRCA1"
    cleo.keyboard.press("ArrowDown")
    assert heading(cleo) == second
    cleo.keyboard.press("ArrowUp")
    assert heading(cleo) == "BRCA1"
    cleo.keyboard.press("n")
    cleo.keyboard.press("n")
    shows(cleo, "sure")
    cleo.keyboard.press("P")
    shows(cleo, "contested")


def test_question_mark_shows_every_key(cleo: "Page") -> None:
    cleo.keyboard.press("?")
    shown = cleo.inner_text("#help")
    for key in ("a", "x", "space", "backspace", "1 – 9", "n p", "[ ]", "?"):
        assert key in shown
    cleo.keyboard.press("Escape")
    assert not cleo.is_visible("#help")


def test_s_wants_an_opinion_and_c_comments(cleo: "Page", store: Store) -> None:
    cleo.keyboard.press("s")
    cleo.keyboard.press("c")
    cleo.keyboard.type("why not more?", delay=1)
    press(cleo, "Enter")
    [answer] = work_on(store, "cleo", CONTESTED)
    assert (answer.opinion, answer.comment, answer.verdict) == (True, "why not more?", "open")
    press(cleo, "a")
    [answer] = work_on(store, "cleo", CONTESTED)
    assert (answer.comment, answer.verdict) == ("why not more?", "accepted")


def test_shift_x_rejects_all_and_one_undo_brings_all_back(cleo: "Page", store: Store) -> None:
    press(cleo, "X")
    assert answers(store) == {GENE: "rejected", CANCER: "rejected"}
    press(cleo, "Backspace")
    assert answers(store) == {}


def test_shift_a_accepts_what_everybody_agrees_on(cleo: "Page", store: Store) -> None:
    press(cleo, "A")
    assert answers(store) == {}, "nobody agrees here"
    cleo.keyboard.press("N")
    shows(cleo, "sure")
    press(cleo, "A")
    assert answers(store, AGREED) == {(0, 7, "Chemical"): (0, 7, "Chemical")}


def test_enter_settles_a_document_but_never_rejects_silently(cleo: "Page", store: Store) -> None:
    press(cleo, "Enter")
    assert answers(store) == {}
    assert "2 still open" in cleo.inner_text("#sent")
    go(cleo, f"#/review/{NOTHING}")
    shows(cleo, "empty")
    press(cleo, "Enter")
    assert answers(store, NOTHING) == {(0, 0, ""): "looked"}


def test_text_beyond_an_astral_character_is_added_by_selecting(cleo: "Page", store: Store) -> None:
    start = TEXT.index("mice")
    box = cleo.evaluate(
        """() => { const all = [...document.querySelectorAll('#text [data-start]')];
        const last = all.at(-1).firstChild; const range = document.createRange();
        const at = last.data.indexOf('mice'); range.setStart(last, at); range.setEnd(last, at + 4);
        const {left, right, top, bottom} = range.getBoundingClientRect();
        return [left + 1, right - 1, (top + bottom) / 2]; }"""
    )
    cleo.mouse.move(box[0], box[2])
    cleo.mouse.down()
    cleo.mouse.move(box[1], box[2], steps=4)
    cleo.mouse.up()
    assert heading(cleo) == "mice"
    press(cleo, "1")
    [(place, name)] = answers(store).items()
    assert place == name
    assert place[:2] == (start, start + 4)
    press(cleo, "x")
    assert answers(store) == {}


def test_a_name_is_added_by_keyboard_alone(cleo: "Page", store: Store) -> None:
    for key in ("i", "ArrowRight", "Shift+ArrowRight"):
        cleo.keyboard.press(key)
    added = heading(cleo)
    press(cleo, "Enter")
    [(place, _)] = answers(store).items()
    assert TEXT[place[0] : place[1]] == added == "causes breast"
    cleo.keyboard.press("i")
    cleo.keyboard.press("Escape")
    assert len(answers(store)) == 1


def test_a_selection_becomes_an_alternative_with_o(cleo: "Page", store: Store) -> None:
    for key in ("i", "ArrowLeft"):
        cleo.keyboard.press(key)
    assert heading(cleo) == "BRCA1"
    for key in ("ArrowLeft", "Shift+ArrowRight"):
        cleo.keyboard.press(key)
    assert heading(cleo) == "The BRCA1"
    press(cleo, "o")
    assert answers(store)[GENE] == (4, 9, "Gene", (0, 9))


def test_buttons_do_what_keys_do(cleo: "Page", store: Store) -> None:
    cleo.click("#text [data-item='1']")
    assert "cancer" in heading(cleo)
    cleo.click("#panel .no")
    cleo.click("#names button >> nth=0")
    cleo.click("#panel [aria-label='Ends at 14, 1 votes']")
    saved(cleo)
    assert answers(store) == {GENE: (4, 14, "Gene"), CANCER: "rejected"}
    cleo.click("#panel button:has-text('Undo')")
    saved(cleo)
    assert answers(store) == {CANCER: "rejected"}
    press(cleo, "a")
    assert answers(store)[GENE] == GENE


def test_two_curators_at_once_keep_apart_and_are_adjudicated(
    cleo: "Page", browser: "Browser", address: str, store: Store
) -> None:
    with opened(browser) as dora:
        enter(dora, address, "dora")
        _decide_and_adjudicate(cleo, dora, store)


def _decide_and_adjudicate(cleo: "Page", dora: "Page", store: Store) -> None:
    cleo.keyboard.press("a")
    dora.keyboard.press("]")
    cleo.keyboard.press("x")
    dora.keyboard.press("n")
    dora.keyboard.press("x")
    saved(cleo)
    saved(dora)
    assert answers(store) == {GENE: GENE, CANCER: "rejected"}
    assert answers(store, layer="dora") == {GENE: (4, 14, "Gene"), CANCER: "rejected"}
    dora.click("#tabs >> text=Adjudicate")
    until(dora, "document.getElementById('legend').textContent.includes('cleo')")
    legend = dora.inner_text("#legend")
    assert legend == "Lanes from the top: curators cleo, dora; annotators anna, ben, llm"
    assert "2 of 2 marked it · 50% sure" in dora.inner_text("#panel .facts")
    press(dora, "a")
    assert answers(store, layer=ADJUDICATED) == {GENE: GENE}
    dora.click("#tabs >> text=Agreement")
    dora.wait_for_selector("text=cleo and dora")


def test_another_tab_of_the_same_curator_is_told_and_shown(
    cleo: "Page", address: str, store: Store
) -> None:
    other = cleo.context.new_page()
    other.goto(f"{address}/#/review/{CONTESTED}")
    other.wait_for_selector("#text .segment")
    painted(other)
    press(cleo, "a")
    other.keyboard.press("x")
    until(other, "document.getElementById('message').textContent.includes('changed')")
    other.wait_for_selector("#names .accepted")
    assert answers(store) == {GENE: GENE}
    other.close()


def test_history_tells_who_did_what(cleo: "Page") -> None:
    press(cleo, "a", "Backspace")
    cleo.click("#history summary")
    cleo.wait_for_selector("#events li >> nth=1")
    first, second = cleo.locator("#events li").all_inner_texts()
    assert "cleo: accept, 4–9" in first
    assert "cleo: undo, 4–9" in second
    cleo.click("#history summary")


def test_everything_is_reachable_without_a_mouse_and_named(cleo: "Page") -> None:
    nameless = cleo.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, textarea')]
        .filter((each) => each.checkVisibility() && each.tabIndex < 0 || !(each.textContent.trim()
        || each.getAttribute('aria-label') || each.labels?.length)).map((each) => each.outerHTML)"""
    )
    assert nameless == []
    press(cleo, "a")
    assert "open" in cleo.inner_text("#spoken")
    cleo.keyboard.press("Tab")
    assert cleo.evaluate("document.activeElement !== document.body")


def test_what_the_page_shows_is_what_the_events_say(cleo: "Page", store: Store) -> None:
    press(cleo, "a", "]", "o", "Backspace", "ArrowUp", "x", "y", "Backspace", "s")
    assert replay(store, "cleo", CONTESTED) == work_on(store, "cleo", CONTESTED)
    [(n_open, is_done)] = store.connection.execute("SELECT n_open, is_done FROM works")
    assert (f"{n_open} of" in cleo.inner_text(".document-actions")) == bool(n_open)
    assert ("settled" in cleo.inner_text("#facts")) == bool(is_done)
    before = cleo.locator("#names").inner_text()
    cleo.reload()
    cleo.wait_for_selector("#text .segment")
    assert cleo.locator("#names").inner_text() == before


def test_an_answer_that_comes_late_is_not_shown(cleo: "Page") -> None:
    held: list[Route] = []
    cleo.route(f"**/api/documents/{AGREED}?*", lambda route: held.append(route))
    go(cleo, f"#/review/{AGREED}")
    while not held:
        cleo.wait_for_timeout(20)
    go(cleo, "#/adjudicate")
    until(cleo, NOTHING_TO_SETTLE)
    with cleo.expect_response(f"**/api/documents/{AGREED}?*"):
        held[0].continue_()
    cleo.unroute_all()
    go(cleo, "#/agreement")
    cleo.wait_for_selector("text=Agreement among curators")
    assert cleo.evaluate(NOTHING_TO_SETTLE)
    go(cleo, f"#/review/{CONTESTED}")
    shows(cleo, "contested")


HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=2>\u202e\u2066x"


def test_hostile_text_is_only_text(page: "Page", store: Store, address: str) -> None:
    line = (HOSTILE + "\U0001d499" + " word" * 2100) * 20
    assert len(line.encode()) > 200_000
    end = len(HOSTILE)
    layers = {HOSTILE + who: (Span(0, end, HOSTILE[:60]),) for who in "abc"}
    layers["late"] = (Span(len(line) - 3, len(line), "End"),)
    import_documents(store, [Document(id=HOSTILE + "id", text=line, layers=layers)])
    enter(page, address, HOSTILE[:30])
    go(page, "#/review/4")
    until(page, "document.getElementById('document-id').textContent.includes('id')")
    shown = page.evaluate("document.getElementById('text').textContent")
    assert shown == line
    assert heading(page).startswith("<script>window.hit")
    page.keyboard.press("c")
    page.keyboard.insert_text(HOSTILE)
    press(page, "Enter", "a")
    press(page, "a")
    layer = HOSTILE[:30]
    names = [answer.name for answer in work_on(store, layer, 4)]
    assert [(name.start, name.end) for name in names if name] == [
        (0, end),
        (len(line) - 3, len(line)),
    ]
    page.reload()
    page.wait_for_selector("#names .accepted")
    assert page.evaluate("window.hit") is None
    assert page.locator("#text script, #text img, #panel img, #names img").count() == 0
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "nothing runs out of the page"


def test_a_heart_inside_an_accepted_name_is_covered_but_can_have_its_own(
    cleo: "Page", store: Store
) -> None:
    text = "alpha and beta globin"
    layers = {
        "a": (Span(0, 21, "Gene"),),
        "b": (Span(0, 5, "Gene"), Span(15, 21, "Gene")),
        "c": (Span(0, 5, "Gene"), Span(15, 21, "Gene")),
    }
    import_documents(store, [Document(id="two hearts", text=text, layers=layers)])
    go(cleo, "#/review/4")
    shows(cleo, "two hearts")
    press(cleo, "]", "]")
    first = (0, 5, "Gene")
    assert answers(store, 4) == {first: first}
    press(cleo, "]")
    assert answers(store, 4) == {first: (0, 21, "Gene")}
    assert "inside an accepted name" in cleo.inner_text("#names li >> nth=1")
    assert "settled" in cleo.inner_text("#facts")
    cleo.keyboard.press("ArrowDown")
    press(cleo, "a")
    assert answers(store, 4) == {first: (0, 21, "Gene"), (15, 21, "Gene"): (15, 21, "Gene")}


def test_a_session_that_ended_asks_who_it_is_and_keeps_the_decision(
    page: "Page", address: str, store: Store
) -> None:
    cleo = enter(page, address, "cleo")
    cleo.context.clear_cookies()
    cleo.keyboard.press("a")
    cleo.wait_for_selector("#login", state="visible")
    assert answers(store) == {}
    cleo.fill("#login-name", "cleo")
    cleo.keyboard.press("Enter")
    cleo.wait_for_selector("#names .accepted")
    saved(cleo)
    assert answers(store) == {GENE: GENE}


def test_lanes_are_named_under_the_mouse(cleo: "Page") -> None:
    assert cleo.get_attribute("#text .heart", "title") == "anna: Gene\nben: Gene\nllm: Gene"


def test_another_annotator_is_uploaded_and_gold_downloaded(
    cleo: "Page", store: Store, tmp_path: Path
) -> None:
    press(cleo, "a", "x")
    cleo.click("#tabs >> text=Files")
    row = {"id": "sure", "text": "Aspirin helps.", "layers": {"x": []}}
    (tmp_path / "tagger.jsonl").write_text(json.dumps(row), encoding="utf-8")
    cleo.set_input_files("#file", tmp_path / "tagger.jsonl")
    assert cleo.input_value("#annotator") == "tagger"
    cleo.click("text=Import >> nth=-1")
    cleo.wait_for_selector("text=0 new, 1 with new annotation")
    assert "tagger" in store.document(AGREED).layers
    cleo.wait_for_selector("text=Gold holds 1 document now.")
    with cleo.expect_download() as download:
        cleo.click("#download")
    [line] = download.value.path().read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["layers"] == {"gold": [{"start": 4, "end": 9, "label": "Gene"}]}


def test_an_answer_stays_with_its_name_when_a_new_annotator_moves_the_heart(
    cleo: "Page", store: Store
) -> None:
    press(cleo, "a", "x")
    narrower = Document(id="contested", text=TEXT, layers={"tagger": (Span(4, 8, "Gene"),)})
    import_documents(store, [narrower])
    cleo.reload()
    cleo.wait_for_selector("#names .accepted")
    assert "settled" in cleo.inner_text("#facts")
    cleo.click("#names button >> nth=0")
    press(cleo, "x")
    assert answers(store) == {GENE: "rejected", CANCER: "rejected"}


def test_the_mouse_takes_whole_words_and_with_alt_the_very_characters(cleo: "Page") -> None:
    def select(word: str, begin: int, end: int) -> None:
        box = cleo.evaluate(
            """([word, begin, end]) => { const range = document.createRange();
            for (const each of document.querySelectorAll('#text .word')) {
              const at = each.textContent.indexOf(word); if (at < 0) continue;
              range.setStart(each.firstChild, at + begin);
              range.setEnd(each.firstChild, at + end); }
            const { left, right, top, bottom } = range.getBoundingClientRect();
            return [left, right, (top + bottom) / 2]; }""",
            [word, begin, end],
        )
        cleo.mouse.move(box[0], box[2])
        cleo.mouse.down()
        cleo.mouse.move(box[1], box[2], steps=3)
        cleo.mouse.up()

    select("causes", 2, 4)
    assert heading(cleo) == "causes"
    cleo.keyboard.press("Escape")
    cleo.keyboard.down("Alt")
    select("causes", 2, 4)
    cleo.keyboard.up("Alt")
    assert heading(cleo) == "us"
    cleo.keyboard.down("Control")
    select("mice", 0, 2)
    cleo.keyboard.up("Control")
    assert heading(cleo) == "us … mice"
    cleo.keyboard.press("Escape")


def test_search_finds_what_is_in_texts_and_says_when_nothing_is(cleo: "Page") -> None:
    cleo.fill("#search", "aspirin")
    until(cleo, "document.querySelectorAll('#entries a').length === 1")
    assert "sure" in cleo.inner_text("#entries")
    cleo.fill("#search", "name:nonsense")
    cleo.wait_for_selector("text=Nothing found")
    cleo.fill("#search", "")
    until(cleo, "document.querySelectorAll('#entries a').length === 3")
    cleo.press("#search", "Escape")
    press(cleo, "a")


def test_a_closed_set_of_labels_asks_what_was_meant_and_guidelines_stand_beside(
    page: "Page", address: str, store: Store
) -> None:
    set_labels(store, parse_labels("Gene,Disease,Chemical:pink:9"))
    set_guidelines(store, "# How to mark\n\nWhole names <b>only</b>.")
    enter(page, address, "dora")
    page.keyboard.press("l")
    page.keyboard.insert_text("Chemcial")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Chemcial: did you mean Chemical?")
    assert answers(store, layer="dora") == {}
    page.keyboard.press("Escape")
    press(page, "9")
    assert answers(store, layer="dora") == {GENE: (4, 9, "Chemical")}
    page.keyboard.press("G")
    page.wait_for_selector("#guidelines h2 >> text=How to mark")
    assert "<b>only</b>" in page.inner_text("#guidelines")
    page.keyboard.press("G")
    assert not page.is_visible("#guidelines")


def test_an_adjudicated_document_is_reopened_and_a_document_put_aside(
    cleo: "Page", store: Store
) -> None:
    press(cleo, "a", "x")
    go(cleo, f"#/adjudicate/{CONTESTED}")
    until(cleo, "document.getElementById('legend').textContent.includes('cleo')")
    press(cleo, "a")
    cleo.reload()
    cleo.wait_for_selector("#panel button:has-text('Reopen')")
    press(cleo, "R")
    assert "settled" not in cleo.inner_text("#facts")
    go(cleo, f"#/review/{CONTESTED}")
    until(cleo, "!document.getElementById('legend').textContent.includes('cleo')")
    cleo.once("dialog", lambda dialog: dialog.accept())
    cleo.click("#archive-button")
    until(cleo, "document.getElementById('archive-button').textContent === 'Restore'")
    assert is_archived(store, CONTESTED)
