"""The vote view of a text: its hearts, their boundaries with votes, the wave, a lane an annotator.

Figure 3 of Lewin et al., "Centroids", as plain data that JSON can hold. Offsets are half-open and
count code points, as in ``Document``. Hearts and boundaries are those of ``vermeil.consensus``;
nothing is voted on again here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.columns.levels import Pieces
from vermeil.consensus import voting
from vermeil.consensus.all_hearts import FoundHeart, every_heart
from vermeil.document import Centroid, Document, Standard
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Heart(Brief):
    """A centroid. ``left`` and ``right`` hold [offset, votes], the innermost first.

    ``annotators`` are those with a name of this label that contains the whole heart; where names
    nest, one of its ``level``. ``fragments`` are those of the modal span, if that has a gap.
    """

    start: int
    end: int
    label: str
    votes: float
    confidence: float | None
    extent: tuple[int, int]
    left: tuple[tuple[int, float], ...]
    right: tuple[tuple[int, float], ...]
    modal: tuple[int, int]
    annotators: tuple[str, ...]
    level: int = 0
    fragments: Pieces = ()


@dataclass(frozen=True, slots=True, repr=False)
class Lane(Brief):
    """What one annotator marked: [start, end, label, confidence, fragments].

    A name without a gap has no fragments. An annotator who did not look has no lane.
    """

    annotator: str
    spans: tuple[tuple[int, int, str, float | None, Pieces], ...]


@dataclass(frozen=True, slots=True, repr=False)
class VoteView(Brief):
    """A text with all that was said about it.

    ``wave[i]`` is the share, of the annotators who looked, that marked characters i and i+1
    together; it has one value less than the text has characters.
    """

    text: str
    hearts: tuple[Heart, ...]
    wave: tuple[float, ...]
    lanes: tuple[Lane, ...]

    def _told(self) -> str:
        return (
            f"{len(self.text):,} characters, {len(self.hearts):,} hearts, {len(self.lanes):,} lanes"
        )


def vote_view(
    document: Document,
    annotators: Sequence[str] | None = None,
    standard: Standard | None = None,
    hearts: Sequence[FoundHeart] | None = None,
) -> VoteView:
    """Lay out what the annotators said about a document.

    They are all layers but alternatives and ``consensus`` unless named. ``hearts`` are what to show
    if they are known, or ``standard`` holds centroids to show, with their confidences; without
    either it is every heart, whose confidence is its share of the votes.

    >>> from vermeil import Span
    >>> layers = {"anna": (Span(4, 9, "Gene"),), "ben": (Span(0, 9, "Gene"),)}
    >>> view = vote_view(Document(id="1", text="the BRCA1", layers=layers))
    >>> [(heart.start, heart.end, heart.left) for heart in view.hearts]
    [(4, 9, ((4, 1.0), (0, 1.0)))]
    >>> view.wave
    (0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0)
    """
    voters = voting(document, annotators)
    names = [name for name in annotators or sorted(voters.layers) if name in voters.layers]
    lanes = tuple(Lane(name, _rows(voters, name)) for name in names)
    if standard is not None:
        hearts = [FoundHeart(each, 0, (), _holders(each, lanes)) for each in standard]
    elif hearts is None:
        [hearts] = every_heart([voters], annotators)
    return VoteView(
        document.text,
        tuple(_heart(each, names) for each in hearts),
        _wave(len(document.text), lanes),
        lanes,
    )


def _rows(
    document: Document, annotator: str
) -> tuple[tuple[int, int, str, float | None, Pieces], ...]:
    return tuple(
        (span.start, span.end, span.label, span.confidence, span.fragments)
        for span in document.layers[annotator]
    )


def _heart(found: FoundHeart, names: Sequence[str]) -> Heart:
    centroid, modal = found.centroid, found.centroid.modal
    return Heart(
        start=centroid.start,
        end=centroid.end,
        label=centroid.label,
        votes=centroid.votes,
        confidence=centroid.confidence,
        extent=centroid.extent,
        left=centroid.left,
        right=centroid.right,
        modal=(modal.start, modal.end),
        annotators=tuple(name for name in names if name in found.annotators),
        level=found.level,
        fragments=found.fragments,
    )


def _holders(heart: Centroid, lanes: Sequence[Lane]) -> tuple[str, ...]:
    """Name those with a name of that label which contains the heart."""
    return tuple(
        lane.annotator
        for lane in lanes
        if any(
            start <= heart.start and heart.end <= end and label == heart.label
            for start, end, label, _, _ in lane.spans
        )
    )


def _wave(length: int, lanes: Sequence[Lane]) -> tuple[float, ...]:
    votes = np.zeros(max(0, length - 1))
    for lane in lanes:
        marked = np.zeros(len(votes), dtype=bool)
        for start, end, _, _, fragments in lane.spans:
            for first, last in fragments or ((start, end),):
                marked[first : last - 1] = True
        votes += marked
    return tuple((votes / max(1, len(lanes))).tolist())
