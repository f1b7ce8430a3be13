"""A full text on the page: a key costs what it changes, not what there is.

Times depend on the machine and are printed (``python -m benchmarks.review_keys`` measures them);
what is made anew does not, and is counted.
"""

import sys
from typing import TYPE_CHECKING

from benchmarks.review_keys import KEYS, WATCH, long_text, press
from tests.review.pages import go, saved, shows
from vermeil.review.history import work_on
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_NODES = 400
"""Of more than 30,000: the panel, two names in the text and two lines of the list."""


def test_a_key_redraws_what_it_changes_in_a_full_text(cleo: "Page", store: Store) -> None:
    document = long_text(100_000, 3_000)
    import_documents(store, [document])
    go(cleo, "#/review/4")
    shows(cleo, "full text")
    assert cleo.evaluate("document.getElementById('text').textContent") == document.text
    assert cleo.evaluate("document.querySelectorAll('#text *').length") > 30_000
    cleo.evaluate(WATCH)
    for key in KEYS:
        milliseconds, made = press(cleo, key)
        sys.stdout.write(f"{key!r}: {milliseconds:.0f} ms, {made} nodes\n")
        assert made <= MOST_NODES, key
    saved(cleo)
    assert len(work_on(store, "cleo", 4)) >= 4
    assert cleo.evaluate("document.getElementById('text').textContent") == document.text
