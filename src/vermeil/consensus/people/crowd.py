"""What was learned of a crowd, and what it makes of answers: the chance of each label."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats, Ints
from vermeil.consensus.people.known import NOT_THERE
from vermeil.consensus.reading.text_model import TextModel, TextPrior

Cut: TypeAlias = Floats
"""Shares of exact, wider and narrower (rows) by annotator (columns)."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """What was learned.

    ``together`` tells whether labels vote together; of those who look at a heart ``n_free`` count
    in full, and more by what their ``dependence`` leaves of them. ``prior[k]`` is the chance that a
    heart is a name of label k (one of this label, where they do not). ``looks_for[j, k]`` is who
    looks for what.
    ``n_names[j]`` and ``n_places[j]`` are how many true names, and how many places without one,
    ``hit`` and ``alarm`` were learned from; ``n_documents[j]`` those that j looked at.
    ``effort[j]`` is how much j marks of what the crowd marks, at the same places. ``voice[j]`` is
    1, or less where j copies another or is copied (``copies.py``). ``sure[j, step]`` is what
    it adds that j is so sure of a name (``sureness.py``). ``text`` is what was learned of the
    texts, if they are read; ``reading`` says whether they are, and why.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    together: bool
    dependence: float
    n_free: int
    prior: Floats
    hit: Floats
    alarm: Floats
    n_names: Floats
    n_places: Floats
    n_documents: Ints
    effort: Floats
    confusion: Floats
    invented: Floats
    left: Cut
    right: Cut
    looks_for: Flags
    voice: Floats
    sure: Floats
    text: TextModel | None = None
    reading: str = ""

    @property
    def is_learned(self) -> bool:
        """Tell whether anything was learned of anybody; if not, each vote counts the same."""
        return bool(self.n_places.any())

    @property
    def copies(self) -> list[str]:
        """Those who say nearly what others say, and count as less than one witness."""
        return [self.annotators[place] for place in np.flatnonzero(self.voice < 1).tolist()]

    @property
    def for_names(self) -> "Crowd":
        """What tells whether there is a name and what it is called, wherever it is cut."""
        cuts_only = self.text is not None and self.text.cuts_only
        return replace(self, text=None) if cuts_only else self

    def among(self, annotators: Sequence[str]) -> "Crowd":
        """Return what was learned of these annotators, in this order."""
        if tuple(annotators) == self.annotators:
            return self
        place = {name: number for number, name in enumerate(self.annotators)}
        a = np.array([place[name] for name in annotators], dtype=np.int64)
        named = np.zeros(1, dtype=np.int64) if len(self.confusion) == 1 else a
        return replace(
            self,
            annotators=tuple(annotators),
            hit=self.hit[a],
            alarm=self.alarm[a],
            n_names=self.n_names[a],
            n_places=self.n_places[a],
            n_documents=self.n_documents[a],
            effort=self.effort[a],
            confusion=self.confusion[named],
            invented=self.invented[named],
            left=self.left[:, a],
            right=self.right[:, a],
            looks_for=self.looks_for[a],
            voice=self.voice[a],
            sure=self.sure[a],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """Answers as entries of rows, whether of a corpus or of the hearts of a batch."""

    row: Ints
    n_rows: int
    annotator: Ints
    label: Ints
    step: Ints

    @staticmethod
    def of(first: Ints, annotator: AnyArray, label: AnyArray, step: AnyArray) -> "Replies":
        """Take the columns of ``AnswerRows`` or of ``Testimony``."""
        n_looked = np.diff(first)
        row = np.repeat(np.arange(len(n_looked)), n_looked)
        columns = (annotator, label, step)
        return Replies(row, len(n_looked), *(each.astype(np.int64) for each in columns))

    def log_odds(self, crowd: Crowd, prior: TextPrior | None = None) -> Floats:
        """Return the log-odds of each label (column), against no name, for each row.

        ``prior`` is what texts say of each row; the crowd's, the same for all, if not given.
        """
        total = self._weighed(self.gains(crowd), crowd, prior)
        if crowd.together:
            return total + self.naming(crowd) if len(crowd.labels) > 1 else total
        return self._asked_only(total)

    def gains(self, crowd: Crowd) -> Floats:
        """Return how much likelier, in logs, each entry is if there is a name than if not."""
        marked = np.flatnonzero(self.label != NOT_THERE)
        who = self.annotator[marked]
        gain: Floats = np.log((1 - crowd.hit) / (1 - crowd.alarm))[self.annotator]
        gain[marked] = np.log(crowd.hit / crowd.alarm)[who] + crowd.sure[who, self.step[marked]]
        return gain

    def silence(self, crowd: Crowd) -> Floats:
        """Return the log-odds of each label where nobody of those who looked marks anything."""
        no = np.log((1 - crowd.hit) / (1 - crowd.alarm))
        total = self._weighed(no[self.annotator], crowd)
        return total if crowd.together else self._asked_only(total)

    def temper(self, crowd: Crowd) -> Floats:
        """Say, by row and label, how much the evidence of one of those who look for it counts."""
        looked = self.by_label(crowd.voice[self.annotator], crowd.looks_for)
        return 1 / (1 + np.maximum(looked - crowd.n_free, 0) * crowd.dependence)

    def by_label(self, gain: Floats, looks_for: Flags) -> Floats:
        """Sum what entries say, for each label over those who look for it."""
        if looks_for.all():
            return np.repeat(self._summed(gain)[:, None], looks_for.shape[1], axis=1)
        columns = [self._summed(gain * own[self.annotator]) for own in looks_for.T]
        return np.stack(columns, axis=1)

    def _weighed(self, gain: Floats, crowd: Crowd, prior: TextPrior | None = None) -> Floats:
        """Add what entries say to what is known beforehand, by label."""
        heard = gain * crowd.voice[self.annotator]
        total = self.by_label(heard, crowd.looks_for) * self.temper(crowd)
        if prior is not None and not prior.cuts_only:
            of_hearts: Floats = total + prior.labels - prior.already * self._heard(crowd)
            return of_hearts
        without = crowd.prior.sum() if crowd.together else crowd.prior
        log_odds: Floats = total + np.log(crowd.prior / (1 - np.minimum(without, 1 - 1e-9)))
        return log_odds

    def _heard(self, crowd: Crowd) -> Floats:
        """Return, by row and label, how much likelier it is that anybody marks if there is a name.

        A prior of hearts is one of places that somebody marked: that much has been said already.
        """
        marks = []
        for chance in (crowd.hit, crowd.alarm):
            quiet = (np.log(1 - chance) * crowd.voice)[self.annotator]
            silent = self.by_label(quiet, crowd.looks_for)
            marks.append(np.log(-np.expm1(np.minimum(silent * self.temper(crowd), -1e-6))))
        there, gone = marks
        more: Floats = there - gone
        return more

    def _asked_only(self, log_odds: Floats) -> Floats:
        """Rule out labels that a row does not ask about, where each asks about one."""
        marked = np.flatnonzero(self.label != NOT_THERE)
        own = np.zeros(log_odds.shape, dtype=bool)
        own[self.row[marked], self.label[marked]] = True
        return np.where(own, log_odds, -np.inf)

    def naming(self, crowd: Crowd) -> Floats:
        """Return, by label, how much better it explains what names are called than no name does."""
        marked = np.flatnonzero(self.label != NOT_THERE)
        row, who, said = self.row[marked], self.annotator[marked], self.label[marked]
        table = np.zeros_like(who) if len(crowd.confusion) == 1 else who
        within, without = np.log(crowd.confusion), np.log(crowd.invented)
        columns = []
        for label in range(len(crowd.labels)):
            gain = (within[:, label] - without)[table, said]
            if not crowd.looks_for[:, label].all():
                gain = np.where(crowd.looks_for[who, label], gain, 0.0)
            columns.append(np.bincount(row, gain * crowd.voice[who], self.n_rows))
        return np.stack(columns, axis=1)

    def _summed(self, values: Floats) -> Floats:
        return np.bincount(self.row, values, self.n_rows).astype(np.float64)


def chances(log_odds: Floats) -> Floats:
    """Turn the log-odds of labels against no name into their chances; what is left is no name."""
    best = np.maximum(log_odds.max(axis=1, initial=0.0), 0.0)
    powers: Floats = np.exp(log_odds - best[:, None])
    shares: Floats = powers / (np.exp(-best) + powers.sum(axis=1))[:, None]
    return shares
