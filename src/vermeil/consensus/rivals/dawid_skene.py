"""Dawid and Skene over tokens: annotators with confusion matrices, learned without gold.

A. P. Dawid and A. M. Skene, "Maximum likelihood estimation of observer error-rates using the EM
algorithm", Applied Statistics 28 (1979). Each token has a true tag (IOB2), drawn from ``prior``;
annotator a gives a token whose tag is k the tag l with probability ``confusion[a, k, l]``. E step:
the chance of each tag for each token. M step: prior and confusions from the tags given, weighted
by those chances. Annotators that did not look at a document take no part in its tokens.

A token matters only by the tags it was given, so EM works on the distinct rows of tags with their
counts, and patterns of two parts of a corpus can be added. The result is that of crowd-kit's
DawidSkene: the start from shares of votes, the floor under counts, the stopping rule (which counts
the prior once a vote) and ending with an E step are its.
"""

from dataclasses import dataclass, replace

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.decision import Decision
from vermeil.consensus.tally import distinct
from vermeil.consensus.token_vote import OUTSIDE, Ballot, collect, names
from vermeil.errors import UsageError

ABSENT = -1
"""Stands for the tag of an annotator that did not look."""

FLOOR = 1e-10
"""The least prior of a tag that was given, and the least count of one that an annotator gives."""


@dataclass(frozen=True, slots=True, eq=False)
class TagPatterns:
    """Distinct rows of tags, a column an annotator, with their counts. Add two to pool them.

    Tags are coded as in a Ballot, by place in ``labels``. The sum has the annotators and labels
    of both.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    tags: Ints
    count: Floats

    @staticmethod
    def of(table: SpanTable, *, by: str = "fine") -> "TagPatterns":
        """Count the rows of tags of a batch."""
        rows = _rows(collect(table, by=by))
        count = np.bincount(rows.of_token, minlength=len(rows.tags)).astype(np.float64)
        given = count > 0
        return TagPatterns(
            table.annotators, table.labels, *_counted(rows.tags[given], count[given])
        )

    def __add__(self, other: "TagPatterns") -> "TagPatterns":
        annotators = tuple(sorted({*self.annotators, *other.annotators}))
        labels = tuple(sorted({*self.labels, *other.labels}))
        tags = np.concatenate([part._recoded(annotators, labels) for part in (self, other)])
        count = np.concatenate((self.count, other.count))
        return TagPatterns(annotators, labels, *_counted(tags, count))

    def _recoded(self, annotators: tuple[str, ...], labels: tuple[str, ...]) -> Ints:
        begins = [2 * labels.index(label) + 1 for label in self.labels]
        codes = np.array([OUTSIDE, *(b + rest for b in begins for rest in (0, 1)), ABSENT])
        tags = np.full((len(self.tags), len(annotators)), ABSENT)
        # ABSENT is -1 and so finds itself at the end of the codes.
        tags[:, [annotators.index(name) for name in self.annotators]] = codes[self.tags]
        return tags


@dataclass(frozen=True, slots=True, eq=False)
class Confusions:
    """What was learned: how often each tag is true, and which tag each annotator gives then.

    ``prior`` and ``confusion`` are by code, as in a Ballot; ``tags`` names the codes. A prior is 0
    where nobody gave the tag, ``confusion[a, :, l]`` where annotator a never gave tag l.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    prior: Floats
    confusion: Floats

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags in the order of their codes."""
        return ("O", *(f"{letter}-{label}" for label in self.labels for letter in "BI"))

    def posterior(self, tags: Ints) -> Floats:
        """Return the chance of every tag for each row of ``tags``, a column an annotator."""
        return _expect(self.prior, _support(self.confusion, tags))


def learn(patterns: TagPatterns, *, n_rounds: int = 100, tolerance: float = 1e-5) -> Confusions:
    """Learn the confusions, in rounds of EM until the bound rises by less than ``tolerance``.

    The bound is crowd-kit's and need not rise: on the twelve taggers of BC2GM it falls in the
    second round, which is then the last. ``tolerance=-inf`` goes on for all rounds.
    """
    votes = _Votes(patterns)
    prior, confusion = learned = votes.maximise(votes.shares)
    support, before = _support(confusion, patterns.tags), -np.inf
    for _ in range(n_rounds if len(patterns.tags) else 0):
        learned = prior, confusion
        chance = _expect(prior, support)
        prior, confusion = votes.maximise(chance)
        support = _support(confusion, patterns.tags)
        bound = votes.bound(chance, prior, support)
        if bound - before < tolerance:
            break
        before = bound
    return Confusions(patterns.annotators, patterns.labels, *learned)


def decide(table: SpanTable, confusions: Confusions, *, by: str = "fine") -> Decision:
    """Tag each token with what is likeliest and read names off the tags.

    Of tags with equal chances O wins, then the label first in the alphabet, B before I. A tag that
    goes on with nothing begins a name. The confidence of a name is the mean chance of its tags.
    """
    ballot = collect(_aligned(table, confusions), by=by)
    rows = _rows(ballot)
    chance = confusions.posterior(rows.tags)
    tag, value = chance.argmax(axis=1)[rows.of_token], chance.max(axis=1)[rows.of_token]
    token = np.flatnonzero(tag != OUTSIDE)
    label, goes_on = np.divmod(tag[token] - 1, 2)
    return names(ballot, token, label, goes_on == 0, value[token], np.ones(len(token)))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Distinct rows of tags of a batch, and which of them each token has."""

    tags: Ints
    of_token: Ints


def _rows(ballot: Ballot) -> _Rows:
    """Part the tokens that got a name from anybody from the silent ones, alike by document."""
    looked = ballot.table.looked
    token, place = np.unique(ballot.token, return_inverse=True)
    tags = np.where(looked[ballot.document[token]], OUTSIDE, ABSENT)
    tags[place.ravel(), ballot.annotator] = ballot.tag
    views, view = distinct(np.where(looked, OUTSIDE, ABSENT))
    spoken, row = distinct(tags)
    of_token = view[ballot.document]
    of_token[token] = len(views) + row
    return _Rows(np.concatenate((views, spoken)), of_token)


class _Votes:
    """The tags annotators gave, counted by pattern."""

    def __init__(self, patterns: TagPatterns) -> None:
        tags, self._count = patterns.tags, patterns.count
        self._n_annotators, self._n_tags = len(patterns.annotators), 1 + 2 * len(patterns.labels)
        self._given = tags != ABSENT
        annotator = np.broadcast_to(np.arange(self._n_annotators), tags.shape)
        self._pattern, _ = np.nonzero(self._given)
        self._place = (annotator * self._n_tags + tags)[self._given]
        self._n_votes = self._given.sum(axis=1)
        key = self._pattern * self._n_tags + tags[self._given]
        n = np.bincount(key, minlength=len(tags) * self._n_tags).reshape(-1, self._n_tags)
        self.shares: Floats = n / self._n_votes[:, None]
        self._is_true = n.any(axis=0)
        used = np.bincount(self._place, minlength=self._n_annotators * self._n_tags) > 0
        self._is_used = used.reshape(self._n_annotators, self._n_tags)

    def maximise(self, chance: Floats) -> tuple[Floats, Floats]:
        """Return the prior and the confusions under which the tags given are likeliest."""
        shape = (self._n_annotators, self._n_tags, self._n_tags)
        if not len(chance):
            return np.eye(self._n_tags)[OUTSIDE], np.zeros(shape)
        expected = chance * self._count[:, None]
        prior = expected.sum(axis=0) / self._count.sum()
        size = self._n_annotators * self._n_tags
        given = np.stack(
            [
                np.bincount(self._place, weights=each[self._pattern], minlength=size)
                for each in expected.T
            ]
        )
        given = given.reshape(self._n_tags, self._n_annotators, self._n_tags).swapaxes(0, 1)
        given = np.where(self._is_used[:, None, :], np.maximum(given, FLOOR), 0.0)
        total = given.sum(axis=2, keepdims=True)
        return (
            np.where(self._is_true, np.maximum(prior, FLOOR), 0.0),
            np.divide(given, total, out=np.zeros_like(given), where=total > 0),
        )

    def bound(self, chance: Floats, prior: Floats, support: Floats) -> float:
        """Return the evidence lower bound, for each vote."""
        gain = support + self._n_votes[:, None] * _log(prior)
        likely = np.maximum(chance, FLOOR) * self._is_true
        each = (chance * gain).sum(axis=1) - (likely * _log(likely)).sum(axis=1)
        return float((self._count * each).sum() / (self._count * self._n_votes).sum())


def _expect(prior: Floats, support: Floats) -> Floats:
    """Return the chance of each tag for each row; tags that nobody gave have none."""
    logits = np.where(prior > 0, _log(prior) + support, -np.inf)
    powers: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    chance: Floats = powers / powers.sum(axis=1, keepdims=True)
    return chance


def _support(confusion: Floats, tags: Ints) -> Floats:
    """Add up what the tags of each row say for every true tag; ABSENT says nothing."""
    log = _log(confusion)
    support = np.zeros((len(tags), confusion.shape[1]))
    for annotator, given in enumerate(tags.T):
        support += np.where(given[:, None] == ABSENT, 0.0, log[annotator].T[given])
    return support


def _log(chance: Floats) -> Floats:
    """Take the logarithm; of 0 a number so low that it rules out, or says nothing if all are 0."""
    log: Floats = np.log(np.maximum(chance, np.finfo(np.float64).tiny))
    return log


def _aligned(table: SpanTable, confusions: Confusions) -> SpanTable:
    """Code annotators and labels as they were when the confusions were learned."""
    for noun, own, known in (
        ("annotator", table.annotators, confusions.annotators),
        ("label", table.labels, confusions.labels),
    ):
        for name in own:
            if name not in known:
                raise UsageError(
                    f"nothing was learned about the {noun} {name!r}, only about "
                    f"{', '.join(known) or 'none'}; learn from all the documents to be decided"
                )
    annotator = np.array([confusions.annotators.index(name) for name in table.annotators], np.int32)
    label = np.array([confusions.labels.index(name) for name in table.labels], np.int32)
    looked = np.zeros((len(table.documents), len(confusions.annotators)), dtype=np.bool_)
    looked[:, annotator] = table.looked
    return replace(
        table,
        annotators=confusions.annotators,
        labels=confusions.labels,
        annotator=annotator[table.annotator],
        label=label[table.label],
        looked=looked,
    )


def _counted(tags: Ints, count: Floats) -> tuple[Ints, Floats]:
    """Add up the counts of equal rows, which come out in an order of their own."""
    rows, row = distinct(tags)
    return rows, np.bincount(row, weights=count, minlength=len(rows)).astype(np.float64)
