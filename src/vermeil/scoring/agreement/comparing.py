"""How far annotators agree: pair by pair, all together, and each with the consensus of the others.

An annotator without a layer on a document did not look; a pair is compared over the documents both
looked at and the labels both look for. A name that an annotator gives twice counts once. For each
pair:

* ``exact``: F1 of one against the other; the same offsets (and fragments) and label.
* ``overlap``: F1 where a name is right if a name of the other with the same label shares a
  character with it. One name may meet several, so the two sides are counted apart.
* ``hearts``: F1 over the hearts of the names. Hearts are the peaks of the votes of all annotators
  together, and an annotator marks a heart with a name that contains it (section 6 of Lewin et
  al., "Centroids", where a name must extend the heart). So those agree who mean the same name
  wherever they cut it, while an overlap at an edge is not enough. ``left`` and ``right`` are the
  shares of the common hearts at which both cut alike. Symmetric, but the heart of a name depends
  on the others: leave annotators out to compare two among themselves.
* ``kappa``: Cohen's kappa over character pairs.

For all together, Fleiss' kappa and Krippendorff's alpha over character pairs, alpha also label by
label; see ``kappa``, and ``docs/methods.md`` for what scope does to them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.document import Document
from vermeil.scope import Scope
from vermeil.scoring.agreement.examples import Example
from vermeil.scoring.agreement.left_out import BY_ANNOTATOR
from vermeil.scoring.agreement.meetings import BY_LABEL, BY_PAIR
from vermeil.scoring.agreement.stage import AgreeStage, VotersStage
from vermeil.scoring.agreement.sums import AgreementSums, Worst
from vermeil.scoring.agreement.votes import Words
from vermeil.scoring.counts import Counts
from vermeil.scoring.significance import Interval
from vermeil.shown import Brief

LEVEL = 0.95
LEAN = 5.0
"""Documents by which the kappa of a pair leans on alpha when pairs are ranked."""


@dataclass(frozen=True, slots=True, repr=False)
class Pair(Brief):
    """How far two annotators agree on the ``n_documents`` both looked at.

    In the counts, ``first`` is what is wanted and ``second`` what is predicted; F1 is the same
    the other way round. ``left`` and ``right`` are NaN where no heart is common.
    """

    first: str
    second: str
    n_documents: int
    exact: Counts
    overlap: Counts
    hearts: Counts
    left: float
    right: float
    kappa: float

    def _told(self) -> str:
        return (
            f"{self.first} and {self.second}, {self.n_documents:,} documents, "
            f"exact F1 {self.exact.f1:.3f}, hearts F1 {self.hearts.f1:.3f}, "
            f"kappa {self.kappa:.3f}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class LeftOut(Brief):
    """How far an annotator agrees with the consensus of the others, which is what is wanted.

    Over the documents that the annotator and at least one of the others looked at.
    """

    annotator: str
    n_documents: int
    exact: Counts
    overlap: Counts

    def _told(self) -> str:
        return (
            f"{self.annotator}, {self.n_documents:,} documents, exact F1 {self.exact.f1:.3f}, "
            f"overlap F1 {self.overlap.f1:.3f}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class LabelAgreement(Brief):
    """How far those ``n_annotators`` agree on a label who look for it.

    ``exact`` is that of all pairs pooled; ``alpha`` asks of every character pair whether it has
    the label.
    """

    label: str
    n_annotators: int
    exact: Counts
    alpha: float
    interval: Interval | None

    def _told(self) -> str:
        return f"{self.label}, exact F1 {self.exact.f1:.3f}, alpha {self.alpha:.3f}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Brief):
    """All figures; annotators are in alphabetical order, and so are the pairs of those who met.

    ``n_apart`` pairs met and look for nothing in common. ``matches`` are the names of all pairs
    that match exactly, and all of them. ``confusion`` counts for each annotator and label what
    the others say there who look for both labels, empty for nothing. ``looked`` counts documents
    by who looked, where annotators are few. Intervals are by the bootstrap over documents, None
    where not asked for.
    """

    annotators: tuple[str, ...]
    scope: Scope
    n_documents: int
    n_shared: int
    pairs: tuple[Pair, ...]
    n_apart: int
    matches: tuple[int, int]
    fleiss: float
    alpha: float
    labels: tuple[LabelAgreement, ...]
    confusion: Mapping[tuple[str, str, str], int]
    label_examples: Mapping[tuple[str, str], tuple[Example, ...]]
    pair_examples: Mapping[tuple[str, str], Example]
    left_out: tuple[LeftOut, ...]
    intervals: dict[str, Interval] | None
    looked: Mapping[tuple[str, ...], int]
    worst: tuple[Worst, ...]

    def _told(self) -> str:
        return (
            f"{len(self.annotators):,} annotators, {self.n_documents:,} documents, "
            f"exact F1 {self.exact:.3f}, Fleiss' kappa {self.fleiss:.3f}, "
            f"Krippendorff's alpha {self.alpha:.3f}"
        )

    @property
    def exact(self) -> float:
        """Exact F1 of all pairs pooled; NaN where nothing can be compared."""
        matched, compared = self.matches
        return matched / compared if compared else nan

    @property
    def confused_labels(self) -> dict[tuple[str, str], int]:
        """What all annotators call what others call something else; empty for nothing."""
        total: dict[tuple[str, str], int] = {}
        for (_, label, said), n in self.confusion.items():
            total[label, said] = total.get((label, said), 0) + n
        return dict(sorted(total.items()))

    def with_each(self) -> dict[str, tuple[int, Counts]]:
        """Return for each annotator how many others it met, and exact counts against all of them.

        The annotator's names are what is predicted.
        """
        met = dict.fromkeys(self.annotators, 0)
        counts = dict.fromkeys(self.annotators, Counts())
        for pair in self.pairs:
            met[pair.first] += 1
            met[pair.second] += 1
            counts[pair.second] += pair.exact
            found, exact = pair.exact.found, pair.exact
            counts[pair.first] += Counts(found, exact.wanted, exact.right, exact.predicted)
        return {name: (met[name], counts[name]) for name in self.annotators}

    def least(self) -> list[Pair]:
        """Rank the pairs by kappa, the least first; each leans on alpha by LEAN documents."""

        def rank(pair: Pair) -> tuple[float, int, str, str]:
            kappa = 0.0 if isnan(pair.kappa) else pair.kappa
            n = 0 if isnan(pair.kappa) else pair.n_documents
            whole = 0.0 if isnan(self.alpha) else self.alpha
            leaning = (kappa * n + whole * LEAN) / (n + LEAN)
            return leaning, -n, pair.first, pair.second

        return sorted(self.pairs, key=rank)


def agree(
    documents: SpanTable | Iterable[Document],
    *,
    annotators: Sequence[str] | None = None,
    scope: Mapping[str, frozenset[str]] | None = None,
    leave_one_out: bool = True,
    n_resamples: int = 0,
    n_worst: int = 0,
    seed: int = 0,
) -> Agreement:
    """Compare annotators: the named ones, or all but the layers of alternatives.

    ``scope`` says what some of them look for; the others look for the labels they use. With
    ``n_resamples``, the figures for all together get intervals; ``n_worst`` documents with the
    least agreement are named.

    >>> from vermeil import Span
    >>> layers = {"anna": (Span(0, 5, "Gene"),), "ben": (Span(0, 5, "Gene"), Span(6, 9, "Gene"))}
    >>> agreement = agree([Document(id="1", text="BRCA1 p53", layers=layers)])
    >>> round(agreement.pairs[0].exact.f1, 3)
    0.667
    """
    held = list(documents.to_documents() if isinstance(documents, SpanTable) else documents)
    chosen = None if annotators is None else tuple(annotators)
    first = VotersStage(chosen, learns=leave_one_out)
    stage = AgreeStage.of(
        first.finish(first.observe(iter(held))),
        scope,
        leave_one_out=leave_one_out,
        n_resamples=n_resamples,
        seed=seed,
        n_worst=n_worst,
    )
    return agreement_of(stage, stage.observe(iter(held)))


def agreement_of(stage: AgreeStage, sums: AgreementSums) -> Agreement:
    """Make the figures of what was counted."""
    words, scope, totals = stage.words, stage.scope, sums.totals
    pairs = tuple(_pairs(sums, words))
    matched, compared = _matches(sums)
    figures = {"exact": totals.exact(), "fleiss": totals.fleiss(), "alpha": totals.alpha()}
    intervals = None
    if stage.n_resamples:
        intervals = {name: _interval(each) for name, each in figures.items()}
    return Agreement(
        annotators=words.annotators,
        scope=scope,
        n_documents=sums.n_documents,
        n_shared=sums.n_shared,
        pairs=pairs,
        n_apart=len(sums.by_pair.key) - len(pairs),
        matches=(matched, compared),
        fleiss=float(figures["fleiss"][0]),
        alpha=float(figures["alpha"][0]),
        labels=tuple(_labels(stage, sums, words)),
        confusion=_confusion(sums, words),
        label_examples=dict(sorted(sums.examples.labels.items())),
        pair_examples=sums.examples.pairs or {},
        left_out=tuple(_left_out(sums, words)),
        intervals=intervals,
        looked={
            tuple(words.annotators[code] for code in codes): n for codes, n in sums.looked.items()
        },
        worst=sums.worst,
    )


def _matches(sums: AgreementSums) -> tuple[int, int]:
    counts = sums.by_label.counts.sum(axis=0)
    first, second, same = (
        int(counts[BY_LABEL.index(name)]) for name in ("first", "second", "same")
    )
    return 2 * same, first + second


def _pairs(sums: AgreementSums, words: Words) -> Iterator[Pair]:
    """Make a pair of each row with something in common."""
    rows = sums.by_pair.counts[:, BY_PAIR.index("documents")] > 0
    key, counts = sums.by_pair.key[rows], sums.by_pair.counts[rows]
    n_labels = max(1, words.n_labels)
    of_label = sums.by_label.key // n_labels
    begin = np.searchsorted(of_label, key)
    end = np.searchsorted(of_label, key, side="right")
    cells = np.concatenate((np.zeros((1, len(BY_LABEL)), np.int64), sums.by_label.counts))
    running = np.cumsum(cells, axis=0)
    total = dict(zip(BY_LABEL, (running[end] - running[begin]).T, strict=True))
    kappa = _cohen(counts, cells[1:], begin, end)
    first, second = np.divmod(key, words.n_annotators)
    columns = {name: each.tolist() for name, each in total.items()}
    documents = counts[:, BY_PAIR.index("documents")].tolist()
    for row, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        cell = {name: each[row] for name, each in columns.items()}
        hearts = cell["hearts"]
        yield Pair(
            first=words.annotators[a],
            second=words.annotators[b],
            n_documents=documents[row],
            exact=Counts(cell["same"], cell["second"], cell["same"], cell["first"]),
            overlap=Counts(cell["right"], cell["second"], cell["found"], cell["first"]),
            hearts=Counts(hearts, cell["hearts_second"], hearts, cell["hearts_first"]),
            left=cell["same_left"] / hearts if hearts else nan,
            right=cell["same_right"] / hearts if hearts else nan,
            kappa=float(kappa[row]),
        )


def _cohen(by_pair: Ints, cells: Ints, begin: Ints, end: Ints) -> Floats:
    """Compute Cohen's kappa of each pair from what both use and agree on, label by label."""
    first, second, agreed = (
        cells[:, BY_LABEL.index(name)] for name in ("used_first", "used_second", "agreed")
    )
    units = by_pair[:, BY_PAIR.index("units")]
    owner = np.repeat(np.arange(len(begin)), end - begin)
    size = len(begin)

    def summed(numbers: Ints | Floats) -> Floats:
        return np.bincount(owner, numbers, size).astype(np.float64)

    used_first, used_second = summed(first), summed(second)
    differing = used_first + used_second - by_pair[:, BY_PAIR.index("both")] - summed(agreed)
    expected = summed(first * (units[owner] - second)) + (units - used_first) * used_second
    kappa = np.full(size, np.nan)
    np.divide(units * differing, expected, out=kappa, where=expected > 0)
    return 1 - kappa


def _labels(stage: AgreeStage, sums: AgreementSums, words: Words) -> Iterator[LabelAgreement]:
    """Sum up label by label, the least agreement first."""
    of_label = sums.by_label.key % max(1, words.n_labels)
    scope, found = stage.scope, []
    for code, label in enumerate(words.labels):
        rows = sums.by_label.counts[of_label == code].sum(axis=0).tolist()
        cell = dict(zip(BY_LABEL, rows, strict=True))
        alpha = sums.totals.label_alpha(code)
        found.append(
            LabelAgreement(
                label,
                sum(scope.looks_for(name, label) for name in words.annotators),
                Counts(cell["same"], cell["second"], cell["same"], cell["first"]),
                float(alpha[0]),
                _interval(alpha) if stage.n_resamples else None,
            )
        )
    yield from sorted(found, key=lambda each: (isnan(each.alpha), each.alpha, each.label))


def _confusion(sums: AgreementSums, words: Words) -> dict[tuple[str, str, str], int]:
    names = ("", *words.labels)
    found = {}
    for key, n in zip(
        sums.confusion.key.tolist(), sums.confusion.counts[:, 0].tolist(), strict=True
    ):
        rest, said = divmod(key, words.n_labels + 1)
        annotator, label = divmod(rest, words.n_labels)
        found[words.annotators[annotator], words.labels[label], names[said]] = n
    return found


def _left_out(sums: AgreementSums, words: Words) -> Iterator[LeftOut]:
    for code, row in zip(
        sums.by_annotator.key.tolist(), sums.by_annotator.counts.tolist(), strict=True
    ):
        cell = dict(zip(BY_ANNOTATOR, row, strict=True))
        yield LeftOut(
            words.annotators[code],
            cell["judged"],
            Counts(cell["same"], cell["predicted"], cell["same"], cell["wanted"]),
            Counts(cell["right"], cell["predicted"], cell["found"], cell["wanted"]),
        )


def _interval(figures: Floats) -> Interval:
    """Take the first figure for the value, and the quantiles of the resamples about it."""
    known = figures[1:][~np.isnan(figures[1:])]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist() if len(known) else (nan, nan)
    return Interval(
        float(figures[0]), low, high, LEVEL, len(figures) - 1, len(figures) - 1 - len(known)
    )
