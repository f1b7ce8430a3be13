"""What people look at: trees as text and as pictures, the report page, and views in a notebook."""

from typing import Any


def load_ipython_extension(ipython: Any) -> None:
    """Let documents, scores and trees show themselves: ``%load_ext vermeil.report``."""
    from vermeil.report.notebook import register

    register(ipython)
