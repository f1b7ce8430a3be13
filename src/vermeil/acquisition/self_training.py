"""Self-training: a tagger finds the names that an acquired annotation lacks (Figure 6).

Section 2.4 of the acquisition paper. The annotation is precise and misses many names. A tagger
learns from a seed of the documents, reads a sample of the rest, and where the annotation has
nothing, adds what it is sure of; then it learns from all that. What was annotated stays. A name is
S or B to E, and sure if the mean margin of its tokens is above a threshold. The tagger sees no word
of the token itself, only its shapes and affixes and the words around.

The paper samples so many tokens; here documents are drawn whole, in one random order, until there
are enough. It states no threshold; 0.3 is what GE abstracts suggest, though 0 is hardly worse. It
finds (Figure 9) that the lengths of what is added differ from those of what was annotated, and
proposes to follow their ratio: ``length_slack``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from vermeil.acquisition.rounds import (
    Added,
    Lengths,
    Round,
    count_lengths,
    kept_rounds,
    length_class,
    within_shares,
)
from vermeil.document import Document, Span
from vermeil.recognise.linear.examples import covered
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.placed_names import BATCH, are_right
from vermeil.recognise.recipe import Recipe
from vermeil.scoring.counts import Counts
from vermeil.text.tokens import tokenise

SHY = LinearOptions(n_folds=0, hide_words=True, named_sentences=True)
"""What the tagger is: it sees no word itself, and learns from sentences with a name only."""


@dataclass(frozen=True, slots=True)
class SelfTrainingPlan:
    """How training data are mended. The layer ``annotator`` is read, the layer ``name`` written.

    With ``length_slack``, of the names that a round adds those of a length (1, 2, 3, or more words)
    are at most 1 + slack times their share among the annotated names; the surest are kept.
    """

    labels: tuple[str, ...]
    annotator: str
    name: str = "self-training"
    tokeniser: str = "punctuation"
    n_seed_tokens: int = 683_000
    n_sample_tokens: int = 227_000
    n_rounds: int = 17
    threshold: float = 0.3
    length_slack: float | None = None
    seed: int = 0
    options: LinearOptions = field(default=SHY)

    def told(self) -> dict[str, Any]:
        """Return what tells this plan from others, as JSON has it."""
        plain = replace(self, options=replace(self.options, classifier=None))
        return {**asdict(plain), "options": self.options.told()}

    @property
    def recipe(self) -> Recipe:
        """What the tagger of a round learns."""
        return Recipe(self.labels, self.name, self.tokeniser, seed=self.seed)


@dataclass(frozen=True, slots=True)
class SelfTraining:
    """What came of it: the training data, those that were never drawn left out, and each round."""

    documents: tuple[Document, ...]
    rounds: tuple[Round, ...]


def self_train(
    documents: Sequence[Document],
    plan: SelfTrainingPlan,
    *,
    folder: Path | None = None,
    development: Sequence[Document] = (),
    gold: str = "gold",
    watch: Callable[[Round], None] | None = None,
) -> SelfTraining:
    """Mend the training data of the documents that the annotator of the plan looked at.

    With ``folder`` each round is kept there when it is done, and a run that was ended goes on after
    its last round with the same result, or with more rounds; a folder of another plan or of other
    documents is refused, and so is one in which a run is at work.
    ``development`` documents with the layer ``gold`` show how good the tagger is that learned from
    the data of each round, the seed (round 0) and the last too (Figure 7). The documents end before
    the rounds if they are few. ``watch`` is told of each round that is made.
    """
    annotated = [each for each in documents if plan.annotator in each.layers]
    with kept_rounds(
        folder,
        options={**plan.told(), "gold": gold},
        documents={"documents": annotated, "development": development},
    ) as rounds:
        training, draw = _Training(plan, annotated), _Draw(annotated, plan)
        tagger: LinearTagger | None = None
        for number in range(plan.n_rounds + 1):
            sample = draw.take(plan.n_sample_tokens if number else plan.n_seed_tokens)
            if number and not sample:
                break
            if number < len(rounds.done):
                training.put(sample, rounds.added[number])
                continue
            added: list[Added] = []
            if number:
                tagger = tagger or training.tagger()
                missing = list(_find_missing(tagger, annotated, sample, plan))
                added = _chosen(missing, training.lengths, plan, number)
            training.put(sample, added)
            tagger = training.tagger() if development else None
            done = Round(
                number=number,
                n_documents=len(training.drawn),
                n_tokens=draw.n_tokens,
                n_names=training.n_names,
                n_added=len(added),
                lengths=training.lengths,
                added_lengths=training.added_lengths,
                f1=exact_f1(tagger, development, gold) if tagger is not None else nan,
            )
            rounds.keep(done, added)
            if watch is not None:
                watch(done)
    return SelfTraining(tuple(training.documents), tuple(rounds.done))


class _Draw:
    """Deals documents in a random order; ``n_tokens`` counts the tokens of those dealt."""

    def __init__(self, documents: Sequence[Document], plan: SelfTrainingPlan) -> None:
        self._documents, self._tokeniser = documents, plan.tokeniser
        order = np.random.default_rng(plan.seed).permutation(len(documents))
        self._rest: Iterator[int] = iter(order.tolist())
        self.n_tokens = 0

    def take(self, n_tokens: int) -> list[int]:
        """Deal further documents, by number, until they have so many tokens."""
        taken, enough = [], self.n_tokens + n_tokens
        while self.n_tokens < enough:
            number = next(self._rest, None)
            if number is None:
                break
            self.n_tokens += len(tokenise(self._documents[number].text, by=self._tokeniser))
            taken.append(number)
        return taken


class _Training:
    """The training data as they grow."""

    def __init__(self, plan: SelfTrainingPlan, documents: Sequence[Document]) -> None:
        self._plan, self._source = plan, documents
        self.drawn: dict[int, Document] = {}
        self.lengths: Lengths = (0, 0, 0, 0)
        self.added_lengths: Lengths = (0, 0, 0, 0)

    @property
    def documents(self) -> list[Document]:
        """The documents drawn so far with their mended layer, in the order they came in."""
        return [self.drawn[number] for number in sorted(self.drawn)]

    @property
    def n_names(self) -> int:
        """How many names they have."""
        return sum(self.lengths) + sum(self.added_lengths)

    def tagger(self) -> LinearTagger:
        """Learn from the data as they are."""
        return LinearTagger.fit(self.documents, self._plan.recipe, options=self._plan.options)

    def put(self, sample: Sequence[int], added: Sequence[Added]) -> None:
        """Add documents, with what a round found missing in them."""
        plan, missing = self._plan, dict[int, list[Span]]()
        for number, span in added:
            missing.setdefault(number, []).append(span)
        for number in sample:
            document = self._source[number]
            old = [each for each in document.layers[plan.annotator] if each.label in plan.labels]
            new = missing.get(number, [])
            self.drawn[number] = document.with_layer(plan.name, (*old, *new))
            self.lengths = _sum(self.lengths, count_lengths(document.text, old))
            self.added_lengths = _sum(self.added_lengths, count_lengths(document.text, new))


class _Missing(NamedTuple):
    """A name that the annotation lacks; ``document`` is a number, ``length`` its class."""

    document: int
    span: Span
    length: int
    margin: float


def _find_missing(
    tagger: LinearTagger,
    documents: Sequence[Document],
    sample: Sequence[int],
    plan: SelfTrainingPlan,
) -> Iterator[_Missing]:
    """Yield the names that the tagger is sure of where the annotation has none."""
    for first in range(0, len(sample), BATCH):
        numbers = sample[first : first + BATCH]
        batch = [documents[number] for number in numbers]
        found, margin = tagger.find_margins(batch)
        axis, names = found.axis, found.candidates
        taken = np.cumsum(np.append(0, covered(axis, batch, plan.annotator) > 0))
        is_free = taken[names.end] == taken[names.start]
        of = np.searchsorted(axis.first_of_document, names.start, side="right") - 1
        for row in np.flatnonzero(is_free & (margin > plan.threshold)).tolist():
            begin, end = int(names.start[row]), int(names.end[row])
            span = Span(
                int(axis.start[begin]), int(axis.end[end - 1]), names.labels[names.label[row]]
            )
            length = length_class(batch[of[row]].text[span.start : span.end])
            yield _Missing(numbers[of[row]], span, length, float(margin[row]))


def _chosen(
    missing: Sequence[_Missing], annotated: Lengths, plan: SelfTrainingPlan, number: int
) -> list[Added]:
    """Choose among missing names, and note on each in which round it was added and how sure."""
    kept: Sequence[int] = range(len(missing))
    if plan.length_slack is not None:
        classes = np.array([each.length for each in missing], dtype=np.int64)
        margins = [each.margin for each in missing]
        kept = within_shares(classes, margins, annotated, slack=plan.length_slack)
    added = []
    for each in (missing[row] for row in kept):
        told = ("round", str(number)), ("margin", f"{each.margin:.4f}")
        added.append((each.document, msgspec.structs.replace(each.span, attributes=told)))
    return added


def exact_f1(tagger: LinearTagger, documents: Sequence[Document], gold: str) -> float:
    """Score a tagger on annotated documents: start, end and label must be right."""
    counts = Counts()
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        found = tagger.find(batch, threshold=0.0)
        right = int(are_right(found, batch, gold).sum())
        wanted = sum(
            span.label in tagger.recipe.labels for each in batch for span in each.layers[gold]
        )
        counts += Counts(right, len(found.candidates), right, wanted)
    return counts.f1


def _sum(one: Lengths, other: Lengths) -> Lengths:
    first, second, third, more = (a + b for a, b in zip(one, other, strict=True))
    return first, second, third, more
