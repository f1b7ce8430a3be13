"""What the rest of a document says about a candidate name.

Corbett and Copestake, section 3.6, and more of the same kind: how sure the same string is
elsewhere, with and without candidates that are blocked by better ones; what overlaps it;
abbreviations in brackets and what they stand for; whether the whole string is a known name; how it
looks.

One row a candidate, one column a feature; NaN where there is nothing to measure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vermeil.recognise.alphabet import hash_words
from vermeil.recognise.candidates import Candidates, blocked_by
from vermeil.recognise.knowledge import Knowledge
from vermeil.recognise.lattice import Lattice
from vermeil.recognise.tag_set import Flags, Floats, Ints
from vermeil.recognise.token_axis import TokenAxis
from vermeil.recognise.token_sets import folded

CLIP = 15.0
WIDEST_ABBREVIATION = 10
"""Tokens to the left of a bracket in which an abbreviation's long form is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """Candidates with their features; ``names`` are those of the columns."""

    names: tuple[str, ...]
    values: Floats


def describe(
    candidates: Candidates,
    lattice: Lattice,
    axis: TokenAxis,
    texts: Sequence[str],
    knowledge: Knowledge,
) -> Described:
    """Describe the candidates of whole documents."""
    document = np.searchsorted(axis.first_of_document, candidates.start, side="right") - 1
    strings = [
        texts[of][start:end]
        for of, start, end in zip(
            document.tolist(),
            axis.start[candidates.start].tolist(),
            axis.end[candidates.end - 1].tolist(),
            strict=True,
        )
    ]
    blocked = blocked_by(candidates) >= 0
    logit = log_odds(candidates.confidence)
    columns: dict[str, Floats] = {"logit": logit, "blocked": blocked.astype(np.float64)}
    columns |= _elsewhere(candidates, document, strings, logit, blocked)
    columns |= _overlaps(candidates, logit)
    columns |= _around(candidates, lattice, axis, document, logit)
    columns |= _known(candidates, axis, strings, knowledge)
    columns |= _looks(candidates, strings)
    columns |= _abbreviations(candidates, axis, document, strings, logit)
    return Described(tuple(columns), np.stack(list(columns.values()), axis=1))


def log_odds(confidence: Floats) -> Floats:
    """Give the logit of probabilities, cut off at ±CLIP."""
    with np.errstate(divide="ignore"):
        odds: Floats = np.log(confidence) - np.log1p(-confidence)
    return odds.clip(-CLIP, CLIP)


def _elsewhere(
    candidates: Candidates, document: Ints, strings: Sequence[str], logit: Floats, blocked: Flags
) -> dict[str, Floats]:
    """Compare a candidate with others of the same string and label in its document."""
    columns: dict[str, Floats] = {}
    for kind, keys in (("same", list(strings)), ("folded", [each.lower() for each in strings])):
        group = _groups(document, candidates.label, hash_words(keys))
        for which, voting in (("", np.ones(len(logit), dtype=bool)), (" unblocked", ~blocked)):
            n, mean, best = _others(group, logit, voting)
            columns[f"{kind}{which}: how often"] = n
            columns[f"{kind}{which}: mean"] = mean
            columns[f"{kind}{which}: best"] = best
            columns[f"{kind}{which}: above mean"] = logit - mean
    return columns


def _groups(document: Ints, label: Ints, keys: NDArray[np.uint64]) -> Ints:
    mixed = keys ^ (document.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    mixed ^= label.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
    group: Ints = np.unique(mixed, return_inverse=True)[1]
    return group


def _others(group: Ints, values: Floats, voting: Flags) -> tuple[Floats, Floats, Floats]:
    """Give the number, the mean and the greatest of the others of a group that vote."""
    n_groups = int(group.max(initial=-1)) + 1
    n = np.bincount(group[voting], minlength=n_groups)[group] - voting
    total = np.bincount(group[voting], values[voting], n_groups)[group] - values * voting
    some = n > 0
    mean = np.divide(total, n, out=np.full(len(n), np.nan), where=some)
    order = np.lexsort((-values, ~voting, group))
    first = np.searchsorted(group[order], np.arange(n_groups))
    top = order[first]
    after = order[np.minimum(first + 1, len(order) - 1)] if len(order) else order
    chosen = np.where(top[group] == np.arange(len(group)), after[group], top[group])
    return n.astype(np.float64), mean, np.where(some, values[chosen], np.nan)


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
    candidates: Candidates, axis: TokenAxis, strings: Sequence[str], knowledge: Knowledge
) -> dict[str, Floats]:
    """Look the whole string and its words up."""
    known: dict[str, int] = {}
    number = np.fromiter(
        (known.setdefault(word, len(known)) for word in axis.words), np.int64, len(axis.words)
    )
    types = list(known)
    hashes = hash_words([folded(word) for word in types])[number]
    scores = knowledge.preclassifier.score(types)[number]
    sides = knowledge.preclassifier.tokens.look_up(types)[number]
    length = candidates.end - candidates.start
    total = np.concatenate(([0.0], np.cumsum(scores)))
    out_only = np.concatenate(([0], np.cumsum(sides == 1)))
    in_only = np.concatenate(([0], np.cumsum((sides > 1) & (sides % 2 == 0))))
    return {
        "in lexicon": knowledge.lexicon.has_spans(hashes, candidates.start, candidates.end).astype(
            float
        ),
        "seen as a name": knowledge.seen.has_spans(hashes, candidates.start, candidates.end).astype(
            float
        ),
        "mean spelling": (total[candidates.end] - total[candidates.start]) / length,
        "first spelling": scores[candidates.start],
        "last spelling": scores[candidates.end - 1],
        "seen outside only": (out_only[candidates.end] - out_only[candidates.start]) / length,
        "seen inside only": (in_only[candidates.end] - in_only[candidates.start]) / length,
        "first side": sides[candidates.start].astype(float),
        "last side": sides[candidates.end - 1].astype(float),
    }


def _looks(candidates: Candidates, strings: Sequence[str]) -> dict[str, Floats]:
    """Measure the string itself."""
    rows = [
        (
            len(each),
            sum(map(str.isupper, each)) / len(each),
            sum(map(str.isdigit, each)) / len(each),
            sum(map(str.isspace, each)),
            each[:1].isupper(),
            not any(map(str.isalpha, each)),
            each.count("(") != each.count(")") or each.count("[") != each.count("]"),
            "-" in each,
        )
        for each in strings
    ]
    names = ("length", "upper", "digits", "spaces", "capital", "no letter", "unbalanced", "hyphen")
    table = np.array(rows, dtype=np.float64).reshape(-1, len(names))
    columns = {name: table[:, place] for place, name in enumerate(names)}
    return {"tokens": (candidates.end - candidates.start).astype(np.float64), **columns}


def _abbreviations(
    candidates: Candidates, axis: TokenAxis, document: Ints, strings: Sequence[str], logit: Floats
) -> dict[str, Floats]:
    """Tell short forms in brackets, what stands before them, and every other use of them.

    A short form matches if its letters come in order in what stands to the left, the first one at
    the beginning of a word.
    """
    words = axis.words
    ending: dict[int, int] = {}
    for row, end in enumerate(candidates.end.tolist()):
        if end not in ending or logit[row] > logit[ending[end]]:
            ending[end] = row
    n = len(candidates)
    long_form, fits = np.full(n, np.nan), np.full(n, np.nan)
    short_form = np.full(n, np.nan)
    for row, (start, end) in enumerate(
        zip(candidates.start.tolist(), candidates.end.tolist(), strict=True)
    ):
        if not (start > 0 and end < len(words) and words[start - 1] == "(" and words[end] == ")"):
            continue
        first = max(
            int(axis.first_token[candidates.sentence[row]]), start - 1 - WIDEST_ABBREVIATION
        )
        fits[row] = float(_is_short_for(strings[row], words[first : start - 1]))
        if start - 1 in ending:
            long_form[row] = logit[ending[start - 1]]
            of = ending[start - 1]
            short_form[of] = (
                max(logit[row], short_form[of]) if short_form[of] == short_form[of] else logit[row]
            )
    group = _groups(document, candidates.label, hash_words(list(strings)))
    return {
        "short form fits": _spread(fits, group),
        "long form": _spread(long_form, group),
        "short form": _spread(short_form, group),
        "in brackets": (~np.isnan(fits)).astype(np.float64),
    }


def _spread(values: Floats, group: Ints) -> Floats:
    """Give every member of a group the greatest value of any."""
    best = np.full(int(group.max(initial=-1)) + 1, -np.inf)
    known = ~np.isnan(values)
    np.maximum.at(best, group[known], values[known])
    found = best[group]
    return np.where(np.isinf(found), np.nan, found)


def _is_short_for(short: str, words: Sequence[str]) -> bool:
    """Tell whether the letters of a short form come in order, backwards from its last.

    >>> _is_short_for("DEX", ("gave", "dexamethasone")), _is_short_for("DEX", ("gave", "aspirin"))
    (True, False)
    """
    letters = [letter for letter in short.lower() if letter.isalnum()]
    text = " ".join(words).lower()
    at = len(text)
    for place, letter in enumerate(reversed(letters)):
        at = text.rfind(letter, 0, at)
        while place == len(letters) - 1 and at > 0 and text[at - 1].isalnum():
            at = text.rfind(letter, 0, at)
        if at < 0:
            return False
    return bool(letters)
