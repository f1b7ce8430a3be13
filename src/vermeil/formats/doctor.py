"""The import doctor: do the offsets a file gives mark the strings it says they mark?

Offsets are tried as code points first. Where they miss, the ways tools are known to count are
tried in turn; one that explains every span of the document is applied and noted in the ledger as
a repair. If none does, the first miss is an error with both strings.
"""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from vermeil.errors import FormatError
from vermeil.formats.source import Source

Pieces: TypeAlias = tuple[tuple[int, int], ...]

_SPACE = re.compile(r"\s")


class Claim(NamedTuple):
    """What a file says: these stretches of the text are spelt ``marked``.

    ``marked`` joins the stretches of a discontinuous span with one space; None where the file
    does not repeat the text. White space characters are taken to be equal.
    """

    pieces: Pieces
    marked: str | None
    line: int | None = None


def settle(
    text: str, claims: Sequence[Claim], source: Source, *, natural: str = "code points"
) -> list[Pieces]:
    """Give the stretches of each claim in code points, repaired where that explains them all.

    ``natural`` is the unit the format is known to count in: no repair, so no note.
    """
    order = sorted(UNITS, key=lambda unit: unit != natural)
    for unit in order if _units_differ(text) else order[:1]:
        settled = _in_code_points(text, claims, UNITS[unit])
        if settled is not None:
            if unit != natural and claims:
                source.ledger.note(
                    "repaired",
                    f"offsets that count {unit}",
                    source.where(claims[0].line),
                    n=len(claims),
                )
            return settled
    raise _first_miss(text, claims, source, UNITS[natural])


def _utf16_widths(text: str) -> list[int]:
    return [1 + (character > "\uffff") for character in text]


def _utf8_widths(text: str) -> list[int]:
    return [len(character.encode()) for character in text]


def _unix_widths(text: str) -> list[int]:
    """Widths where ``\\r\\n`` counts as one character."""
    pairs = zip(text, text[1:] + " ", strict=True)
    return [0 if (here, after) == ("\r", "\n") else 1 for here, after in pairs]


UNITS: dict[str, Callable[[str], list[int]] | None] = {
    "code points": None,
    "UTF-16 code units": _utf16_widths,
    "UTF-8 bytes": _utf8_widths,
    "line ends as one character": _unix_widths,
}


def _units_differ(text: str) -> bool:
    return not text.isascii() or "\r\n" in text


def _in_code_points(
    text: str, claims: Sequence[Claim], widths: Callable[[str], list[int]] | None
) -> list[Pieces] | None:
    """Translate all claims, or give None as soon as one does not mark what it says."""
    place = _places(text, widths)
    settled = []
    for claim in claims:
        pieces = _translated(claim.pieces, place)
        if pieces is None or not _marks(text, pieces, claim.marked):
            return None
        settled.append(pieces)
    return settled


def _places(text: str, widths: Callable[[str], list[int]] | None) -> dict[int, int] | None:
    """Map offsets in the other unit to code points; offsets inside a character are not there."""
    if widths is None:
        return None
    ends = accumulate(widths(text), initial=0)
    places: dict[int, int] = {}
    for point, offset in enumerate(ends):
        places.setdefault(offset, point)
    return places


def _translated(pieces: Pieces, places: dict[int, int] | None) -> Pieces | None:
    if places is None:
        return pieces
    try:
        return tuple((places[start], places[end]) for start, end in pieces)
    except KeyError:
        return None


def _marks(text: str, pieces: Pieces, marked: str | None) -> bool:
    if any(not 0 <= start < end <= len(text) for start, end in pieces):
        return False
    return marked is None or _level(_joined(text, pieces)) == _level(marked)


def _joined(text: str, pieces: Pieces) -> str:
    return " ".join(text[start:end] for start, end in pieces)


def _level(text: str) -> str:
    return _SPACE.sub(" ", text)


def _first_miss(
    text: str,
    claims: Sequence[Claim],
    source: Source,
    widths: Callable[[str], list[int]] | None,
) -> FormatError:
    place = _places(text, widths)
    for claim in claims:
        pieces = _translated(claim.pieces, place)
        if pieces is None or not _marks(text, pieces, claim.marked):
            return source.error(claim.line, _miss(text, claim, pieces))
    raise AssertionError("some claim misses, or there is nothing to report")


def _miss(text: str, claim: Claim, pieces: Pieces | None) -> str:
    span = ";".join(f"{start}-{end}" for start, end in claim.pieces)
    outside = any(not 0 <= start < end <= len(text) for start, end in pieces or ((0, 0),))
    if pieces is None or outside:
        found = f"offsets {span} do not lie inside the text of {len(text)} characters"
        return found if claim.marked is None else f"{found}; wanted {_short(claim.marked)}"
    return f"text at {span} is {_short(_joined(text, pieces))}, not {_short(claim.marked or '')}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
