"""What the words of candidates are like: the company they keep, and where else they stand."""

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.recognise.word_classes.forms import gaps, runs_of
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.chains.lattice import Lattice
from vermeil.sequences.tokens.axis import DistinctWords, TokenAxis

SHORTEST = 3
"""Characters of a word whose other uses in the document say something."""


def company_of_words(
    candidates: Candidates, axis: TokenAxis, knowledge: Knowledge
) -> dict[str, Floats]:
    """Measure the company that words keep, inside and beside, and how those beside are spelled."""
    start, end = candidates.start, candidates.end
    words, number = words_inside(candidates, axis, margin=1)
    company = knowledge.company_of(words)[number]
    spelling = knowledge.spelling_of(words)[number]
    total = np.concatenate(([0.0], np.cumsum(company)))
    columns = {
        "mean company": (total[end] - total[start]) / (end - start),
        "first company": company[start],
        "last company": company[end - 1],
    }
    sentence = axis.first_token[candidates.sentence], axis.first_token[candidates.sentence + 1]
    is_there = {"before": start > sentence[0], "after": end < sentence[1]}
    place = {"before": np.maximum(start - 1, 0), "after": np.minimum(end, len(number) - 1)}
    for side, there in is_there.items():
        columns[f"company {side}"] = np.where(there, company[place[side]], np.nan)
        columns[f"spelling {side}"] = np.where(there, spelling[place[side]], np.nan)
    return columns


def company_of_runs(
    candidates: Candidates, axis: TokenAxis, knowledge: Knowledge
) -> dict[str, Floats]:
    """Measure the company that the runs keep in which a candidate begins and ends."""
    runs, number, _ = runs_of(axis)
    of_token = np.cumsum(gaps(axis)) - 1
    first, last = (number[of_token[at]] for at in (candidates.start, candidates.end - 1))
    wanted = np.zeros(len(runs), dtype=bool)
    wanted[first] = wanted[last] = True
    scores = np.zeros(len(runs))
    scores[wanted] = knowledge.company_of_runs(
        [runs[place] for place in np.flatnonzero(wanted).tolist()]
    )
    return {"first run's company": scores[first], "last run's company": scores[last]}


def words_elsewhere(candidates: Candidates, lattice: Lattice, axis: TokenAxis) -> dict[str, Floats]:
    """Measure how probably the words of a candidate are in names elsewhere in the document."""
    inside = 1 - lattice.marginal[:, 0]
    lower = DistinctWords.of([word.lower() for word in axis.vocabulary.words])
    long = np.array([len(word) >= SHORTEST for word in axis.vocabulary.words], dtype=bool)
    document = np.repeat(
        np.arange(len(axis.first_of_document) - 1), np.diff(axis.first_of_document)
    )
    key = document * len(lower.words) + lower.number[axis.vocabulary.number]
    group = np.unique(key, return_inverse=True)[1]
    counts = long[axis.vocabulary.number]
    order = np.lexsort((-inside, group))
    n, mean, best = others(group, inside, np.ones(len(group), dtype=bool), order)
    counts = counts & (n > 0)
    columns: dict[str, Floats] = {}
    n_counted = np.concatenate(([0], np.cumsum(counts)))
    n_own = n_counted[candidates.end] - n_counted[candidates.start]
    for name, values in (("mean", mean), ("best", best)):
        total = np.concatenate(([0.0], np.cumsum(np.where(counts, values, 0.0))))
        own = total[candidates.end] - total[candidates.start]
        columns[f"words elsewhere: {name}"] = np.divide(
            own, n_own, out=np.full(len(own), np.nan), where=n_own > 0
        )
    return columns


def words_inside(
    candidates: Candidates, axis: TokenAxis, *, margin: int = 0
) -> tuple[list[str], Ints]:
    """List the words inside candidates, and which each token is; other tokens are any of them.

    A ``margin`` of tokens on both sides is inside, too.
    """
    n = len(axis.words)
    step = np.bincount(np.maximum(candidates.start - margin, 0), minlength=n + 1)
    step -= np.bincount(np.minimum(candidates.end + margin, n), minlength=n + 1)
    inside = np.cumsum(step[:-1]) > 0
    every, number = axis.vocabulary.words, axis.vocabulary.number
    wanted = np.zeros(len(every), dtype=np.int64)
    wanted[number[inside]] = 1
    words = [every[place] for place in np.flatnonzero(wanted).tolist()]
    return words, np.maximum(np.cumsum(wanted) - 1, 0)[number]


def others(
    group: Ints, values: Floats, voting: Flags, order: Ints
) -> tuple[Floats, Floats, Floats]:
    """Measure the number, the mean and the greatest of the others of a group that vote.

    ``order`` are the rows that vote, by group, the greatest value first.
    """
    n_groups = int(group.max(initial=-1)) + 1
    n_voting = np.bincount(group[voting], minlength=n_groups)
    n = n_voting[group] - voting
    total = np.bincount(group[voting], values[voting], n_groups)[group] - values * voting
    some = n > 0
    mean = np.divide(total, n, out=np.full(len(n), np.nan), where=some)
    top = (np.cumsum(n_voting) - n_voting)[group[some]]
    own = order[top] == np.flatnonzero(some)
    best = np.full(len(n), np.nan)
    best[some] = values[order[top + own]]
    return n.astype(np.float64), mean, best
