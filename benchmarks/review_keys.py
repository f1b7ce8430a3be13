"""How long a key takes on the review page in a full text, in a real browser.

    python -m benchmarks.review_keys [--characters 100000] [--names 3000]

One generated text, six annotators who agree on most names. For each key: the work of the page's own
thread (its CPU time: script, style, layout, paint), the time on the clock from the key to the frame
that shows what it did, and how many nodes of the page are made anew for it. That number does not
depend on the machine, and is what the test counts.
"""

import argparse
import random
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from vermeil import Document, Span
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

KEYS = ("a", "x", "n", "]", "ArrowDown", "o", "1", "s", "Backspace", " ", "ArrowUp", "i", "Escape")
ANNOTATORS = ("anna", "ben", "cleo", "dictionary", "llm", "tagger")
LABELS = ("Gene", "Disease", "Chemical")

WATCH = """() => { window.keys = []; window.made = 0;
  addEventListener('keydown', () => { const began = performance.now(); window.made = 0;
    requestAnimationFrame(() => { const after = new MessageChannel();
      after.port1.onmessage = () => window.keys.push([performance.now() - began, window.made]);
      after.port2.postMessage(null); }); }, true);
  new MutationObserver((all) => { for (const one of all) window.made += [...one.addedNodes].reduce(
    (n, node) => n + 1 + (node.querySelectorAll?.('*').length ?? 0), 0); })
  .observe(document.body, { childList: true, subtree: true }); }"""
"""Measures each key: milliseconds to its frame, and the nodes that were made anew."""


def long_text(n_characters: int, n_names: int, seed: int = 7) -> Document:
    """Make a text of paragraphs with names in it, on most of which the annotators agree."""
    chance = random.Random(seed)
    words: list[str] = []
    starts: list[tuple[int, int]] = []
    place, every = 0, n_characters / n_names
    while place < n_characters:
        is_name = len(starts) < n_names and place >= len(starts) * every
        size = chance.randint(4, 9)
        word = "".join(chance.choice("abcdefghiklmnoprstu") for _ in range(size))
        if is_name:
            starts.append((place, place + size))
        gap = "\n" if chance.random() < 0.01 else " "
        words.append(word + gap)
        place += size + 1
    text = "".join(words)
    layers: dict[str, list[Span]] = {name: [] for name in ANNOTATORS}
    for number, (start, end) in enumerate(starts):
        for name in ANNOTATORS:
            if chance.random() < 0.85:
                wider = end + 1 + text[end + 1 :].find(" ") if chance.random() < 0.1 else end
                layers[name].append(Span(start, max(end, wider), LABELS[number % len(LABELS)]))
    return Document(id="full text", text=text, layers={k: tuple(v) for k, v in layers.items()})


def press(page: "Page", key: str) -> tuple[float, int]:
    """Press a key and wait for its frame; gives milliseconds and nodes made anew."""
    n = page.evaluate("window.keys.length")
    page.keyboard.press(key)
    while page.evaluate("window.keys.length") == n:
        page.wait_for_timeout(10)
    milliseconds, made = page.evaluate("window.keys.at(-1)")
    return milliseconds, made


def worked(session: "CDPSession") -> float:
    """Read how many milliseconds the thread of the page has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def main() -> None:
    """Measure every key and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--characters", type=int, default=100_000)
    parser.add_argument("--names", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    from tests.browsers import chromium
    from tests.review.pages import enter, saved
    from tests.review.servers import fronted

    path = chromium()
    if path is None:
        sys.exit("no chromium on the path; make browser installs it")
    with (
        TemporaryDirectory() as folder,
        Store(Path(folder) / "review.db") as store,
        fronted() as front,
        sync_playwright() as driver,
    ):
        import_documents(store, [long_text(asked.characters, asked.names)])
        front.show(store)
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        enter(page, front.address, "cleo")
        page.evaluate(WATCH)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        times: dict[str, list[tuple[float, float, int]]] = {key: [] for key in KEYS}
        for _ in range(asked.rounds):
            for key in KEYS:
                saved(page)
                before = worked(session)
                waited, made = press(page, key)
                times[key].append((worked(session) - before, waited, made))
        browser.close()
    print(f"{asked.characters:,} characters, {asked.names:,} names, {asked.rounds} times each")
    print("key          CPU ms, median   longest   clock ms, median   nodes made")
    for key, measured in times.items():
        cpu, clock = [row[0] for row in measured], [row[1] for row in measured]
        made = max(row[2] for row in measured)
        print(
            f"{key!r:12} {statistics.median(cpu):14.1f} {max(cpu):9.1f} "
            f"{statistics.median(clock):18.1f} {made:12,}"
        )


if __name__ == "__main__":
    main()
