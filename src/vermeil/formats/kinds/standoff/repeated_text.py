"""Names in a text that somebody repeated, carried over to the text itself.

Who repeats a text changes its white space, says something before or after it, or stops too soon.
Characters that are no white space must be those of the text; where they are not, names are only
strings, in the order in which they came.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from vermeil.formats.kinds.standoff.placing import Mention

LEAST = 12
"""Characters of the beginning of a text by which a part of it is told."""


class Carried(NamedTuple):
    """Mentions with offsets in the text, or none where it ``is_free``: repeated in other words."""

    mentions: list[Mention]
    is_cut: bool = False
    is_free: bool = False


def carried_over(mentions: Sequence[Mention], repeated: str, text: str) -> Carried:
    """Carry mentions with offsets in a ``repeated`` text over to the ``text``.

    >>> carried_over([Mention("p53", "Gene", start=6, end=9)], "Text: p53  is", "p53 is").mentions
    [Mention(text='p53', label='Gene', start=0, end=3)]
    """
    said, wanted = _places(repeated), _places(text)
    loud, quiet = _squeezed(repeated, said), _squeezed(text, wanted)
    first, is_cut = loud.find(quiet), False
    if first < 0:
        first = loud.find(quiet[:LEAST])
        is_cut = first >= 0 and len(quiet) > LEAST and quiet.startswith(loud[first:])
        if not is_cut:
            bare = [msgspec.structs.replace(each, start=None, end=None) for each in mentions]
            return Carried([each for each in bare if each.text.strip()], is_free=True)
    to_text = dict(zip(said[first:], wanted, strict=False))
    carried = []
    for each in mentions:
        inside = [to_text[at] for at in range(each.start or 0, each.end or 0) if at in to_text]
        if inside:
            start, end = inside[0], inside[-1] + 1
            moved = msgspec.structs.replace(each, text=text[start:end], start=start, end=end)
            carried.append(moved)
    return Carried(carried, is_cut)


def _places(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if not character.isspace()]


def _squeezed(text: str, places: Sequence[int]) -> str:
    return "".join(text[at] for at in places)
