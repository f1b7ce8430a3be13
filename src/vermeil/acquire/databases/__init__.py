"""Databases as they come: the names of their records, and the documents these refer to."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.acquire.databases.entries import LEXICONS, guess_kind, read_entries
    from vermeil.acquire.databases.references import Links, References, open_links, read_references

__all__ = [
    "LEXICONS",
    "Links",
    "References",
    "guess_kind",
    "open_links",
    "read_entries",
    "read_references",
]

__getattr__ = _lazily(__name__)
