"""A model of annotators, learned from their agreement: see it, cut it, call it something.

Three questions are asked of every heart. Is there a name? Annotator j marks a true one with chance
``hit[j]`` and a false one with ``alarm[j]`` (two coins, as Dawid and Skene 1979). What is it
called? A name of label k is called l by j with chance ``confusion[j, k, l]``, and what is no name
``invented[j, l]``. Where is it cut? On each side j proposes the true boundary, a wider or a
narrower one with the chances ``left[:, j]`` and ``right[:, j]``. All three are fitted by EM.

Somebody seen a little is not trusted like somebody seen a lot: each annotator's parameters lean on
the crowd's by LEAN answers, and these on what is usual by a few; where labels are questions of
their own, the crowd is those who look for the same. Annotators take no part in what they did not
look at, nor in labels that they do not look for.

Beside every heart there are places where nobody marked anything; some of them hold a name that all
missed, and how likely that is counts for what everybody misses.

Annotators err together, so the evidence of n who looked is not n times that of one. Beyond the
first three it is scaled down to that of n / (1 + (n - 3) ρ).

What somebody has settled is known (``known.py``): such a heart keeps its answer in every round, so
that all that is learned follows from it. With fewer than three annotators their agreement teaches
nothing; each vote then counts the same, unless something is settled, which alone teaches.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.consensus.people.answers import AnswerRows, Answers
from vermeil.consensus.people.copies import voices
from vermeil.consensus.people.crowd import Crowd, Replies, chances
from vermeil.consensus.people.cuts import ProposedCuts, even_cuts
from vermeil.consensus.people.known import NOT_THERE, KnownAnswers
from vermeil.consensus.people.sureness import UNSAID, no_worth, worth_of_steps
from vermeil.consensus.reading.text_model import TextPrior
from vermeil.consensus.reliability import LEARNABLE, N_EMPTY

Told: TypeAlias = Mapping[str, Collection[str]]
"""What annotators are said to look for."""

LEAN = 10.0
"""Answers of the crowd that an annotator's own are added to. Between 3 and 30 F changes by less
than .003 on taggers and on two crowds."""

USUAL_HIT, USUAL_ALARM, N_USUAL = 0.6, 0.05, 4.0
USUAL_LABEL, N_USUAL_LABELS = 0.8, 10.0
"""What the crowd's own parameters lean on, and by how many answers."""

DEPENDENCE = 0.15
"""The correlation ρ of annotators. Chosen on taggers, 48 subsets of them, both crowds of people and
the samples; half as much or a half more changes F by less than .01 on each."""

DEPENDENCE_WITH_TEXT = 0.25
"""The same where texts are read, which teach what annotators have in common. Between .15 and .3 F
changes by less than .005, on abstracts and on three made-up crowds."""

N_ROUNDS, TOLERANCE = 50, 1e-6
N_FREE = 3
"""So many annotators count in full, whatever their correlation."""

MOST_CONFUSIONS = 4_000_000
"""Numbers kept of who calls what what; beyond, all annotators share the crowd's."""


def learn(
    answers: Answers,
    told: Told | None = None,
    *,
    settled: str = "",
    before: Crowd | None = None,
) -> Crowd:
    """Learn how far to trust each annotator, for what, and how they cut.

    ``settled`` names the annotator whose answers are known to be right. What was learned ``before``
    of the same annotators and labels, from nearly the same answers, saves time.
    """
    voted, known, known_apart = answers.without(settled)
    looks_for = scope_of(voted, told or {})
    together = share_a_choice(voted, looks_for)
    rows, known = (voted.pooled, known) if together else (voted.apart, known_apart)
    agreement = len(voted.annotators) >= LEARNABLE
    if not len(rows) or not (agreement or known.is_known.any()):
        return _equal(voted, looks_for, together=together)
    learner = Learner(rows, known, voted, looks_for, together=together, agreement=agreement)
    return learner.with_cuts(learner.fitted(before))


def scope_of(answers: Answers, told: Told) -> Flags:
    """Say who looks for what: for labels they use or are told to; for all if they use none."""
    looks = np.zeros((len(answers.annotators), len(answers.labels)), dtype=bool)
    rows = answers.apart
    marked = rows.label != NOT_THERE
    looks[rows.annotator[marked], rows.label[marked]] = True
    looks[~looks.any(axis=1)] = True
    for place, name in enumerate(answers.annotators):
        if name in told:
            everything = "*" in told[name]
            looks[place] = [everything or label in told[name] for label in answers.labels]
    return looks


def share_a_choice(answers: Answers, looks_for: Flags) -> bool:
    """Tell whether labels are alternatives to somebody, so that they are to vote together.

    Where everybody looks for one label only, names of two labels are two questions.
    """
    rows = answers.apart
    marks = np.zeros(len(answers.annotators), dtype=bool)
    marks[rows.annotator[rows.label != NOT_THERE]] = True
    return len(answers.labels) < 2 or bool((looks_for[marks].sum(axis=1) > 1).any())


class Learner:
    """EM over rows of answers, of which some are known; without ``agreement`` only these teach.

    ``prior`` is what texts say of each row, where they are read.
    """

    prior: TextPrior | None = None

    def __init__(
        self,
        rows: AnswerRows,
        known: KnownAnswers,
        answers: Answers,
        looks_for: Flags,
        *,
        together: bool,
        agreement: bool,
    ) -> None:
        self.rows, self.known = rows, known
        self.looks_for, self.together = looks_for, together
        self.annotators, self.labels = answers.annotators, answers.labels
        self.n_documents = answers.n_documents
        self.replies = Replies.of(rows.first, rows.annotator, rows.label, rows.step)
        self.marked = np.flatnonzero(self.replies.label != NOT_THERE)
        self.is_said = bool((self.replies.step != UNSAID).any())
        self.taught = rows.count if agreement else rows.count * known.is_known
        self.weight = self.taught[self.replies.row] * self._is_asked()
        self.voice = voices(rows, len(self.annotators))
        self.peers = np.zeros(len(looks_for), dtype=np.int64)
        if not together:
            self.peers = np.unique(looks_for, axis=0, return_inverse=True)[1].ravel()
        self.n_empty = N_EMPTY * self._by_annotator(self.weight)

    def fitted(self, before: Crowd | None = None, *, n_rounds: int = N_ROUNDS) -> Crowd:
        """Fit all but the cuts, from what was learned before, or else from shares of votes."""
        chance, silent = self._shares_of_votes(), np.zeros((len(self.rows), len(self.labels)))
        if before is not None:
            chance, silent = self.chances(before), chances(self.replies.silence(before))
        for _ in range(n_rounds):
            crowd = self._maximised(chance, silent)
            last, chance = chance, self.chances(crowd)
            silent = chances(self.replies.silence(crowd))
            if np.abs(chance - last).max(initial=0) <= TOLERANCE:
                break
        return crowd

    def with_cuts(self, crowd: Crowd) -> Crowd:
        """Learn how annotators cut names that are surely there."""
        chance = self.chances(crowd).sum(axis=1)
        sides = []
        for ranks, true in (
            (self.rows.left, self.known.left),
            (self.rows.right, self.known.right),
        ):
            cuts = ProposedCuts.of(self.replies, ranks.astype(np.int64), true)
            sides.append(cuts.fitted(chance * self.taught, self.peers, self.voice, lean=LEAN))
        return replace(crowd, left=sides[0], right=sides[1])

    def chances(self, crowd: Crowd) -> Floats:
        """Return what a crowd makes of all rows, by label."""
        return self.known.put_into(chances(self.replies.log_odds(crowd, self.prior)))

    def _is_asked(self) -> Flags:
        """Tell which entries are of annotators who look for the label, where it is known."""
        replies = self.replies
        if self.together:
            return np.ones(len(replies.row), dtype=bool)
        label = np.maximum(self.known.label, 0)
        label[replies.row[self.marked]] = replies.label[self.marked]
        asked: Flags = self.looks_for[replies.annotator, label[replies.row]]
        return asked

    def _shares_of_votes(self) -> Floats:
        replies, n_labels = self.replies, len(self.labels)
        voice = self.voice[replies.annotator]
        looked = replies.by_label(voice, self.looks_for)
        key = replies.row[self.marked] * n_labels + replies.label[self.marked]
        votes = np.bincount(key, voice[self.marked], replies.n_rows * n_labels)
        least = voice.min(initial=1.0)
        share: Floats = votes.reshape(-1, n_labels) / np.maximum(looked, least)
        share /= np.maximum(1.0, share.sum(axis=1, keepdims=True))
        return self.known.put_into(share)

    def _maximised(self, chance: Floats, silent: Floats) -> Crowd:
        """Count what is true of hearts, and of the ``silent`` places beside them."""
        marked = self.marked
        seen, missed = self._sought(chance), N_EMPTY * self._sought(silent) * self.weight
        true, false = seen * self.weight, (1 - seen) * self.weight
        n_missed = self._by_annotator(missed)
        n_names = self._by_annotator(true) + n_missed
        n_places = self._by_annotator(false) + self.n_empty - n_missed
        hits, alarms = self._by_annotator(true, marked), self._by_annotator(false, marked)
        hit = self._leaning(hits, n_names, USUAL_HIT)
        alarm = self._leaning(alarms, n_places, USUAL_ALARM)
        confusion, invented = self._naming(chance)
        return Crowd(
            self.annotators,
            self.labels,
            together=self.together,
            dependence=DEPENDENCE if self.prior is None else DEPENDENCE_WITH_TEXT,
            n_free=N_FREE,
            prior=self._prior(chance, silent),
            hit=np.clip(hit, 1e-4, 1 - 1e-4),
            alarm=np.clip(alarm, 1e-5, 1 - 1e-3),
            n_names=n_names,
            n_places=n_places,
            n_documents=self.n_documents,
            effort=self._effort(true, false, (hits, alarms), (n_names, n_places)),
            confusion=confusion,
            invented=invented,
            left=even_cuts(len(hit)),
            right=even_cuts(len(hit)),
            looks_for=self.looks_for,
            voice=self.voice,
            sure=self._sureness(true, false),
        )

    def _sureness(self, true: Floats, false: Floats) -> Floats:
        """Say what it adds of each annotator to be so sure of a name."""
        n_annotators, marked = len(self.annotators), self.marked
        if not self.is_said:
            return no_worth(n_annotators)
        names = self.replies.annotator[marked], self.replies.step[marked]
        return worth_of_steps(*names, true[marked], false[marked], n_annotators)

    def _effort(
        self,
        true: Floats,
        false: Floats,
        marks: tuple[Floats, Floats],
        places: tuple[Floats, Floats],
    ) -> Floats:
        """Divide what each marked by what the crowd would have marked of the same hearts."""
        usual = np.ones(len(self.annotators))
        for each, marked, there in zip((true, false), marks, places, strict=True):
            usual += self._by_annotator(each) * marked.sum() / max(there.sum(), 1.0)
        share: Floats = (marks[0] + marks[1] + 1) / usual
        return share

    def _sought(self, chance: Floats) -> Floats:
        """Return for each entry the chance of a name that its annotator looks for."""
        replies = self.replies
        if self.looks_for.all():
            everything: Floats = chance.sum(axis=1)[replies.row]
            return everything
        sought: Floats = (chance[replies.row] * self.looks_for[replies.annotator]).sum(axis=1)
        return sought

    def _prior(self, chance: Floats, silent: Floats) -> Floats:
        """Return the share of each label, of all places or of those of hearts of this label."""
        count = self.rows.count
        of_label = count @ chance + N_EMPTY * (count @ silent) + 1 / len(self.labels)
        places = np.full(len(self.labels), self.rows.count.sum())
        if not self.together:
            named = np.flatnonzero(self.known.label >= 0)
            label = np.concatenate((self.replies.label[self.marked], self.known.label[named]))
            row = np.concatenate((self.replies.row[self.marked], named))
            key = label * len(self.rows) + row
            label, row = np.divmod(np.unique(key), len(self.rows))
            places = np.bincount(label, self.rows.count[row], len(self.labels))
        share: Floats = np.clip(of_label / (places * (1 + N_EMPTY) + 1), 1e-9, 1 - 1e-9)
        return share

    def _naming(self, chance: Floats) -> tuple[Floats, Floats]:
        """Count who calls what what, leaning on the crowd."""
        n_labels, n_annotators = len(self.labels), len(self.annotators)
        if n_labels < 2:
            return np.ones((1, 1, 1)), np.ones((1, 1))
        usual = np.full((n_labels, n_labels), (1 - USUAL_LABEL) / (n_labels - 1))
        np.fill_diagonal(usual, USUAL_LABEL)
        replies, marked = self.replies, self.marked
        row, said = replies.row[marked], replies.label[marked]
        weight = self.weight[marked]
        shared = n_annotators * n_labels**2 > MOST_CONFUSIONS
        n_tables = 1 if shared else n_annotators
        key = said if shared else replies.annotator[marked] * n_labels + said

        def counted(values: Floats) -> Floats:
            total = np.bincount(key, values * weight, n_tables * n_labels)
            return total.reshape(n_tables, n_labels).astype(np.float64)

        called = np.stack([counted(column[row]) for column in chance.T], axis=1)
        false = counted(1 - chance.sum(axis=1)[row])
        crowd = called.sum(axis=0) + N_USUAL_LABELS * usual
        crowd /= crowd.sum(axis=1, keepdims=True)
        called += LEAN / 2 * crowd
        inventions = false.sum(axis=0) + 1
        false += LEAN / 2 * inventions / inventions.sum()
        return called / called.sum(axis=2, keepdims=True), false / false.sum(axis=1, keepdims=True)

    def _leaning(self, count: Floats, total: Floats, usual: float) -> Floats:
        """Divide, each leaning on the peers, and these on what is usual."""
        of_peers, all_peers = (
            np.bincount(self.peers, each * self.voice) for each in (count, total)
        )
        crowd = ((of_peers + usual * N_USUAL) / (all_peers + N_USUAL))[self.peers]
        share: Floats = (count + LEAN * crowd) / (total + LEAN)
        return share

    def _by_annotator(self, values: Floats, which: Ints | None = None) -> Floats:
        who = self.replies.annotator
        if which is not None:
            who, values = who[which], values[which]
        return np.bincount(who, values, len(self.annotators)).astype(np.float64)


def _equal(answers: Answers, looks_for: Flags, *, together: bool) -> Crowd:
    """Count each vote the same, so that half of the votes make an even chance."""
    n_annotators, n_labels = len(answers.annotators), len(answers.labels)
    confusion = np.full((1, n_labels, n_labels), 0.1 / max(1, n_labels - 1))
    confusion[:, range(n_labels), range(n_labels)] = 0.9 if n_labels > 1 else 1.0
    return Crowd(
        answers.annotators,
        answers.labels,
        together=together,
        dependence=1.0,
        n_free=1,
        prior=np.full(n_labels, (0.5 + 1e-9) / max(1, n_labels if together else 1)),
        hit=np.full(n_annotators, 0.9),
        alarm=np.full(n_annotators, 0.1),
        n_names=np.zeros(n_annotators),
        n_places=np.zeros(n_annotators),
        n_documents=answers.n_documents,
        effort=np.ones(n_annotators),
        confusion=confusion,
        invented=np.full((1, n_labels), 1 / max(1, n_labels)),
        left=even_cuts(n_annotators),
        right=even_cuts(n_annotators),
        looks_for=looks_for,
        voice=np.ones(n_annotators),
        sure=no_worth(n_annotators),
    )
