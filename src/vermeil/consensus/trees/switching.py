"""Choosing one member's whole tree: the one in the middle of all (Clegg and Shepherd, section 5.3).

The medoid of the trees of a sentence, by one of three measures between two trees:

* similarity: the number of brackets they share; the most is best;
* distance: the number of brackets that only one of them has; the least is best;
* levenshtein: the mean leaf-ancestor score of the words; the most is best.

A member's total is over the other members that parsed the sentence. Totals are often equal: then
the first of the members in their given order wins (``order``, which reproduces the known figures),
or the other two measures are asked before the order is (``measures``). Equal trees are no tie.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.trees.brackets import Brackets, n_places, shared
from vermeil.columns.trees.lineages import Lineages, leaf_ancestor, mean_by_sentence
from vermeil.columns.trees.table import TreeTable

MEASURES = ("similarity", "distance", "levenshtein")
TIES = ("order", "measures")


@dataclass(frozen=True, slots=True, eq=False)
class Affinity:
    """How alike the trees of each two members are, sentence by sentence.

    ``similarity[p, q, s]`` counts the brackets that members p and q share in sentence s, and
    ``distance`` those that only one of them has; ``levenshtein`` is the mean leaf-ancestor score.
    All are 0 where one of the two has no parse. ``n_brackets[p, s]`` are a member's own.
    """

    members: tuple[str, ...]
    parsed: Flags
    n_brackets: Ints
    similarity: Ints
    distance: Ints
    levenshtein: Floats

    @staticmethod
    def of(tables: Mapping[str, TreeTable]) -> "Affinity":
        """Compare each two members on all sentences."""
        every = list(tables.values())
        n_members, n_sentences = len(every), len(every[0])
        parsed = ~np.stack([table.failed for table in every])
        both = parsed[:, None] & parsed[None]
        places, labels = n_places(*every), len(every[0].names.labels.names)
        brackets = [Brackets.of(table) for table in every]
        keys = [each.keys(places, labels) for each in brackets]
        lineages = [Lineages.of(table) for table in every]
        size = np.stack([np.bincount(each.sentence, minlength=n_sentences) for each in brackets])
        similarity = np.zeros((n_members, n_members, n_sentences), dtype=np.int64)
        levenshtein = np.zeros(similarity.shape)
        for p in range(n_members):
            for q in range(p):
                same, n = shared(keys[p], keys[q])
                sentence = same // (labels * places * places) if labels else same
                similarity[p, q] = similarity[q, p] = np.bincount(sentence, n, n_sentences)
                scores = mean_by_sentence(leaf_ancestor(lineages[p], lineages[q]), every[p])
                levenshtein[p, q] = levenshtein[q, p] = np.where(both[p, q], scores, 0.0)
        distance = (size[:, None] + size[None] - 2 * similarity) * both
        for p in range(n_members):
            distance[p, p] = 0
        return Affinity(tuple(tables), parsed, size, similarity, distance, levenshtein)

    def total(self, measure: str) -> Floats:
        """Return ``[member, sentence]`` totals over the other members; more is better."""
        found: Floats = getattr(self, measure).sum(axis=1).astype(np.float64)
        # Sums of the same scores in another order may differ in their last digits.
        return -found if measure == "distance" else found.round(9)

    def closeness(self, measure: str, winner: Ints) -> Floats:
        """Say how close the chosen member is to the others, from 0 to 1 whatever the size.

        The share of the winner's brackets that another has, on average; 1 less the share of both
        members' brackets that only one has; or the mean leaf-ancestor score. NaN without rivals.
        """
        column = np.arange(len(winner))
        n_rivals = self.parsed.sum(axis=0) - 1
        own = self.n_brackets[winner, column]
        total = np.abs(self.total(measure)[winner, column])
        everybody = (self.n_brackets * self.parsed).sum(axis=0)
        size, sign = {
            "similarity": (own * n_rivals, 1),
            "distance": (own * n_rivals + everybody - own, -1),
            "levenshtein": (n_rivals, 1),
        }[measure]
        is_known = (winner >= 0) & (n_rivals > 0) & (size > 0)
        share: Floats = np.divide(total, size, out=np.full(len(winner), np.nan), where=is_known)
        return share if sign > 0 else 1 - share


def choose(affinity: Affinity, by: str, *, ties: str = "order") -> tuple[Ints, Flags]:
    """Choose a member for each sentence (-1 where all failed); tell where totals were equal."""
    asked = (by, *(each for each in MEASURES if each != by and ties == "measures"))
    totals = [np.where(affinity.parsed, affinity.total(each), -np.inf) for each in asked]
    order = np.broadcast_to(-np.arange(len(affinity.members))[:, None], totals[0].shape)
    winner = np.lexsort([order, *totals[::-1]], axis=0)[-1]
    as_good = totals[0] == totals[0].max(axis=0)
    differs = affinity.distance[winner, :, np.arange(len(winner))].T > 0
    has_parse = affinity.parsed.any(axis=0)
    return np.where(has_parse, winner, -1), (as_good & differs).any(axis=0) & has_parse


def cascaded(parts: Sequence[TreeTable]) -> TreeTable:
    """Take each sentence from the first part that has a parse of it."""
    chosen = first_parsed([~part.failed for part in parts])
    return TreeTable.united(
        [part.without_sentences(chosen != number) for number, part in enumerate(parts)]
    )


def first_parsed(parsed: Sequence[Flags]) -> Ints:
    """Choose the first member that has a parse; -1 where none has (section 5.1).

    >>> first_parsed([np.array([True, False, False]), np.array([True, True, False])]).tolist()
    [0, 1, -1]
    """
    has = np.stack(parsed)
    return np.where(has.any(axis=0), has.argmax(axis=0), -1)
