"""A linear tagger: features of words in a window, the tag before, and margins for confidences.

Section 2 of the acquisition paper. Names are S or B to E; whatever else the tags hold is none. The
score of a name is the mean margin of its tokens (section 2.4). Its confidence is a probability:
a logistic curve over margins (Platt 1999), fitted to what taggers trained on the other folds of the
documents got right and wrong.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats
from vermeil.document import Document
from vermeil.errors import UnknownNameError
from vermeil.recognise.cascade import Recipe
from vermeil.recognise.linear.decoding import DECODERS, margins, mean_margins
from vermeil.recognise.linear.examples import Examples, Lesson
from vermeil.recognise.linear.features import N_BITS, encode_linear
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.learning import COST, LEARNERS, LinearWeights
from vermeil.recognise.linear.margin_curve import MarginCurve
from vermeil.recognise.placed_names import BATCH, PlacedNames, are_right
from vermeil.recognise.sequence.candidates import THRESHOLD, Candidates
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.words.knowledge import Resources, folds_of

N_FOLDS = 3


@dataclass(frozen=True, slots=True)
class LinearOptions:
    """How a linear tagger is made, beside its recipe; see ``Lesson`` and ``learning``.

    Without folds the confidences are those of a curve of slope 1 and no probabilities.
    """

    learner: str = "svm"
    cost: float = COST
    decoder: str = "greedy"
    n_folds: int = N_FOLDS
    unsure: str | None = None
    named_sentences: bool = False
    by_confidence: bool = False
    hide_words: bool = False
    n_bits: int = N_BITS


PLAIN, UNFITTED = LinearOptions(), MarginCurve()


@dataclass(frozen=True, slots=True, eq=False)
class LinearTagger:
    """A trained tagger."""

    recipe: Recipe
    options: LinearOptions
    weights: LinearWeights
    curve: MarginCurve = UNFITTED
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        documents: Sequence[Document],
        recipe: Recipe,
        resources: Resources | None = None,
        *,
        options: LinearOptions = PLAIN,
        watch: Callable[[str], None] | None = None,
    ) -> "LinearTagger":
        """Train on the documents that the annotator of the recipe looked at.

        No resources are used. ``n_rounds`` of the recipe are the epochs of the online learner.
        """
        say = watch or (lambda _: None)
        looked = [each for each in documents if recipe.annotator in each.layers]
        say("linear tagger")
        tagger = cls(recipe, options, _learn(_examples(looked, recipe, options), recipe, options))
        n_folds = min(options.n_folds, len(looked))
        if n_folds < 2:
            return tagger
        curve = _fit_curve(looked, recipe, options, n_folds, say)
        return cls(recipe, options, tagger.weights, curve)

    @classmethod
    def of_examples(
        cls,
        examples: Iterable[Examples],
        recipe: Recipe,
        *,
        options: LinearOptions,
        curve: MarginCurve = UNFITTED,
    ) -> "LinearTagger":
        """Train on examples made before, on disk perhaps; ``curve`` comes from elsewhere."""
        return cls(recipe, options, _learn(examples, recipe, options), curve)

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find the names of a batch of documents; none overlap."""
        found, _ = self.find_margins(documents)
        sure = found.candidates.confidence >= threshold
        return PlacedNames(found.axis, found.candidates.keep(sure))

    def find_margins(self, documents: Sequence[Document]) -> tuple[PlacedNames, Floats]:
        """Find the names of a batch, and the mean margin of each."""
        axis = TokenAxis.of(documents, tokeniser=self.recipe.tokeniser)
        encoded = encode_linear(
            axis, hide_words=self.options.hide_words, n_bits=self.options.n_bits
        )
        scores, tags = self.weights.scores(encoded), self.weights.tags
        decode = DECODERS[self.options.decoder]
        tag = decode(scores, self.weights.before, axis.first_token, tags)
        start, end, label = tags.spans(tag, axis.first_token)
        margin = margins(scores, self.weights.before, tag, axis.first_token)
        mean = mean_margins(margin, start, end)
        sentence = np.searchsorted(axis.first_token, start, side="right") - 1
        names = Candidates(tags.labels, sentence, start, end, label, self.curve.confidence(mean))
        return PlacedNames(axis, names), mean

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        return self.weights.arrays()

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {
            "labels": list(self.recipe.labels),
            "tokeniser": self.recipe.tokeniser,
            "decoder": self.options.decoder,
            "hide_words": self.options.hide_words,
            "n_bits": self.options.n_bits,
            "curve": [self.curve.slope, self.curve.offset],
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "LinearTagger":
        """Make the tagger again that gave these."""
        labels = tuple(header["labels"])
        options = LinearOptions(
            decoder=header["decoder"], hide_words=header["hide_words"], n_bits=header["n_bits"]
        )
        return cls(
            Recipe(labels, tokeniser=header["tokeniser"]),
            options,
            LinearWeights.from_arrays(Iobes(labels), arrays),
            MarginCurve(*header["curve"]),
            header.get("card", {}),
        )


def lesson_of(recipe: Recipe, options: LinearOptions) -> Lesson:
    """Say what a tagger learns of documents."""
    return Lesson(
        recipe.labels,
        recipe.annotator,
        recipe.tokeniser,
        options.unsure,
        options.named_sentences,
        options.by_confidence,
        options.hide_words,
        options.n_bits,
    )


def _examples(
    documents: Sequence[Document], recipe: Recipe, options: LinearOptions
) -> list[Examples]:
    lesson = lesson_of(recipe, options)
    firsts = range(0, len(documents), BATCH)
    return [lesson.examples(documents[first : first + BATCH]) for first in firsts]


def _learn(examples: Iterable[Examples], recipe: Recipe, options: LinearOptions) -> LinearWeights:
    for kind, chosen, known in (
        ("learner", options.learner, LEARNERS),
        ("decoder", options.decoder, DECODERS),
    ):
        if chosen not in known:
            raise UnknownNameError(kind, chosen, known)
    more: dict[str, Any] = {}
    if options.learner == "online":
        more["n_bits"] = options.n_bits
        if recipe.n_rounds is not None:
            more["n_epochs"] = recipe.n_rounds
    learn = LEARNERS[options.learner]
    return learn(examples, Iobes(recipe.labels), cost=options.cost, seed=recipe.seed, **more)


def _fit_curve(
    documents: Sequence[Document],
    recipe: Recipe,
    options: LinearOptions,
    n_folds: int,
    say: Callable[[str], None],
) -> MarginCurve:
    """Judge names found in each fold by a tagger that was trained on the others."""
    fold = folds_of(len(documents), n_folds, seed=recipe.seed)
    margin: list[Floats] = []
    right: list[Flags] = []
    for number in range(n_folds):
        say(f"linear tagger {number + 1} of {n_folds} for the confidences")
        rest = [each for each, own in zip(documents, fold, strict=True) if own != number]
        held_out = [each for each, own in zip(documents, fold, strict=True) if own == number]
        weights = _learn(_examples(rest, recipe, options), recipe, options)
        found, own_margin = LinearTagger(recipe, options, weights).find_margins(held_out)
        margin.append(own_margin)
        right.append(are_right(found, held_out, recipe.annotator, alternatives=True))
    return MarginCurve.fit(np.concatenate(margin), np.concatenate(right))
