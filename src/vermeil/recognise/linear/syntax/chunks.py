"""Chunks: the flat phrases that a tree is made of, as tags of its words.

A noun phrase is one chunk if it holds no other phrases than such as stand before its noun. Of all
other constituents the words directly below them are, as far as they stand together; the verbs of
nested verb phrases (``has been shown``) are one. Conjunctions, punctuation and what stands directly
in a sentence is in no chunk.
This is close to the chunks of CoNLL-2000, which are likewise made from trees, and simpler: a chunk
of CoNLL holds the possessive of a noun phrase, and more.
"""

import re
from dataclasses import dataclass, field
from itertools import count

from vermeil.text.tags import OUTSIDE
from vermeil.tree import TRACE, Tree

NOUN_PHRASES = frozenset({"NP", "WHNP", "NX"})
CHUNKS = NOUN_PHRASES | {"VP", "PP", "ADJP", "ADVP", "SBAR", "PRT", "CONJP", "QP", "LST", "INTJ"}
INNER = frozenset({"ADJP", "ADVP", "QP", "UCP", "NX", "PRN", "NAC"})
"""What a noun phrase may hold and still be one chunk; and other noun phrases before its noun."""

_NO_WORD = re.compile(r"\W+|CC|HYPH|-.RB-|SYM")
_FUNCTION = re.compile(r"(?<=.)[-=|].*")


def chunk_tags(tree: Tree) -> tuple[str, ...]:
    """Return a tag for each word of a tree: B- and I- with the label of its chunk, or O.

    >>> chunk_tags(Tree.parse("(S (NP (DT The) (NN gene)) (VP (VBZ is) (VP (VBN known))) (. .))"))
    ('B-NP', 'I-NP', 'B-VP', 'I-VP', 'O')
    """
    walk = _Walk()
    walk.enter(tree, None)
    tags, before = [], 0
    for label, number in walk.words:
        tags.append(OUTSIDE if not label else f"{'I' if number == before else 'B'}-{label}")
        before = number
    return tuple(tags)


@dataclass(slots=True)
class _Walk:
    """Goes through a tree; ``words`` gets the label and the number of each word's chunk."""

    words: list[tuple[str, int]] = field(default_factory=list)
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    def enter(self, node: Tree, verbs: int | None) -> None:
        """Take down the words below a node; ``verbs`` is the chunk of the verbs just before."""
        label = _FUNCTION.sub("", node.label)
        if label in NOUN_PHRASES and _is_flat(node):
            number = next(self.numbers)
            self.words += [("NP", number) for tag, _ in node.leaves() if tag != TRACE]
            return
        open_chunk = verbs if label == "VP" else None
        for child in node.children:
            assert isinstance(child, Tree), "a word stands under its part of speech"
            if not child.is_tag:
                inner = _FUNCTION.sub("", child.label)
                self.enter(child, open_chunk if inner == label == "VP" else None)
                open_chunk = None
            elif child.label != TRACE:
                is_word = label in CHUNKS and not _NO_WORD.fullmatch(child.label)
                open_chunk = (open_chunk or next(self.numbers)) if is_word else None
                named = "NP" if label in NOUN_PHRASES else label
                self.words.append((named if is_word else "", open_chunk or 0))


def _is_flat(node: Tree) -> bool:
    """Tell whether a noun phrase, or what it holds, is one chunk."""
    head = node.children[-1]
    assert isinstance(head, Tree), "a word stands under its part of speech"
    has_noun = head.is_tag and not _NO_WORD.fullmatch(head.label)
    inner = INNER | NOUN_PHRASES if has_noun else INNER
    return all(
        isinstance(child, Tree)
        and (child.is_tag or (_FUNCTION.sub("", child.label) in inner and _is_flat(child)))
        for child in node.children
    )
