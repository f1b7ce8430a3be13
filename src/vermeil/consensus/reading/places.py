"""The words in and around hearts, and on both sides of boundaries, as views of hashed features.

A heart is seen by its first and last word, its words, three words on either side, some more as a
bag, its length and where in its document it stands; a boundary by three words on either side, the
words between it and the heart, and how many other boundaries lie further in and further out. All
of it is of the text and of what was proposed; how many proposed it is not seen, for that is what
annotators say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints, ranges
from vermeil.columns.span_table import SpanTable
from vermeil.document import Document
from vermeil.sequences.features.checksums import checksums
from vermeil.sequences.features.hashed_rows import HashedRows, word_rows
from vermeil.sequences.features.rows import TokenView, TokenViews, single
from vermeil.sequences.tokens.alphabet import Hashes, hash_words

TOKENISER = "words"
BEYOND = "\x00"
"""The one feature of what lies beyond the ends of a document."""

N_WORDS = 20
"""Words of a heart that are looked at."""

REACH = 6
"""Words before and after a heart that are looked at."""

_FURTHEST = 15
_MULTIPLIER = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True, eq=False)
class ProposedEdges:
    """ProposedEdges proposed on one side of hearts: the heart, the offset in the batch, the rank.

    ``is_left`` tells the side; of ``n_beyond`` others the rank is higher.
    """

    heart: Ints
    offset: Ints
    rank: Ints
    n_beyond: Ints
    is_left: bool

    def chosen(self, places: Ints) -> "ProposedEdges":
        """Keep some, in this order."""
        return ProposedEdges(
            self.heart[places],
            self.offset[places],
            self.rank[places],
            self.n_beyond[places],
            is_left=self.is_left,
        )


class ReadTexts:
    """The words of a batch of documents, on the axis of their ``SpanTable``."""

    def __init__(self, texts: Sequence[Document]) -> None:
        from vermeil.sequences.tokens.axis import TokenAxis  # few texts are read, many looked at

        lengths = np.array([len(each.text) + 1 for each in texts], dtype=np.int64)
        self.origin = np.cumsum(lengths) - lengths
        self.axis = TokenAxis.of(texts, tokeniser=TOKENISER)
        origin = np.repeat(self.origin, np.diff(self.axis.first_of_document))
        self.start, self.end = self.axis.start + origin, self.axis.end + origin
        words, self.number = self.axis.vocabulary.words, self.axis.vocabulary.number
        no_facts = np.zeros((len(words), 0), dtype=np.uint32)
        full, context = word_rows(words, no_facts, n_grams=True)
        beyond = checksums("", (BEYOND,))
        self.full, self.context = full.with_row(beyond), context.with_row(beyond)
        self.hashes = np.append(hash_words([word.lower() for word in words]), np.uint64(1))

    def hearts(self, document: Ints, start: Ints, end: Ints) -> TokenViews:
        """Describe hearts, given by offsets of the batch."""
        words = _WordsAt(self, document)
        first, last = self._touched(start, end)
        seen = [TokenView(0, self.full, words.at(first)), TokenView(1, self.full, words.at(last))]
        for away in (1, 2, 3):
            seen.append(TokenView(1 + away, self.context, words.at(first - away)))
            seen.append(TokenView(4 + away, self.context, words.at(last + away)))
        seen.append(words.bag(8, first, np.minimum(last + 1, first + N_WORDS)))
        seen.append(words.bag(9, first - REACH, first))
        seen.append(words.bag(10, last + 1, last + 1 + REACH))
        pairs = ((first - 1, first), (last, last + 1), (first, first + 1), (last - 1, last))
        seen += [single(11 + place, words.joined(*pair)) for place, pair in enumerate(pairs)]
        seen.append(single(15, _size(last - first + 1)))
        seen += [
            single(16 + place, each) for place, each in enumerate(self._standing(document, first))
        ]
        return TokenViews(len(document), tuple(seen))

    def boundaries(
        self, proposed: ProposedEdges, document: Ints, start: Ints, end: Ints
    ) -> TokenViews:
        """Describe boundaries; ``document``, ``start`` and ``end`` are those of all hearts."""
        words = _WordsAt(self, document[proposed.heart])
        after = np.searchsorted(self.end, proposed.offset, side="right")
        seen = [
            TokenView(0, self.full, words.at(after)),
            TokenView(1, self.full, words.at(after - 1)),
        ]
        away = (1, -2, 2, -3)
        seen += [
            TokenView(2 + place, self.context, words.at(after + by))
            for place, by in enumerate(away)
        ]
        pairs = ((after - 1, after), (after, after + 1), (after - 2, after - 1))
        seen += [single(6 + place, words.joined(*pair)) for place, pair in enumerate(pairs)]
        first, last = (each[proposed.heart] for each in self._touched(start, end))
        between = (after, first) if proposed.is_left else (last + 1, after)
        seen.append(single(9, _size(between[1] - between[0] + 1)))
        inside = np.zeros(len(after), dtype=bool)
        if len(self.start):
            inside = self.start[np.minimum(after, len(self.start) - 1)] < proposed.offset
        # What is beyond the end of a document begins something new, whatever is in the batch.
        beyond = after >= self.axis.first_of_document[document[proposed.heart] + 1]
        inside &= ~beyond
        opens = np.isin(after, self.axis.first_token) | beyond
        seen.append(single(10, (inside + 2 * opens).astype(np.uint64)))
        seen.append(words.bag(11, *between))
        seen.append(single(12, np.minimum(proposed.rank, 6).astype(np.uint64)))
        seen.append(single(13, np.minimum(proposed.n_beyond, 6).astype(np.uint64)))
        return TokenViews(len(after), tuple(seen))

    def _touched(self, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Find the first and the last word that stretches touch."""
        first = np.searchsorted(self.end, start, side="right")
        last = np.searchsorted(self.start, end, side="left") - 1
        return first, np.maximum(last, first)

    def _standing(self, document: Ints, first: Ints) -> Iterator[Hashes]:
        """Yield in which sentence words are, how far down in the document, and if they open it."""
        low, high = (self.axis.first_of_document[document + more] for more in (0, 1))
        if not len(self.number):
            yield from repeat(np.zeros(len(first), dtype=np.uint64), 3)
            return
        own, opening, closing = (
            self.axis.sentence[np.clip(place, 0, len(self.number) - 1)]
            for place in (first, low, high - 1)
        )
        before = own - opening
        yield np.minimum(before, _FURTHEST).astype(np.uint64)
        yield (10 * before // np.maximum(closing - opening + 1, 1)).astype(np.uint64)
        yield np.isin(first, self.axis.first_token).astype(np.uint64)


class _WordsAt:
    """Looks words up by their place, each within one of the documents."""

    def __init__(self, texts: ReadTexts, document: Ints) -> None:
        self._texts = texts
        self._low = texts.axis.first_of_document[document]
        self._high = texts.axis.first_of_document[document + 1]

    def at(self, place: Ints) -> Ints:
        """Return the numbers of words, or one more than all beyond the ends of the document."""
        number = self._texts.number
        beyond = len(self._texts.hashes) - 1
        if not len(number):
            return np.full(len(place), beyond)
        inside = (place >= self._low) & (place < self._high)
        return np.where(inside, number[np.clip(place, 0, len(number) - 1)], beyond)

    def joined(self, *places: Ints) -> Hashes:
        """Hash the words at several places together."""
        mixed = np.zeros(len(places[0]), dtype=np.uint64)
        for place in places:
            mixed = (mixed ^ self._texts.hashes[self.at(place)]) * _MULTIPLIER
            mixed ^= mixed >> np.uint64(29)
        return mixed

    def bag(self, number: int, first: Ints, end: Ints) -> TokenView:
        """See the words from ``first`` up to ``end`` without their order, so many at the most."""
        low, high = np.maximum(first, self._low), np.minimum(end, self._high)
        high = np.minimum(high, low + N_WORDS)
        owner, place = ranges(low, high)
        begin = np.searchsorted(owner, np.arange(len(low) + 1))
        rows = HashedRows(begin, self._texts.hashes[self._texts.number[place]])
        return TokenView(number, rows, np.arange(len(low)))


def text_key(document: Document) -> int:
    """Hash a text to a number of 64 bits, by which it is dealt into halves and samples."""
    from hashlib import blake2b  # loads a library of ciphers, not needed where nothing is read

    content = document.text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")


def keys_of(table: SpanTable) -> NDArray[np.uint64]:
    """Hash the texts of a batch."""
    return np.array([text_key(document) for document in table.documents], dtype=np.uint64)


def _size(lengths: Ints) -> Hashes:
    """Round lengths, the coarser the longer."""
    return np.minimum(np.round(2 * np.log2(np.maximum(lengths, 1))), _FURTHEST).astype(np.uint64)
