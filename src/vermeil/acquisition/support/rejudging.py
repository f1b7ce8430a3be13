"""Matches judged again, now that a tagger has read the text.

A tagger that knows nothing of the lexicon is a witness of its own. What it says of a match, of the
same string elsewhere in the document and of what overlaps it is added to the features of the match,
and the support model is learned once more: how much the tagger's word is worth, references decide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np

from vermeil.acquisition.lexicon.matching import BATCH, Matches
from vermeil.acquisition.support.company import NameCompany
from vermeil.acquisition.support.judgement import (
    MOST_MATCHES,
    JudgedMatches,
    Judgement,
    scored_matches,
    weighed,
)
from vermeil.acquisition.support.match_features import hashed
from vermeil.acquisition.support.model import SupportModel
from vermeil.arrays import Flags, Ints
from vermeil.document import Document, Span
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.tagging import tag
from vermeil.recognise.word_classes.learned_words import LearnedWords

LEAST = 0.002
"""Confidence below which a tagger's word is not heard."""

FAMILY = 100
"""The first family of features; those of a match alone have smaller numbers."""

_READ = "read"
_SOFT = 1e-4


class TaggedBatch(NamedTuple):
    """Documents, and what a tagger that did not learn from them found in each."""

    documents: Sequence[Document]
    found: Sequence[Sequence[Span]]


@dataclass(frozen=True, slots=True, eq=False)
class Rejudgement:
    """A judgement that hears a tagger, and company where words were learned."""

    judgement: Judgement
    model: SupportModel
    company: NameCompany | None = None

    @classmethod
    def learn(
        cls,
        judgement: Judgement,
        parts: Sequence[tuple[Sequence[Document], Finder]],
        *,
        words: LearnedWords | None = None,
        threshold: float = 0.0,
    ) -> "Rejudgement":
        """Learn from documents, each part with a tagger that did not learn from it.

        With ``words``, strings with a mean score above the threshold teach which company names
        keep.
        """
        read = list(_some(judgement, parts))
        model = SupportModel.fit(
            np.concatenate([each.columns[each.known] for each in read]),
            np.concatenate([each.supported[each.known] for each in read]),
        )
        if words is None:
            return cls(judgement, model)
        strings = [string for each in read for string in each.strings]
        score = [
            scored_matches(model, each.matches, each.supported, each.judged).score
            - judgement.doubts.about(each.strings, each.matches.key)
            for each in read
        ]
        company = NameCompany.fit(strings, np.concatenate(score), words, threshold=threshold)
        return cls(judgement, model, company)

    def judge(self, batch: TaggedBatch) -> JudgedMatches:
        """Score the matches of a batch of documents."""
        judged = scored_matches(self.model, *_described(self.judgement, batch))
        return weighed(judged, batch.documents, self.judgement.doubts, self.company)


def batches(parts: Sequence[tuple[Sequence[Document], Finder]]) -> Iterator[TaggedBatch]:
    """Yield the documents of all parts, batch by batch, read by the tagger of their part."""
    for documents, tagger in parts:
        for first in range(0, len(documents), BATCH):
            some = documents[first : first + BATCH]
            read = tag(tagger, some, name=_READ, threshold=LEAST, overlaps=True)
            yield TaggedBatch(some, [each.layers[_READ] for each in read])


class _Described(NamedTuple):
    """Matches of a batch, which are supported, their features to learn from and to be judged by,
    and which have a document that references know; and their strings."""

    matches: Matches
    supported: Flags
    columns: Ints
    judged: Ints
    known: Flags
    strings: list[str]


def _some(
    judgement: Judgement, parts: Sequence[tuple[Sequence[Document], Finder]]
) -> Iterator[_Described]:
    """Describe the matches of documents, batch by batch, until there are MOST_MATCHES to learn."""
    n_matches = 0
    for batch in batches(parts):
        matches, supported, columns = _described(judgement, batch, to_learn=True)
        judged = _described(judgement, batch)[2]
        known = judgement.links.are_referenced(batch.documents)[matches.document]
        strings = matches.strings(batch.documents)
        yield _Described(matches, supported, columns, judged, known, strings)
        n_matches += int(known.sum())
        if n_matches >= MOST_MATCHES:
            break


def _described(
    judgement: Judgement, batch: TaggedBatch, *, to_learn: bool = False
) -> tuple[Matches, Flags, Ints]:
    matches, supported, columns = judgement.describe(batch.documents, to_learn=to_learn)
    heard = _heard(matches, batch)
    return matches, supported, np.concatenate((columns, heard), axis=1)


def _heard(matches: Matches, batch: TaggedBatch) -> Ints:
    """Make columns of what a tagger says of each match."""
    first = np.searchsorted(matches.document, np.arange(len(batch.documents) + 1))
    rows: list[tuple[float, ...]] = []
    for number, (document, found) in enumerate(zip(*batch, strict=True)):
        own = slice(first[number], first[number + 1])
        places = zip(matches.start[own].tolist(), matches.end[own].tolist(), strict=True)
        rows += _opinions(document.text, found, places)
    table = np.array(rows).reshape(-1, 5)
    values = np.rint(table * np.array([2, 2, 2, 2, 1])).astype(np.int64)
    return np.stack(
        [hashed(FAMILY + place, values[:, place]) for place in range(values.shape[1])], axis=1
    )


def _opinions(
    text: str, found: Sequence[Span], places: Iterator[tuple[int, int]]
) -> Iterator[tuple[float, ...]]:
    """Yield log odds: of the match, the mean and best of its string, of what overlaps, above that.

    What the tagger did not find at all has those of confidence 0.
    """
    sure = {(span.start, span.end): span.confidence or 0.0 for span in found}
    by_string: dict[str, list[float]] = {}
    for (start, end), confidence in sure.items():
        by_string.setdefault(text[start:end].lower(), []).append(confidence)
    ordered = sorted(sure.items())
    for start, end in places:
        own = sure.get((start, end), 0.0)
        elsewhere = by_string.get(text[start:end].lower(), [0.0])
        other = max(
            (
                confidence
                for (begin, stop), confidence in ordered
                if begin < end and stop > start and (begin, stop) != (start, end)
            ),
            default=0.0,
        )
        yield (
            _odds(own),
            _odds(sum(elsewhere) / len(elsewhere)),
            _odds(max(elsewhere)),
            _odds(other),
            _odds(own) - _odds(other),
        )


def _odds(confidence: float) -> float:
    return log((confidence + _SOFT) / (1 - confidence + _SOFT))
