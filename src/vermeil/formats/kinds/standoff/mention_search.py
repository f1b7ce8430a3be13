"""Where in a text a mention stands that was given as a string only.

An occurrence that stands free, not inside a longer word, is better than one that does not. Among
these, an exact one is better than one in other letter case, and that better than one whose white
space differs: the rows of MATCHINGS, from best to worst. Only the best there are count as places
of the mention, however often it was given, so that none is made up.
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


class MentionPlace(NamedTuple):
    """A stretch of text that a mention matches, and what had to be ignored for that."""

    start: int
    end: int
    ignoring: str


class MentionSearch:
    """The occurrences of mentions in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spelt: dict[str, tuple[str, list[int] | None]] = {}
        self._places: dict[str, list[MentionPlace]] = {}

    def places(self, mention: str) -> list[MentionPlace]:
        """List the best places of a mention, in text order; none where it is not in the text.

        >>> MentionSearch("Er, HER2 and ER").places("ER")
        [MentionPlace(start=13, end=15, ignoring='')]
        """
        if mention not in self._places:
            self._places[mention] = self._best(mention)
        return self._places[mention]

    def _best(self, mention: str) -> list[MentionPlace]:
        inside: list[MentionPlace] = []
        for ignoring in MATCHINGS:
            found = list(self._occurrences(mention, ignoring))
            free = [place for place in found if self._stands_free(place)]
            if free:
                return free
            inside = inside or found
        return inside

    def _occurrences(self, mention: str, ignoring: str) -> Iterator[MentionPlace]:
        spell, skips_space = MATCHINGS[ignoring]
        text, places = self._spelling(ignoring)
        wanted = spell("".join(mention.split()) if skips_space else mention)
        at = text.find(wanted) if wanted else -1
        while at >= 0:
            last = at + len(wanted) - 1
            start, end = (at, last) if places is None else (places[at], places[last])
            yield MentionPlace(start, end + 1, ignoring)
            at = text.find(wanted, at + 1)

    def _spelling(self, ignoring: str) -> tuple[str, list[int] | None]:
        """Spell the text as this way of matching does, and the offsets of what is left."""
        if ignoring not in self._spelt:
            spell, skips_space = MATCHINGS[ignoring]
            places = None
            text = self._text
            if skips_space:
                places = [at for at, character in enumerate(text) if not character.isspace()]
                text = "".join(text[at] for at in places)
            self._spelt[ignoring] = spell(text), places
        return self._spelt[ignoring]

    def _stands_free(self, place: MentionPlace) -> bool:
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
