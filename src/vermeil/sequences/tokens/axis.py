"""The tokens of a batch of documents on one axis, sentence after sentence.

Sequence models and the lattice work on this axis; offsets lead back to the documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Ints, distinct, numbered, ranges
from vermeil.document import Document, Span
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.sentences import split_sentences
from vermeil.text.tags import tracks
from vermeil.text.token_edges import lay_out
from vermeil.text.tokens import covering

Number = TypeVar("Number", np.int64, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class DistinctWords:
    """The distinct words of a batch as they first come; ``number`` says which each token is."""

    words: tuple[str, ...]
    number: Ints

    @staticmethod
    def of(words: Sequence[str]) -> "DistinctWords":
        """Number words.

        >>> DistinctWords.of(("to", "be", "to")).number.tolist()
        [0, 1, 0]
        """
        return DistinctWords(*numbered(words))

    def where(self, word: str) -> Flags:
        """Tell which tokens are this word."""
        place = self.words.index(word) if word in self.words else -1
        tokens: Flags = self.number == place
        return tokens


@dataclass(frozen=True, eq=False)
class TokenAxis:
    """Tokens as strings and as offsets into their documents, all in reading order.

    Sentence s has the tokens from ``first_token[s]`` up to ``first_token[s + 1]``, document d those
    from ``first_of_document[d]`` up to ``first_of_document[d + 1]``. A token that reaches over the
    end of a sentence belongs to the sentence it starts in.
    """

    words: tuple[str, ...]
    start: Ints
    end: Ints
    first_token: Ints
    first_of_document: Ints

    @staticmethod
    def of(documents: Sequence[Document], *, tokeniser: str = "fine") -> "TokenAxis":
        """Lay out documents.

        >>> documents = [Document(id="1", text="It is. We are."), Document(id="2", text="")]
        >>> axis = TokenAxis.of(documents)
        >>> axis.words, axis.first_token.tolist(), axis.first_of_document.tolist()
        (('It', 'is', '.', 'We', 'are', '.'), [0, 3, 6], [0, 6, 6])
        """
        texts = [document.text for document in documents]
        laid = lay_out(texts, tokeniser=tokeniser)
        text = "\n".join([*texts, ""])
        shift = np.repeat(laid.origin, np.diff(laid.first_token))
        start = laid.token_start - shift
        edges = zip(laid.token_start.tolist(), laid.token_end.tolist(), strict=True)
        return TokenAxis(
            tuple([text[first:last] for first, last in edges]),
            start,
            laid.token_end - shift,
            _first_tokens(texts, start, laid.first_token),
            laid.first_token,
        )

    @cached_property
    def vocabulary(self) -> DistinctWords:
        """The distinct words."""
        return DistinctWords.of(self.words)

    @cached_property
    def sentence(self) -> Ints:
        """The sentence of each token."""
        return np.repeat(np.arange(len(self.first_token) - 1), np.diff(self.first_token))

    def neighbours(self, values: NDArray[Number], offset: int, *, beyond: int) -> NDArray[Number]:
        """Return the values of the tokens ``offset`` away, or ``beyond`` outside the sentence.

        >>> axis = TokenAxis.of([Document(id="1", text="It is. We are.")])
        >>> axis.neighbours(np.arange(6), -1, beyond=9).tolist()
        [9, 0, 1, 9, 3, 4]
        """
        shifted = np.empty_like(values)
        n_others = len(values) - max(0, len(values) - abs(offset))
        if offset < 0:
            shifted[n_others:] = values[: len(values) - n_others]
        else:
            shifted[: len(values) - n_others] = values[n_others:]
        shifted[self._beyond(offset)] = beyond
        return shifted

    def _beyond(self, offset: int) -> Ints:
        """Find the tokens whose neighbours ``offset`` away are outside the sentence."""
        if offset not in self._at_edges:
            first, end = self.first_token[:-1], self.first_token[1:]
            if offset < 0:
                tokens = ranges(first, np.minimum(first - offset, end))
            else:
                tokens = ranges(np.maximum(end - offset, first), end)
            self._at_edges[offset] = tokens[1]
        return self._at_edges[offset]

    @cached_property
    def _at_edges(self) -> dict[int, Ints]:
        return {}

    def laid(self, documents: Sequence[Document]) -> tuple[Ints, Ints]:
        """Return starts and ends of tokens as if the texts of the documents stood end to end."""
        shift = _ends([len(document.text) for document in documents])[:-1]
        by_token = np.repeat(shift, np.diff(self.first_of_document))
        return self.start + by_token, self.end + by_token

    def tags_of(self, documents: Sequence[Document], tags: TagSet, *, annotator: str) -> Ints:
        """Tag the tokens with the names of ``annotator`` that have labels of ``tags``.

        Of names that overlap, the outermost counts; a name covers all tokens it touches and is cut
        at the end of a sentence, so that its rest is a name of the next.
        """
        codes = np.zeros(len(self.words), dtype=np.int64)
        numbers = {label: number for number, label in enumerate(tags.labels)}
        for number, document in enumerate(documents):
            first, last = self.first_of_document[number : number + 2].tolist()
            own = self.start[first:last].tolist(), self.end[first:last].tolist()
            tokens = list(zip(*own, strict=True))
            for span in _flat(document, annotator, numbers):
                begin, stop = covering(tokens, span.start, span.end)
                label = numbers[span.label]
                codes[first + begin : first + stop] = tags.inner[label]
                codes[first + begin : first + min(begin + 1, stop)] = tags.begin[label]
        opening = self.first_token[:-1]
        codes[opening[np.isin(codes[opening], tags.inner)]] -= 1
        return codes


def common_axis(axes: Sequence[TokenAxis], documents: Sequence[Document]) -> TokenAxis:
    """Cut documents wherever one of several axes does; sentences are those of the first.

    >>> documents = [Document(id="1", text="an IL-2x"), Document(id="2", text="Yes")]
    >>> axes = [TokenAxis.of(documents, tokeniser=each) for each in ("words", "fine")]
    >>> common_axis(axes, documents).words
    ('an', 'IL', '-', '2', 'x', 'Yes')
    """
    # All axes cover the same characters, so an end within another's token is a start as well.
    starts, ends = zip(*(axis.laid(documents) for axis in axes), strict=True)
    start, end = distinct(np.concatenate(starts)), distinct(np.concatenate(ends))
    text_end = _ends([len(document.text) for document in documents])
    first_of_document = np.searchsorted(start, text_end)
    shift = np.repeat(text_end[:-1], np.diff(first_of_document))
    opening = np.searchsorted(start, starts[0][axes[0].first_token[:-1]])
    text = "".join(document.text for document in documents)
    return TokenAxis(
        tuple(text[first:last] for first, last in zip(start.tolist(), end.tolist(), strict=True)),
        start - shift,
        end - shift,
        np.append(opening, len(start)),
        first_of_document,
    )


def _first_tokens(texts: Sequence[str], start: Ints, first_of_document: Ints) -> Ints:
    """Find where sentences begin: after the tokens that start before the last one's end."""
    of_documents = [split_sentences(text) for text in texts]
    ends = np.array([end for own in of_documents for _, end in own], dtype=np.int64)
    # Texts are laid end to end, so that one search serves all.
    text_end = _ends([len(text) for text in texts])
    ends += np.repeat(text_end[:-1], [len(own) for own in of_documents])
    laid = start + np.repeat(text_end[:-1], np.diff(first_of_document))
    return distinct(np.append(np.searchsorted(laid, ends), 0))


def _ends(lengths: Sequence[int]) -> Ints:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _flat(document: Document, annotator: str, labels: dict[str, int]) -> list[Span]:
    wanted = [span for span in document.layers.get(annotator, ()) if span.label in labels]
    return tracks(wanted)[0] if wanted else []
