"""Nested names and names with a gap on the page: offered, drawn and decided each as one name."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.review.pages import answers, go, heading, press, shows
from vermeil import Document, Span
from vermeil.review.exporting import export, gold
from vermeil.review.history import work_on
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page

NESTED = "alpha and beta globin in breast cancer cells"
ALPHA, BETA = Span.over([(0, 5), (15, 21)], "Gene"), Span(10, 21, "Gene")
CELLS, CANCER = Span(25, 44, "Cell"), Span(25, 38, "Cell")


def with_nested(page: "Page", store: Store) -> None:
    everything = (ALPHA, BETA, CELLS, CANCER)
    layers = {"a": everything, "b": everything, "c": (BETA, CANCER)}
    import_documents(store, [Document(id="nested", text=NESTED, layers=layers)])
    go(page, "#/review/4")
    shows(page, "nested")


def test_each_nested_name_is_asked_about_once_with_its_own_votes(
    cleo: "Page", store: Store
) -> None:
    with_nested(cleo, store)
    lines = cleo.locator("#names li").all_inner_texts()
    said = [" ".join(line.split()) for line in lines]
    assert said == [
        "alpha … globin Gene, 2 of 3, open",
        "beta globin Gene, 3 of 3, open",
        "breast cancer Cell, 3 of 3, open",
        "breast cancer cells Cell, 2 of 3, open",
    ]
    press(cleo, "a", "a", "a")
    assert "settled" not in cleo.inner_text("#facts"), "the last one was not asked about"
    assert heading(cleo) == "breast cancer cells"
    press(cleo, "x")
    assert "settled" in cleo.inner_text("#facts")


def test_a_name_with_a_gap_is_accepted_and_exported_as_one(
    cleo: "Page", store: Store, tmp_path: Path
) -> None:
    with_nested(cleo, store)
    assert heading(cleo) == "alpha … globin"
    press(cleo, "a", "a", "a", "a")
    [document] = gold(store)
    assert document.layers["gold"] == (ALPHA, BETA, CELLS, CANCER)
    [path] = export(store, tmp_path / "gold.jsonl")
    [row] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert row["layers"]["gold"][0]["fragments"] == [[0, 5], [15, 21]]
    cleo.click("#names button >> nth=0")
    press(cleo, "<")
    assert next(gold(store)).layers["gold"][0] == Span.over([(0, 5), (15, 20)], "Gene")
    for _ in range(6):
        press(cleo, "<")
    assert answers(store, 4)[0, 21, "Gene"] == (0, 14, "Gene"), "no gap is left"


def test_nested_names_have_rows_of_their_own_and_a_line_joins_fragments(
    cleo: "Page", store: Store
) -> None:
    with_nested(cleo, store)
    assert cleo.inner_text("#legend") == "Lanes from the top: a (2 rows), b (2 rows), c"
    painted = cleo.evaluate(
        """() => [...document.querySelectorAll('#text .segment')].map((each) => [
        each.querySelector('.word').textContent,
        [...(each.querySelector('.bars')?.style.background ?? '').matchAll(
        /calc\\((\\(?)(\\d+)[^,]*?\\) \\/ 100%/g)].map(
        (found) => [Number(found[2]), found[1] === '('])])"""
    )
    rows = {word.strip(): sorted(map(tuple, bars)) for word, bars in painted}
    assert rows["alpha"] == [(0, False), (2, False)]
    assert rows["and"] == [(0, True), (2, True)], "the gap is a thin line"
    assert rows["beta"] == [(0, True), (1, False), (2, True), (3, False), (4, False)]
    assert rows["globin"] == [(0, False), (1, False), (2, False), (3, False), (4, False)]
    assert rows["cancer"] == [(0, False), (1, False), (2, False), (3, False), (4, False)]
    assert rows["cells"] == [(0, False), (2, False)]
    marked = cleo.evaluate(
        "() => [...document.querySelectorAll('#text .word.gap')].map((each) => each.textContent)"
    )
    assert "".join(marked) == " and beta "


def test_a_name_with_a_gap_is_added_by_keyboard(cleo: "Page", store: Store) -> None:
    with_nested(cleo, store)
    for key in ("i", "ArrowLeft", "ArrowLeft", "ArrowLeft", "f", "ArrowRight"):
        cleo.keyboard.press(key)
    assert heading(cleo) == "and … globin"
    press(cleo, "Enter")
    [(place, _)] = answers(store, 4).items()
    [answer] = work_on(store, "cleo", 4)
    assert place[:2] == (6, 21)
    assert answer.name is not None
    assert answer.name.fragments == ((6, 9), (15, 21))
