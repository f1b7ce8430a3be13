"""Write the parts of the documentation that the code knows best; a test checks they are current.

The help of every command goes to commands.md; between marks, the tables of formats go into
formats.md, the order of the house into architecture.md and the list of decisions into the
navigation of the site.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import typer
from typer.main import get_command

from docs.house import box
from vermeil.cli import app
from vermeil.cli.options.on_demand import OnDemand
from vermeil.formats import FEATURES, FORMATS

DOCS = Path(__file__).parent
SITE = DOCS.parent / "mkdocs.yml"
HOUSE = re.compile(r"(?<=<!-- house -->\n).*(?=<!-- end of house -->)", re.DOTALL)
TABLES = re.compile(r"(?<=<!-- tables -->\n).*(?=<!-- end of tables -->)", re.DOTALL)
DECISIONS = re.compile(
    r"(?<=# decisions: make docs lists them\n).*(?=      # end of decisions)", re.DOTALL
)


def pages() -> dict[Path, str]:
    """Return the text that each generated page should have."""
    formats = DOCS / "formats.md"
    tables = f"\n{formats_table()}\n{features_table()}\n{options_table()}\n"
    return {
        DOCS / "commands.md": commands_page(),
        formats: TABLES.sub(lambda _: tables, formats.read_text(encoding="utf-8")),
        DOCS / "architecture.md": HOUSE.sub(
            lambda _: f"\n```text\n{box()}\n```\n\n",
            (DOCS / "architecture.md").read_text(encoding="utf-8"),
        ),
        SITE: DECISIONS.sub(lambda _: decisions(), SITE.read_text(encoding="utf-8")),
    }


def commands_page() -> str:
    """Write the help of all commands as Markdown."""
    parts = ["# Commands\n\nMade by `make docs` from the program's own help.\n"]
    for name, command in commands():
        context = typer.Context(command, info_name=f"vermeil {name}", terminal_width=96)
        parts.append(f"## vermeil {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Yield every command by its full name, those of groups too."""
    group = get_command(app)
    assert isinstance(group, OnDemand)
    group.load_all()
    for name, command in group.commands.items():
        if isinstance(command, OnDemand):
            command.load_all()
            for inner, inner_command in command.commands.items():
                assert isinstance(inner_command, typer.core.TyperCommand)
                yield f"{name} {inner}", inner_command
        else:
            assert isinstance(command, typer.core.TyperCommand)
            yield name, command


def decisions() -> str:
    """List the decisions as entries of the navigation."""
    found = sorted((DOCS / "decisions").glob("*.md"))
    return "".join(f"      - decisions/{path.name}\n" for path in found)


def formats_table() -> str:
    """Write a row for each format."""
    rows = ["| format | reads | writes | suffixes | what it is |", "|---|---|---|---|---|"]
    for name, row in FORMATS.items():
        reads = "stand-off" if row.annotate else "yes" if row.read else ""
        suffixes = " ".join(f"`{suffix}`" for suffix in row.suffixes)
        writes = "yes" if row.write else ""
        rows.append(f"| `{name}` | {reads} | {writes} | {suffixes} | {row.summary} |")
    return "\n".join(rows) + "\n"


def features_table() -> str:
    """List, for each feature, the formats that carry it."""
    rows = ["| what | carried by |", "|---|---|"]
    for feature, meaning in FEATURES.items():
        names = [name for name, row in FORMATS.items() if feature in row.carries]
        carriers = "all" if len(names) == len(FORMATS) else ", ".join(names)
        rows.append(f"| {meaning} | {carriers} |")
    return "\n".join(rows) + "\n"


def options_table() -> str:
    """List the options of the formats."""
    rows = ["| format | option (`-O name=value`) | values, default first |", "|---|---|---|"]
    for name, row in FORMATS.items():
        for option, values in row.options.items():
            rows.append(f"| `{name}` | `{option}` | {', '.join(filter(None, values)) or 'any'} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
