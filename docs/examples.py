"""Show the examples in docstrings as code: an extension of griffe, which reads them for the site.

Our docstrings hold doctests without a heading, which Markdown takes for quotations.
"""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Examples(griffe.Extension):
    """Put a fence around each run of examples."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Fence the examples of one object's docstring."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """Return the docstring with a fence around each run of examples."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", docstring)
