"""Training annotation for unlabelled text: one layer for each way to believe a lexicon.

    dictionary     every match, from left to right the longest
    reference      those whose document a reference links to one of their records (section 2.2)
    coordination   and those coordinated with one of these (section 2.3, Figure 5)
    consensus      what the evidence together says: matches that look like supported ones, linked
                   or not (see ``support``)

The first three are the paper's. Each layer is one annotator's word, so they can be compared, scored
and combined like any others.

Figure 5 of "Acquisition" annotates a dictionary word that is reached from an annotated one over
conjunctions and commas, and so on from there. The figure prints an intersection where it means the
union, and steps from token to token; here whole matches are joined, in both directions. Section 3.3
asks for one sense per discourse besides: what is a name once in a document is one wherever it
stands.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import BATCH, Matches, leftmost_longest, match
from vermeil.acquisition.support.judgement import JudgedMatches, Judgement
from vermeil.arrays import Flags, Floats, Ints
from vermeil.document import Document, Span

DICTIONARY, REFERENCE, COORDINATION = "dictionary", "reference", "coordination"
CONSENSUS = "consensus"
LAYERS = (DICTIONARY, REFERENCE, COORDINATION, CONSENSUS)
THRESHOLD = -2.5
"""Score from which a match is taken for a name; chosen on GE abstracts."""

CONJUNCTIONS = frozenset({
    ",", "/", ";", "and", "or", ", and", ", or", "; and", "; or", "and/or", ", and/or", "&",
    "as well as", ", as well as", "but not", ", but not", "nor", "plus", "versus", "vs", "vs.",
})  # fmt: skip
"""What may stand between coordinated names, in small letters with single spaces."""

REACH = 40
"""Characters between two names beyond which they are not coordinated, whatever stands there."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How text is labelled. ``conjunctions`` may stand between coordinated names.

    With ``by_discourse`` a name that is annotated once in a document is annotated wherever it
    stands in it (section 3.3).
    """

    conjunctions: frozenset[str] = CONJUNCTIONS
    by_discourse: bool = False
    threshold: float = THRESHOLD


PLAIN = Labelling()


def label(
    documents: Iterable[Document],
    lexicon: Lexicon,
    links: Links | None,
    judgement: Judgement | None,
    *,
    tokeniser: str,
    how: Labelling = PLAIN,
) -> Iterator[Document]:
    """Add its layers to each document; without references only the first. Streams."""
    rest = iter(documents)
    while batch := list(islice(rest, BATCH)):
        layers = {
            name: _spans(lexicon, batch, rows, None)
            for name, rows in _paper_layers(batch, lexicon, links, tokeniser=tokeniser, how=how)
        }
        if judgement is not None:
            judged = judgement.judge(batch)
            rows = taken(judged, batch, how.threshold)
            kept = judged.matches.keep(rows)
            layers[CONSENSUS] = _spans(
                lexicon, batch, kept, confidences(judged, how.threshold)[rows]
            )
        for number, document in enumerate(batch):
            for name, spans in layers.items():
                document = document.with_layer(name, spans[number])
            yield document


def _paper_layers(
    documents: Sequence[Document],
    lexicon: Lexicon,
    links: Links | None,
    *,
    tokeniser: str,
    how: Labelling,
) -> Iterator[tuple[str, Matches]]:
    """Yield the names of the paper's layers, and their matches."""
    matches = match(lexicon, documents, tokeniser=tokeniser)
    yield DICTIONARY, matches
    if links is None:
        return
    supported = links.support(matches, documents)
    yield REFERENCE, matches.keep(supported)
    wider = coordinated(matches, supported, documents, conjunctions=how.conjunctions)
    yield COORDINATION, matches.keep(one_sense(matches, wider) if how.by_discourse else wider)


def coordinated(
    matches: Matches,
    annotated: Flags,
    documents: Sequence[Document],
    *,
    conjunctions: Collection[str] = CONJUNCTIONS,
) -> Flags:
    """Tell which matches are annotated or coordinated with one that is.

    Matches must be in reading order and must not overlap. White space around a conjunction, how
    much of it and case do not matter; two matches with nothing but white space between are not
    coordinated.
    """
    runs = _runs(matches, documents, conjunctions)
    return np.isin(runs, runs[annotated])


def one_sense(matches: Matches, annotated: Flags) -> Flags:
    """Tell which matches have a key that is annotated somewhere in their document.

    >>> column = np.array
    >>> twice = Matches(column([0, 0, 1]), column([0, 5, 0]), column([2, 7, 2]), column([7, 7, 7]),
    ...                 column([True] * 3))
    >>> one_sense(twice, column([False, True, False])).tolist()
    [True, True, False]
    """
    n_keys = int(matches.key.max(initial=0)) + 1
    names = matches.document * n_keys + matches.key
    return np.isin(names, names[annotated])


def taken(judged: JudgedMatches, documents: Sequence[Document], threshold: float) -> Ints:
    """Choose the matches that are names: supported or with a high score, the longest from the left.

    Returns rows of ``judged``, in reading order.
    """
    matches = judged.matches
    rows = np.flatnonzero(judged.supported | (judged.score > threshold))
    origin = np.cumsum([0, *(len(document.text) + 1 for document in documents)])
    shift = origin[matches.document[rows]]
    chosen: Ints = rows[leftmost_longest(matches.start[rows] + shift, matches.end[rows] + shift)]
    return chosen


def confidences(judged: JudgedMatches, threshold: float) -> Floats:
    """Turn scores into confidences: one half at the threshold, 1 for what references support."""
    sure = 1 / (1 + np.exp(threshold - judged.score))
    return np.where(judged.supported, 1.0, sure)


def _spans(
    lexicon: Lexicon, documents: Sequence[Document], matches: Matches, sure: Floats | None
) -> list[tuple[Span, ...]]:
    """Make the matches of each document spans, with all ids they may stand for."""
    found: list[list[Span]] = [[] for _ in documents]
    labels: dict[int, Mapping[str, tuple[str, ...]]] = {}
    columns = (matches.document, matches.start, matches.end, matches.key)
    confidence = [None] * len(matches) if sure is None else sure.tolist()
    rows = zip(*(column.tolist() for column in columns), confidence, strict=True)
    for document, start, end, key, own in rows:
        if key not in labels:
            labels[key] = lexicon.labels_of(key)
        found[document] += [
            Span(start, end, name, confidence=own, ids=ids) for name, ids in labels[key].items()
        ]
    return [tuple(spans) for spans in found]


def _runs(matches: Matches, documents: Sequence[Document], conjunctions: Collection[str]) -> Ints:
    """Number the runs of coordinated matches."""
    opens = np.ones(len(matches), dtype=bool)
    near = (matches.document[1:] == matches.document[:-1]) & (
        matches.start[1:] - matches.end[:-1] <= REACH
    )
    for row in (np.flatnonzero(near) + 1).tolist():
        text = documents[matches.document[row]].text
        between = text[matches.end[row - 1] : matches.start[row]]
        opens[row] = " ".join(between.lower().split()) not in conjunctions
    return np.cumsum(opens)
