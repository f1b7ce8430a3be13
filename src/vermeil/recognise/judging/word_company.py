"""What a recogniser that knows words knows of the words of a span, in terms a reader can check.

A model keeps the numbers of classes and no words. What a class is like is shown by the words of the
same text that are in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from vermeil.recognise.words.knowledge import Knowledge
from vermeil.sequences.tokens.axis import TokenAxis

MOST_ALIKE = 5


@dataclass(frozen=True, slots=True)
class WordCompany:
    """A word of the span.

    ``company`` is the log odds to be part of a name, by where the word stands in texts without
    annotation; if it ``is_met`` nowhere there, by its spelling. ``alike`` are words of this text in
    the finest class that has any, which is one of ``n_classes`` (0 if no class has any).
    """

    word: str
    is_met: bool
    company: float
    n_classes: int
    alike: tuple[str, ...]


def company_of_span(
    knowledge: Knowledge, axis: TokenAxis, tokens: tuple[int, int]
) -> tuple[WordCompany, ...]:
    """Tell the company of the words of a span, given by its tokens; nothing where none is known."""
    learned = knowledge.learned
    if learned is None:
        return ()
    words = list(dict.fromkeys(word for word in axis.words[slice(*tokens)] if word.isalnum()))
    others = [word for word in axis.vocabulary.words if word.isalnum() and not word.isdigit()]
    sizes = [len(centres) for centres in learned.tokens.clusters.centres]
    own, is_met = learned.tokens.classes(words)
    of_others = learned.tokens.classes(others)[0].T.tolist()
    found = zip(
        words, is_met.tolist(), knowledge.known(words).company.tolist(), own.tolist(), strict=True
    )
    return tuple(
        WordCompany(word, met, company, *_alike(word, classes, others, of_others, sizes))
        for word, met, company, classes in found
    )


def _alike(
    word: str,
    classes: Sequence[int],
    others: Sequence[str],
    of_others: Sequence[Sequence[int]],
    sizes: Sequence[int],
) -> tuple[int, tuple[str, ...]]:
    """Find the finest class that other words share, and those words, as they come in the text."""
    for size, own, column in reversed(list(zip(sizes, classes, of_others, strict=True))):
        same = {
            other.lower(): other
            for other, number in zip(others, column, strict=True)
            if number == own and other.lower() != word.lower()
        }
        if same:
            return size, tuple(same.values())[:MOST_ALIKE]
    return 0, ()
