"""The script and the style that draw a vote view, for every page that shows one.

Plain JavaScript without a build step: a page links to the two files or holds them whole. The
script is a module without imports, so what stands behind it in the same module can use its names.
"""

from importlib.resources import files

FILES = SCRIPT, STYLE = "votes.js", "votes.css"


def drawing_file(name: str) -> str:
    """Read one of FILES."""
    return files("vermeil.vote_view").joinpath(name).read_text(encoding="utf-8")
