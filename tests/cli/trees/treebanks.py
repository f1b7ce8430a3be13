"""Files of trees for the commands to read, and the tables they print of them."""

from pathlib import Path


def write_trees(**texts: str) -> None:
    """Write each text to a file of its name in the working folder."""
    for name, text in texts.items():
        Path(f"{name}.mrg").write_text(text, encoding="utf-8")


def rows(shown: str) -> list[list[str]]:
    """Cut what was printed into lines and cells."""
    return [line.split() for line in shown.splitlines()]
