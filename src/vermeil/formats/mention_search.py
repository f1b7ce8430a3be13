"""Where in a text a mention stands that was given as a string only.

An occurrence that stands free, not inside a longer word, is better than one that does not. Among
these, an exact one is better than one in other letter case, and that better than one whose white
space differs: the rows of MATCHINGS, from best to worst.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple
from unicodedata import combining

MATCHINGS: dict[str, tuple[Callable[[str], str], bool]] = {
    "": (lambda text: text, False),
    "letter case": (lambda text: folded(text), False),
    "white space": (lambda text: text, True),
    "letter case and white space": (lambda text: folded(text), True),
}
"""What a way of matching ignores: how it spells a text, and whether it skips white space."""


class Place(NamedTuple):
    """A stretch of text that a mention matches, and what had to be ignored for that."""

    start: int
    end: int
    ignoring: str


class MentionSearch:
    """The occurrences of mentions in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spelt: dict[str, tuple[str, list[int] | None]] = {}
        self._tiers: dict[str, list[list[Place]]] = {}

    def tiers(self, mention: str) -> list[list[Place]]:
        """Give the places of a mention: the best ones, then the next best, each in text order.

        >>> MentionSearch("Er, HER2 and ER").tiers("ER")[0]
        [Place(start=13, end=15, ignoring='')]
        """
        if mention not in self._tiers:
            self._tiers[mention] = self._search(mention)
        return self._tiers[mention]

    def _search(self, mention: str) -> list[list[Place]]:
        seen: set[tuple[int, int]] = set()
        free: list[list[Place]] = []
        inside: list[list[Place]] = []
        for ignoring in MATCHINGS:
            new = [place for place in self._occurrences(mention, ignoring) if place[:2] not in seen]
            seen.update(place[:2] for place in new)
            standing = [self._stands_free(place) for place in new]
            free.append([place for place, stands in zip(new, standing, strict=True) if stands])
            inside.append([p for p, stands in zip(new, standing, strict=True) if not stands])
        return [tier for tier in free + inside if tier]

    def _occurrences(self, mention: str, ignoring: str) -> Iterator[Place]:
        spell, skips_space = MATCHINGS[ignoring]
        text, places = self._spelling(ignoring)
        wanted = spell("".join(mention.split()) if skips_space else mention)
        at = text.find(wanted) if wanted else -1
        while at >= 0:
            last = at + len(wanted) - 1
            start, end = (at, last) if places is None else (places[at], places[last])
            yield Place(start, end + 1, ignoring)
            at = text.find(wanted, at + 1)

    def _spelling(self, ignoring: str) -> tuple[str, list[int] | None]:
        """Give the text as this way of matching spells it, and the offsets of what is left."""
        if ignoring not in self._spelt:
            spell, skips_space = MATCHINGS[ignoring]
            places = None
            text = self._text
            if skips_space:
                places = [at for at, character in enumerate(text) if not character.isspace()]
                text = "".join(text[at] for at in places)
            self._spelt[ignoring] = spell(text), places
        return self._spelt[ignoring]

    def _stands_free(self, place: Place) -> bool:
        return not (self._is_inside_word(place.start) or self._is_inside_word(place.end))

    def _is_inside_word(self, at: int) -> bool:
        """Tell whether ``at`` parts two letters or digits, or a letter from its mark."""
        if not 0 < at < len(self._text):
            return False
        return self._text[at - 1 : at + 1].isalnum() or combining(self._text[at]) > 0


def folded(text: str) -> str:
    """Make letters small, character by character, so that no offset moves.

    >>> folded("İL-2 ΓΔ")
    'İl-2 γδ'
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
