"""Training annotation for unlabelled text: one layer for each way to believe a lexicon.

    dictionary     every match, from left to right the longest
    exact          every match that is spelled as the database has it
    reference      those whose document a reference links to one of their records (section 2.2)
    coordination   and those coordinated with one of these (section 2.3, see ``coordination``)
    consensus      what the evidence together says: matches that look like supported ones, linked
                   or not (see ``support``)

All but the last are the paper's: ``reference`` and ``coordination`` choose among the matches of
``dictionary``, or among those of ``exact`` where that is asked for and ``dictionary`` is not. Each
layer is one annotator's word, so they can be compared, scored and combined like any others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from vermeil.acquisition.coordination import CONJUNCTIONS, coordinated, one_sense, stepped
from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import BATCH, Matches, leftmost_longest, match
from vermeil.acquisition.support.judgement import JudgedMatches, Judgement
from vermeil.arrays import Floats, Ints
from vermeil.document import Document, Span
from vermeil.errors import UnknownNameError, UsageError

DICTIONARY, EXACT, REFERENCE, COORDINATION = "dictionary", "exact", "reference", "coordination"
CONSENSUS = "consensus"
LAYERS = (DICTIONARY, REFERENCE, COORDINATION, CONSENSUS)
KNOWN = (DICTIONARY, EXACT, REFERENCE, COORDINATION, CONSENSUS)
THRESHOLD = -2.5
"""Score from which a match is taken for a name; chosen on GE abstracts."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How text is labelled: which ``layers`` are made, as far as there is what they need.

    ``conjunctions`` may stand between coordinated names. With ``by_tokens`` the layer coordination
    is reached in steps of two tokens, as Figure 5 is printed. With ``by_discourse`` a name that is
    annotated once in a document is annotated wherever it stands in it (section 3.3). With
    ``by_length`` the threshold of the layer consensus is another for each length of names.
    """

    conjunctions: frozenset[str] = CONJUNCTIONS
    by_discourse: bool = False
    threshold: float = THRESHOLD
    layers: tuple[str, ...] = LAYERS
    by_tokens: bool = False
    by_length: bool = False

    def __post_init__(self) -> None:
        for name in self.layers:
            if name not in KNOWN:
                raise UnknownNameError("layer", name, KNOWN)
        if self.by_discourse and self.by_tokens:
            raise UsageError("--discourse is about whole names; leave out --coordinate tokens")

    @property
    def learns(self) -> bool:
        """Whether a layer is made by what references teach about the lexicon."""
        return CONSENSUS in self.layers

    @property
    def exactly(self) -> bool:
        """Whether the paper's layers choose among exact matches."""
        return EXACT in self.layers and DICTIONARY not in self.layers


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
    """Add its layers to each document, those of references only if there are links. Streams."""
    rest = iter(documents)
    while batch := list(islice(rest, BATCH)):
        layers = {
            name: _spans(lexicon, batch, rows, None)
            for name, rows in _paper_layers(batch, lexicon, links, tokeniser=tokeniser, how=how)
            if name in how.layers
        }
        if judgement is not None and how.learns:
            judged = judgement.judge(batch)
            if how.by_length:
                judged = judgement.levelled(judged, batch, how.threshold)
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
    matches = match(lexicon, documents, tokeniser=tokeniser, exactly=how.exactly)
    yield (EXACT if how.exactly else DICTIONARY), matches
    if EXACT in how.layers and not how.exactly:
        yield EXACT, match(lexicon, documents, tokeniser=tokeniser, exactly=True)
    if links is None:
        return
    supported = links.support(matches, documents)
    annotated = matches.keep(supported)
    yield REFERENCE, annotated
    if COORDINATION not in how.layers:
        return
    if how.by_tokens:
        words = match(
            lexicon, documents, tokeniser=tokeniser, overlapping=True, exactly=how.exactly
        )
        yield (
            COORDINATION,
            stepped(
                words,
                annotated,
                documents,
                tokeniser=tokeniser,
                conjunctions=how.conjunctions,
            ),
        )
        return
    wider = coordinated(matches, supported, documents, conjunctions=how.conjunctions)
    yield COORDINATION, matches.keep(one_sense(matches, wider) if how.by_discourse else wider)


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
