"""What a parser answers to a sentence: a tree over the same words, or a failure with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from vermeil.tree import parse_all, unescape

Sentence = Sequence[str]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sentence has no tree.

    ``reason`` is one of: timed out, crashed, empty answer, no parse, not a tree, other words,
    no words. ``detail`` says more where there is more to say.
    """

    reason: str
    detail: str = ""


def judge(answer: str, words: Sentence) -> str | Failure:
    """Take a parser's line for a tree over ``words``, or say what is wrong with it.

    Words may differ in escapes only.

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
    return _other_words(tree.words, tuple(map(unescape, words))) or text


def _other_words(found: Sentence, wanted: Sentence) -> Failure | None:
    for number, (a, b) in enumerate(zip(found, wanted, strict=False), start=1):
        if a != b:
            return Failure("other words", f"word {number} is {a!r}, not {b!r}")
    if len(found) != len(wanted):
        return Failure("other words", f"{len(found)} words, not {len(wanted)}")
    return None
