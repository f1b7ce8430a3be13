"""The files of the page, as they are served: ours, and those that draw votes."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from vermeil.vote_view.drawing import FILES, drawing_file

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}


def page_files() -> Mapping[str, tuple[bytes, str]]:
    """Read the files of the page and their types, by the path they are served at."""
    folder = files("vermeil.review") / "page"
    found = {
        f"/page/{each.name}": (each.read_bytes(), TYPES[Path(each.name).suffix])
        for each in folder.iterdir()
        if Path(each.name).suffix in TYPES
    }
    for name in FILES:
        found[f"/page/{name}"] = drawing_file(name).encode(), TYPES[Path(name).suffix]
    return {**found, "/": found["/page/index.html"]}
