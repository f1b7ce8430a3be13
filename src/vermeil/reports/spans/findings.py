"""All there is to say about several annotators of the same texts, found by the library.

Nothing is computed here: consensus, scores, agreement, intervals and correlations are what the
commands ``consensus``, ``score`` and ``agree`` give for the same layers.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

import numpy as np

from vermeil.consensus.all_hearts import FoundHeart, every_heart
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.stage import ConsensusStage, Learned
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.reports.spans.left_out import WithoutOne, leave_out
from vermeil.runs.streaming import Held, Streaming
from vermeil.scope import CONSENSUS_NAME, Scope, is_annotator
from vermeil.scoring.agreement import Agreement, agree
from vermeil.scoring.agreement.left_out import FEW
from vermeil.scoring.arranged import only_layers
from vermeil.scoring.confirmed import Confirmed, confirmed
from vermeil.scoring.crowd.scored import score_looked
from vermeil.scoring.ranked import RankedPredictions
from vermeil.scoring.scores import NOBODY, Scores, score
from vermeil.scoring.significance import Interval, bootstrap_each, f1, precision, recall
from vermeil.scoring.silver import Comparison
from vermeil.shown import Brief

CONSENSUS, GOLD = CONSENSUS_NAME, "gold"
VIEWS = ("exact", "centroid")
"""The views that get intervals."""

N_COUNTS = 4
"""Of a document: right, predicted, found and wanted."""

FIGURES = {"precision": precision, "recall": recall, "f1": f1}
LEARNABLE = 3
"""Annotators from which on something can be learned about each."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpanFindings(Brief):
    """Documents in order of their ids, with their consensus as a layer and a standard.

    ``scores`` are those of all annotators, and of the consensus where there is gold, against
    ``standard``: gold, or the consensus where there is none. ``contested`` is, for each document,
    how many decisions are expected to be wrong, ``hearts`` all its hearts, likely or not.
    In a crowd each is scored on the documents that it looked at; ``whole`` are the scores of
    somebody on all of them. ``confirmed`` is what the consensus says beside what annotators mark
    who are left out of it.
    ``agreement`` needs two annotators, and ``comparison`` (of silver and gold) that each of them
    shares a document with another. ``scope`` is who looks for what, ``without`` what the consensus
    is like without each, the one it needs least first. ``intervals`` come from ``n_resamples``.
    """

    documents: Sequence[Document]
    annotators: tuple[str, ...]
    gold: str | None
    learned: Crowd
    contested: Sequence[float]
    hearts: Sequence[Sequence[FoundHeart]]
    scores: dict[str, Scores]
    whole: Scores
    intervals: dict[tuple[str, str, str], Interval]
    agreement: Agreement | None
    comparison: Comparison | None
    scope: Scope = field(default_factory=Scope)
    without: Sequence[WithoutOne] = ()
    confirmed: Confirmed | None = None
    n_resamples: int = 0
    seed: int = 0

    def _told(self) -> str:
        return (
            f"{len(self.annotators):,} annotators against {self.standard}, "
            f"{len(self.documents):,} documents, "
            f"{sum(self.contested):.1f} decisions expected to be wrong"
        )

    @property
    def standard(self) -> str:
        """What the annotators are scored against."""
        return self.gold or CONSENSUS

    @property
    def is_dense(self) -> bool:
        """Whether everybody was scored on all documents."""
        return not is_crowd(self.documents, self.annotators)

    @property
    def n_names(self) -> int:
        """Names in the consensus."""
        return sum(len(document.layers[CONSENSUS]) for document in self.documents)

    @property
    def rankings(self) -> dict[str, RankedPredictions]:
        """What can be ranked: the systems whose predictions all have confidences."""
        return {
            name: RankedPredictions.by(each.views["exact"])
            for name, each in self.scores.items()
            if has_confidences(each)
        }


def find_spans(
    documents: Iterable[Document],
    *,
    gold: str | None = None,
    annotators: Sequence[str] | None = None,
    told: Mapping[str, frozenset[str]] | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[str], object] = str,
) -> SpanFindings:
    """Find out all about the annotators: the named ones, or all layers but gold's.

    ``gold`` is a layer or a standard of the documents; without it the layer called ``gold``, or the
    only one with that word in its name, if there is one, else the consensus is what annotators are
    scored against, each on the labels that it looks for: those it uses, or those ``told`` of it.
    ``progress`` is told what is being done.
    """
    everything = sorted(documents, key=lambda document: document.id)
    _refuse_namesakes(everything)
    gold = _gold_among(everything, gold)
    names = _annotators(everything, gold, annotators)
    progress("finding the consensus")
    combined, known, contested = _with_consensus(everything, names)
    learned: Crowd = known.model
    progress("scoring")
    scope = Scope.of(combined, told).checked()
    whole, scores = _scores(combined, names, gold, scope)
    agreement = None
    if len(names) > 1:
        progress("comparing annotators")
        theirs = {name: labels for name, labels in (told or {}).items() if name in names}
        agreement = agree(everything, annotators=names, scope=theirs, leave_one_out=False)
        progress("comparing each with the consensus of the others")
    comparison, without = leave_out(
        everything,
        names,
        gold=gold,
        told=told or {},
        compares=len(names) > 1 and _everybody_meets(everything, set(names)),
        known=known,
    )
    return SpanFindings(
        documents=combined,
        annotators=tuple(names),
        gold=gold,
        learned=learned,
        contested=contested,
        hearts=every_heart(everything, names, learned),
        scores=scores,
        whole=whole,
        intervals=_intervals(scores, n_resamples, seed),
        agreement=agreement,
        comparison=comparison,
        scope=scope,
        without=without,
        confirmed=confirmed(everything, names, learned),
        n_resamples=n_resamples,
        seed=seed,
    )


def has_confidences(scores: Scores) -> bool:
    """Tell whether a system's predictions can be ranked."""
    confidence = scores.views["exact"].predicted.confidence
    return len(confidence) > 0 and not bool(np.isnan(confidence).any())


def _refuse_namesakes(documents: Sequence[Document]) -> None:
    for one, other in pairwise(documents):
        if one.id == other.id:
            raise UsageError(
                f"two documents are called {one.id!r}; a report tells them by their id"
            )


def _gold_among(documents: Sequence[Document], gold: str | None) -> str | None:
    held = {name for each in documents for name in (*each.layers, *each.standards)}
    if gold is not None and gold not in held:
        raise UnknownNameError("layer", gold, held)
    if gold is not None or GOLD in held:
        return gold or GOLD
    # A file of gold may be called so in more words, as in ``dev-gold.jsonl`` or ``GoldStandard``.
    alike = [name for name in sorted(held) if _is_called_gold(name)]
    return alike[0] if len(alike) == 1 else None


def _is_called_gold(name: str) -> bool:
    if name.endswith(ALTERNATIVES):
        return False
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return GOLD in (word.lower() for word in words)


def _annotators(
    documents: Sequence[Document], gold: str | None, chosen: Sequence[str] | None
) -> list[str]:
    known = sorted({name for document in documents for name in document.layers})
    for name in chosen or ():
        if name not in known:
            raise UnknownNameError("layer", name, known)
    names = [
        name
        for name in (known if chosen is None else chosen)
        if name != gold and is_annotator(name)
    ]
    if not names:
        raise UsageError(f"there is no annotator to report on; found: {', '.join(known) or 'none'}")
    return names


def _with_consensus(
    documents: Sequence[Document], names: Sequence[str]
) -> tuple[list[Document], Learned, list[float]]:
    work = Streaming(ConsensusStage(chosen=tuple(names), layer=CONSENSUS), Held(documents))
    combined = list(work.documents())
    assert work.sums is not None, "documents were counted on their way"
    return combined, work.known, [doubt for doubt, _ in work.sums.contested]


def _everybody_meets(documents: Sequence[Document], names: set[str]) -> bool:
    met: set[str] = set()
    for document in documents:
        here = names & document.layers.keys()
        met |= here if len(here) > 1 else set()
    return met == names


def is_crowd(documents: Sequence[Document], names: Sequence[str]) -> bool:
    """Tell whether many annotators each saw little: on the mean less than half of the documents."""
    everybody = frozenset(names)
    n_looked = sum(len(document.layers.keys() & everybody) for document in documents)
    return len(names) > FEW and 2 * n_looked < len(names) * len(documents)


def _scores(
    documents: Sequence[Document], names: Sequence[str], gold: str | None, scope: Scope
) -> tuple[Scores, dict[str, Scores]]:
    """Score everybody; nobody of a crowd is charged for what they did not look at.

    The first are the scores of somebody on all documents. Of a crowd, those who saw nothing of the
    standard have no figures.
    """
    standard = gold or CONSENSUS
    consensus = [] if gold is None else [CONSENSUS]
    if not is_crowd(documents, names):
        scores = score(documents, standard=standard, systems=[*names, *consensus], scope=scope)
        return next(iter(scores.values())), scores
    own = {standard, standard + ALTERNATIVES, *consensus}
    bare = [only_layers(document, own) for document in documents]
    scores = score(bare, standard=standard, scope=scope, absent=[NOBODY])
    looked = dict(score_looked(documents, standard=standard, systems=names, scope=scope))
    if len(looked) < len(names):
        # One document of the standard's, which was not looked at, is enough to say nothing of.
        one = [next(each for each in bare if _has(each, standard))]
        unseen = score(one, standard=standard, absent=[NOBODY], looked=True)[NOBODY]
        looked = {name: looked.get(name, replace(unseen, system=name)) for name in names}
    return scores[NOBODY], {**looked, **{name: scores[name] for name in consensus}}


def _has(document: Document, name: str) -> bool:
    return name in document.layers or name in document.standards


def _intervals(
    scores: dict[str, Scores], n_resamples: int, seed: int
) -> dict[tuple[str, str, str], Interval]:
    if not n_resamples:
        return {}

    @cache
    def drawn(counts: bytes) -> dict[str, Interval]:
        rows = np.frombuffer(counts).reshape(-1, N_COUNTS)
        return bootstrap_each(rows, FIGURES, n_resamples=n_resamples, seed=seed)

    # Of a crowd, many saw one or two documents, and fared alike.
    return {
        (system, view, name): interval
        for system, each in scores.items()
        for view in VIEWS
        for name, interval in drawn(each.per_document(view).tobytes()).items()
    }
