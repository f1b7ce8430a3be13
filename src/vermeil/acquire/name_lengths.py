"""How long names are: one, two, three, or more tokens, the classes of Figure 9."""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import TypeAlias

import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Span
from vermeil.text.tokens import Token, covering

Lengths: TypeAlias = tuple[int, int, int, int]
"""Names of one, two, three and more tokens."""

N_CLASSES = 4


def length_classes(lengths: Sequence[int]) -> Ints:
    """Give the class of each length: 0 for one token, up to 3 for four and more.

    >>> length_classes([1, 3, 9]).tolist()
    [0, 2, 3]
    """
    return np.minimum(np.array(lengths, dtype=np.int64), N_CLASSES) - 1


def count_lengths(tokens: Sequence[Token], spans: Iterable[Span]) -> Lengths:
    """Count names by the number of tokens they touch; those that touch none are left out.

    >>> count_lengths([(0, 2), (2, 3), (3, 4)], [Span(0, 2, "Gene"), Span(0, 4, "Gene")])
    (1, 0, 1, 0)
    """
    ranges = (covering(tokens, span.start, span.end) for span in spans)
    lengths = [end - start for start, end in ranges if end > start]
    one, two, three, more = np.bincount(length_classes(lengths), minlength=N_CLASSES).tolist()
    return one, two, three, more


def within_shares(
    of: Ints, score: Sequence[float], annotated: Lengths, *, slack: float
) -> list[int]:
    """Choose names so that no class has more than 1 + slack times its annotated share of them all.

    ``of`` gives the class of each name. The highest scores are kept, of equals the first; what is
    chosen stands in its old order. Without annotated names nothing is known and all are kept.

    >>> within_shares(np.array([0, 0, 0, 1]), [1.0, 3.0, 2.0, 1.0], (1, 1, 0, 0), slack=0.0)
    [1, 2, 3]
    """
    n_annotated = sum(annotated)
    if not n_annotated:
        return list(range(len(of)))
    most = [ceil((1 + slack) * own / n_annotated * len(of)) for own in annotated]
    left = dict(enumerate(most))
    kept = []
    for row in sorted(range(len(of)), key=lambda row: -score[row]):
        if left[int(of[row])]:
            left[int(of[row])] -= 1
            kept.append(row)
    return sorted(kept)
