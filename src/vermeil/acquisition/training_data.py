"""What a tagger learns from acquired annotation, and what it adds.

A match is a name, no name, or neither can be said: references are not exhaustive, and what has a
middling score is unknown rather than negative. A tagger learns from sentences in which nothing is
unknown and something is a name. It then reads documents it did not learn from, and what it is very
sure of is added where the lexicon has nothing: names that are in no database. What it half believes
there is doubtful, and whoever looks for more such names learns nothing from its sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.acquisition.labelling import CONSENSUS, confidences, taken
from vermeil.acquisition.lexicon.matching import BATCH
from vermeil.acquisition.support.judgement import JudgedMatches, Judgement
from vermeil.acquisition.support.rejudging import Rejudgement, batches
from vermeil.document import Document, Span
from vermeil.recognise.placed_names import Finder
from vermeil.text.sentences import split_sentences

NAMES = "names"
DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class Belief:
    """From which score on a match is a name, and down to which it may be one.

    A tagger's own names need the confidence ``tagger``; from ``doubtful`` on they are in doubt. The
    last was chosen without gold (``benchmarks.hidden_names``), the others on GE abstracts.
    """

    name: float = -2.25
    unknown: float = -3.5
    tagger: float = 0.88
    doubtful: float = 0.3


BELIEF = Belief()


def sure_sentences(
    judgement: Judgement, documents: Sequence[Document], *, belief: Belief = BELIEF
) -> Iterator[Document]:
    """Yield sentences as documents, with the layer NAMES: those with a name and nothing unknown."""
    for batch, judged in _judged(judgement, documents):
        known = _spans(judgement, batch, judged, belief.unknown, belief)
        for document, names in zip(batch, known, strict=True):
            for start, end in split_sentences(document.text):
                own = [span for span in names if start <= span.start and span.end <= end]
                if own and all(span.confidence is not None for span in own):
                    yield Document(
                        id=f"{document.id}:{start}",
                        text=document.text[start:end],
                        layers={NAMES: tuple(_moved(span, -start) for span in own)},
                    )


def with_consensus(
    rejudgement: Rejudgement,
    parts: Sequence[tuple[Sequence[Document], Finder]],
    *,
    belief: Belief = BELIEF,
) -> Iterator[Document]:
    """Add the layer CONSENSUS: the names of the lexicon, and what a tagger finds beside them.

    Each part has a tagger that did not learn from it. What it half believes is the layer DOUBTFUL.
    """
    for batch in batches(parts):
        judged = rejudgement.judge(batch)
        names_of = _spans(rejudgement.judgement, batch.documents, judged, belief.name, belief)
        for document, names, found in zip(batch.documents, names_of, batch.found, strict=True):
            surest = sorted(found, key=lambda span: -(span.confidence or 0.0))
            kept = list(names)
            doubtful: list[Span] = []
            for span in surest:
                if (span.confidence or 0.0) < belief.doubtful:
                    break
                if not any(_overlap(span, name) for name in kept):
                    is_sure = (span.confidence or 0.0) >= belief.tagger
                    (kept if is_sure else doubtful).append(span)
            yield document.with_layer(CONSENSUS, kept).with_layer(DOUBTFUL, doubtful)


def without_doubt(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents with the layer CONSENSUS alone, without their doubtful sentences."""
    for document in documents:
        doubtful = [span.start for span in document.layers[DOUBTFUL]]
        text, names = "", []
        for start, end in split_sentences(document.text):
            if any(start <= each < end for each in doubtful):
                continue
            text += " " if text else ""
            shift = len(text) - start
            text += document.text[start:end]
            names += [
                _moved(span, shift)
                for span in document.layers[CONSENSUS]
                if start <= span.start and span.end <= end
            ]
        if text:
            yield Document(id=document.id, text=text, layers={CONSENSUS: tuple(names)})


def _judged(
    judgement: Judgement, documents: Sequence[Document]
) -> Iterator[tuple[Sequence[Document], JudgedMatches]]:
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        yield batch, judgement.judge(batch)


def _spans(
    judgement: Judgement,
    documents: Sequence[Document],
    judged: JudgedMatches,
    threshold: float,
    belief: Belief,
) -> list[list[Span]]:
    """Make the matches above a threshold spans; what is unknown has no confidence."""
    rows = taken(judged, documents, threshold)
    matches = judged.matches.keep(rows)
    is_name = judged.supported[rows] | (judged.score[rows] > belief.name)
    sure = np.where(is_name, confidences(judged, belief.name)[rows], np.nan)
    found: list[list[Span]] = [[] for _ in documents]
    columns = matches.document, matches.start, matches.end, matches.key, sure
    for document, start, end, key, own in zip(*(each.tolist() for each in columns), strict=True):
        label = next(iter(judgement.lexicon.labels_of(key)))
        found[document].append(Span(start, end, label, confidence=own if own == own else None))
    return found


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by, span.label, confidence=span.confidence)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
