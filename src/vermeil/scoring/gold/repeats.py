"""Strings that are annotated in one place and not in another.

Strings are compared as they are written; runs of white space count as one space. A string is found
where it stands between word boundaries: it begins and ends where a token of ``fine`` does, with no
letter or digit beyond. All strings are sought at once, in a trie of their tokens, so the cost is
that of reading the texts, not texts times strings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from vermeil.document import ALTERNATIVES, Document, Span
from vermeil.shown import Brief
from vermeil.text.tokens import Token, covering, fine

Place: TypeAlias = tuple[Document, int, int]

_HERE = ""
"""The key, in a node of the trie, of the string that ends there; no token is empty."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeat(Brief):
    """A string with the number of places where it is annotated, and those where it is not.

    ``label`` is the one it mostly has. ``n_inside`` more places overlap a longer or shorter name
    and are held for neither.
    """

    text: str
    label: str
    n_annotated: int
    n_inside: int
    bare: tuple[Place, ...]

    @property
    def n_to_change(self) -> int:
        """How many annotations have to be added or taken away to make them all alike."""
        return min(self.n_annotated, len(self.bare))


def find_repeats(documents: Sequence[Document], layer: str) -> list[Repeat]:
    """Find the strings of a layer, alternatives included, that also stand there unannotated.

    Those with the most to change come first, then the most frequent. Discontinuous names are not
    sought.
    """
    rows = [(document, _names(document, layer), fine(document.text)) for document in documents]
    trie: dict[str, Any] = {}
    n_annotated: Counter[str] = Counter()
    labels: dict[str, Counter[str]] = {}
    for document, names, tokens in rows:
        label_of = {(span.start, span.end): span.label for span in names if not span.fragments}
        for (start, end), label in label_of.items():
            string = _normal(document.text[start:end])
            n_annotated[string] += 1
            labels.setdefault(string, Counter())[label] += 1
            _plant(trie, document.text, tokens, start, end)
    n_inside: Counter[str] = Counter()
    bare: dict[str, list[Place]] = {}
    for document, names, tokens in rows:
        marked = {(span.start, span.end) for span in names if not span.fragments}
        cover = _cover(document, names)
        for string, start, end in _occurrences(trie, document.text, tokens):
            if (start, end) in marked:
                continue
            if cover.find(1, start, end) >= 0:
                n_inside[string] += 1
            else:
                bare.setdefault(string, []).append((document, start, end))
    found = [
        Repeat(
            string,
            min(labels[string], key=lambda label: (-labels[string][label], label)),
            n_annotated[string],
            n_inside[string],
            tuple(sorted(places, key=_by_place)),
        )
        for string, places in bare.items()
    ]
    return sorted(found, key=lambda each: (-each.n_to_change, -len(each.bare), each.text))


def _names(document: Document, layer: str) -> list[Span]:
    return [*document.layers.get(layer, ()), *document.layers.get(layer + ALTERNATIVES, ())]


def _plant(trie: dict[str, Any], text: str, tokens: list[Token], start: int, end: int) -> None:
    """Put a name into the trie, unless it begins or ends within a token."""
    first, last = covering(tokens, start, end)
    if first == last or tokens[first][0] != start or tokens[last - 1][1] != end:
        return
    if not _stands_free(text, start, end):
        return
    node = trie
    for number in range(first, last):
        node = node.setdefault(_step(text, tokens, number, first), {})
    node[_HERE] = _normal(text[start:end])


def _occurrences(
    trie: dict[str, Any], text: str, tokens: list[Token]
) -> Iterator[tuple[str, int, int]]:
    """Yield every string of the trie in a text, with its place."""
    steps = [_step(text, tokens, number, 0) for number in range(len(tokens))]
    for first, (start, end) in enumerate(tokens):
        node = trie.get(text[start:end])
        last = first
        while node is not None:
            end = tokens[last][1]
            if _HERE in node and _stands_free(text, start, end):
                yield node[_HERE], start, end
            last += 1
            node = node.get(steps[last]) if last < len(steps) else None


def _step(text: str, tokens: list[Token], number: int, first: int) -> str:
    """Spell a token as a step of the trie: with a space before it where one stands in the text."""
    start, end = tokens[number]
    spaced = number > first and tokens[number - 1][1] < start
    return " " + text[start:end] if spaced else text[start:end]


def _stands_free(text: str, start: int, end: int) -> bool:
    begins = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    ends = end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())
    return begins and ends


def _normal(string: str) -> str:
    return " ".join(string.split())


def _by_place(place: Place) -> tuple[str, int, int]:
    return place[0].id, place[1], place[2]


def _cover(document: Document, names: list[Span]) -> bytearray:
    """Mark the characters that names cover."""
    cover = bytearray(len(document.text))
    for span in names:
        for start, end in span.pieces:
            cover[start:end] = b"\1" * (end - start)
    return cover
