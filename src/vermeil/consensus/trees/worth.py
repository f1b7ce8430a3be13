"""How much a parser's word counts, and how likely a bracket is to be right, learned without gold.

Members that say the same as others count less (``independence``): two versions of one parser are
not two witnesses. A bracket of a kind that members usually agree on is more likely to be right than
its own share says, and one of a kind they rarely agree on less: a logistic regression predicts the
share of a bracket from its label, its length, the parts of speech and words at its edges, and what
stands above, beside and below it in the trees that have it, and the prediction moves it
(``Worth``). A second regression then predicts what the first one made of the shares. The model that
judges a sentence never saw it: sentences are dealt into FOLDS parts by their words, so that one
which comes twice is dealt once, and each part is judged by a model of the others.

Features are hashed by name, so nothing depends on the order of files, members or sentences.
"""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.brackets import Brackets, n_places, shared
from vermeil.columns.tree_table import TreeTable
from vermeil.consensus.trees.contexts import N_CONTEXTS, contexts, hashed
from vermeil.consensus.trees.grammar import used_rules
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.word_axis import WordAxis, dealt

REDUNDANCY = 8
"""How sharply near-twins are marked down."""

RIDGE = 3.0
PULL = 0.75
"""How far a bracket's log odds are moved by what is usual for its kind."""

FOLDS = 5
N_STEPS = 20
FEATURE_BITS = 17
MOST_BRACKETS = 200_000
"""Brackets learned from; beyond that nothing is gained."""

_SURE = 0.98
_N_TEMPLATES = 15
_EDGE = zlib.crc32(b"edge of the sentence")
_LENGTHS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32])


def independence(shared: Floats) -> Floats:
    """Weigh members by how little they share with one another.

    ``shared[p, q]`` counts the brackets that p and q have in common over a corpus, ``shared[p, p]``
    all of p's. The weights add up to 1.

    >>> independence(np.array([[10.0, 10, 5], [10, 10, 5], [5, 5, 10]])).round(2).tolist()
    [0.25, 0.25, 0.5]
    """
    size = np.sqrt(np.diag(shared))
    alike = shared / np.maximum(np.outer(size, size), 1.0)
    np.fill_diagonal(alike, 1.0)
    weights = 1 / (alike**REDUNDANCY).sum(axis=1)
    scaled: Floats = weights / weights.sum()
    return scaled


def in_common(tables: Sequence[TreeTable]) -> Floats:
    """Count the brackets that each two of the tables share."""
    places, labels = n_places(*tables), len(tables[0].names.labels.names)
    keys = [Brackets.of(table).keys(places, labels) for table in tables]
    found = np.zeros((len(keys), len(keys)))
    for row, own in enumerate(keys):
        found[row, row] = len(own)
        for column in range(row):
            found[row, column] = found[column, row] = shared(own, keys[column])[1].sum()
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """What is seen of a batch: brackets in common, and who has some described brackets.

    ``n_words`` and ``n_seen`` count the words and the brackets of all batches, also of brackets
    that are not kept to learn from; ``rules`` counts the rules that members use.
    """

    shared: Floats
    described: Ints
    have: Flags
    parsed: Flags
    fold: Ints
    n_words: int
    n_seen: int
    rules: Mapping[str, int]

    @staticmethod
    def of(tables: Mapping[str, TreeTable]) -> "Sightings":
        """Observe a batch."""
        pool = Pool.of(tables)
        return Sightings(
            shared=in_common(list(tables.values())),
            described=features(pool, list(tables.values())),
            have=pool.have,
            parsed=pool.parsed[pool.sentence],
            fold=dealt(list(tables.values()), FOLDS)[pool.sentence],
            n_words=int(pool.n_words.sum()),
            n_seen=len(pool),
            rules=used_rules(tables),
        )

    def __add__(self, other: "Sightings") -> "Sightings":
        room = max(0, MOST_BRACKETS - len(self.fold))
        described, have, parsed, fold = (
            np.concatenate((getattr(self, name), getattr(other, name)[:room]))
            for name in ("described", "have", "parsed", "fold")
        )
        return Sightings(
            shared=self.shared + other.shared,
            described=described,
            have=have,
            parsed=parsed,
            fold=fold,
            n_words=self.n_words + other.n_words,
            n_seen=self.n_seen + other.n_seen,
            rules=Counter(self.rules) + Counter(other.rules),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What was learned: a weight for each member, and for each fold a model of the others.

    A model is what each feature adds to the log odds that any bracket has. ``words_per_right`` is
    how many words there are for each bracket that is expected to be right, ``rules`` which rules
    members have used, and how often.
    """

    weights: Floats
    models: Floats
    words_per_right: float
    rules: Mapping[str, int]

    @staticmethod
    def learn(seen: Sightings) -> "Worth":
        """Learn from all that was observed."""
        weights = independence(seen.shared)
        share = (seen.have @ weights) / np.maximum(seen.parsed @ weights, 1e-12)
        likely, models = share, np.zeros((FOLDS, 1 << FEATURE_BITS))
        for _ in range(2):
            models = _models(seen, likely, models)
            likely = _moved(share, seen.described, seen.have, seen.fold, models)
        n_right = likely.sum() * seen.n_seen / max(1, len(likely))
        words_per_right = seen.n_words / max(1.0, float(n_right))
        return Worth(weights, models, words_per_right, seen.rules)

    def of(self, pool: Pool, tables: Mapping[str, TreeTable]) -> Floats:
        """Return for each pooled bracket how likely it is to be right."""
        described = features(pool, list(tables.values()))
        fold = dealt(list(tables.values()), FOLDS)[pool.sentence]
        return _moved(pool.shares(self.weights), described, pool.have, fold, self.models)


def _models(seen: Sightings, target: Floats, had: Floats) -> Floats:
    """Learn a model for each fold from the others, going on from the models there are."""
    counts = _counts(seen.have)
    return np.stack(
        [
            _regress(seen.described[others], counts[others], target[others], had[fold])
            for fold in range(FOLDS)
            for others in (seen.fold != fold,)
        ]
    )


def _moved(share: Floats, described: Ints, have: Flags, fold: Ints, models: Floats) -> Floats:
    """Move shares by what is usual for brackets of their kind."""
    usual = np.zeros(len(share))
    counts = _counts(have)
    for number, model in enumerate(models):
        rows = fold == number
        usual[rows] = (model[described[rows]] * counts[rows]).sum(axis=1)
    likely: Floats = 1 / (1 + np.exp(-(_log_odds(share) + PULL * usual)))
    return likely


def _counts(have: Flags) -> Floats:
    """Tell how much each feature counts: what owners see is averaged over them."""
    of_owners = have / np.maximum(1, have.sum(axis=1, keepdims=True))
    counts = (np.ones((len(have), _N_TEMPLATES)), np.repeat(of_owners, N_CONTEXTS, axis=1))
    return np.concatenate(counts, axis=1)


def features(pool: Pool, tables: Sequence[TreeTable]) -> Ints:
    """Describe each pooled bracket by hashed features, a column for each template.

    After those of its words come, for each member, those of its place in that member's tree.
    """
    axis = WordAxis.of(tables)
    labels = hashed(pool.labels)
    words = hashed(tables[0].names.words.names)
    origin = axis.first_word[pool.sentence]
    tag, word = (
        _at_edges(pool, origin, names[codes])
        for names, codes in ((labels, axis.tag), (words, axis.word))
    )
    before, first, last, after = tag
    length = np.searchsorted(_LENGTHS, pool.end - pool.start)
    whole = 2 * (pool.start == 0) + (pool.end == pool.n_words[pool.sentence])
    templates: list[tuple[Ints, ...]] = [
        (),
        (length,),
        (whole,),
        *((each,) for each in tag),
        (before, first),
        (first, last),
        (last, after),
        (before, after),
        *((each,) for each in word),
    ]
    label = labels[pool.label]
    columns = [_mixed(n, label, parts) for n, parts in enumerate(templates)]
    for table, rows in zip(tables, pool.rows_of, strict=True):
        around = np.zeros((len(pool), N_CONTEXTS), dtype=np.int64)
        around[rows] = contexts(table, labels)
        columns += [_mixed(32 + n, label, (column,)) for n, column in enumerate(around.T)]
    return np.stack(columns, axis=1).astype(np.int32)


def _at_edges(pool: Pool, origin: Ints, hashes: Ints) -> list[Ints]:
    """Return what stands before, first, last and after each bracket."""
    hashes = np.append(hashes, _EDGE)
    n_words = pool.n_words[pool.sentence]
    return [
        np.where((at >= 0) & (at < n_words), hashes[np.clip(at, 0, n_words - 1) + origin], _EDGE)
        for at in (pool.start - 1, pool.start, pool.end - 1, pool.end)
    ]


def _mixed(number: int, label: Ints, parts: Sequence[Ints]) -> Ints:
    """Hash a template and what it looks at."""
    mixed = label.astype(np.uint64) + np.uint64(number << 32)
    for part in parts:
        mixed = (mixed ^ part.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - FEATURE_BITS)).astype(np.int64)


def _regress(described: Ints, counts: Floats, share: Floats, start: Floats) -> Floats:
    """Fit a ridge logistic regression of shares; give what each feature adds to the log odds."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    coefficients = np.zeros(1 << FEATURE_BITS)
    if not len(share):
        return coefficients
    used = np.flatnonzero(np.bincount(described.ravel(), minlength=len(coefficients)))
    number = np.zeros(len(coefficients), dtype=np.int32)
    number[used] = np.arange(len(used))
    n, width = described.shape
    held = counts.ravel() > 0
    bounds = np.concatenate(([0], np.cumsum(held.reshape(n, width).sum(axis=1))))
    rows = csr_matrix(
        (counts.ravel()[held], number[described.ravel()[held]], bounds), shape=(n, len(used))
    )
    columns = rows.T.tocsr()
    mean = float(_log_odds(np.array(share.mean())))

    def loss(of_used: Floats) -> tuple[float, Floats]:
        odds = rows @ of_used + mean
        likely = 1 / (1 + np.exp(-odds))
        # log(1 + exp(odds)) is odds - log(likely).
        total = (odds * (1 - share) - np.log(likely)).sum() + RIDGE * of_used @ of_used / 2
        return float(total), columns @ (likely - share) + RIDGE * of_used

    found = minimize(loss, start[used], jac=True, method="L-BFGS-B", options={"maxiter": N_STEPS})
    coefficients[used] = found.x
    return coefficients


def _log_odds(share: Floats) -> Floats:
    sure = np.clip(share, 1 - _SURE, _SURE)
    odds: Floats = np.log(sure / (1 - sure))
    return odds
