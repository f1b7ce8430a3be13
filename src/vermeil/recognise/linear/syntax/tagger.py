"""Parts of speech and chunks of tokens, learned from trees.

Two greedy taggers, one after the other: parts of speech from words (the features of the linear
tagger in a window of two), chunks from words and parts of speech. Trees are cut into the tokens of
a tokeniser; the tokens of one word (``IL``, ``-``, ``2``) share its part of speech. Nothing of the
treebank is in the model but hashes and weights.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Ints, numbered
from vermeil.document import Document
from vermeil.errors import FormatError, UsageError
from vermeil.models.model_files import (
    Arrays,
    Header,
    in_sections,
    read_model,
    section_of,
    write_model,
)
from vermeil.models.schema import one_of, told, usable
from vermeil.recognise.linear.features import encode_linear
from vermeil.recognise.linear.syntax.chunks import chunk_tags
from vermeil.recognise.linear.syntax.perceptron import GreedyTagger
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.word_classes import WordClasses
from vermeil.text.tags import OUTSIDE
from vermeil.text.tokens import TOKENISERS
from vermeil.tree import Tree

KIND = "tags"
SPEECH, CHUNK = "pos", "chk"
"""The kinds of classes, by the names of Table 1 of the acquisition paper."""

TOKENISER = "punctuation"
N_EPOCHS = 8
N_BITS = 18


@dataclass(frozen=True, slots=True, eq=False)
class SyntaxTagger:
    """A tagger for parts of speech and one for chunks."""

    speech: GreedyTagger
    chunk: GreedyTagger
    tokeniser: str = TOKENISER
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        trees: Iterable[Tree],
        *,
        tokeniser: str = TOKENISER,
        n_epochs: int = N_EPOCHS,
        seed: int = 0,
    ) -> "SyntaxTagger":
        """Learn from trees."""
        axis, tags = tagged_tokens(trees, tokeniser=tokeniser)
        if not len(axis.words):
            raise UsageError("there is nothing to learn from: no tree has a word")

        def fitted(kind: str, seen: Sequence[WordClasses]) -> tuple[GreedyTagger, WordClasses]:
            names, number = numbered(tags[kind])
            tagger = GreedyTagger.fit(
                encode_linear(axis, n_bits=N_BITS, classes=seen),
                number,
                axis.first_token,
                names,
                n_epochs=n_epochs,
                seed=seed,
            )
            return tagger, WordClasses(kind, names, number)

        speech, found = fitted(SPEECH, ())
        return cls(speech, fitted(CHUNK, (found,))[0], tokeniser)

    def classes(self, axis: TokenAxis) -> tuple[WordClasses, ...]:
        """Find parts of speech and chunks of the tokens of a batch."""

        def found(kind: str, by: GreedyTagger, seen: Sequence[WordClasses]) -> WordClasses:
            encoded = encode_linear(axis, n_bits=N_BITS, classes=seen)
            return WordClasses(kind, by.tags, by.tag(encoded, axis.first_token))

        speech = found(SPEECH, self.speech, ())
        return speech, found(CHUNK, self.chunk, (speech,))

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {
            "tokeniser": self.tokeniser,
            SPEECH: list(self.speech.tags),
            CHUNK: list(self.chunk.tags),
            "card": dict(self.card),
        }

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return in_sections({SPEECH: self.speech.arrays(), CHUNK: self.chunk.arrays()})

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "SyntaxTagger":
        """Make the tagger again that gave these."""
        speech, chunk = (
            GreedyTagger.from_arrays(told(header, kind, tuple[str, ...]), section_of(arrays, kind))
            for kind in (SPEECH, CHUNK)
        )
        tokeniser = one_of(header, "tokeniser", TOKENISERS)
        return cls(speech, chunk, tokeniser, told(header, "card", dict[str, Any], {}))

    def save(self, path: Path) -> None:
        """Store the tagger; the file appears when it is complete."""
        write_model(path, KIND, self.header(), self.arrays())

    @classmethod
    def load(cls, path: Path) -> "SyntaxTagger":
        """Read a tagger."""
        kind, header, arrays = read_model(path)
        if kind != KIND:
            raise FormatError(
                path, None, f"holds a {kind}, no tagger; vermeil trees tagger makes one"
            )
        with usable(path):
            return cls.from_arrays(header, arrays)


@dataclass(frozen=True, slots=True)
class TaggingScores:
    """Tokens that were tagged, and how many of them right. Add two to pool them.

    Of chunks also how many there are, were found, and were found exactly. A token is new if its
    word was never seen in training.
    """

    n_tokens: int = 0
    n_speech: int = 0
    n_chunk: int = 0
    n_new: int = 0
    n_speech_of_new: int = 0
    n_chunks: int = 0
    n_found: int = 0
    n_exact: int = 0

    def __add__(self, other: "TaggingScores") -> "TaggingScores":
        names = self.__slots__
        return TaggingScores(*(getattr(self, each) + getattr(other, each) for each in names))


def judge(tagger: SyntaxTagger, trees: Sequence[Tree], learned: Iterable[Tree]) -> TaggingScores:
    """Compare a tagger with trees that it did not learn from, and those that it did."""
    axis, wanted = tagged_tokens(trees, tokeniser=tagger.tokeniser)
    known = set(tagged_tokens(learned, tokeniser=tagger.tokeniser)[0].words)
    speech, chunk = (own.by_token for own in tagger.classes(axis))
    is_new = [word not in known for word in axis.words]
    right = [one == other for one, other in zip(speech, wanted[SPEECH], strict=True)]
    in_gold, found = (_spans(tags, axis.first_token) for tags in (wanted[CHUNK], chunk))
    return TaggingScores(
        n_tokens=len(axis.words),
        n_speech=sum(right),
        n_chunk=sum(one == other for one, other in zip(chunk, wanted[CHUNK], strict=True)),
        n_new=sum(is_new),
        n_speech_of_new=sum(both for both in map(min, right, is_new)),
        n_chunks=len(in_gold),
        n_found=len(found),
        n_exact=len(in_gold & found),
    )


def tagged_tokens(
    trees: Iterable[Tree], *, tokeniser: str
) -> tuple[TokenAxis, dict[str, list[str]]]:
    """Lay trees out as tokens, with their parts of speech and chunks.

    The tokens of a word have its part of speech, and are in its chunk.
    """
    held = list(trees)
    documents = [
        Document(id=str(number), text=" ".join(tree.words)) for number, tree in enumerate(held)
    ]
    axis = TokenAxis.of(documents, tokeniser=tokeniser)
    # A tree is a sentence, whatever stops it holds.
    axis = replace(axis, first_token=np.unique(axis.first_of_document))
    tags: dict[str, list[str]] = {SPEECH: [], CHUNK: []}
    for number, tree in enumerate(held):
        own = slice(*axis.first_of_document[number : number + 2].tolist())
        starts = np.cumsum([0, *(len(word) + 1 for word in tree.words)])
        word: Ints = np.searchsorted(starts, axis.start[own], side="right") - 1
        is_first = np.diff(word, prepend=-1) > 0
        speech, chunks = tree.tags, chunk_tags(tree)
        tags[SPEECH] += [speech[place] for place in word.tolist()]
        tags[CHUNK] += [
            chunks[place] if first or chunks[place] == OUTSIDE else f"I{chunks[place][1:]}"
            for place, first in zip(word.tolist(), is_first.tolist(), strict=True)
        ]
    return axis, tags


def _spans(tags: Sequence[str], first_token: Ints) -> set[tuple[int, int, str]]:
    """Read chunks off tags; one that goes on from nothing begins there."""
    found = []
    opens = set(first_token.tolist())
    start, label = 0, ""
    for place, tag in enumerate([*tags, OUTSIDE]):
        goes_on = tag[:1] == "I" and tag[2:] == label and place not in opens
        if not goes_on:
            if label:
                found.append((start, place, label))
            start, label = place, tag[2:]
    return set(found)
