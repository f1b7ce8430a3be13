"""Take the pictures of the documentation: the demo's report and review, in headless chromium.

    python -m docs.pictures    # or make pictures

One shows the beginning of a passage in the report's vote view, one a curator at work, and one what
the parsers of the samples lose from news to abstracts.
"""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from vermeil.samples import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parent / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VERMEIL = [sys.executable, "-c", "from vermeil.cli import main; main()"]
PASSAGE = "sample-001"
"""Whose votes are shown."""
LINES = 490
"""So many pixels of it: its first lines, with all lanes."""
MARGIN = 16


def main() -> None:
    """Take all pictures anew."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit("no chromium on the path; make browser installs it")
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        subprocess.run([*VERMEIL, "demo", str(folder)], check=True, stdout=subprocess.DEVNULL)
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        take_vote_view(browser, folder / "report.html")
        take_portability(browser, folder / "portability.html")
        with served(folder / "review.db", folder / "annotators.jsonl") as address:
            take_review(browser, address)
        browser.close()


def take_vote_view(browser: "Browser", report: Path) -> None:
    """Show a passage of the report, with the lanes of all annotators."""
    page = opened(browser, 1000, 1200)
    page.goto(f"{report.as_uri()}#find/text/{PASSAGE}")
    page.wait_for_selector("#shown .view")
    passage = page.locator("#shown > li").first
    passage.evaluate("passage => passage.scrollIntoView()")
    box = passage.bounding_box()
    assert box is not None
    left, width = box["x"] - MARGIN, box["width"] + 2 * MARGIN
    page.screenshot(
        path=PICTURES / "vote-view.png",
        clip={"x": left, "y": box["y"] + 2, "width": width, "height": LINES},
    )


def take_portability(browser: "Browser", report: Path) -> None:
    """Show what two parsers of the samples lose, why, and what both treebanks are like."""
    bank, news = FOLDER / "treebank.mrg", FOLDER / "news"
    command = ["report", "--trees", f"abstracts={bank}", "--versus", f"news={news / bank.name}"]
    for parser in ("alpha.mrg", "beta.mrg"):
        command += ["--trees", str(FOLDER / parser), "--versus", str(news / parser)]
    subprocess.run([*VERMEIL, *command, "-o", str(report)], check=True, stderr=subprocess.DEVNULL)
    page = opened(browser, 1000, 1200)
    page.goto(report.as_uri())
    page.locator("#portability .pictures").screenshot(path=PICTURES / "portability.png")


def take_review(browser: "Browser", address: str) -> None:
    """Show the review page after a few decisions."""
    page = opened(browser, 1200, 660)
    page.goto(address)
    page.fill("#login-name", "cleo")
    page.keyboard.press("Enter")
    page.wait_for_selector("#text .segment")
    for key in ("a", "n", "a", "n"):
        page.keyboard.press(key)
    page.get_by_text("All saved").wait_for()
    page.screenshot(path=PICTURES / "review.png")


def opened(browser: "Browser", width: int, height: int) -> "Page":
    """Open a page of its own, in light colours."""
    return browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")


@contextmanager
def served(review: Path, documents: Path) -> Iterator[str]:
    """Serve a review at any port; give its address."""
    command = [*VERMEIL, "review", str(review), str(documents), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout is not None
        said = iter(server.stdout)
        yield next(found[0] for line in said if (found := re.search(r"http://\S+", line)))
        server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
