"""Offsets carried from one text to another, and offsets counted in other units.

Two texts of a document often differ only in white space: a tokenised file, a BioCreative sentence.
Such texts are aligned exactly by their non-space characters. Anything else is an AlignmentError
unless fuzzy alignment was asked for. White space is whatever ``str.isspace`` says it is.

``NonSpace`` counts the way BioCreative does; UNITS names the units other tools count in.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from vermeil.arrays import Ints
from vermeil.document import Span
from vermeil.errors import AlignmentError, UnknownNameError
from vermeil.text.characters import code_points, is_space

UNITS: dict[str, tuple[int, ...]] = {
    "code-points": (),
    "utf-16": (0x10000,),
    "utf-8": (0x80, 0x800, 0x10000),
}
"""A character takes one unit, and one more for each of these code points it reaches."""

LEAST_KEPT = 0.5
"""Share of a span's characters that must survive for fuzzy alignment to carry it."""

_CONTEXT = 20

_Codes: TypeAlias = npt.NDArray[np.unsignedinteger]


class Alignment:
    """A way from the offsets of one text to those of another; made by ``align``."""

    def __init__(
        self, places: list[int], targets: list[int], counterparts: list[int] | None = None
    ) -> None:
        """Take the non-space places of both texts.

        ``counterparts`` says for each of ``places`` which of ``targets`` it was kept as, -1 for
        none; without it they match one to one.
        """
        self._places, self._targets, self._counterparts = places, targets, counterparts

    def carry(self, start: int, end: int) -> tuple[int, int] | None:
        """Find the place of ``start``-``end`` in the other text, or None where it has none.

        A stretch is carried by its non-space characters: white space at its edges is lost and a
        stretch of white space has no place. After a fuzzy alignment the first and the last
        character must have been kept, and LEAST_KEPT of all that is there on either side.
        """
        first, last = bisect_left(self._places, start), bisect_left(self._places, end) - 1
        if last < first:
            return None
        if self._counterparts is not None:
            kept = self._counterparts[first : last + 1]
            n_source, first, last = len(kept), kept[0], kept[-1]
            if first < 0 or last < 0:
                return None
            n_kept = n_source - kept.count(-1)
            if n_kept < LEAST_KEPT * max(n_source, last - first + 1):
                return None
        return self._targets[first], self._targets[last] + 1

    @property
    def likeness(self) -> float:
        """The share of the characters of the longer text that both have."""
        n_longest = max(len(self._places), len(self._targets))
        if self._counterparts is None or not n_longest:
            return 1.0
        return 1 - (self._counterparts.count(-1) + n_longest - len(self._places)) / n_longest

    def carry_span(self, span: Span) -> Span | None:
        """Carry a span to the other text, all else kept; None if any fragment has no place."""
        carried = [self.carry(start, end) for start, end in span.pieces]
        pieces = tuple(piece for piece in carried if piece is not None)
        if len(pieces) < len(carried):
            return None
        return span.moved(pieces)


def align(source: str, target: str, *, fuzzy: bool = False) -> Alignment:
    """Find the way from the offsets of ``source`` to those of ``target``.

    The texts must be equal but for white space, or AlignmentError shows their first difference.
    With ``fuzzy`` they may differ in anything: the fewest edits (Levenshtein) between their
    non-space characters say which characters were kept. That takes time in proportion to the
    product of the lengths that differ: a moment for an article, seconds for 200,000 characters.
    Between identical texts every stretch stays where it is, white space and all.

    >>> align("IL - 2 gene", "IL-2 gene").carry(0, 6)
    (0, 4)
    >>> align("the IL-2 gene", "the gene IL2", fuzzy=True).carry(0, 3)
    (0, 3)
    """
    if source == target:
        return _Identity()
    source_codes, target_codes = code_points(source), code_points(target)
    places, targets = _nonspace(source_codes), _nonspace(target_codes)
    kept_source, kept_target = source_codes[places], target_codes[targets]
    if np.array_equal(kept_source, kept_target):
        return Alignment(places.tolist(), targets.tolist())
    if not fuzzy:
        at = _first_difference(kept_source, kept_target)
        raise AlignmentError(
            "the texts differ in more than white space: "
            f"{_around(source, places, at)}, but {_around(target, targets, at)}; "
            "fuzzy alignment can bridge this"
        )
    counterparts = _counterparts(kept_source, kept_target)
    return Alignment(places.tolist(), targets.tolist(), counterparts.tolist())


class NonSpace:
    """Offsets counted in non-space characters, both ends inclusive, as BioCreative counts.

    >>> NonSpace("the p53 gene").index(4, 7)
    (3, 5)
    >>> NonSpace("the p53 gene").span(3, 5)
    (4, 7)
    """

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._places: list[int] = _nonspace(code_points(text)).tolist()

    def __len__(self) -> int:
        return len(self._places)

    def index(self, start: int, end: int) -> tuple[int, int]:
        """Count the non-space characters before the first and the last one in ``start``-``end``."""
        if not 0 <= start < end <= self._length:
            raise ValueError(f"{start}-{end} is no stretch of {self._length} characters")
        first, last = bisect_left(self._places, start), bisect_left(self._places, end) - 1
        if last < first:
            raise ValueError(f"{start}-{end} holds only white space")
        return first, last

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Find the half-open stretch of text from the ``first`` to the ``last`` character."""
        if not 0 <= first <= last < len(self):
            raise ValueError(
                f"{first} {last} is out of order or beyond the {len(self)} non-space characters"
            )
        return self._places[first], self._places[last] + 1


def from_code_points(text: str, offsets: Iterable[int], unit: str) -> list[int]:
    """Turn code points into offsets counted in ``unit``; ValueError for one beyond the text.

    >>> from_code_points("β-globin", [0, 1, 8], "utf-8")
    [0, 2, 9]
    """
    wanted = np.fromiter(offsets, dtype=np.int64)
    outside = (wanted < 0) | (wanted > len(text))
    if outside.any():
        beyond = int(wanted[outside.argmax()])
        raise ValueError(f"offset {beyond} lies outside a text of {len(text)} characters")
    counted: list[int] = _edges(text, unit)[wanted].tolist()
    return counted


class _Identity(Alignment):
    """The way from a text to itself."""

    def __init__(self) -> None:
        super().__init__([], [])

    def carry(self, start: int, end: int) -> tuple[int, int]:
        return start, end


def _nonspace(codes: _Codes) -> Ints:
    return np.flatnonzero(~is_space(codes))


def _first_difference(source: _Codes, target: _Codes) -> int:
    shared = min(len(source), len(target))
    differs = source[:shared] != target[:shared]
    return int(differs.argmax()) if differs.any() else shared


def _around(text: str, places: Ints, at: int) -> str:
    place = int(places[at]) if at < len(places) else len(text)
    start = max(0, place - _CONTEXT // 2)
    shown = text[start : start + _CONTEXT]
    return f"{shown!r} at {place}" if at < len(places) else f"{shown!r} ends at {place}"


def _counterparts(source: _Codes, target: _Codes) -> Ints:
    """Find for each source character the target character it was kept as, or -1."""
    from rapidfuzz.distance import Levenshtein  # costs a tenth of a second that few need

    counterparts = np.full(len(source), -1, dtype=np.int64)
    for edit in Levenshtein.opcodes(_text_of(source), _text_of(target)):
        if edit.tag == "equal":
            counterparts[edit.src_start : edit.src_end] = np.arange(edit.dest_start, edit.dest_end)
    return counterparts


def _text_of(codes: _Codes) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _edges(text: str, unit: str) -> Ints:
    """Count in ``unit`` where each character starts, and where the last one ends."""
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if text.isascii() or not UNITS[unit]:
        return np.arange(len(text) + 1)
    codes = code_points(text)
    widths = np.ones(len(text), dtype=np.int64)
    for code in UNITS[unit]:
        widths += codes >= code
    return np.concatenate(([0], np.cumsum(widths)))
