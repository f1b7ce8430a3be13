"""Which matches are coordinated with annotated ones: section 2.3 of the acquisition paper.

Figure 5 annotates a dictionary word that is reached from an annotated one over conjunctions and
commas, and so on from there. It prints an intersection (A ∩ {S[j]}) where it means the union: the
intersection would empty the set. It steps from token to token, so it neither reaches a name of
several tokens nor over ``, and``; ``stepped`` does just that. ``coordinated`` joins whole matches,
in both directions. Section 3.3 asks for one sense per discourse besides.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from typing import TypeAlias

import numpy as np

from vermeil.acquisition.lexicon.matching import Matches
from vermeil.arrays import Flags, Ints
from vermeil.document import Document
from vermeil.text.sentences import split_sentences
from vermeil.text.tokens import Token, covering, tokenise

CONJUNCTIONS = frozenset({
    ",", "/", ";", "and", "or", ", and", ", or", "; and", "; or", "and/or", ", and/or", "&",
    "as well as", ", as well as", "but not", ", but not", "nor", "plus", "versus", "vs", "vs.",
})  # fmt: skip
"""What may stand between coordinated names, in small letters with single spaces."""

PAPER_CONJUNCTIONS = frozenset({",", ".", "and"})
"""Those that section 2.3 names."""

REACH = 40
"""Characters between two names beyond which they are not coordinated, whatever stands there."""

STOP = "."

Places: TypeAlias = dict[tuple[int, int], int]
"""Rows of matches by start and end."""


def coordinated(
    matches: Matches,
    annotated: Flags,
    documents: Sequence[Document],
    *,
    conjunctions: Collection[str] = CONJUNCTIONS,
) -> Flags:
    """Tell which matches are annotated or coordinated with one that is.

    Matches must be in reading order and must not overlap. White space around a conjunction, how
    much of it and case do not matter; two matches with nothing but white space between are not
    coordinated, and neither are two with the end of a sentence between.
    """
    runs = _runs(matches, documents, conjunctions)
    return np.isin(runs, runs[annotated])


def stepped(
    words: Matches,
    annotated: Matches,
    documents: Sequence[Document],
    *,
    tokeniser: str,
    conjunctions: Collection[str],
) -> Matches:
    """Add to annotated matches what Figure 5 reaches from them, in steps of two tokens.

    ``words`` are all matches, overlapping ones too; only those of one token can be reached.
    """
    reached: list[int] = []
    of_words, of_annotated = (_by_document(each, len(documents)) for each in (words, annotated))
    for document, own, names in zip(documents, of_words, of_annotated, strict=True):
        if not names:
            continue
        for tokens in _sentences(document.text, tokeniser):
            known = [own.get(token) for token in tokens]
            taken = {
                number for start, end in names for number in range(*covering(tokens, start, end))
            }
            joins = [document.text[a:b].lower() in conjunctions for a, b in tokens]
            reached += [
                row for at in _closure(taken, known, joins) if (row := known[at]) is not None
            ]
    return _in_order(annotated, words.keep(np.array(reached, dtype=np.int64)))


def one_sense(matches: Matches, annotated: Flags) -> Flags:
    """Tell which matches have a key that is annotated somewhere in their document.

    >>> column = np.array
    >>> twice = Matches(column([0, 0, 1]), column([0, 5, 0]), column([2, 7, 2]), column([7, 7, 7]),
    ...                 column([True] * 3))
    >>> one_sense(twice, column([False, True, False])).tolist()
    [True, True, False]
    """
    n_keys = int(matches.key.max(initial=0)) + 1
    names = matches.document * n_keys + matches.key
    return np.isin(names, names[annotated])


def _closure(taken: set[int], known: Sequence[int | None], joins: Sequence[bool]) -> Iterator[int]:
    """Yield the tokens that are reached; from each of them the search goes on."""
    pending, seen = sorted(taken), set(taken)
    while pending:
        at = pending.pop()
        for step in (-1, 1):
            to = at + 2 * step
            if (
                0 <= to < len(known)
                and to not in seen
                and known[to] is not None
                and joins[at + step]
            ):
                seen.add(to)
                pending.append(to)
                yield to


def _sentences(text: str, tokeniser: str) -> Iterator[list[Token]]:
    """Yield the tokens of each sentence."""
    tokens = tokenise(text, by=tokeniser)
    for start, end in split_sentences(text):
        first, last = covering(tokens, start, end)
        yield tokens[first:last]


def _by_document(matches: Matches, n_documents: int) -> list[Places]:
    """List the rows of matches for each document; of those on one stretch the first."""
    found: list[Places] = [{} for _ in range(n_documents)]
    columns = matches.document.tolist(), matches.start.tolist(), matches.end.tolist(), count()
    for document, start, end, row in zip(*columns, strict=False):
        found[document].setdefault((start, end), row)
    return found


def _in_order(one: Matches, other: Matches) -> Matches:
    """Put the rows of two tables into reading order."""
    names = ("document", "start", "end", "key", "is_exact")
    columns = (np.concatenate((getattr(one, name), getattr(other, name))) for name in names)
    both = Matches(*columns)
    return both.keep(np.lexsort((both.start, both.document)))


def _runs(matches: Matches, documents: Sequence[Document], conjunctions: Collection[str]) -> Ints:
    """Number the runs of coordinated matches."""
    opens = np.ones(len(matches), dtype=bool)
    near = (matches.document[1:] == matches.document[:-1]) & (
        matches.start[1:] - matches.end[:-1] <= REACH
    )
    for row in (np.flatnonzero(near) + 1).tolist():
        text = documents[matches.document[row]].text
        end, start = int(matches.end[row - 1]), int(matches.start[row])
        between = " ".join(text[end:start].lower().split())
        joins = between in conjunctions
        if joins and between == STOP:
            joins = not any(end < first <= start for first, _ in split_sentences(text))
        opens[row] = not joins
    return np.cumsum(opens)
