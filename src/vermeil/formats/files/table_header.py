"""The first line of a table of values that tabs, commas or semicolons part."""

import csv
import re


def first_line(content: str) -> str:
    """Return the line that names the columns, however lines end."""
    return re.split(r"[\r\n]", content, maxsplit=1)[0]


def delimiter_of(first: str) -> str:
    """Tell what parts the columns of a table that begins with this line."""
    return max("\t,;", key=first.count)


def header_of(first: str) -> list[str]:
    """Part the first line into the names of columns; none where it cannot be."""
    try:
        return next(csv.reader([first], delimiter=delimiter_of(first)), [])
    except csv.Error:
        return []
