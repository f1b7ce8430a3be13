"""More annotations from what stands beside annotated names.

Figure 5 of "Acquisition" annotates a dictionary word that is reached from an annotated one over
conjunctions and commas, and so on from there. The figure prints an intersection where it means the
union, and steps from token to token; here whole matches are joined, in both directions. Section 3.3
asks for one sense per discourse besides: what is a name once in a document is one wherever it
stands.
"""

from collections.abc import Collection, Sequence

import numpy as np

from vermeil.acquire.lexicon.matching import Matches
from vermeil.arrays import Flags, Ints
from vermeil.document import Document

CONJUNCTIONS = frozenset({
    ",", "/", ";", "and", "or", ", and", ", or", "; and", "; or", "and/or", ", and/or", "&",
    "as well as", ", as well as", "but not", ", but not", "nor", "plus", "versus", "vs", "vs.",
})  # fmt: skip
"""What may stand between coordinated names, in small letters with single spaces."""

REACH = 40
"""Characters between two names beyond which they are not coordinated, whatever stands there."""


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
    coordinated.
    """
    runs = _runs(matches, documents, conjunctions)
    return np.isin(runs, runs[annotated])


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


def _runs(matches: Matches, documents: Sequence[Document], conjunctions: Collection[str]) -> Ints:
    """Number the runs of coordinated matches."""
    opens = np.ones(len(matches), dtype=bool)
    near = (matches.document[1:] == matches.document[:-1]) & (
        matches.start[1:] - matches.end[:-1] <= REACH
    )
    for row in (np.flatnonzero(near) + 1).tolist():
        text = documents[matches.document[row]].text
        between = text[matches.end[row - 1] : matches.start[row]]
        opens[row] = " ".join(between.lower().split()) not in conjunctions
    return np.cumsum(opens)
