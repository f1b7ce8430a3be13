"""Can silver stand in for gold? Rank systems against both and correlate the ranks.

Section 5.2.1 of Lewin et al., "Centroids": systems are ranked by F1 against the consensus of their
outputs and against gold, and Spearman's rho says how far the two rankings agree. A system has a
hand in the silver that judges it; leaving it out of that silver removes the advantage.

What a few say is compared by their votes alone: texts, which teach a consensus how names are cut,
are not read again for each of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from math import isnan, nan, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from vermeil.arrays import Floats
from vermeil.consensus import Options, combine
from vermeil.consensus.stage import Learned
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.scope import Scope, is_annotator
from vermeil.scoring.agreement.left_out import FEW
from vermeil.scoring.counts import Counts
from vermeil.scoring.others import compare_crowd, only_said
from vermeil.scoring.scores import score
from vermeil.shown import Brief

SILVER = "silver"
VOTES = Options(read=False)
"""How the silver of a few is made unless told."""

N_EXACT = 8

Scorer: TypeAlias = Callable[[Sequence[Document], str, Sequence[str]], dict[str, Counts]]
"""Takes documents, the name of the standard and the systems; returns the counts of each system."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of ``n`` pairs, and how likely it is by chance (two-tailed).

    Ties share the mean of their ranks. The p-value is exact up to N_EXACT pairs and that of the t
    distribution beyond. NaN with fewer than three pairs or where one side does not vary.
    """

    rho: float
    p_value: float
    n: int


@dataclass(frozen=True, slots=True, repr=False)
class Standing(Brief):
    """The counts of one system against each standard; None where there is no gold."""

    system: str
    silver: Counts
    left_out: Counts
    gold: Counts | None

    def _told(self) -> str:
        gold = "" if self.gold is None else f", against gold {self.gold.f1:.3f}"
        silver = f"against silver {self.silver.f1:.3f}, the others' {self.left_out.f1:.3f}"
        return f"{self.system}, F1 {silver}{gold}"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Brief):
    """Systems against silver, against the silver of the others, and against gold.

    In order of F1 against gold, or against the silver of the others where there is none.
    """

    standings: tuple[Standing, ...]
    silver: Correlation | None
    left_out: Correlation | None

    def _told(self) -> str:
        rho = "" if self.silver is None else f", rho of silver and gold {self.silver.rho:.3f}"
        return f"{len(self.standings):,} systems{rho}"


@dataclass(frozen=True, slots=True)
class ViewScorer:
    """Counts as a view of ``vermeil.scoring.scores`` does.

    Systems are scored on the labels they look for: those they use, or those ``told`` of them.
    """

    view: str
    told: Mapping[str, frozenset[str]] | None = None

    def __call__(
        self, documents: Sequence[Document], standard: str, systems: Sequence[str]
    ) -> dict[str, Counts]:
        """Count each system against the standard."""
        scope = Scope.of(documents, self.told)
        scores = score(
            documents, standard=standard, systems=systems, scope=scope, views=[self.view]
        )
        return {system: each.counts(self.view) for system, each in scores.items()}


def by_view(view: str, told: Mapping[str, frozenset[str]] | None = None) -> ViewScorer:
    """Make the scorer of a view."""
    return ViewScorer(view, told)


def compare_standards(
    documents: Sequence[Document],
    *,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    scorer: Scorer | None = None,
    gold_scorer: Scorer | None = None,
    by: str = "people",
    options: Options | None = None,
    known: Learned | None = None,
) -> Comparison:
    """Score systems against silver made of them and against gold, and correlate.

    ``systems`` are all layers but ``gold`` unless named; ``by`` and ``options`` make the silver, of
    a few ``VOTES`` alone unless told.
    ``scorer`` (the centroid view) judges against silver and, unless ``gold_scorer`` is given,
    against gold. More than FEW systems, judged by one view, are a crowd: the silver of the others
    is then learned once for all, unless it is ``known``, and each is judged where it looked
    (``scoring.others``).
    """
    names = sorted({name for document in documents for name in document.layers})
    chosen = sorted(systems) if systems is not None else _systems(names, gold)
    if len(chosen) < 2:
        raise UsageError(f"silver needs two systems or more; found: {', '.join(chosen) or 'none'}")
    if SILVER in chosen:
        raise UsageError(
            f"{SILVER!r} is the name of what is made of the systems; rename that layer"
        )
    judge = scorer or by_view("centroid")
    if len(chosen) > FEW and isinstance(judge, ViewScorer) and gold_scorer is None:
        scope = Scope.of(documents, judge.told)
        found = compare_crowd(
            documents,
            chosen,
            view=judge.view,
            scope=scope,
            gold=gold,
            by=by,
            options=options,
            known=known,
        )
        return compared(chosen, *found)
    made = partial(with_silver, documents, by=by, options=options)
    silver = judge(made(chosen, chosen), SILVER, chosen)
    left_out = {
        name: against_others(made(rest, [name]), name, judge) for name, rest in each_out(chosen)
    }
    golden = (gold_scorer or judge)(documents, gold, chosen) if gold is not None else {}
    return compared(chosen, silver, left_out, golden)


def each_out(systems: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each system with all others."""
    for left_out in systems:
        yield left_out, [name for name in systems if name != left_out]


def with_silver(
    documents: Sequence[Document],
    voters: Sequence[str],
    judged: Sequence[str],
    *,
    by: str = "people",
    options: Options | None = None,
) -> list[Document]:
    """Take the documents some voter looked at, with the layers to judge and SILVER."""
    seen = [document for document in documents if not document.layers.keys().isdisjoint(voters)]
    kept = frozenset((*voters, *judged))
    bare = [only_said(document, kept) for document in seen]
    return combine(bare, by=by, name=SILVER, annotators=voters, options=options or VOTES)


def against_others(judged: Sequence[Document], system: str, scorer: Scorer) -> Counts:
    """Score a system against the SILVER of the others; alone in its documents, not at all."""
    if not any(system in document.layers for document in judged):
        return Counts()
    return scorer(judged, SILVER, [system])[system]


def compared(
    chosen: Sequence[str],
    silver: Mapping[str, Counts],
    left_out: Mapping[str, Counts],
    golden: Mapping[str, Counts],
) -> Comparison:
    """Rank systems by counts against silver, the silver of the others and gold, and correlate."""
    standings = [Standing(name, silver[name], left_out[name], golden.get(name)) for name in chosen]
    standings.sort(key=_rank)
    return Comparison(
        tuple(standings),
        _correlated(silver, golden) if golden else None,
        _correlated(left_out, golden) if golden else None,
    )


def spearman(first: ArrayLike, second: ArrayLike) -> Correlation:
    """Correlate the ranks of two lists of figures; pairs with a NaN are left out.

    >>> spearman([0.1, 0.5, 0.9], [0.3, 0.2, 0.8]).rho
    0.5
    """
    pairs = np.column_stack((np.asarray(first, dtype=float), np.asarray(second, dtype=float)))
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if len(pairs) < 3 or (pairs == pairs[0]).all(axis=0).any():
        return Correlation(nan, nan, len(pairs))
    ranks = np.stack([_ranks(column) for column in pairs.T])
    rho = float(np.asarray(np.corrcoef(ranks))[0, 1])
    p_value = _exact_p(ranks) if len(pairs) <= N_EXACT else _p(rho, len(pairs))
    return Correlation(rho, p_value, len(pairs))


def _ranks(values: Floats) -> Floats:
    """Rank values from 1 on; ties share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(count) - (count - 1) / 2)[place]
    return ranks


def _p(rho: float, n: int) -> float:
    """Compute how likely t is by chance that is so far from 0, either way."""
    from scipy.special import stdtr  # scipy takes its time to load, and all of its stats far more

    beyond = (1 - rho) * (1 + rho)
    return float(2 * stdtr(n - 2, -abs(rho) * sqrt((n - 2) / beyond))) if beyond > 0 else 0.0


def _exact_p(ranks: Floats) -> float:
    """Compute the share of all orders whose ranks correlate as strongly, either way."""
    first, second = ranks
    orders = np.array(list(permutations(range(len(first)))))
    centred = first - first.mean()
    strength = np.abs((second[orders] - second.mean()) @ centred)
    return float(np.mean(strength >= strength[0] * (1 - 1e-12)))


def _systems(names: Sequence[str], gold: str | None) -> list[str]:
    return [name for name in names if name not in (gold, SILVER) and is_annotator(name)]


def _correlated(first: Mapping[str, Counts], second: Mapping[str, Counts]) -> Correlation:
    names = sorted(first)
    return spearman([first[name].f1 for name in names], [second[name].f1 for name in names])


def _rank(standing: Standing) -> tuple[float, str]:
    f1 = (standing.gold or standing.left_out).f1
    return (1.0 if isnan(f1) else -f1), standing.system
