"""What a linear tagger learns from: tokens with their tag, the tag before and a weight.

A token may be unknown: whether it is in a name is not to be learned from it. It has no example, and
the token after it does not know the tag before; its neighbours see its word all the same.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import ColumnTable, Flags, Floats, Ints
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.recipe import Documents, Recipe
from vermeil.sequences.features.rows import Encoded
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.text.tokens import covering


@dataclass(frozen=True, slots=True, eq=False)
class Examples(ColumnTable):
    """One row a token. ``before`` is the tag before, ``len(tags)`` where a sentence starts and one
    more where it is unknown.
    """

    encoded: Encoded
    tag: Ints
    before: Ints
    weight: Floats


def examples_of(documents: Documents, recipe: Recipe, options: LinearOptions) -> Examples:
    """Make examples of the documents of a batch that the annotator has seen."""
    annotated = recipe.annotated(documents)
    axis, marked = recipe.tagged_tokens(annotated)
    tags = Iobes(recipe.labels)
    tag = tags.of_begin_and_inner(marked)
    known = np.ones(len(tag), dtype=bool)
    if options.unsure is not None:
        known &= (tag > 0) | (covered(axis, annotated, options.unsure) == 0)
    before = tags_before(tag, known, axis.first_token, len(tags))
    weight = np.ones(len(tag))
    if options.by_confidence:
        weight = np.where(tag > 0, covered(axis, annotated, recipe.annotator), 1.0)
    learned = known & (weight > 0)
    if options.named_sentences:
        learned &= _in_named_sentence(tag, axis.sentence)
    return Examples(options.encode(axis), tag, before, weight).keep(learned)


def covered(axis: TokenAxis, documents: Documents, annotator: str) -> Floats:
    """Return the confidence of the names of a layer for their tokens, 0 for all others.

    A name without confidence has 1; of names that overlap, the most confident counts.
    """
    confidence = np.zeros(len(axis.words))
    for number, document in enumerate(documents):
        first, last = axis.first_of_document[number : number + 2].tolist()
        own = axis.start[first:last].tolist(), axis.end[first:last].tolist()
        tokens = list(zip(*own, strict=True))
        for span in document.layers.get(annotator, ()):
            begin, stop = covering(tokens, span.start, span.end)
            here = confidence[first + begin : first + stop]
            np.maximum(here, 1.0 if span.confidence is None else span.confidence, out=here)
    return confidence


def tags_before(tag: Ints, known: Flags, first_token: Ints, n_tags: int) -> Ints:
    """Find the tag before each token; ``n_tags`` at the start of a sentence, one more if unknown.

    >>> known = np.array([True, False, True])
    >>> tags_before(np.array([4, 0, 0]), known, np.array([0, 3]), 5).tolist()
    [5, 4, 6]
    """
    before = np.empty_like(tag)
    before[1:] = np.where(known[:-1], tag[:-1], n_tags + 1)
    before[first_token[:-1][np.diff(first_token) > 0]] = n_tags
    return before


def _in_named_sentence(tag: Ints, sentence: Ints) -> Flags:
    return np.isin(sentence, sentence[tag > 0])
