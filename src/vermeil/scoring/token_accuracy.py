"""Token accuracy: the share of tokens that two layers give the same tag.

It is A in Tables 2 and 3 of the acquisition paper, over IOBES tags. Most tokens are outside of any
name, so it is high for anybody who finds little: read it beside F1. It depends on the tokens, which
no other score does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan

from vermeil.document import Document, Span
from vermeil.text.tokens import Token, covering, tokenise

OUTSIDE = ("O", "")


@dataclass(frozen=True, slots=True)
class TagCounts:
    """How many tokens were compared, and how many have the same tag. Add two to pool them.

    >>> (TagCounts(3, 4) + TagCounts(1, 4)).accuracy
    0.5
    """

    n_right: int = 0
    n_tokens: int = 0

    @property
    def accuracy(self) -> float:
        """The share of tokens that are right; NaN without tokens."""
        return self.n_right / self.n_tokens if self.n_tokens else nan

    def __add__(self, other: "TagCounts") -> "TagCounts":
        return TagCounts(self.n_right + other.n_right, self.n_tokens + other.n_tokens)


def count_tokens(
    document: Document, predicted: str, standard: str, *, tokeniser: str, same_label: bool = True
) -> TagCounts:
    """Compare the tags of two layers on a document; who has no layer there has no names there.

    >>> gold, found = (Span(0, 4, "Gene"),), (Span(0, 2, "Gene"),)
    >>> document = Document(id="1", text="IL-2 fell", layers={"gold": gold, "found": found})
    >>> count_tokens(document, "found", "gold", tokeniser="punctuation")
    TagCounts(n_right=1, n_tokens=4)
    """
    tokens = tokenise(document.text, by=tokeniser)
    sides = [
        iobes_tags(tokens, document.layers.get(name, ()), with_label=same_label)
        for name in (predicted, standard)
    ]
    n_right = sum(one == other for one, other in zip(*sides, strict=True))
    return TagCounts(n_right, len(tokens))


def iobes_tags(
    tokens: Sequence[Token], spans: Iterable[Span], *, with_label: bool = True
) -> list[tuple[str, str]]:
    """Assign each token a letter and a label; of names that share tokens, the first has them.

    >>> iobes_tags([(0, 2), (3, 5)], [Span(0, 5, "Gene")])
    [('B', 'Gene'), ('E', 'Gene')]
    """
    tags = [OUTSIDE] * len(tokens)
    for span in spans:
        first, end = covering(tokens, span.start, span.end)
        if first == end or any(tag != OUTSIDE for tag in tags[first:end]):
            continue
        label = span.label if with_label else ""
        letters = "S" if end - first == 1 else f"B{'I' * (end - first - 2)}E"
        tags[first:end] = [(letter, label) for letter in letters]
    return tags
