"""Documents in batches that fit in memory, very long ones in stretches.

A document of more than LONGEST characters is cut between sentences. Each stretch is worked on as
if it were a document: what else a document says of a name, and where in it a name stands, is then
what the stretch says. No article is so long; a book or a dump of pages in one file is. Names are
lost only where no sentence ends in REACH characters, and the cut falls inside one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vermeil.document import Document
from vermeil.text.sentences import split_sentences

LONGEST = 300_000
"""Characters worked on at a time: some 200 abstracts, or four articles."""

REACH = 4000
"""Characters before the end of the longest stretch in which the end of a sentence is sought."""

_OVERHEAD = 100


@dataclass(frozen=True, slots=True)
class Stretch:
    """The stretch of a document that begins at ``start``, as a document of its own.

    Most stretches are whole documents.
    """

    document: Document
    start: int
    own: Document
    is_last: bool


def batches(documents: Iterable[Document], *, longest: int = LONGEST) -> Iterator[list[Stretch]]:
    """Put stretches together, up to ``longest`` characters at a time. Streams.

    The stretches of a document follow one another, maybe over several batches.
    """
    batch: list[Stretch] = []
    size = 0
    for document in documents:
        for stretch in _stretches_of(document, longest):
            own = len(stretch.own.text) + _OVERHEAD
            if batch and size + own > longest:
                yield batch
                batch, size = [], 0
            batch.append(stretch)
            size += own
    if batch:
        yield batch


def stretches(text: str, *, longest: int = LONGEST) -> Iterator[tuple[int, int]]:
    """Cut a text into stretches of at most ``longest`` characters, between sentences if it can.

    >>> list(stretches("It is. We are. You", longest=10))
    [(0, 7), (7, 15), (15, 18)]
    """
    start = 0
    while len(text) - start > longest:
        end = _cut(text, max(start, start + longest - REACH), start + longest)
        yield start, end
        start = end
    yield start, len(text)


def _stretches_of(document: Document, longest: int) -> Iterator[Stretch]:
    if len(document.text) <= longest:
        yield Stretch(document, 0, document, True)
        return
    for start, end in stretches(document.text, longest=longest):
        own = Document(id=document.id, text=document.text[start:end])
        yield Stretch(document, start, own, end == len(document.text))


def _cut(text: str, start: int, end: int) -> int:
    """Find the last place to cut: before a sentence, else before a word, else at the end."""
    window = text[start:end]
    whole = split_sentences(window)
    if len(whole) > 1:
        return start + whole[-1][0]
    words = window.rsplit(None, 1)
    if len(words) == 2:
        return start + window.rindex(words[1])
    return end
