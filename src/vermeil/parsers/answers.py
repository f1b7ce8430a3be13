"""What a parser answers to a sentence: a tree over the same words, or a failure with its reason.

Parsers with tokenisers of their own split words (``differentiation/activation``). Where the pieces
in order spell the words, they are joined again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from vermeil.programs import Failure
from vermeil.tree import Bracket, Tree, assemble, escape, parse_all, unescape

Sentence = Sequence[str]


def judge(answer: str, words: Sentence) -> str | Failure:
    """Take a parser's line for a tree over ``words``, or say what is wrong with it.

    Words may differ in escapes, or be split into pieces, which are joined (see ``rejoined``).

    >>> judge("(NP (NN p53) (-LRB- -LRB-))", ["p53", "("])
    '(NP (NN p53) (-LRB- -LRB-))'
    >>> judge("(NP (NN p53))", ["p52"])
    Failure(reason='other words', detail="word 1 is 'p53', not 'p52'")
    """
    text = answer.strip()
    if not text:
        return Failure("empty answer")
    try:
        trees = parse_all(text)
    except ValueError as error:
        return Failure("not a tree", str(error))
    if len(trees) != 1:
        return Failure("not a tree", f"{len(trees)} trees on one line")
    [tree] = trees
    if tree is None:
        return Failure("no parse")
    wanted = tuple(map(unescape, words))
    if tree.words == wanted:
        return text
    whole = rejoined(tree, wanted)
    return _other_words(tree.words, wanted) or text if whole is None else str(whole)


def rejoined(tree: Tree, words: Sentence) -> Tree | None:
    """Join the pieces into which a parser has split words; None where they do not spell them.

    A word stands in the lowest constituent that holds all of its pieces, and has the tag of the
    last piece with a letter or digit. Constituents inside a word are dropped, but for those over
    all of it.

    >>> tree = Tree.parse("(NP (NP (NN up)) (CC /) (NP (NN down) (NN shift)))")
    >>> print(rejoined(tree, ["up/down", "shift"]))
    (NP (NN up/down) (NP (NN shift)))
    """
    bounds = _bounds(tree.words, words)
    tags = [tag for tag, _ in tree.leaves()]
    if bounds is None or tree.is_tag or len(tags) > bounds[-1]:
        return None
    leaves = []
    for number, (start, end) in enumerate(pairwise(bounds)):
        spoken = [at for at in range(start, end) if any(map(str.isalnum, tree.words[at]))]
        leaves.append((tags[spoken[-1] if spoken else end - 1], escape(words[number])))
    _, *brackets = tree.brackets
    # A bracket that begins or ends inside a word leaves that word out.
    moved = [
        Bracket(bisect_left(bounds, start), bisect_right(bounds, end) - 1, label)
        for start, end, label in brackets
    ]
    return assemble(leaves, [each for each in moved if each.start < each.end], root=tree.label)


def _bounds(pieces: Sentence, words: Sentence) -> list[int] | None:
    """Find where the pieces of each word begin, and where the last end."""
    bounds, at = [0], 0
    for word in words:
        spelt = ""
        while at < len(pieces) and len(spelt) < len(word):
            spelt += pieces[at]
            at += 1
        if spelt != word:
            return None
        bounds.append(at)
    return bounds if at == len(pieces) else None


def _other_words(found: Sentence, wanted: Sentence) -> Failure | None:
    for number, (a, b) in enumerate(zip(found, wanted, strict=False), start=1):
        if a != b:
            return Failure("other words", f"word {number} is {a!r}, not {b!r}")
    if len(found) != len(wanted):
        return Failure("other words", f"{len(found)} words, not {len(wanted)}")
    return None
