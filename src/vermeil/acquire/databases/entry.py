"""What every lexical database gives."""

from typing import NamedTuple


class Entry(NamedTuple):
    """One name of one record. Several entries may share a name, an id, or both."""

    name: str
    id: str
    label: str
