"""A linear tagger: features of words in a window, the tag before, and margins for confidences.

Section 2 of the acquisition paper. Names are S or B to E; whatever else the tags hold is none. The
score of a name is the mean margin of its tokens (section 2.4). Its confidence is a probability:
a logistic curve over margins (Platt 1999), fitted to what taggers trained on the other folds of the
documents got right and wrong.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats
from vermeil.errors import UnknownNameError
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import one_of, told
from vermeil.recognise.folds import folds_of, held_out
from vermeil.recognise.linear.decoding import DECODERS
from vermeil.recognise.linear.examples import Examples, examples_of
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.learning import LEARNERS, ONLINE, LinearWeights
from vermeil.recognise.linear.margins import MarginCurve, margins, mean_margins
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.stored_examples import stored
from vermeil.recognise.linear.syntax.sources import restored
from vermeil.recognise.placed_names import BATCH, PlacedNames, are_right
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import THRESHOLD, Candidates
from vermeil.sequences.features.rows import FEATURE_BITS
from vermeil.sequences.tokens.word_classes import WordClassifier

PLAIN, UNFITTED = LinearOptions(), MarginCurve()
TAGS = "tags"
"""Where a model keeps what finds parts of speech and chunks."""


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
        documents: Documents,
        recipe: Recipe,
        resources: Resources | None = None,
        *,
        options: LinearOptions = PLAIN,
        watch: Say = silent,
    ) -> "LinearTagger":
        """Train on the documents that the annotator of the recipe has seen.

        Of resources only ``classifier`` is used. ``n_rounds`` of the recipe are the epochs of the
        online learner.
        """
        if resources is not None and resources.classifier is not None:
            options = replace(options, classifier=resources.classifier)
        annotated = recipe.annotated(documents)
        watch("linear tagger")
        tagger = cls(recipe, options, _learn_documents(annotated, recipe, options))
        n_folds = min(options.n_folds, len(annotated))
        if n_folds < 2:
            return tagger
        curve = _fit_curve(annotated, recipe, options, n_folds, watch)
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

    def find(self, documents: Documents, *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find the names of a batch of documents; none overlap."""
        names, _ = self.find_margins(documents)
        sure = names.candidates.confidence >= threshold
        return PlacedNames(names.axis, names.candidates.keep(sure))

    def find_margins(self, documents: Documents) -> tuple[PlacedNames, Floats]:
        """Find the names of a batch, and the mean margin of each."""
        axis = self.recipe.tokens(documents)
        scores, tags = self.weights.scores(self.options.encode(axis)), self.weights.tags
        decode = DECODERS[self.options.decoder]
        tag = decode(scores, self.weights.before, axis.first_token, tags)
        start, end, label = tags.spans(tag, axis.first_token)
        margin = margins(scores, self.weights.before, tag, axis.first_token)
        mean = mean_margins(margin, start, end)
        names = Candidates(
            tags.labels,
            sentence=axis.sentence[start],
            start=start,
            end=end,
            label=label,
            confidence=self.curve.confidence(mean),
        )
        return PlacedNames(axis, names), mean

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        classifier = self.options.classifier
        own = {} if classifier is None else in_sections({TAGS: classifier.arrays()})
        return {**self.weights.arrays(), **own}

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {
            **self.recipe.header(),
            "decoder": self.options.decoder,
            "hide_words": self.options.hide_words,
            "n_bits": self.options.n_bits,
            "curve": [self.curve.slope, self.curve.offset],
            **({} if self.options.classifier is None else {TAGS: self.options.classifier.header()}),
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "LinearTagger":
        """Make the tagger again that gave these."""
        recipe = Recipe.from_header(header)
        options = LinearOptions(
            decoder=one_of(header, "decoder", DECODERS),
            hide_words=told(header, "hide_words", bool),
            n_bits=told(header, "n_bits", int),
            classifier=_classifier(header, arrays) if TAGS in header else None,
        )
        if not 1 <= options.n_bits <= FEATURE_BITS:
            raise ValueError(f"n_bits lies between 1 and {FEATURE_BITS}, got {options.n_bits}")
        return cls(
            recipe,
            options,
            LinearWeights.from_arrays(Iobes(recipe.labels), arrays),
            MarginCurve(*told(header, "curve", tuple[float, float])),
            header.get("card", {}),
        )


def _classifier(header: Header, arrays: Arrays) -> WordClassifier:
    return restored(told(header, TAGS, dict[str, Any]), section_of(arrays, TAGS))


def _learn_documents(documents: Documents, recipe: Recipe, options: LinearOptions) -> LinearWeights:
    """Learn from documents; the online learner reads their examples from disk."""
    firsts = range(0, len(documents), BATCH)
    batches = (documents[first : first + BATCH] for first in firsts)
    made = (examples_of(batch, recipe, options) for batch in batches)
    if options.learner != ONLINE:
        return _learn(list(made), recipe, options)
    with stored(made) as examples:
        return _learn(examples, recipe, options)


def _learn(examples: Iterable[Examples], recipe: Recipe, options: LinearOptions) -> LinearWeights:
    for kind, chosen, known in (
        ("learner", options.learner, LEARNERS),
        ("decoder", options.decoder, DECODERS),
    ):
        if chosen not in known:
            raise UnknownNameError(kind, chosen, known)
    more: dict[str, Any] = {}
    if options.learner == ONLINE:
        more["n_bits"] = options.n_bits
        if recipe.n_rounds is not None:
            more["n_epochs"] = recipe.n_rounds
    learn = LEARNERS[options.learner]
    return learn(examples, Iobes(recipe.labels), cost=options.cost, seed=recipe.seed, **more)


def _fit_curve(
    documents: Documents,
    recipe: Recipe,
    options: LinearOptions,
    n_folds: int,
    watch: Say,
) -> MarginCurve:
    """Judge names found in each fold by a tagger that was trained on the others."""
    fold = folds_of(len(documents), n_folds, seed=recipe.seed)
    margin: list[Floats] = []
    right: list[Flags] = []
    for number in range(n_folds):
        watch(f"linear tagger {number + 1} of {n_folds} for the confidences")
        rest, unseen = held_out(documents, fold, number)
        weights = _learn_documents(rest, recipe, options)
        names, own_margin = LinearTagger(recipe, options, weights).find_margins(unseen)
        margin.append(own_margin)
        right.append(are_right(names, unseen, recipe.annotator, alternatives=True))
    return MarginCurve.fit(np.concatenate(margin), np.concatenate(right))
