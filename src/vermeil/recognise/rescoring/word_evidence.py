"""What the words of candidates are like: the company they keep, and where else they stand."""

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.recognise.word_classes.forms import gaps, runs_of
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.word_facts import CHARACTERS, WordFacts
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.chains.lattice import Lattice
from vermeil.sequences.tokens.axis import TokenAxis

SHORTEST = 3
"""Characters of a word whose other uses in the document say something."""


def company_of_words(
    candidates: Candidates, axis: TokenAxis, known: WordFacts
) -> dict[str, Floats]:
    """Measure the company that words keep, inside and beside, and how those beside are spelled."""
    start, end = candidates.start, candidates.end
    words, number = words_inside(candidates, axis, margin=1)
    company, spelling = (column[words][number] for column in (known.company, known.spelling))
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
    _, scores[wanted] = knowledge.known_runs(
        [runs[place] for place in np.flatnonzero(wanted).tolist()]
    )
    return {"first run's company": scores[first], "last run's company": scores[last]}


def words_elsewhere(
    candidates: Candidates, lattice: Lattice, axis: TokenAxis, known: WordFacts
) -> dict[str, Floats]:
    """Measure how probably the words of a candidate are in names elsewhere in the document."""
    number = axis.vocabulary.number
    lower = np.unique(known.lower, return_inverse=True)[1]
    is_long = known.characters[:, CHARACTERS.index("every")] >= SHORTEST
    has_long = np.zeros(len(lower), dtype=bool)
    has_long[lower[is_long]] = True
    # Only words that are long enough count, and what is written like them in lower case.
    some = np.flatnonzero(has_long[lower][number])
    document = np.searchsorted(axis.first_of_document, some, side="right") - 1
    group = np.unique(document * len(lower) + lower[number[some]], return_inverse=True)[1]
    inside = 1 - lattice.marginal[some, 0]
    n, mean, best = others(group, inside, np.ones(len(group), dtype=bool))
    counted = (n > 0) & is_long[number[some]]
    at = some[counted]
    columns: dict[str, Floats] = {}
    n_counted = np.zeros(len(number) + 1, dtype=np.int64)
    n_counted[at + 1] = 1
    n_counted = np.cumsum(n_counted)
    n_own = n_counted[candidates.end] - n_counted[candidates.start]
    for name, values in (("mean", mean), ("best", best)):
        total = np.zeros(len(number) + 1)
        total[at + 1] = values[counted]
        total = np.cumsum(total)
        own = total[candidates.end] - total[candidates.start]
        columns[f"words elsewhere: {name}"] = np.divide(
            own, n_own, out=np.full(len(own), np.nan), where=n_own > 0
        )
    return columns


def words_inside(candidates: Candidates, axis: TokenAxis, *, margin: int = 0) -> tuple[Ints, Ints]:
    """Find the distinct words inside candidates, and which each token is; others are any of them.

    A ``margin`` of tokens on both sides is inside, too.
    """
    n = len(axis.words)
    step = np.bincount(np.maximum(candidates.start - margin, 0), minlength=n + 1)
    step -= np.bincount(np.minimum(candidates.end + margin, n), minlength=n + 1)
    inside = np.cumsum(step[:-1]) > 0
    number = axis.vocabulary.number
    wanted = np.zeros(len(axis.vocabulary.words), dtype=np.int64)
    wanted[number[inside]] = 1
    return np.flatnonzero(wanted), np.maximum(np.cumsum(wanted) - 1, 0)[number]


def others(group: Ints, values: Floats, voting: Flags) -> tuple[Floats, Floats, Floats]:
    """Measure the number, the mean and the greatest of the others of a group that vote."""
    n_groups = int(group.max(initial=-1)) + 1
    own_group, own_value = group[voting], values[voting]
    n = np.bincount(own_group, minlength=n_groups)[group] - voting
    total = np.bincount(own_group, own_value, n_groups)[group] - values * voting
    mean = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    best, second = np.full((2, n_groups), -np.inf)
    np.maximum.at(best, own_group, own_value)
    leads = own_value == best[own_group]
    np.maximum.at(second, own_group[~leads], own_value[~leads])
    # Who leads alone has the second as the best of the others.
    alone = voting & (values == best[group])
    alone &= np.bincount(own_group[leads], minlength=n_groups)[group] == 1
    greatest = np.where(alone, second[group], best[group])
    return n.astype(np.float64), mean, np.where(n > 0, greatest, np.nan)
