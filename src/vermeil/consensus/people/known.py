"""Names that somebody has settled: answers about hearts that are known, and teach.

A layer can be told to be settled (``--settled curator``). What it says is then no vote but the
truth: its names are names, cut and called like that, and whatever else was proposed there is none.
It says so of the whole of each document in which it is. Where names are settled one by one, the
document says which stretches were decided, ``meta["settled"] = {"curator": [[17, 30], …]}``; a
heart that lies in one of them, or in a name of the layer, is known, and all others are open.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.document import Document
from vermeil.errors import UsageError

META = "settled"
"""The field of a document's metadata that says what of it was decided."""

NOT_THERE, OPEN = -1, -2
"""As the label of a known answer: there is no name; nobody knows."""

Stretches = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class KnownAnswers:
    """For each row its true label, NOT_THERE for none and OPEN where it is not known.

    ``left`` and ``right`` are the ranks of the true boundaries, NOT_THERE where there are none.
    """

    label: Ints
    left: Ints
    right: Ints

    @staticmethod
    def nothing(n_rows: int) -> "KnownAnswers":
        """Know nothing of so many rows."""
        none = np.full(n_rows, NOT_THERE)
        return KnownAnswers(np.full(n_rows, OPEN), none, none)

    @property
    def is_known(self) -> Flags:
        """Tell of each row whether its answer is known."""
        known: Flags = self.label != OPEN
        return known

    def put_into(self, chance: Floats) -> Floats:
        """Return chances by row and label without a doubt where the answer is known."""
        known = self.is_known
        if not known.any():
            return chance
        certain = np.where(known[:, None], 0.0, chance)
        named = np.flatnonzero(self.label >= 0)
        certain[named, self.label[named]] = 1.0
        return certain


@dataclass(frozen=True, slots=True, eq=False)
class VotedAnswers:
    """What is left of rows without those who settled them, and what these said.

    ``kept`` are the entries that are left, ``first`` where those of each row begin, ``annotator``
    who gives them, numbered as if nobody else were there.
    """

    kept: Flags
    first: Ints
    annotator: Ints
    known: KnownAnswers


def settled_in(document: Document, layer: str) -> Stretches | None:
    """Return the stretches of a document that are decided; None where all of it is.

    >>> layers = {"curator": ()}
    >>> settled_in(Document(id="1", text="p53 in CO2", layers=layers), "curator")
    >>> meta = {"settled": {"curator": [[0, 3]]}}
    >>> settled_in(Document(id="1", text="p53 in CO2", layers=layers, meta=meta), "curator")
    ((0, 3),)
    """
    said = document.meta.get(META)
    if said is None:
        return None
    if not isinstance(said, dict):
        raise UsageError(
            f'document {document.id!r}: meta["settled"] maps a layer to stretches, as in '
            f'{{"curator": [[0, 5]]}}; got {said!r:.60}'
        )
    stretches = said.get(layer)
    return None if stretches is None else tuple(_checked(stretches, document, layer))


def with_settled(document: Document, layer: str, stretches: Iterable[tuple[int, int]]) -> Document:
    """Write into a document which of its stretches are decided in a layer.

    >>> document = Document(id="1", text="p53 in CO2", layers={"curator": ()})
    >>> with_settled(document, "curator", [(0, 3)]).meta
    {'settled': {'curator': [[0, 3]]}}
    """
    listed = sorted([start, end] for start, end in stretches)
    said = {**document.meta.get(META, {}), layer: listed}
    return document.replace(meta={**document.meta, META: said})


def are_settled(table: SpanTable, layer: str, start: Ints, end: Ints) -> Flags:
    """Tell which stretches, in offsets of the batch, lie in decided parts of its documents."""
    first, last = _decided_parts(table, layer)
    if not len(first):
        return np.zeros(len(start), dtype=bool)
    place = np.searchsorted(first, start, side="right") - 1
    inside: Flags = (place >= 0) & (end <= last[place])
    return inside


def without_settled(
    code: int | None,
    first: Ints,
    annotator: AnyArray,
    *,
    label: AnyArray,
    left: AnyArray,
    right: AnyArray,
) -> VotedAnswers:
    """Take the entries of an annotator who settles out of rows; ``left`` and ``right`` are ranks.

    ``code`` is None where there is none.
    """
    n_rows = len(first) - 1
    if code is None:
        everything = np.ones(len(annotator), dtype=bool)
        nothing = KnownAnswers.nothing(n_rows)
        return VotedAnswers(everything, first, annotator.astype(np.int64), nothing)
    row = np.repeat(np.arange(n_rows), np.diff(first))
    own = annotator == code
    known = KnownAnswers.nothing(n_rows)
    columns = [known.label.copy(), known.left.copy(), known.right.copy()]
    for column, said in zip(columns, (label, left, right), strict=True):
        column[row[own]] = said[own]
    size = np.bincount(row[~own], minlength=n_rows)
    others = annotator[~own].astype(np.int64)
    return VotedAnswers(
        ~own,
        np.concatenate(([0], np.cumsum(size))),
        others - (others > code),
        KnownAnswers(*columns),
    )


def place_of(layer: str, annotators: Sequence[str]) -> int | None:
    """Return the number of the annotator who settles, None where there is none."""
    return annotators.index(layer) if layer in annotators else None


def _decided_parts(table: SpanTable, layer: str) -> tuple[Ints, Ints]:
    """List what is decided in offsets of the batch, in order, without overlaps."""
    parts: list[tuple[int, int]] = []
    column = table.looked[:, table.annotators.index(layer)]
    for number in np.flatnonzero(column).tolist():
        document, origin = table.documents[number], int(table.origin[number])
        said = settled_in(document, layer)
        whole = ((0, len(document.text)),)
        parts += [(origin + a, origin + b) for a, b in sorted(whole if said is None else said)]
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    first, last = np.array(parts, dtype=np.int64).T
    reach = np.maximum.accumulate(last)
    begins = np.concatenate(([True], first[1:] > reach[:-1]))
    ends = np.append(begins[1:], True)
    return first[begins], reach[ends]


def _checked(stretches: Any, document: Document, layer: str) -> Iterable[tuple[int, int]]:
    for each in stretches if isinstance(stretches, list | tuple) else [stretches]:
        match each:
            case [int(start), int(end)] if 0 <= start < end <= len(document.text):
                yield start, end
            case _:
                raise UsageError(
                    f'document {document.id!r}: meta["settled"][{layer!r}] lists stretches '
                    f"[start, end] within the text of {len(document.text)}; got {each!r:.60}"
                )
