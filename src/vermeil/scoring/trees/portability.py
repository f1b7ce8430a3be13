"""How much parsers lose from one treebank to another, and where.

The question of Clegg and Shepherd: the same parsers on the text they were made for and on other
text. Figures of both treebanks are set side by side, each with the difference and its interval; as
the sentences are not the same, each side is drawn again by itself. Why constituents are missed is
what ``losses`` says.

The mean leaf-ancestor score is taken apart by the share of words that were parsed, by the share of
these that were tagged rightly, and by the scores of rightly and of wrongly tagged words (a Kitagawa
decomposition: each part at the mean of the others, so that they add up).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from vermeil.arrays import Floats
from vermeil.scoring.significance import Interval, f1, precision, recall, unpaired_bootstrap
from vermeil.scoring.trees.losses import CAUSES, Losses
from vermeil.shown import Brief

FIGURES = ("la", "precision", "recall", "f1", "tags", "parsed", "perfect", "la_right", "la_wrong")
PARTS = ("failures", "tags", "structure")
"""What the difference of two leaf-ancestor scores is made of."""

_COUNTS = ("matched", "predicted", "matched", "wanted", "la", "n_words", "right_tags")

Draws = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True)
class Loss:
    """A figure on two treebanks; ``drop`` is that of the second less that of the first."""

    here: float
    there: float
    drop: Interval


@dataclass(frozen=True, slots=True, repr=False)
class Portability(Brief):
    """One parser on two treebanks.

    ``figures`` are those of FIGURES, ``missed`` shares of the constituents wanted by cause,
    ``parts`` what the drop of the leaf-ancestor score is made of. ``rules`` are F of the rules that
    are commonest here, with their shares of all productions here and there in ``shares``. ``tags``
    are shares of rightly tagged words by the tag they should have, the commonest here first.
    """

    figures: Mapping[str, Loss]
    missed: Mapping[str, Loss]
    parts: Mapping[str, Interval]
    rules: Mapping[str, Loss]
    shares: Mapping[str, tuple[float, float]]
    tags: Mapping[str, tuple[int, float, int, float]]

    def _told(self) -> str:
        la, f = self.figures["la"], self.figures["f1"]
        return f"leaf-ancestor {la.there:.3f} → {la.here:.3f}, F1 {f.there:.3f} → {f.here:.3f}"


def portability(
    here: Losses, there: Losses, *, top: int = 25, n_resamples: int = 1000, seed: int = 0
) -> Portability:
    """Set what a parser does on two treebanks side by side; ``there`` is where it is at home."""
    rules = [name for name, _ in sorted(here.wanted.items(), key=lambda each: (-each[1], each[0]))]
    rules = rules[:top]
    rows = _rows(here, rules), _rows(there, rules)
    figures = _statistics(rules)
    drops: dict[str, Draws] = {name: _difference(each) for name, each in figures.items()}
    drops |= {f"part {name}": _part(name) for name in PARTS}
    intervals = unpaired_bootstrap(*rows, drops, n_resamples=n_resamples, seed=seed)
    # Sorted first, so that no order of sentences shows in the last digit.
    totals = [np.sort(each, axis=0).sum(axis=0) for each in rows]
    found = {
        name: Loss(float(figure(totals[0])), float(figure(totals[1])), intervals[name])
        for name, figure in figures.items()
    }
    n_here, n_there = here.wanted, there.wanted
    shares = {
        rule: (_share(n_here[rule], n_here.total()), _share(n_there[rule], n_there.total()))
        for rule in rules
    }
    return Portability(
        figures={name: found[name] for name in FIGURES},
        missed={name: found[f"missed {name}"] for name in CAUSES},
        parts={name: intervals[f"part {name}"] for name in PARTS},
        rules={rule: found[f"rule {rule}"] for rule in rules},
        shares=shares,
        tags=_both_tags(here.tags, there.tags),
    )


def _rows(of: Losses, rules: Sequence[str]) -> Floats:
    """Lay out for each sentence a row of all that is counted in it, for the bootstrap."""
    every = of.sentences
    columns = [getattr(every, name) for name in _COUNTS]
    words = np.where(every.parsed, every.n_words, 0)
    columns += [words, np.ones(len(every)), every.parsed, every.perfect]
    number = {name: place for place, name in enumerate(rules)}
    wanted = np.array([number.get(name, -1) for name in of.names] or [-1])[of.rules[:, 1]]
    counts = np.zeros((len(every), len(rules), 3))
    some = wanted >= 0
    counts[of.rules[some, 0], wanted[some]] = of.rules[some, 2:]
    parts = (np.column_stack(columns), of.missed, of.tagged, counts.reshape(len(every), -1))
    return np.column_stack(parts).astype(np.float64)


_N_COUNTS = len(_COUNTS) + 4
_N_FIXED = _N_COUNTS + len(CAUSES) + 4


def _statistics(rules: Sequence[str]) -> dict[str, Callable[[Floats], Floats]]:
    """Compute each figure from the pooled columns of ``_rows``."""
    found: dict[str, Callable[[Floats], Floats]] = {
        "la": _ratio_of(4, 5),
        "precision": lambda pooled: precision(pooled[..., :4]),
        "recall": lambda pooled: recall(pooled[..., :4]),
        "f1": lambda pooled: f1(pooled[..., :4]),
        "tags": _ratio_of(6, 7),
        "parsed": _ratio_of(9, 8),
        "perfect": _ratio_of(10, 8),
        "la_right": _ratio_of(_N_FIXED - 3, _N_FIXED - 4),
        "la_wrong": _ratio_of(_N_FIXED - 1, _N_FIXED - 2),
    }
    for place, cause in enumerate(CAUSES):
        found[f"missed {cause}"] = _ratio_of(_N_COUNTS + place, 3)
    for place, rule in enumerate(rules):
        found[f"rule {rule}"] = _f1_of(_N_FIXED + 3 * place)
    return found


def _part(name: str) -> Draws:
    """Compute a part of the difference of two leaf-ancestor scores."""

    def part(here: Floats, there: Floats) -> Floats:
        parsed, wrong, of_right, of_wrong = zip(*map(_taken_apart, (here, there)), strict=True)
        right_mean, wrong_mean = _mean(*of_right), _mean(*of_wrong)
        wrong_share = _mean(*wrong)
        inner = [
            (1 - share) * np.nan_to_num(a) + share * np.nan_to_num(b)
            for share, a, b in zip(wrong, of_right, of_wrong, strict=True)
        ]
        if name == "failures":
            return np.asarray((parsed[1] - parsed[0]) * _mean(*inner))
        of_tags = (wrong[0] - wrong[1]) * (right_mean - wrong_mean)
        if name == "tags":
            return np.asarray(_mean(*parsed) * of_tags)
        within = (1 - wrong_share) * _change(*of_right) + wrong_share * _change(*of_wrong)
        return np.asarray(_mean(*parsed) * within)

    return part


def _taken_apart(pooled: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the shares of words parsed and of these wrongly tagged, and both mean scores."""
    n_right, la_right, n_wrong, la_wrong = np.moveaxis(pooled[..., _N_FIXED - 4 : _N_FIXED], -1, 0)
    parsed = _ratio(n_right + n_wrong, pooled[..., 5])
    wrong = np.nan_to_num(_ratio(n_wrong, n_right + n_wrong))
    return parsed, wrong, _ratio(la_right, n_right), _ratio(la_wrong, n_wrong)


def _mean(one: Floats, other: Floats) -> Floats:
    """Average two figures; where one is undefined, take the other, where both are, nothing."""
    mean: Floats = np.nan_to_num(
        np.where(np.isnan(one), other, np.where(np.isnan(other), one, (one + other) / 2))
    )
    return mean


def _change(here: Floats, there: Floats) -> Floats:
    change: Floats = np.nan_to_num(there - here)
    return change


def _difference(figure: Callable[[Floats], Floats]) -> Draws:
    return lambda here, there: figure(there) - figure(here)


def _ratio_of(above: int, below: int) -> Callable[[Floats], Floats]:
    return lambda pooled: _ratio(pooled[..., above], pooled[..., below])


def _f1_of(place: int) -> Callable[[Floats], Floats]:
    columns = [place, place + 1, place, place + 2]
    return lambda pooled: f1(pooled[..., columns])


def _ratio(above: Floats, below: Floats) -> Floats:
    below = np.asarray(below, dtype=np.float64)
    ratio: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return ratio


def _both_tags(
    here: Mapping[str, tuple[int, int]], there: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[int, float, int, float]]:
    found = {}
    for tag in sorted({*here, *there}, key=lambda tag: (-here.get(tag, (0, 0))[0], tag)):
        (n, right), (m, right_there) = here.get(tag, (0, 0)), there.get(tag, (0, 0))
        found[tag] = n, _share(right, n), m, _share(right_there, m)
    return found


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan
