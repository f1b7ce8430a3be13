"""What a linear tagger learns from: tokens with their tag, the tag before and a weight.

A token may be unknown: whether it is in a name is not to be learned from it. It has no example, and
the token after it does not know the tag before; its neighbours see its word all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.document import Document
from vermeil.recognise.features.rows import Encoded
from vermeil.recognise.linear.features import N_BITS, encode_linear
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.tokens.tag_set import TagSet
from vermeil.text.tokens import covering


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """One row a token. ``before`` is the tag before, ``len(tags)`` where a sentence starts and one
    more where it is unknown.
    """

    encoded: Encoded
    tag: Ints
    before: Ints
    weight: Floats

    def __len__(self) -> int:
        return len(self.tag)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What of documents is learned, and how it is described.

    What the layer ``unsure`` marks and the annotator does not is unknown. With ``named_sentences``
    only sentences with a name of the annotator are learned from: the rest of an abstract that was
    annotated by a dictionary is full of names it lacks. With ``by_confidence`` the tokens of a name
    weigh as much as its confidence.
    """

    labels: tuple[str, ...]
    annotator: str = "gold"
    tokeniser: str = "separators"
    unsure: str | None = None
    named_sentences: bool = False
    by_confidence: bool = False
    hide_words: bool = False
    n_bits: int = N_BITS

    def examples(self, documents: Sequence[Document]) -> Examples:
        """Make examples of the documents of a batch that the annotator has seen."""
        annotated = [each for each in documents if self.annotator in each.layers]
        axis = TokenAxis.of(annotated, tokeniser=self.tokeniser)
        tags = Iobes(self.labels)
        marked = axis.tags_of(annotated, TagSet(self.labels), annotator=self.annotator)
        tag = tags.of_begin_and_inner(marked)
        known = np.ones(len(tag), dtype=bool)
        if self.unsure is not None:
            known &= (tag > 0) | (covered(axis, annotated, self.unsure) == 0)
        before = tags_before(tag, known, axis.first_token, len(tags))
        weight = np.ones(len(tag))
        if self.by_confidence:
            weight = np.where(tag > 0, covered(axis, annotated, self.annotator), 1.0)
        learned = known & (weight > 0)
        if self.named_sentences:
            learned &= _in_named_sentence(tag, axis.sentence)
        encoded = encode_linear(axis, hide_words=self.hide_words, n_bits=self.n_bits)
        return Examples(
            Encoded(encoded.row[learned], encoded.rows),
            tag[learned],
            before[learned],
            weight[learned],
        )


def covered(axis: TokenAxis, documents: Sequence[Document], annotator: str) -> Floats:
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
