"""Cross-validation over documents: how good a recogniser is on documents it was not trained on.

Corbett and Copestake, section 4: documents are dealt into folds, each fold is read by a recogniser
trained on the others, and the candidates of all folds are pooled and ranked. A candidate is right
if start, end and label are those of a name. Folds can be balanced by a field of the metadata: the
paper's hold one paper of each journal.

Average precision and what is read off the whole ranking is of all candidates, overlapping ones too;
precision, recall and F are of what is left when of overlapping names the most confident is kept, as
a user would have them. The threshold for those is given, or chosen for each fold as the best for
the candidates of the others. The paper's Table 2 has F of all candidates at .3 instead, overlapping
ones too (``Validation.ranking.at``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from time import process_time

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.document import Document
from vermeil.recognise.cascade import NO_RESCORER
from vermeil.recognise.corpus_wide import informed
from vermeil.recognise.folds import a_share, balanced_folds, folds_of, held_out, kinds_of
from vermeil.recognise.judging.tuning import choose
from vermeil.recognise.placed_names import BATCH, Finder, are_right
from vermeil.recognise.recipe import Recipe, Say, silent
from vermeil.recognise.recogniser import RECOGNISERS
from vermeil.recognise.words.knowledge import Resources
from vermeil.scoring.counts import Counts
from vermeil.scoring.ranked import Calibration, Ranking, calibrate, rank

N_FOLDS = 3
PURE_TOKENS = "punctuation"
"""What comes nearest to the default tokeniser of LingPipe."""

Train = Callable[[Sequence[Document]], Finder]


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """The candidates of all folds: how sure, whether right, whether a surer one overlaps.

    ``n_wanted`` counts the names of each fold, ``n_trained`` the documents learned from in each.
    Seconds are of CPU time, over all folds.
    """

    confidence: Floats
    is_right: Flags
    is_blocked: Flags
    fold: Ints
    n_wanted: tuple[int, ...]
    n_tokens: int
    train_seconds: float
    tag_seconds: float
    n_trained: tuple[int, ...] = ()

    @property
    def ranking(self) -> Ranking:
        """All candidates from the surest down."""
        return self._ranking(np.ones(len(self.fold), dtype=bool), sum(self.n_wanted))

    @property
    def flat_ranking(self) -> Ranking:
        """The same without those that a surer one overlaps ("No Overlaps" in the paper)."""
        return self._ranking(~self.is_blocked, sum(self.n_wanted))

    @property
    def thresholds(self) -> tuple[float, ...]:
        """For each fold, the threshold with the best F on the others; NaN where nothing is found.

        With one fold only there are no others, and it is NaN, too.
        """
        n_wanted = sum(self.n_wanted)
        return tuple(
            _best(self._ranking(~self.is_blocked & (self.fold != fold), n_wanted - own))
            for fold, own in enumerate(self.n_wanted)
        )

    @property
    def tuned(self) -> Counts:
        """What is right and found at those thresholds, over all folds, without overlaps."""
        counts = Counts()
        for fold, (threshold, own) in enumerate(zip(self.thresholds, self.n_wanted, strict=True)):
            mine = ~self.is_blocked & (self.fold == fold)
            counts += self._ranking(mine, own).at(threshold)
        return counts

    def at(self, threshold: float) -> Counts:
        """Count what is right and found at one threshold for all, without overlaps."""
        return self.flat_ranking.at(threshold)

    def calibration(self, *, overlaps: bool = True, n_bins: int = 10) -> Calibration:
        """Sort candidates into bins of confidence, with or without those that are overlapped."""
        kept = overlaps | ~self.is_blocked
        return calibrate(self.confidence[kept], self.is_right[kept], n_bins=n_bins)

    @property
    def tokens_per_second(self) -> float:
        """Speed of reading the folds."""
        return self.n_tokens / self.tag_seconds

    def _ranking(self, rows: Flags, n_wanted: int) -> Ranking:
        return rank(self.confidence[rows], self.is_right[rows], n_wanted)


def cross_validate(
    train: Train,
    documents: Sequence[Document],
    labels: Sequence[str],
    *,
    annotator: str = "gold",
    n_folds: int = N_FOLDS,
    n_read: int | None = None,
    balance: str = "",
    share: float = 1.0,
    seed: int = 0,
) -> Validation:
    """Train on all folds but one and read that one, for each of them (or the first ``n_read``).

    Only documents that the annotator has seen count. ``balance`` names a field of the metadata
    whose values are dealt evenly. Learn only from a ``share`` of the documents that there are to
    learn from; the same are read whatever the share.
    """
    annotated = [each for each in documents if annotator in each.layers]
    if balance:
        fold = balanced_folds(kinds_of(annotated, balance), n_folds, seed=seed)
    else:
        fold = folds_of(len(annotated), n_folds, seed=seed)
    of_folds = []
    for number in range(n_folds if n_read is None else n_read):
        rest, unseen = held_out(annotated, fold, number)
        rest = a_share(rest, share, seed=seed) if share < 1 else rest
        begun = process_time()
        finder = train(rest)
        seconds = process_time() - begun
        read = _read(informed(finder, unseen), unseen, labels, annotator)
        of_folds.append(replace(read, train_seconds=seconds, n_trained=(len(rest),)))
    return _pooled(of_folds)


def paper_systems(recipe: Recipe) -> Mapping[str, tuple[str, Recipe]]:
    """List the rows of the paper's Table 2: a name in RECOGNISERS and a recipe for each.

    Stages are taken away one after the other: without n-grams is also without preclassifier and
    rescorer. The hidden Markov model is customised, with chemistry tokens and the lists that were
    given, and pure. "No Overlaps" is ``Validation.flat_ranking`` of the full system.
    """
    no_rescorer = replace(recipe, rescorer=NO_RESCORER)
    no_preclassifier = replace(no_rescorer, families=recipe.families - {"preclassifier"})
    no_n_grams = replace(no_preclassifier, families=no_preclassifier.families - {"n-grams"})
    return {
        "full": ("cascade", recipe),
        "no rescorer": ("cascade", no_rescorer),
        "no preclassifier": ("cascade", no_preclassifier),
        "no n-grams": ("cascade", no_n_grams),
        "customised hmm": ("hmm", replace(recipe, tokeniser="chemistry")),
        "pure hmm": ("hmm", replace(recipe, tokeniser=PURE_TOKENS, families=frozenset())),
        "crf": ("crf", recipe),
        "linear": ("linear", recipe),
        "dictionary": ("dictionary", recipe),
    }


def trainer(kind: str, recipe: Recipe, resources: Resources, *, watch: Say | None = None) -> Train:
    """Return what trains a recogniser of a kind, for ``cross_validate``."""
    fit, say = RECOGNISERS[kind].fit, watch or silent
    return lambda documents: fit(documents, recipe, resources, watch=say)


def _best(ranking: Ranking) -> float:
    return choose(ranking).threshold if len(ranking.threshold) else nan


def _read(
    finder: Finder, documents: Sequence[Document], labels: Sequence[str], annotator: str
) -> Validation:
    confidence, right, blocked = [], [], []
    n_tokens, seconds = 0, 0.0
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        begun = process_time()
        names = finder.find(batch)
        seconds += process_time() - begun
        n_tokens += len(names.axis.words)
        confidence.append(names.candidates.confidence)
        right.append(are_right(names, batch, annotator))
        blocked.append(names.is_blocked)
    n_wanted = sum(
        span.label in labels for each in documents for span in set(each.layers[annotator])
    )
    all_sure = np.concatenate((np.zeros(0), *confidence))
    none = np.zeros(0, dtype=bool)
    return Validation(
        confidence=all_sure,
        is_right=np.concatenate((none, *right)),
        is_blocked=np.concatenate((none, *blocked)),
        fold=np.zeros(len(all_sure), dtype=np.int64),
        n_wanted=(n_wanted,),
        n_tokens=n_tokens,
        train_seconds=0.0,
        tag_seconds=seconds,
    )


def _pooled(folds: Sequence[Validation]) -> Validation:
    return Validation(
        confidence=np.concatenate([each.confidence for each in folds]),
        is_right=np.concatenate([each.is_right for each in folds]),
        is_blocked=np.concatenate([each.is_blocked for each in folds]),
        fold=np.repeat(np.arange(len(folds)), [len(each.fold) for each in folds]),
        n_wanted=tuple(n for each in folds for n in each.n_wanted),
        n_tokens=sum(each.n_tokens for each in folds),
        train_seconds=sum(each.train_seconds for each in folds),
        tag_seconds=sum(each.tag_seconds for each in folds),
        n_trained=tuple(n for each in folds for n in each.n_trained),
    )
