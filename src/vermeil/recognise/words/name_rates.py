"""How often tokens and strings were names in training, not only whether they ever were.

``lead`` is a name once in a hundred times, ``aspirin`` always. Of each token: how often it was
inside names, their first, their last, right before and right after one. Of each string that was a
name: how often it was one. Log odds by label, in tenths, in the rows of the sets of tokens and of
the list of names that were seen.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.models.model_files import Arrays
from vermeil.models.schema import ArraySpec, checked
from vermeil.recognise.words.name_list import NameList, windows
from vermeil.recognise.words.token_sets import TokenSets, folded
from vermeil.sequences.tokens.alphabet import hash_words
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet

Tenths: TypeAlias = NDArray[np.int8]

OF_TOKENS = ("inside", "first", "last", "before", "after")
"""What a token may be to a name."""

UNIT = 10
MOST = 120
"""Numbers are kept in whole numbers of this part of 1, none further from 0 than this."""

AS_NAMES, AS_OTHERS = 0.2, 0.8
"""Uses of each kind that are taken for seen beside those that were."""


@dataclass(frozen=True, slots=True, eq=False)
class NameRates:
    """``tokens[label, what, row]`` by OF_TOKENS, and ``names[label, row]``: log odds, in tenths.

    ``n_tokens`` and ``n_names`` say how often each was seen, as the logarithm of one more.
    """

    tokens: Tenths
    names: Tenths
    n_tokens: Tenths
    n_names: Tenths

    @classmethod
    def of(
        cls, axis: TokenAxis, tag: Ints, tags: TagSet, sets: TokenSets, seen: NameList
    ) -> "NameRates":
        """Count in tokens with tags; ``sets`` and ``seen`` are of the same documents."""
        hashes = hash_words([folded(word) for word in axis.vocabulary.words])
        row, hashes = sets.rows_of(hashes)[axis.vocabulary.number], hashes[axis.vocabulary.number]
        n_tokens = _counted(row, len(sets.hashes))
        n_names = np.zeros(len(seen.hashes), dtype=np.int64)
        for window in windows(hashes, axis.first_token):
            n_names += _counted(seen.rows_of(window), len(n_names))
        tokens, names = [], []
        for begin, inner in zip(tags.begin.tolist(), tags.inner.tolist(), strict=True):
            places = _places(axis, tag, begin, inner)
            tokens.append(
                [_log_odds(_counted(row[at], len(n_tokens)), n_tokens) for at in places.values()]
            )
            of_names = seen.rows_of_spans(hashes, places["first"], places["last"] + 1)
            names.append(_log_odds(_counted(of_names, len(n_names)), n_names))
        counts = np.log1p(n_tokens), np.log1p(n_names)
        return cls(*(_in_tenths(np.array(each)) for each in (tokens, names, *counts)))

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {
            "tokens": self.tokens,
            "names": self.names,
            "n-tokens": self.n_tokens,
            "n-names": self.n_names,
        }

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, n_labels: int, sets: TokenSets, seen: NameList
    ) -> "NameRates":
        """Make the rates again that gave these arrays."""
        n_tokens, n_names = len(sets.hashes), len(seen.hashes)
        shapes = {
            "tokens": (n_labels, len(OF_TOKENS), n_tokens),
            "names": (n_labels, n_names),
            "n-tokens": (n_tokens,),
            "n-names": (n_names,),
        }
        schema = {
            name: ArraySpec("whole", shape, least=-MOST, most=MOST)
            for name, shape in shapes.items()
        }
        fitting = checked(arrays, schema)
        return cls(*(fitting[name].astype(np.int8) for name in schema))


def _places(axis: TokenAxis, tag: Ints, begin: int, inner: int) -> dict[str, Ints]:
    """Find the tokens that are each of OF_TOKENS to the names of a label."""
    inside = (tag == begin) | (tag == inner)
    first = np.flatnonzero(tag == begin)
    goes_on = np.append(tag[1:] == inner, False)
    last = np.flatnonzero(inside & ~goes_on)
    opens = np.zeros(len(tag) + 1, dtype=bool)
    opens[axis.first_token] = True
    return {
        "inside": np.flatnonzero(inside),
        "first": first,
        "last": last,
        "before": first[~opens[first]] - 1,
        "after": last[~opens[last + 1]] + 1,
    }


def _counted(rows: Ints, n: int) -> Ints:
    """Count how often each row comes; -1 is none."""
    counts: Ints = np.bincount(rows[rows >= 0], minlength=n)
    return counts


def _log_odds(n_as_names: Ints, n: Ints) -> Floats:
    others = np.maximum(n - n_as_names, 0)
    odds: Floats = np.log((n_as_names + AS_NAMES) / (others + AS_OTHERS))
    return odds


def _in_tenths(values: Floats) -> Tenths:
    tenths: Tenths = np.rint((values * UNIT).clip(-MOST, MOST)).astype(np.int8)
    return tenths
