"""A crowd whose consensus reads: what the text says is the prior under what annotators say.

First people are learned from their agreement alone (``model``). How likely each heart is a name of
each label, and each boundary the true one, then teaches two models of the words in and around them,
for each fold of the documents on the others (``consensus/reading``). What they say of it takes the
place of the one prior for all, people are learned again, and so are the texts, N_ROUNDS times. The
text is no further annotator: it is heard once, before all others, and it is not tempered.

Names that nobody marked are not found, and no boundary that nobody proposed. Nested and
discontinuous names, labels and scope are decided as without the text.

Whether to read is decided without gold, by how well annotators who are left out are predicted: the
chance that one of them marks a heart, given what the others say, once with the one prior for all
and once with what the text says. On people who each saw a little the text predicts them better; on
systems that saw everything, and where many looked at each place, it adds nothing. Systems are not
asked: they err where something looks like a name, and that is what texts teach. What texts say of
where names are cut is another matter: systems differ in that from each other and keep to it each,
so that theirs are read for the cuts alone, where there are enough names and not too many.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.answers import Answers
from vermeil.consensus.people.crowd import Crowd, Replies, chances
from vermeil.consensus.people.cuts import ProposedCuts
from vermeil.consensus.people.evidence import Testimony, ranks_of
from vermeil.consensus.people.heart_texts import (
    CrowdSeen,
    DescribedHearts,
    HeartTexts,
    boundaries_of,
    own_cuts,
)
from vermeil.consensus.people.judging import JudgedHearts, judge, shares
from vermeil.consensus.people.known import NOT_THERE, place_of
from vermeil.consensus.people.model import Learner, Told, learn
from vermeil.consensus.people.repeats import in_document, spellings, with_repeats
from vermeil.consensus.reading.described import DescribedThings
from vermeil.consensus.reading.log_linear import LinearScores, learn_cuts, learn_labels
from vermeil.consensus.reading.places import ReadTexts, keys_of
from vermeil.consensus.reading.text_model import (
    N_FOLDS,
    FoldModel,
    TextModel,
    TextPrior,
    fold_of,
)

N_ROUNDS = 2
"""Times that texts and people are learned in turn. Once, and relaxed F is .02 lower on abstracts;
a third time brings nothing there, for what is sure grows."""

ALREADY = (1.0, 0.75, 0.5, 0.35, 0.25)
"""How much of it counts that a heart is there only because somebody marked it (see ``TextPrior``);
that is taken under which answers left out are the likeliest at a first look. In full is right where
people err each alone; people who miss the same names ask for less. With none of it everything
becomes a name. Choosing again after each round chooses .5, and loses on the abstracts."""

N_STEPS = 6
"""Rounds of EM between two times that texts are learned."""

LEAST_RISE = 0.003
"""By how much the log-likelihood of an answer left out must rise, on the mean."""

REPEATS = (0.5, 1.0)
"""How much the same words elsewhere in a document may say; that under which answers left out are
the likeliest, if they become likelier by LEAST_RISE_BY_REPEATS. They do by .008 on the made-up
crowd, with 1, and by .0003 on abstracts."""

LEAST_RISE_BY_REPEATS = 0.001

MUCH = 0.5
"""The share of all hearts that most systems see, and few people in a crowd."""

LEAST_HEARTS = 300
"""Hearts below which there is too little to learn from."""

LEAST_FOR_CUTS, MOST_FOR_CUTS = 2000, 10_000
"""Hearts of systems from which on, and up to which, texts are read for the cuts: what is decided of
a few texts follows from votes alone (a matter of taste: 1,363 of the samples would gain .006 of F),
and reading takes several times as long as all the rest, here two CPU seconds."""

AS_SYSTEMS = "annotators saw nearly everything, as systems do"


def learn_reading(
    seen: CrowdSeen, told: Told | None = None, *, settled: str = "", read: bool | None = None
) -> Crowd:
    """Learn a crowd, and what the texts say; without ``read`` decide whether they are to be read.

    What was decided, and why, stands in ``Crowd.reading``.
    """
    crowd = learn(seen.answers, told, settled=settled)
    if read is False or seen.texts is None:
        return crowd
    texts = seen.texts.hearts(together=crowd.together)
    against = _reason_against(len(texts), seen.answers.without(settled)[0], crowd)
    if against and (read is None or not crowd.is_learned):
        if against == AS_SYSTEMS and LEAST_FOR_CUTS <= len(texts) <= MOST_FOR_CUTS:
            return _learn_cuts_only(seen, texts, crowd, settled)
        return replace(crowd, reading=f"texts not read: {against}")
    described = DescribedHearts.of(texts, seen.texts.kept)
    reader = Reader(described, seen.answers, crowd, settled)
    before, after, already = reader.first_look()
    if read is None and after - before < LEAST_RISE:
        less = "who is left out is predicted no better"
        return replace(crowd, reading=f"texts not read: {less} ({before:.3f}, {after:.3f})")
    best, _ = reader.learned(already)
    how = "as asked" if read else "who is left out is predicted better"
    return replace(best, reading=f"texts read: {how} ({before:.3f} to {after:.3f})")


def judge_reading(
    table: SpanTable, evidence: Testimony, crowd: Crowd, *, settled: int | None = None
) -> JudgedHearts:
    """Judge every heart of a batch, with what its text says where that was learned."""
    if crowd.text is None:
        return judge(evidence, crowd, settled=settled)
    prior = _prior(table, evidence, crowd.text)
    judged = judge(evidence, crowd, settled=settled, prior=prior)
    if not crowd.text.repeats:
        return judged
    asked = np.ones_like(judged.chance, dtype=bool) if crowd.together else judged.chance > 0
    start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
    document, origin = evidence.document, table.origin[evidence.document]
    spelt = spellings(table.documents, document, start - origin, end - origin)
    heard = with_repeats(
        prior,
        judged.chance,
        asked,
        in_document(document.astype(np.uint64), spelt),
        together=crowd.together,
        share=crowd.text.repeats,
    )
    return judge(evidence, crowd, settled=settled, prior=heard)


def _learn_cuts_only(seen: CrowdSeen, texts: HeartTexts, crowd: Crowd, settled: str) -> Crowd:
    """Learn what texts say of where names are cut, and leave all else as it is."""
    assert seen.texts is not None, "there is nothing to read"
    choice = np.flatnonzero((texts.n_left > 1) | (texts.n_right > 1))
    described = DescribedHearts.of(texts.chosen(choice), seen.texts.kept, cuts_only=True)
    model = Reader(described, seen.answers, crowd, settled, cuts_only=True).learned_cuts()
    return replace(crowd, text=model, reading=f"texts read for the cuts alone: {AS_SYSTEMS}")


def _reason_against(n_hearts: int, answers: Answers, crowd: Crowd) -> str:
    """Say why texts should not be read, judging by who marked; "" where nothing speaks against."""
    if not crowd.is_learned or n_hearts < LEAST_HEARTS:
        return "there is too little to learn from"
    if _saw_much(answers, crowd) >= MUCH:
        return AS_SYSTEMS
    return ""


def _saw_much(answers: Answers, crowd: Crowd) -> float:
    """Return which share of all hearts most annotators saw at the least."""
    rows = answers.pooled if crowd.together else answers.apart
    seen = np.bincount(rows.annotator, rows.count[rows.row], len(answers.annotators))
    return float(np.median(seen) / rows.count.sum())


class Reader:
    """Learns texts and people in turn; with ``cuts_only`` where names are cut, and no more."""

    def __init__(
        self,
        texts: DescribedHearts,
        answers: Answers,
        crowd: Crowd,
        settled: str,
        *,
        cuts_only: bool = False,
    ) -> None:
        self.texts, self.crowd, self.cuts_only = texts, crowd, cuts_only
        rows, self.known = texts.rows.without(place_of(settled, answers.annotators))
        voted, _, _ = answers.without(settled)
        self.learner = Learner(
            rows,
            self.known,
            voted,
            crowd.looks_for,
            together=crowd.together,
            agreement=True,
        )
        self.learner.voice = crowd.voice
        self.replies = self.learner.replies
        ranks = ((rows.left, self.known.left), (rows.right, self.known.right))
        self.cuts = [ProposedCuts.of(self.replies, r.astype(np.int64), true) for r, true in ranks]
        self.fold = fold_of(texts.key)
        said = self.replies.label != NOT_THERE
        n_marked = np.bincount(self.replies.row, said, self.replies.n_rows)
        # Who alone made a heart cannot be left out of it.
        self.judged = self.learner.weight * (n_marked[self.replies.row] - said > 0)
        self.chance = self.learner.chances(crowd)
        self.first = self._texts(self._edges(crowd, None), ALREADY[0])

    def learned(self, already: float) -> tuple[Crowd, float]:
        """Learn people and texts in turn; return how likely answers left out then are, too."""
        crowd = self.crowd
        model = replace(self.first, already=already, repeats=self.worth_of_repeats(already))
        for n_left in reversed(range(N_ROUNDS)):
            prior = self.learner.prior = self._repeated(self._scored(model), crowd, model.repeats)
            crowd = self.learner.with_cuts(self.learner.fitted(crowd, n_rounds=N_STEPS))
            if n_left:
                self.chance = self.learner.chances(crowd)
                again = self._texts(self._edges(crowd, prior), already)
                model = replace(again, repeats=model.repeats)
        return replace(crowd, text=model), self._left_out(crowd, prior)

    def learned_cuts(self) -> TextModel:
        """Learn where names are cut, from what people and then both say of it."""
        model = self.first
        for _ in range(N_ROUNDS - 1):
            model = self._texts(self._edges(self.crowd, self._scored(model)), model.already)
        return model

    def first_look(self) -> tuple[float, float, float]:
        """Return how likely answers left out are, with one prior for all and with the texts.

        Of what has been said already so much is taken back, the same of both, as makes the answers
        likeliest with the texts; that is returned, too.
        """
        said = self._scored(self.first)
        priors = [replace(said, already=already) for already in ALREADY]
        likely = [self._left_out(self.crowd, prior) for prior in priors]
        best = int(np.argmax(likely))
        same = replace(priors[best], labels=self._same_for_all())
        return self._left_out(self.crowd, same), likely[best], ALREADY[best]

    def worth_of_repeats(self, already: float) -> float:
        """Return how much the same words elsewhere are to say: a share, or nothing."""
        said = replace(self._scored(self.first), already=already)
        heard = [self._repeated(said, self.crowd, share) for share in REPEATS]
        likely = [self._left_out(self.crowd, prior) for prior in heard]
        best = int(np.argmax(likely))
        rise = likely[best] - self._left_out(self.crowd, said)
        return REPEATS[best] if rise >= LEAST_RISE_BY_REPEATS else 0.0

    def _repeated(self, prior: TextPrior, crowd: Crowd, share: float) -> TextPrior:
        if not share:
            return prior
        self.learner.prior = prior
        return with_repeats(
            prior,
            self.learner.chances(crowd),
            self._possible,
            in_document(self.texts.key, self.texts.spelt),
            together=crowd.together,
            share=share,
        )

    def _left_out(self, crowd: Crowd, prior: TextPrior) -> float:
        """Return the mean log-likelihood of the answers of hearts that others marked, too."""
        likely = left_out(self.replies, crowd, prior)
        return float(likely @ self.judged / max(self.judged.sum(), 1.0))

    def _same_for_all(self) -> Floats:
        """Return the log-odds of each label where something is marked, whatever the text."""
        possible = self._possible
        share = self.chance.sum(axis=0) / np.maximum(possible.sum(axis=0), 1)
        share = np.clip(share, 1e-6, 1 - 1e-6)
        total = min(share.sum(), 1 - 1e-6) if self.crowd.together else share
        return np.broadcast_to(np.log(share / (1 - total)), possible.shape)

    def _texts(self, edges: list[Floats], already: float) -> TextModel:
        """Learn for each fold from the others."""
        folds = {
            fold: self._fold(np.flatnonzero(self.fold != fold), edges) for fold in range(N_FOLDS)
        }
        return TextModel(folds, already, cuts_only=self.cuts_only)

    def _fold(self, hearts: Ints, edges: list[Floats]) -> FoldModel:
        texts, chance = self.texts, self.chance
        labels = LinearScores.nothing(chance.shape[1])
        if not self.cuts_only:
            things, possible = texts.hearts.chosen(hearts), self._possible[hearts]
            labels = learn_labels(things, chance[hearts], possible)
        sure = chance.sum(axis=1)
        sides = []
        for things, edge, cuts in zip((texts.left, texts.right), edges, self.cuts, strict=True):
            size = np.diff(cuts.first)
            some = hearts[size[hearts] > 1]  # where there is a choice
            own = own_cuts(size, some)
            first = np.concatenate(([0], np.cumsum(size[some])))
            sides.append(learn_cuts(things.chosen(own), edge[own], first, sure[some]))
        return FoldModel(labels, *sides)

    def _scored(self, model: TextModel) -> TextPrior:
        texts = self.texts
        labels = np.zeros((len(texts), len(self.crowd.labels)))
        left, right = (np.zeros(len(cuts.row)) for cuts in self.cuts)
        for fold, own in model.folds.items():
            hearts = np.flatnonzero(self.fold == fold)
            if not self.cuts_only:
                labels[hearts] = own.labels.of(texts.hearts.chosen(hearts))
            for scores, things, side, cuts in (
                (left, texts.left, own.left, self.cuts[0]),
                (right, texts.right, own.right, self.cuts[1]),
            ):
                some = own_cuts(np.diff(cuts.first), hearts)
                scores[some] = side.of(things.chosen(some))[:, 0]
        return TextPrior(labels, left, right, model.already, self.cuts_only)

    def _edges(self, crowd: Crowd, prior: TextPrior | None) -> list[Floats]:
        temper = (self.replies.temper(crowd) * shares(self.chance)).sum(axis=1)
        said = (None, None) if prior is None else (prior.left, prior.right)
        return [
            cuts.chances(share, crowd.voice, temper, own)
            for cuts, share, own in zip(self.cuts, (crowd.left, crowd.right), said, strict=True)
        ]

    @property
    def _possible(self) -> Flags:
        """Tell which labels a heart can have: any, or that of the names that made it."""
        shape = len(self.texts), len(self.crowd.labels)
        if self.crowd.together:
            return np.ones(shape, dtype=bool)
        possible = np.zeros(shape, dtype=bool)
        marked = np.flatnonzero(self.replies.label != NOT_THERE)
        possible[self.replies.row[marked], self.replies.label[marked]] = True
        named = np.flatnonzero(self.known.label >= 0)
        possible[named, self.known.label[named]] = True
        return possible


def left_out(replies: Replies, crowd: Crowd, prior: TextPrior | None = None) -> Floats:
    """Return of each entry the log-likelihood of what it says, given what the others say.

    That is whether there is a name and, where labels vote together, what it is called.
    """
    who, said = replies.annotator, replies.label
    marked = np.flatnonzero(said != NOT_THERE)
    looks_for = crowd.looks_for[who]
    own = replies.gains(crowd)
    others = replies.log_odds(crowd, prior)[replies.row]
    voice = crowd.voice[who]
    own *= voice
    others = others - own[:, None] * replies.temper(crowd)[replies.row] * looks_for
    calls, invents = np.ones((len(marked), len(crowd.labels))), np.ones(len(marked))
    if crowd.together and len(crowd.labels) > 1:
        table = np.zeros_like(marked) if len(crowd.confusion) == 1 else who[marked]
        calls = crowd.confusion[table, :, said[marked]]
        invents = crowd.invented[table, said[marked]]
        said_so = np.log(calls / invents[:, None]) * voice[marked, None]
        others[marked] -= np.where(looks_for[marked], said_so, 0.0)
    seen = chances(others) * looks_for
    nothing = 1 - seen.sum(axis=1)
    likely = 1 - seen.sum(axis=1) * crowd.hit[who] - nothing * crowd.alarm[who]
    hits = (seen[marked] * calls).sum(axis=1) * crowd.hit[who[marked]]
    likely[marked] = hits + nothing[marked] * invents * crowd.alarm[who[marked]]
    log_likelihood: Floats = np.log(np.maximum(likely, 1e-300))
    return log_likelihood


def _prior(table: SpanTable, evidence: Testimony, model: TextModel) -> TextPrior:
    """Score the hearts and boundaries of a batch, each by what other folds taught."""
    texts = ReadTexts(table.documents)
    document = evidence.document
    start, end = evidence.axis.bounds(evidence.hearts.first, evidence.hearts.end)
    fold = fold_of(keys_of(table))[document]
    labels = np.zeros((len(evidence), model.folds[0].labels.weights.shape[1]))
    if not model.cuts_only:
        hearts = DescribedThings.of(texts.hearts(document, start, end))
        labels = _by_fold(hearts, fold, {key: own.labels for key, own in model.folds.items()})
    sides = []
    for is_left in (True, False):
        ranks = ranks_of(evidence, evidence.left if is_left else evidence.right)
        every = boundaries_of(evidence, ranks, is_left=is_left)
        several = np.flatnonzero(every.rank + every.n_beyond)  # where there is a choice
        cuts = every.chosen(several)
        seen = DescribedThings.of(texts.boundaries(cuts, document, start, end))
        own = {key: each.left if is_left else each.right for key, each in model.folds.items()}
        scores = np.zeros(len(every.heart))
        scores[several] = _by_fold(seen, fold[cuts.heart], own)[:, 0]
        sides.append(scores)
    left, right = sides
    return TextPrior(labels, left, right, model.already, model.cuts_only)


def _by_fold(things: DescribedThings, fold: Ints, models: Mapping[int, LinearScores]) -> Floats:
    """Score each thing by the model of its fold."""
    scores = np.zeros((len(things), models[0].weights.shape[1]))
    for key, own in models.items():
        some = np.flatnonzero(fold == key)
        if len(some):
            scores[some] = own.of(things.chosen(some))
    return scores
