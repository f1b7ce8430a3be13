"""What the rest of a document says about a candidate name.

Corbett and Copestake, section 3.6, and more of the same kind: how sure the same string is
elsewhere, with and without candidates that are blocked by better ones; what overlaps it;
abbreviations in brackets and what they stand for; whether the whole string is a known name; how it
is spelled.

One row a candidate, one column a feature; NaN where there is nothing to measure.

Columns come in families. The first is in every model; those of FAMILIES may be added to it, after
its columns and in this order. A model keeps the names of those it was trained with, so that one
that was trained before a family was there is read as it was.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.recognise.rescoring.abbreviations import FIT, abbreviations, long_forms
from vermeil.recognise.rescoring.appearance import appearance
from vermeil.recognise.rescoring.corpus_evidence import CorpusEvidence, DocumentVotes
from vermeil.recognise.rescoring.training_rates import training_rates
from vermeil.recognise.rescoring.word_evidence import (
    company_of_runs,
    company_of_words,
    others,
    words_elsewhere,
    words_inside,
)
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.word_facts import WordFacts
from vermeil.sequences.chains.candidates import Candidates, blocked_by
from vermeil.sequences.chains.lattice import Lattice
from vermeil.sequences.tokens.alphabet import hash_words
from vermeil.sequences.tokens.axis import DistinctWords, TokenAxis

CLIP = 15.0

LONG_FORMS, CORPUS, RATES, WORDS, POOLED = "long forms", "corpus", "rates", "words", "pooled"
FAMILIES = (LONG_FORMS, CORPUS, RATES, WORDS, POOLED)
"""Features beyond those that every rescorer has: how far a short form stands for a name, what other
documents say, how often it was a name in training, what its words are like, here and elsewhere in
the document, and what was first decided on all uses of the string and of what it stands for
(``pooled_decisions``)."""

USUAL = (LONG_FORMS, RATES)


@dataclass(frozen=True, slots=True, eq=False)
class DescribedCandidates:
    """Candidates with their features; ``names`` are those of the columns.

    ``values[candidate, column]`` lie column by column, as judges look at them.
    """

    names: tuple[str, ...]
    values: Floats

    def some(self, rows: Ints) -> "DescribedCandidates":
        """Select some candidates, given by rising numbers."""
        if len(rows) == len(self.values):
            return self
        return DescribedCandidates(self.names, self.values.T.take(rows, axis=1).T)


def describe(
    candidates: Candidates,
    lattice: Lattice,
    axis: TokenAxis,
    texts: Sequence[str],
    knowledge: Knowledge,
    *,
    families: Collection[str] = USUAL,
    corpus: CorpusEvidence | None = None,
) -> DescribedCandidates:
    """Describe the candidates of whole documents, by some ``families`` beside the first.

    ``corpus`` is what all documents say, these among them; without it a document stands alone.
    """
    document, strings = _placed_strings(candidates, axis, texts)
    same, alike = _groups(document, candidates, strings)
    blocked = blocked_by(candidates) >= 0
    logit = log_odds(candidates.confidence)
    columns: dict[str, Floats] = {"logit": logit, "blocked": blocked.astype(np.float64)}
    columns |= _elsewhere("same", same, logit, blocked)
    columns |= _elsewhere("folded", alike, logit, blocked)
    columns |= _overlaps(candidates, logit)
    columns |= _around(candidates, lattice, axis, document, logit)
    known = knowledge.known(axis.vocabulary.words)
    columns |= _known(candidates, axis, known, knowledge)
    columns |= appearance(candidates, axis, known)
    columns |= abbreviations(candidates, axis, strings, logit, same)
    long = long_forms(candidates, axis, strings, logit, same) if families else {}
    if LONG_FORMS in families:
        columns |= long
    if CORPUS in families:
        votes = _votes(candidates, document, strings, logit, long[FIT], ~blocked)
        columns |= (corpus or CorpusEvidence.nothing()).elsewhere(votes)
    if RATES in families:
        columns |= training_rates(candidates, axis, known, knowledge)
    if WORDS in families:
        columns |= company_of_words(candidates, axis, known)
        columns |= company_of_runs(candidates, axis, knowledge)
        columns |= words_elsewhere(candidates, lattice, axis, known)
    return DescribedCandidates(tuple(columns), np.stack(list(columns.values())).T)


def pooled_decisions(
    candidates: Candidates, axis: TokenAxis, texts: Sequence[str], before: DescribedCandidates
) -> DescribedCandidates:
    """Describe rescored candidates by what was decided on other uses of their strings.

    One decision for a string in a document: the first decisions on all its uses, on what it
    stands for and what stands for it, and on what overlaps it. Then all that was known ``before``.
    """
    document, strings = _placed_strings(candidates, axis, texts)
    same, alike = _groups(document, candidates, strings)
    blocked = blocked_by(candidates) >= 0
    logit = log_odds(candidates.confidence)
    columns: dict[str, Floats] = {"first": logit, "first: blocked": blocked.astype(np.float64)}
    columns |= _elsewhere("first, same", same, logit, blocked)
    columns |= _elsewhere("first, folded", alike, logit, blocked)
    columns |= _overlaps(candidates, logit)
    columns |= abbreviations(candidates, axis, strings, logit, same)
    columns |= long_forms(candidates, axis, strings, logit, same)
    decided = {
        name if name.startswith("first") else f"first, {name}": columns[name] for name in columns
    }
    values = np.concatenate((np.stack(list(decided.values())), before.values.T))
    return DescribedCandidates((*decided, *before.names), values.T)


def corpus_evidence(
    candidates: Candidates, axis: TokenAxis, texts: Sequence[str]
) -> CorpusEvidence:
    """Let the documents of a batch vote for the strings in them."""
    document, strings = _placed_strings(candidates, axis, texts)
    same, _ = _groups(document, candidates, strings)
    logit, blocked = log_odds(candidates.confidence), blocked_by(candidates) >= 0
    fit = long_forms(candidates, axis, strings, logit, same)[FIT]
    return CorpusEvidence.of(_votes(candidates, document, strings, logit, fit, ~blocked))


def log_odds(confidence: Floats) -> Floats:
    """Return the logit of probabilities, cut off at ±CLIP."""
    with np.errstate(divide="ignore"):
        odds: Floats = np.log(confidence) - np.log1p(-confidence)
    return odds.clip(-CLIP, CLIP)


def _placed_strings(
    candidates: Candidates, axis: TokenAxis, texts: Sequence[str]
) -> tuple[Ints, list[str]]:
    """Return the document of each candidate, and its string."""
    document = np.searchsorted(axis.first_of_document, candidates.start, side="right") - 1
    start, end = axis.start[candidates.start], axis.end[candidates.end - 1]
    return document, [
        texts[of][first:last]
        for of, first, last in zip(document.tolist(), start.tolist(), end.tolist(), strict=True)
    ]


def _votes(
    candidates: Candidates,
    document: Ints,
    strings: Sequence[str],
    logit: Floats,
    fit: Floats,
    voting: Flags,
) -> DocumentVotes:
    labelled = [
        f"{candidates.labels[code]}\t{string.lower()}"
        for code, string in zip(candidates.label.tolist(), strings, strict=True)
    ]
    return DocumentVotes.of(hash_words(labelled), document, logit, fit, voting)


def _groups(document: Ints, candidates: Candidates, strings: Sequence[str]) -> tuple[Ints, Ints]:
    """Number groups of candidates of a document and label with the same string; case folded too."""
    distinct = DistinctWords.of(strings)
    lower = DistinctWords.of([each.lower() for each in distinct.words]).number
    place = document * len(candidates.labels) + candidates.label
    same, alike = (
        np.unique(place * len(distinct.words) + key, return_inverse=True)[1]
        for key in (distinct.number, lower[distinct.number])
    )
    return same, alike


def _elsewhere(kind: str, group: Ints, logit: Floats, blocked: Flags) -> dict[str, Floats]:
    """Compare a candidate with the others of its group."""
    columns: dict[str, Floats] = {}
    for which, voting in (("", np.ones(len(logit), dtype=bool)), (" unblocked", ~blocked)):
        n, mean, best = others(group, logit, voting)
        columns[f"{kind}{which}: how often"] = n
        columns[f"{kind}{which}: mean"] = mean
        columns[f"{kind}{which}: best"] = best
        columns[f"{kind}{which}: above mean"] = logit - mean
    return columns


def _overlaps(candidates: Candidates, logit: Floats) -> dict[str, Floats]:
    """Measure what shares tokens with a candidate; candidates come in reading order."""
    n = len(candidates)
    best_wider, best_narrower, best_other = (np.full(n, -CLIP - 1) for _ in range(3))
    total = np.zeros(n)
    start, end, confidence = candidates.start, candidates.end, candidates.confidence
    # Starts rise, so the first that begins at or beyond a candidate's end ends its search.
    active = np.arange(n)
    shift = 1
    while len(active):
        other = active + shift
        active = active[other < n]
        other = active + shift
        overlap = start[other] < end[active]
        active, other = active[overlap], other[overlap]
        np.add.at(total, active, confidence[other])
        np.add.at(total, other, confidence[active])
        holds = end[other] <= end[active]
        held = (start[other] == start[active]) & (end[other] >= end[active])
        for mine, theirs, inside, around in (
            (active, other, holds, held),
            (other, active, held, holds),
        ):
            np.maximum.at(best_narrower, mine[inside], logit[theirs[inside]])
            np.maximum.at(best_wider, mine[around & ~inside], logit[theirs[around & ~inside]])
            rest = ~inside & ~around
            np.maximum.at(best_other, mine[rest], logit[theirs[rest]])
        shift += 1
    missing = -CLIP - 1
    return {
        "overlapping": total,
        "best inside": np.where(best_narrower == missing, np.nan, best_narrower),
        "best around": np.where(best_wider == missing, np.nan, best_wider),
        "best across": np.where(best_other == missing, np.nan, best_other),
        "above all overlapping": logit
        - np.maximum(np.maximum(best_narrower, best_wider), best_other),
    }


def _around(
    candidates: Candidates, lattice: Lattice, axis: TokenAxis, document: Ints, logit: Floats
) -> dict[str, Floats]:
    """Measure the neighbourhood: probability of names right before and after, place in the text."""
    inside = 1 - lattice.marginal[:, 0]
    padded = np.concatenate(([0.0], inside, [0.0]))
    starts, ends = axis.first_token[candidates.sentence], axis.first_token[candidates.sentence + 1]
    before = np.where(candidates.start > starts, padded[candidates.start], np.nan)
    after = np.where(
        candidates.end < ends, padded[np.minimum(candidates.end + 1, len(padded) - 1)], np.nan
    )
    two_before = np.where(
        candidates.start - 1 > starts, padded[np.maximum(candidates.start - 1, 0)], np.nan
    )
    two_after = np.where(
        candidates.end + 1 < ends, padded[np.minimum(candidates.end + 2, len(padded) - 1)], np.nan
    )
    first = axis.first_of_document[document]
    length = axis.first_of_document[document + 1] - first
    share = np.bincount(document, candidates.confidence, len(axis.first_of_document) - 1)
    return {
        "name before": before,
        "name after": after,
        "name two before": two_before,
        "name two after": two_after,
        "place": (candidates.start - first) / length,
        "names a token": share[document] / length,
        "sentence length": (ends - starts).astype(np.float64),
    }


def _known(
    candidates: Candidates, axis: TokenAxis, known: WordFacts, knowledge: Knowledge
) -> dict[str, Floats]:
    """Look the whole string and its words up."""
    start, end = candidates.start, candidates.end
    words, number = words_inside(candidates, axis)
    own = known.keep(words)
    hashes, scores, sides = own.folded[number], own.spelling[number], own.side[number]
    length = end - start
    total = np.concatenate(([0.0], np.cumsum(scores)))
    out_only = np.concatenate(([0], np.cumsum(sides == 1)))
    in_only = np.concatenate(([0], np.cumsum((sides > 1) & (sides % 2 == 0))))
    return {
        "in lexicon": knowledge.lexicon.has_spans(hashes, start, end).astype(float),
        "seen as a name": knowledge.seen.has_spans(hashes, start, end).astype(float),
        "mean spelling": (total[end] - total[start]) / length,
        "first spelling": scores[start],
        "last spelling": scores[end - 1],
        "seen outside only": (out_only[end] - out_only[start]) / length,
        "seen inside only": (in_only[end] - in_only[start]) / length,
        "first side": sides[start].astype(float),
        "last side": sides[end - 1].astype(float),
    }
