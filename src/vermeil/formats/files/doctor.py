"""The import doctor: do the offsets a file gives mark the strings it says they mark?

Offsets are tried as code points first. Where they miss, the ways tools are known to count are
tried in turn; one that explains every span of the document is applied and noted in the ledger as
a repair. If none does, the first miss is an error with both strings.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from vermeil.errors import FormatError
from vermeil.formats.files.source import Source
from vermeil.text.alignment import from_code_points

NAMES: Mapping[str, tuple[str, ...]] = {"names": ("check", "note", "ignore")}
"""The option of formats that repeat the text of names beside their offsets."""

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
    text: str,
    claims: Sequence[Claim],
    source: Source,
    *,
    natural: str = "code points",
    level: Callable[[str], str] | None = None,
    is_trial: bool = False,
) -> list[Pieces]:
    """Turn the stretches of each claim into code points, repaired where that explains them all.

    ``natural`` is the unit the format is known to count in: no repair, so no note. Strings are
    compared as ``level`` spells them; without it, white space characters are equal.

    Where nothing explains all, the option ``names`` decides: ``check`` refuses, ``note`` believes
    the offsets and notes what is spelt otherwise, ``ignore`` does not look at names at all. A
    trial, after which another is made, is refused.
    """
    mode = source.options.get("names", NAMES["names"][0])
    if mode == "ignore":
        claims = [claim._replace(marked=None) for claim in claims]
    order = sorted(UNITS, key=lambda unit: unit != natural)
    level = level or _level
    for unit in order if _units_differ(text) else order[:1]:
        settled = _in_code_points(text, claims, unit, level)
        if settled is not None:
            if unit != natural and claims:
                where = source.where(claims[0].line)
                source.ledger.note("repaired", f"offsets that count {unit}", where, n=len(claims))
            return settled
    if mode == "note" and not is_trial:
        believed = [_believed(text, claim, source, natural, level) for claim in claims]
        return settle(text, believed, source, natural=natural, level=level, is_trial=True)
    raise _first_miss(text, claims, source, natural, level)


def _believed(
    text: str, claim: Claim, source: Source, unit: str, level: Callable[[str], str]
) -> Claim:
    """Take the name out of a claim that marks something else, with a note."""
    pieces = _translated(claim.pieces, _places(text, unit))
    if pieces is None or _marks(text, pieces, claim.marked, level):
        return claim
    what = "names whose offsets mark something else"
    source.ledger.note("kept", what, source.where(claim.line), detail=_miss(text, claim, pieces))
    return claim._replace(marked=None)


def _unix_edges(text: str) -> Iterable[int]:
    """Count ``\\r\\n`` as one character."""
    pairs = zip(text, text[1:] + " ", strict=True)
    return accumulate((pair != ("\r", "\n") for pair in pairs), initial=0)


UNITS: dict[str, Callable[[str], Iterable[int]]] = {
    "code points": lambda text: range(len(text) + 1),
    "UTF-16 code units": lambda text: from_code_points(text, range(len(text) + 1), "utf-16"),
    "UTF-8 bytes": lambda text: from_code_points(text, range(len(text) + 1), "utf-8"),
    "line ends as one character": _unix_edges,
}
"""For each way of counting: the count at which each character starts, and the last one ends."""


def _units_differ(text: str) -> bool:
    return not text.isascii() or "\r\n" in text


def _in_code_points(
    text: str, claims: Sequence[Claim], unit: str, level: Callable[[str], str]
) -> list[Pieces] | None:
    """Translate all claims, or return None as soon as one does not mark what it says."""
    places = _places(text, unit)
    settled = []
    for claim in claims:
        pieces = _translated(claim.pieces, places)
        if pieces is None or not _marks(text, pieces, claim.marked, level):
            return None
        settled.append(pieces)
    return settled


def _places(text: str, unit: str) -> Mapping[int, int]:
    """Map offsets in a unit to code points; offsets inside a character are not there."""
    if unit == "code points":
        return _Same(len(text))
    places: dict[int, int] = {}
    for point, offset in enumerate(UNITS[unit](text)):
        places.setdefault(offset, point)
    return places


class _Same(dict[int, int]):
    """Every offset of a text as it is, without a table as long as the text."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __missing__(self, offset: int) -> int:
        if 0 <= offset <= self._length:
            return offset
        raise KeyError(offset)


def _translated(pieces: Pieces, places: Mapping[int, int]) -> Pieces | None:
    try:
        return tuple((places[start], places[end]) for start, end in pieces)
    except KeyError:
        return None


def _marks(text: str, pieces: Pieces, marked: str | None, level: Callable[[str], str]) -> bool:
    if any(start >= end for start, end in pieces):
        return False
    return marked is None or level(_joined(text, pieces)) == level(marked)


def _joined(text: str, pieces: Pieces) -> str:
    return " ".join(text[start:end] for start, end in pieces)


def _level(text: str) -> str:
    return _SPACE.sub(" ", text)


def _first_miss(
    text: str,
    claims: Sequence[Claim],
    source: Source,
    unit: str,
    level: Callable[[str], str],
) -> FormatError:
    places = _places(text, unit)
    for claim in claims:
        pieces = _translated(claim.pieces, places)
        if pieces is None or not _marks(text, pieces, claim.marked, level):
            return source.error(claim.line, _miss(text, claim, pieces))
    raise AssertionError("called only where a claim misses")


def _miss(text: str, claim: Claim, pieces: Pieces | None) -> str:
    span = ";".join(f"{start}-{end}" for start, end in claim.pieces)
    if pieces is None or any(start >= end for start, end in pieces):
        found = f"offsets {span} do not lie inside the text of {len(text)} characters"
        return found if claim.marked is None else f"{found}; wanted {_short(claim.marked)}"
    return f"text at {span} is {_short(_joined(text, pieces))}, not {_short(claim.marked or '')}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
