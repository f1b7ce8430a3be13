"""What is known of each candidate, as hashed features: who marked it, its words and those beside.

Nothing here depends on what was decided, so that a document is described once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.document import Document, Span
from vermeil.review.learning.places import MarkedPlace

N_COLUMNS = 1 << 20
"""Columns that features are hashed into."""

_WORD = re.compile(r"\w+|[^\w\s]")
_KINDS = (("[0-9]", "0"), ("[A-Z]", "A"), ("[a-z]", "a"))
_RUN = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True, eq=False)
class Descriptions:
    """The features of the candidates of some places, one after the other, as rows of a matrix."""

    first: Ints
    column: Ints
    value: Floats


def describe(document: Document, places: Sequence[MarkedPlace]) -> Descriptions:
    """Describe all candidates of the places of a document that has only layers that vote."""
    words = [(found.start(), found.end(), found.group()) for found in _WORD.finditer(document.text)]
    sizes: list[int] = [0]
    columns: list[int] = []
    values: list[float] = []
    for place in places:
        said = {
            name: [span for span in layer if span.start < place.end and place.start < span.end]
            for name, layer in sorted(document.layers.items())
        }
        for candidate in place.candidates:
            features = dict(_features(candidate, place, said, words))
            columns += [crc32(name.encode()) % N_COLUMNS for name in features]
            values += features.values()
            sizes.append(len(features))
    return Descriptions(np.cumsum(sizes), np.array(columns, dtype=np.int64), np.array(values))


def _features(
    candidate: Span,
    place: MarkedPlace,
    said: dict[str, list[Span]],
    words: Sequence[tuple[int, int, str]],
) -> Iterator[tuple[str, float]]:
    yield "always", 1.0
    yield f"label {candidate.label}", 1.0
    yield from _voters(candidate, said)
    yield from _wording(candidate, words)
    others = [each for each in place.candidates if each is not candidate]
    wider = sum(each.start <= candidate.start and candidate.end <= each.end for each in others)
    narrower = sum(candidate.start <= each.start and each.end <= candidate.end for each in others)
    yield f"wider {min(wider, 3)}", 1.0
    yield f"narrower {min(narrower, 3)}", 1.0


def _voters(candidate: Span, said: dict[str, list[Span]]) -> Iterator[tuple[str, float]]:
    """Say who has the very span, who one that shares something with it, and who has none."""
    start, end = candidate.start, candidate.end
    n_exact = n_near = 0
    for name, spans in said.items():
        near = [each for each in spans if each.start < end and start < each.end]
        if any(_is_same(each, candidate) for each in near):
            n_exact += 1
            yield f"exact {name}", 1.0
        elif near:
            n_near += 1
            yield f"near {name}", 1.0
            if any(each.start == start for each in near):
                yield f"begins {name}", 1.0
            if any(each.end == end for each in near):
                yield f"ends {name}", 1.0
            if any(each.start <= start and end <= each.end for each in near):
                yield f"around {name}", 1.0
            if any(start <= each.start and each.end <= end for each in near):
                yield f"inside {name}", 1.0
        else:
            yield f"nothing {name}", 1.0
    yield "share", 2 * n_exact / max(1, len(said))
    yield f"n exact {min(n_exact, 12)}", 1.0
    yield f"n near {min(n_near, 12)}", 1.0


def _wording(candidate: Span, words: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, float]]:
    start, end = candidate.start, candidate.end
    own = [word for begin, stop, word in words if begin < end and start < stop]
    before = [word for _, stop, word in words if stop <= start][-2:]
    after = [word for begin, _, word in words if begin >= end][:2]
    low = [word.lower() for word in own]
    yield f"n words {min(len(own), 6)}", 1.0
    yield f"string {' '.join(low)}", 1.0
    yield f"shapes {' '.join(map(shape, own))}", 1.0
    if own:
        yield f"first {low[0]}", 1.0
        yield f"last {low[-1]}", 1.0
        yield f"first shape {shape(own[0])}", 1.0
        yield f"last shape {shape(own[-1])}", 1.0
        yield f"prefix {low[0][:3]}", 1.0
        yield f"suffix {low[-1][-3:]}", 1.0
        yield f"short suffix {low[-1][-2:]}", 1.0
    for word in own:
        yield f"word {word.lower()}", 1.0
        yield f"shape {shape(word)}", 0.5
    beside = ("before", before[::-1]), ("after", after)
    for side, near in beside:
        word = near[0] if near else ""
        yield f"{side} {word.lower()}", 1.0
        yield f"{side} shape {shape(word)}", 1.0
        yield f"{side} two {' '.join(near).lower()}", 1.0
    if before and after:
        yield f"between {before[-1].lower()} {after[0].lower()}", 1.0


def shape(word: str) -> str:
    """Say which kinds of characters a word is made of.

    >>> shape("BRCA1"), shape("anti")
    ('A0', 'a')
    """
    for kind, sign in _KINDS:
        word = re.sub(kind, sign, word)
    return _RUN.sub(r"\1", word)


def _is_same(span: Span, candidate: Span) -> bool:
    return (
        span.start == candidate.start
        and span.end == candidate.end
        and span.label == candidate.label
        and span.fragments == candidate.fragments
    )
