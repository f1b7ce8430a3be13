"""How much a parser's word counts, and how likely a bracket is to be right, learned without gold.

Members that say the same as others count less (``independence``): two versions of one parser are
not two witnesses. A bracket of a kind that members usually agree on is more likely to be right than
its own share says, and one of a kind they rarely agree on less: a logistic regression predicts the
share of a bracket from its label, its length, the parts of speech and words at its edges, and what
stands above, beside and below it in the trees that have it, and the prediction moves it
(``Worth``). A second regression then predicts what the first one made of the shares. The model that
judges a sentence never saw it: sentences are dealt into FOLDS parts by their words, so that one
which comes twice is dealt once, and each part is judged by a model of the others.

With gold for some sentences a third regression corrects the chances by what was right, on the same
features and on who has a bracket of what label and length. A sentence that is in gold is corrected
by what the others taught.

Features are hashed by name, so nothing depends on the order of files, members or sentences.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Flags, Floats, Ints, distinct
from vermeil.columns.trees.brackets import Brackets, n_places, shared
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.descriptions import (
    FEATURE_BITS,
    N_CONTEXTS,
    feature_counts,
    features,
    ownership,
    ownership_counts,
)
from vermeil.consensus.trees.grammar import used_rules
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.regression import Described, log_odds, regress
from vermeil.consensus.trees.word_axis import dealt

REDUNDANCY = 8
"""How sharply near-twins are marked down."""

COPY, ENOUGH = 0.98, 1000
"""Members that say so much the same are one voice, if they share so many brackets."""

PULL = 0.75
"""How far a bracket's log odds are moved by what is usual for its kind."""

FOLDS = 5
MOST_BRACKETS = 200_000
"""Brackets learned from; beyond that nothing is gained."""


def likeness(shared: Floats, size: Floats) -> Floats:
    """Tell how much each two members say the same: the cosine of their brackets.

    ``shared[p, q]`` counts the brackets that p and q have in common over a corpus, ``size[p, q]``
    those that p has in sentences which q has parsed as well.
    """
    alike: Floats = shared / np.maximum(np.sqrt(size * size.T), 1.0)
    np.fill_diagonal(alike, 1.0)
    return alike


def independence(alike: Floats) -> Floats:
    """Weigh members by how little they say the same; the weights add up to 1.

    >>> alike = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]])
    >>> independence(alike).round(2).tolist()
    [0.25, 0.25, 0.5]
    """
    weights = 1 / (alike**REDUNDANCY).sum(axis=1)
    scaled: Floats = weights / weights.sum()
    return scaled


def voices(alike: Floats, shared: Floats) -> Ints:
    """Number members by whom they copy, or themselves.

    Of members that are as good as the same, all are the one with most brackets. To say so takes
    ENOUGH that they share: on a few sentences good parsers may well agree.

    >>> alike = np.array([[1.0, 0.7, 0.99], [0.7, 1.0, 0.7], [0.99, 0.7, 1.0]])
    >>> shared = np.array([[2000, 1500, 2000], [1500, 2000, 1500], [2000, 1500, 2500]])
    >>> voices(alike, shared).tolist()
    [2, 1, 2]
    """
    voice = np.arange(len(alike))
    for member in np.argsort(-np.diag(shared), kind="stable").tolist():
        is_copy = (alike[member] >= COPY) & (shared[member] >= ENOUGH)
        voice[is_copy & (voice == np.arange(len(voice)))] = voice[member]
    return voice


def in_common(tables: Sequence[TreeTable]) -> tuple[Floats, Floats]:
    """Count the brackets that each two of the tables share, and those that they could share."""
    places, labels = n_places(*tables), len(tables[0].names.labels.names)
    brackets = [Brackets.of(table) for table in tables]
    keys = [each.keys(places, labels) for each in brackets]
    both, size = np.zeros((2, len(keys), len(keys)))
    for row, own in enumerate(keys):
        for column, other in enumerate(tables):
            size[row, column] = (~other.failed)[brackets[row].sentence].sum()
        both[row, row] = len(own)
        for column in range(row):
            both[row, column] = both[column, row] = shared(own, keys[column])[1].sum()
    return both, size


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """What is seen of a batch: brackets in common, and who has some described brackets.

    ``n_words`` and ``n_seen`` count the words and the brackets of all batches, also of brackets
    that are not kept to learn from; ``rules`` counts the rules that members use. Where gold has a
    tree for a sentence, its brackets are ``judged``, and those that gold has, too, are ``right``;
    ``n_wanted`` are all that gold has.
    """

    shared: Floats
    size: Floats
    described: Ints
    have: Flags
    parsed: Flags
    fold: Ints
    n_words: int
    n_seen: int
    rules: Mapping[str, int]
    described_more: Ints
    judged: Flags
    right: Flags
    n_wanted: int

    @staticmethod
    def of(tables: Mapping[str, TreeTable], gold: TreeTable | None = None) -> "Sightings":
        """Observe a batch, with what is right of it as far as that is known."""
        pool = Pool.of(tables)
        judged, right = judgements(pool, gold)
        both, size = in_common(list(tables.values()))
        return Sightings(
            shared=both,
            size=size,
            described=features(pool, list(tables.values())),
            have=pool.have,
            parsed=pool.parsed[pool.sentence],
            fold=dealt(list(tables.values()), FOLDS)[pool.sentence],
            n_words=int(pool.n_words.sum()),
            n_seen=len(pool),
            rules=used_rules(tables),
            described_more=ownership(pool)[: len(pool) * (gold is not None)],
            judged=judged,
            right=right,
            n_wanted=0 if gold is None else len(Brackets.of(gold)),
        )

    @property
    def described_wholly(self) -> Ints:
        """Features of brackets, and of who has them."""
        return np.concatenate((self.described, self.described_more), axis=1)

    def merged(self, voice: Ints) -> "Sightings":
        """Let members that are one voice be one member; brackets that nobody has then are gone."""
        if len(distinct(voice)) == len(voice):
            return self
        plain, around = np.split(self.described, [-N_CONTEXTS * len(voice)], axis=1)
        columns = [plain]
        have, parsed = (np.zeros((len(self.fold), 0), dtype=bool) for _ in range(2))
        for first in np.unique(voice):
            here, there = (np.zeros(len(self.fold), dtype=bool) for _ in range(2))
            seen = np.zeros((len(self.fold), N_CONTEXTS), dtype=around.dtype)
            for member in np.flatnonzero(voice == first):
                speaks = self.parsed[:, member] & ~there
                here |= self.have[:, member] & speaks
                there |= speaks
                of_member = slice(N_CONTEXTS * member, N_CONTEXTS * (member + 1))
                seen[speaks] = around[speaks, of_member]
            have, parsed = np.c_[have, here], np.c_[parsed, there]
            columns.append(seen)
        kept = have.any(axis=1)
        return replace(
            self,
            described=np.concatenate(columns, axis=1)[kept],
            have=have[kept],
            parsed=parsed[kept],
            fold=self.fold[kept],
            n_seen=round(self.n_seen * kept.mean()),
            described_more=self.described_more[:0],
            judged=self.judged[kept],
            right=self.right[kept],
        )

    def __add__(self, other: "Sightings") -> "Sightings":
        room = max(0, MOST_BRACKETS - len(self.fold))
        described, have, parsed, fold, described_more, judged, right = (
            np.concatenate((getattr(self, name), getattr(other, name)[:room]))
            for name in (
                *("described", "have", "parsed", "fold"),
                *("described_more", "judged", "right"),
            )
        )
        return Sightings(
            shared=self.shared + other.shared,
            size=self.size + other.size,
            described=described,
            have=have,
            parsed=parsed,
            fold=fold,
            n_words=self.n_words + other.n_words,
            n_seen=self.n_seen + other.n_seen,
            rules=Counter(self.rules) + Counter(other.rules),
            described_more=described_more,
            judged=judged,
            right=right,
            n_wanted=self.n_wanted + other.n_wanted,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What was learned: a weight for each member, and for each fold a model of the others.

    Copies are one ``voice``, that of the first of them, and share its weight. A model is what each
    feature adds to the log odds that any bracket has. ``corrections`` are
    models of what was right by gold, one for each fold and one of all; there are none without gold.
    ``words_per_right`` is how many words there are for each bracket that is expected to be right,
    ``rules`` which rules members have used, and how often. ``unproposed`` is how many right
    brackets there are for each that members propose, by gold; 1 where that is not known.
    """

    weights: Floats
    voice: Ints
    models: Floats
    words_per_right: float
    rules: Mapping[str, int]
    corrections: Floats
    unproposed: float

    @staticmethod
    def learn(seen: Sightings) -> "Worth":
        """Learn from all that was observed."""
        alike = likeness(seen.shared, seen.size)
        is_told = bool(seen.judged.any())  # gold says itself whom to believe
        voice = np.arange(len(alike)) if is_told else voices(alike, seen.shared)
        seen, first = seen.merged(voice), distinct(voice)
        weights = independence(alike[np.ix_(first, first)])
        share = (seen.have @ weights) / np.maximum(seen.parsed @ weights, 1e-12)
        likely, models = share, np.zeros((FOLDS, 1 << FEATURE_BITS))
        counts = feature_counts(seen.have)
        parts = [
            Described(seen.described[others], counts[others])
            for fold in range(FOLDS)
            for others in (seen.fold != fold,)
        ]
        for _ in range(2):
            models = _models(seen, parts, likely, models)
            likely = _moved(share, seen.described, seen.have, seen.fold, models)
        corrections, unproposed = np.zeros((0, 1 << FEATURE_BITS)), 1.0
        if seen.judged.any():
            corrections = _corrections(seen, likely)
            columns = seen.described_wholly, ownership_counts(seen.have)
            likely = _corrected(likely, *columns, seen.fold, seen.judged, corrections)
            unproposed = seen.n_wanted / max(1, int(seen.right.sum()))
        n_right = likely.sum() * seen.n_seen / max(1, len(likely))
        words_per_right = seen.n_words / max(1.0, float(n_right))
        n_alike = np.bincount(voice, minlength=len(voice))[voice]
        return Worth(
            weights=(weights[np.searchsorted(first, voice)] / n_alike),
            voice=voice,
            models=models,
            words_per_right=words_per_right,
            rules=seen.rules,
            corrections=corrections,
            unproposed=unproposed,
        )

    @property
    def weights_of_voices(self) -> Floats:
        """How much each voice counts, in the order of members."""
        total = np.bincount(self.voice, self.weights)[distinct(self.voice)]
        return total.astype(np.float64)

    @property
    def is_taught(self) -> bool:
        """Whether gold has taught it."""
        return len(self.corrections) > 0

    def of(
        self, pool: Pool, tables: Mapping[str, TreeTable], gold: TreeTable | None = None
    ) -> Floats:
        """Return for each pooled bracket how likely it is to be right.

        Brackets of sentences that are in gold are judged by a model that has not seen them.
        """
        described = features(pool, list(tables.values()))
        fold = dealt(list(tables.values()), FOLDS)[pool.sentence]
        likely = _moved(
            pool.shares(self.weights_of_voices), described, pool.have, fold, self.models
        )
        if not self.is_taught:
            return likely
        judged, _ = judgements(pool, gold)
        described = np.concatenate((described, ownership(pool)), axis=1)
        return _corrected(
            likely, described, ownership_counts(pool.have), fold, judged, self.corrections
        )


def judgements(pool: Pool, gold: TreeTable | None) -> tuple[Flags, Flags]:
    """Tell which brackets are in sentences that gold has, and which of them gold has."""
    if gold is None:
        return np.zeros(len(pool), dtype=bool), np.zeros(len(pool), dtype=bool)
    parts = Brackets.of(gold)
    n = int(max(pool.end.max(initial=0), parts.end.max(initial=0))) + 1

    def keys(sentence: Ints, start: Ints, end: Ints, label: Ints) -> Ints:
        return ((sentence * n + start) * n + end) * (len(pool.labels) + 1) + label

    right = np.isin(
        keys(pool.sentence, pool.start, pool.end, pool.label),
        keys(parts.sentence, parts.start, parts.end, parts.label),
    )
    judged: Flags = ~gold.failed[pool.sentence]
    return judged, right & judged


def _corrections(seen: Sightings, likely: Floats) -> Floats:
    """Learn from gold what to correct: a model for each fold from the others, and one of all."""
    described, counts = seen.described_wholly, ownership_counts(seen.have)
    odds, right = log_odds(likely), seen.right.astype(np.float64)
    start = np.zeros(1 << FEATURE_BITS)
    return np.stack(
        [
            regress(Described(described[rows], counts[rows]), right[rows], start, odds[rows])
            for fold in range(FOLDS + 1)
            for rows in (seen.judged & (seen.fold != fold),)
        ]
    )


def _corrected(
    likely: Floats, described: Ints, counts: Floats, fold: Ints, judged: Flags, models: Floats
) -> Floats:
    """Correct what is likely by what gold has taught."""
    odds = log_odds(likely)
    which = np.where(judged, fold, FOLDS)
    for number, model in enumerate(models):
        rows = which == number
        odds[rows] += (model[described[rows]] * counts[rows]).sum(axis=1)
    corrected: Floats = 1 / (1 + np.exp(-odds))
    return corrected


def _models(seen: Sightings, parts: Sequence[Described], target: Floats, had: Floats) -> Floats:
    """Learn a model for each fold from the others, going on from the models there are."""
    return np.stack(
        [regress(part, target[seen.fold != fold], had[fold]) for fold, part in enumerate(parts)]
    )


def _moved(share: Floats, described: Ints, have: Flags, fold: Ints, models: Floats) -> Floats:
    """Move shares by what is usual for brackets of their kind."""
    usual = np.zeros(len(share))
    counts = feature_counts(have)
    for number, model in enumerate(models):
        rows = fold == number
        usual[rows] = (model[described[rows]] * counts[rows]).sum(axis=1)
    likely: Floats = 1 / (1 + np.exp(-(log_odds(share) + PULL * usual)))
    return likely
