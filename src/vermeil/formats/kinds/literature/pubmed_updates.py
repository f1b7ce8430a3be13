"""What is current in a series of files: a later version of an article replaces an earlier one.

Only numbers are kept: one bit for an article, and a place for those that were met again or
deleted. The 40 million articles of PubMed take 6 MB, and some 100 bytes more for each that changed.
"""

PAGE = 13
"""Bits of an id that count within a page of the map; a page is then 1 KB."""


class Updates:
    """The events of a series, each with its place; the last one about an article decides.

    >>> updates = Updates()
    >>> for id in (11, 12, 13, 11, 12):  # the last may be a deletion of 12
    ...     updates.note(id)
    >>> [updates.is_current(id, place) for place, id in enumerate((11, 12, 13, 11))]
    [False, False, True, True]
    """

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}
        self._last: dict[int, int] = {}
        self.n_events = 0

    def note(self, id: int) -> None:
        """Count an event in: a version of an article, or that it is deleted."""
        if self._is_met(id):
            self._last[id] = self.n_events
        self.n_events += 1

    def is_current(self, id: int, place: int) -> bool:
        """Tell whether the event at ``place`` is the last one about the article ``id``."""
        return self._last.get(id, place) == place

    def _is_met(self, id: int) -> bool:
        """Tell whether ``id`` was here before; from now on it was."""
        page = self._pages.get(id >> PAGE)
        if page is None:
            page = self._pages[id >> PAGE] = bytearray(1 << PAGE >> 3)
        within = id & ((1 << PAGE) - 1)
        bit = 1 << (within & 7)
        before = page[within >> 3] & bit
        page[within >> 3] |= bit
        return bool(before)
