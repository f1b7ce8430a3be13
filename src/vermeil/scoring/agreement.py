"""How far annotators agree: pair by pair, all together, and each with the consensus of the others.

An annotator without a layer on a document did not look; a pair is compared over the documents both
looked at. A name that an annotator gives twice counts once. For each pair:

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

For all together, Fleiss' kappa and Krippendorff's alpha over character pairs; see ``kappa``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.consensus import voting
from vermeil.consensus.decision import Decision
from vermeil.consensus.evidence import Evidence, gather
from vermeil.consensus.hearts import judge
from vermeil.consensus.reliability import Patterns, learn
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.scoring.counts import Counts
from vermeil.scoring.kappa import Units, character_pairs, cohen, fleiss, krippendorff
from vermeil.scoring.pairing.columns import only
from vermeil.scoring.pairing.names import Names, Pieces, ScoringBatch, common_codes
from vermeil.scoring.pairing.overlap import touched
from vermeil.scoring.significance import Interval, bootstrap
from vermeil.shown import Brief


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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Brief):
    """All figures; annotators are in alphabetical order.

    ``matches`` has a row a document: the names of all pairs that match exactly, and all of them.
    Intervals are by the bootstrap over documents, None where not asked for.
    """

    annotators: tuple[str, ...]
    documents: tuple[str, ...]
    looked: Flags
    pairs: tuple[Pair, ...]
    matches: Ints
    fleiss: float
    alpha: float
    left_out: tuple[LeftOut, ...]
    intervals: dict[str, Interval] | None

    def _told(self) -> str:
        return (
            f"{len(self.annotators):,} annotators, {len(self.documents):,} documents, "
            f"exact F1 {self.exact:.3f}, Fleiss' kappa {self.fleiss:.3f}, "
            f"Krippendorff's alpha {self.alpha:.3f}"
        )

    @property
    def exact(self) -> float:
        """Exact F1 of all pairs pooled; NaN where nothing can be compared."""
        return float(_shared(self.matches.sum(axis=0)))

    @property
    def by_document(self) -> Floats:
        """Exact F1 of all pairs pooled, document by document."""
        return _shared(self.matches)

    @property
    def n_shared(self) -> int:
        """Documents that everybody looked at."""
        return int(self.looked.all(axis=1).sum())


def agree(
    documents: SpanTable | Iterable[Document],
    *,
    annotators: Sequence[str] | None = None,
    leave_one_out: bool = True,
    n_resamples: int = 0,
    seed: int = 0,
) -> Agreement:
    """Compare annotators: the named ones, or all but the layers of alternatives.

    With ``n_resamples``, the figures for all together get intervals.

    >>> from vermeil import Span
    >>> layers = {"anna": (Span(0, 5, "Gene"),), "ben": (Span(0, 5, "Gene"), Span(6, 9, "Gene"))}
    >>> agreement = agree([Document(id="1", text="BRCA1 p53", layers=layers)])
    >>> round(agreement.pairs[0].exact.f1, 3)
    0.667
    """
    source = list(documents.to_documents() if isinstance(documents, SpanTable) else documents)
    known = {name for document in source for name in document.layers}
    for name in annotators or ():
        if name not in known:
            raise UnknownNameError("layer", name, known)
    batch = ScoringBatch.of(voting(document, annotators, name="") for document in source)
    table = batch.table
    if len(table.annotators) < 2:
        found = ", ".join(table.annotators) or "none"
        raise UsageError(f"agreement is between two layers or more; found: {found}")
    layers = [_once(batch.names(name)) for name in table.annotators]
    units = character_pairs(batch)
    matches = _matches_by_document(table, layers)
    intervals = _intervals(units, matches, n_resamples, seed) if n_resamples else None
    return Agreement(
        annotators=table.annotators,
        documents=tuple(document.id for document in table.documents),
        looked=table.looked,
        pairs=tuple(_pairs(table, layers, units)),
        matches=matches,
        fleiss=float(fleiss(units)),
        alpha=float(krippendorff(units)),
        left_out=tuple(_left_out(table, layers)) if leave_one_out else (),
        intervals=intervals,
    )


def compare(wanted: Names, predicted: Names, *, shared: Flags) -> tuple[Counts, Counts]:
    """Count exact matches and overlaps of two layers of a batch, on the ``shared`` documents.

    Neither may have names where it did not look, or a name twice.
    """
    one, other = _codes([wanted, predicted])
    n_same = len(np.intersect1d(one, other, assume_unique=True))
    n_wanted = int(shared[wanted.document].sum())
    n_predicted = int(shared[predicted.document].sum())
    n_found, n_right = _n_meeting(wanted, predicted), _n_meeting(predicted, wanted)
    return (
        Counts(n_same, n_predicted, n_same, n_wanted),
        Counts(n_right, n_predicted, n_found, n_wanted),
    )


def consensus_of(table: SpanTable) -> Decision:
    """Find what the annotators of a table say together, by the default consensus."""
    evidence = gather(table)
    return judge(table, evidence, learn(Patterns.of(evidence, table.annotators))).decided()


def _once(names: Names) -> Names:
    """Drop names that are there already; they may differ in confidence or ids."""
    kept = np.sort(np.unique(_codes([names])[0], return_index=True)[1])
    if len(kept) == len(names):
        return names
    place = np.full(len(names), -1)
    place[kept] = np.arange(len(kept))
    stays = place[names.pieces.name] >= 0
    pieces = Pieces(
        place[names.pieces.name[stays]], names.pieces.start[stays], names.pieces.end[stays]
    )
    columns = ("document", "label", "start", "end", "shape", "confidence")
    return replace(names, pieces=pieces, **{name: getattr(names, name)[kept] for name in columns})


def _codes(layers: Sequence[Names]) -> list[Ints]:
    """Number names so that the same offsets, fragments and label have the same number."""
    fields = ("start", "end", "label", "shape")
    return common_codes(*([getattr(layer, field) for layer in layers] for field in fields))


def _pairs(table: SpanTable, layers: list[Names], units: Units) -> Iterable[Pair]:
    evidence = gather(table)
    for a, b in combinations(range(len(layers)), 2):
        shared = table.looked[:, a] & table.looked[:, b]
        exact, overlap = compare(layers[a], layers[b], shared=shared)
        hearts, left, right = _heart_agreement(evidence, a, b)
        yield Pair(
            first=table.annotators[a],
            second=table.annotators[b],
            n_documents=int(shared.sum()),
            exact=exact,
            overlap=overlap,
            hearts=hearts,
            left=left,
            right=right,
            kappa=float(cohen(units, a, b)),
        )


def _heart_agreement(evidence: Evidence, a: int, b: int) -> tuple[Counts, float, float]:
    voted, looked = evidence.voted, evidence.looked
    both = voted[:, a] & voted[:, b]
    n = int(both.sum())
    n_a, n_b = int((voted[:, a] & looked[:, b]).sum()), int((voted[:, b] & looked[:, a]).sum())
    left, right = (
        int((side[both, a] == side[both, b]).sum()) / n if n else nan
        for side in (evidence.left, evidence.right)
    )
    return Counts(n, n_b, n, n_a), left, right


def _left_out(table: SpanTable, layers: list[Names]) -> Iterable[LeftOut]:
    for code, name in enumerate(table.annotators):
        others = only(table, [each for each in range(len(layers)) if each != code])
        consensus = _names_of(consensus_of(others))
        shared = table.looked[:, code] & others.looked.any(axis=1)
        counts = compare(consensus, layers[code], shared=shared)
        yield LeftOut(name, int(shared.sum()), *counts)


def _names_of(decision: Decision) -> Names:
    document = decision.document.astype(np.int64)
    origin = decision.table.origin[document]
    start, end = decision.start + origin, decision.end + origin
    label = decision.label.astype(np.int64)
    whole = np.zeros(len(start), dtype=np.int64)
    pieces = Pieces(np.arange(len(start)), start, end)
    return Names(
        document=document,
        label=label,
        start=start,
        end=end,
        shape=whole,
        confidence=decision.confidence,
        pieces=pieces,
    )


def _n_meeting(names: Names, others: Names) -> int:
    """Count the names that share a character with one of the others of the same label."""
    length = max(names.end.max(initial=0), others.end.max(initial=0)) + 1
    lane = names.label[names.pieces.name] * length
    other_lane = others.label[others.pieces.name] * length
    meets = touched(
        names.pieces.start + lane,
        names.pieces.end + lane,
        others.pieces.start + other_lane,
        others.pieces.end + other_lane,
    )
    met = np.zeros(len(names), dtype=bool)
    met[names.pieces.name[meets]] = True
    return int(met.sum())


def _matches_by_document(table: SpanTable, layers: list[Names]) -> Ints:
    """Count for each document the names that match, and all of them, over all pairs.

    A name that c annotators have matches in c(c-1)/2 pairs, on both sides; where m looked, each
    name of an annotator is compared m-1 times.
    """
    n_documents = len(table.documents)
    code = np.concatenate(_codes(layers))
    home = np.zeros(int(code.max(initial=-1)) + 1, dtype=np.int64)
    home[code] = np.concatenate([layer.document for layer in layers])
    n_having = np.bincount(code, minlength=len(home))
    matched = np.bincount(home, n_having * (n_having - 1), n_documents)
    n_others = np.maximum(table.looked.sum(axis=1) - 1, 0)
    compared = np.bincount(home[code], minlength=n_documents) * n_others
    return np.stack((matched.astype(np.int64), compared), axis=1)


def _shared(matches: Ints | Floats) -> Floats:
    """Compute the share of names that matched; NaN where none were compared."""
    matched, compared = matches[..., 0].astype(float), matches[..., 1].astype(float)
    share: Floats = np.full(compared.shape, np.nan)
    np.divide(matched, compared, out=share, where=compared > 0)
    return share


def _intervals(units: Units, matches: Ints, n_resamples: int, seed: int) -> dict[str, Interval]:
    rows = units.by_document(len(matches))
    options = {"n_resamples": n_resamples, "seed": seed}
    return {
        "exact": bootstrap(matches, _shared, **options),
        "fleiss": bootstrap(rows, lambda weight: fleiss(units, weight=weight), **options),
        "alpha": bootstrap(rows, lambda weight: krippendorff(units, weight=weight), **options),
    }
