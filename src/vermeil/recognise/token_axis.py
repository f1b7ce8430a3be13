"""The tokens of a batch of documents on one axis, sentence after sentence.

Sequence models and the lattice work on this axis; offsets lead back to the documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from vermeil.document import Document, Span
from vermeil.recognise.tag_set import Ints, TagSet
from vermeil.text.sentences import sentences
from vermeil.text.tags import tracks
from vermeil.text.tokens import covering, tokenise


@dataclass(frozen=True, slots=True, eq=False)
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
        tokens = [tokenise(document.text, by=tokeniser) for document in documents]
        first_of_document = [0, *accumulate(map(len, tokens))]
        first_token = [0]
        for document, own, first in zip(documents, tokens, first_of_document[:-1], strict=True):
            ends = [covering(own, 0, end)[1] + first for _, end in sentences(document.text)]
            first_token.extend(ends)
        offsets = np.array([token for own in tokens for token in own], dtype=np.int64)
        start, end = offsets.reshape(-1, 2).T
        return TokenAxis(
            tuple(
                document.text[first:last]
                for document, own in zip(documents, tokens, strict=True)
                for first, last in own
            ),
            start,
            end,
            np.unique(first_token),
            np.array(first_of_document, dtype=np.int64),
        )

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


def _flat(document: Document, annotator: str, labels: dict[str, int]) -> list[Span]:
    wanted = [span for span in document.layers.get(annotator, ()) if span.label in labels]
    return tracks(wanted)[0] if wanted else []
