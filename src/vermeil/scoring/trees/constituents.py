"""Constituent scores: which brackets of a parser are those of the standard (PARSEVAL).

Clegg and Shepherd, section 2.1. Brackets are multisets: a bracket that comes twice in both trees
is matched twice. A bracket of the parser crosses where it overlaps some bracket of the standard and
neither holds the other; it is counted once. With the preparation ``evalb`` the counts are those of
EVALB with COLLINS.prm, except that a length error here is a sentence counted as such (``unequal``),
and that EVALB's repair of quotation marks (QUOTE_LABEL) is not done.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.columns.trees.brackets import (
    Brackets,
    comparable,
    n_places,
    shared,
    unequal_words,
)
from vermeil.columns.trees.table import TreeTable
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SentenceCounts(Brief):
    """What is counted in each sentence, as columns.

    ``matched`` of ``predicted`` brackets are among the ``wanted``, ``unlabelled`` if labels do not
    matter, and ``crossing`` of them cross; ``right_tags`` of ``n_words`` words have the right part
    of speech.
    """

    matched: Ints
    unlabelled: Ints
    predicted: Ints
    wanted: Ints
    crossing: Ints
    right_tags: Ints
    n_words: Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constituents(SentenceCounts):
    """Counts for each sentence; where the parser has no tree only ``wanted`` is counted.

    Nothing is where it has a tree over other words. ``comparable`` tells which sentences have two
    trees over the same words, ``by_label`` has a row for each label code: matched, predicted,
    wanted.
    """

    comparable: Flags
    by_label: Ints


def compare(gold: TreeTable, parsed: TreeTable) -> Constituents:
    """Count what the trees of two tables, prepared alike, have in common.

    >>> gold = TreeTable.parse(["(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"])
    >>> other = TreeTable.parse(["(S (NP (NN p53)) (NP (NNS binds) (NN DNA)))"], gold.names)
    >>> counts = compare(gold, other)
    >>> counts.matched.tolist(), counts.predicted.tolist(), counts.wanted.tolist()
    ([2], [3], [4])
    >>> counts.unlabelled.tolist(), counts.crossing.tolist(), counts.right_tags.tolist()
    ([3], [0], [2])
    """
    both = comparable(gold, parsed)
    all_wanted = Brackets.of(gold, ~unequal_words(gold, parsed))
    wanted, predicted = Brackets.of(gold, both), Brackets.of(parsed, both)
    places, labels = n_places(gold, parsed), len(gold.names.labels.names)
    keys, n_shared = shared(wanted.keys(places, labels), predicted.keys(places, labels))
    blind, n_blind = shared(wanted.keys(places), predicted.keys(places))
    sentence = keys // (labels * places * places) if labels else keys
    tag_matches = _tag_matches(gold, parsed, both)
    return Constituents(
        comparable=both,
        matched=_per_sentence(sentence, gold, n_shared),
        unlabelled=_per_sentence(blind // (places * places), gold, n_blind),
        predicted=_per_sentence(predicted.sentence, gold),
        wanted=_per_sentence(all_wanted.sentence, gold),
        crossing=_per_sentence(predicted.sentence[crosses(predicted, wanted, gold)], gold),
        right_tags=_per_sentence(tag_matches, gold),
        n_words=gold.n_words,
        by_label=np.stack(
            [
                np.bincount(keys % max(1, labels), n_shared, labels).astype(np.int64),
                np.bincount(predicted.label, minlength=labels),
                np.bincount(all_wanted.label, minlength=labels),
            ],
            axis=1,
        ),
    )


def crosses(predicted: Brackets, wanted: Brackets, gold: TreeTable) -> Flags:
    """Tell which predicted brackets cross one of the standard.

    A bracket is crossed from the right where one that begins inside it ends beyond it, and from
    the left where one that ends inside it begins before it. ``wanted`` lies over words of ``gold``.
    """
    n = int(gold.first_word[-1])
    origin = gold.first_word[wanted.sentence]
    start, end = wanted.start + origin, wanted.end + origin
    furthest = np.zeros(n + 1, dtype=np.int64)
    np.maximum.at(furthest, start, end)
    earliest = np.full(n + 1, n, dtype=np.int64)
    np.minimum.at(earliest, end, start)
    origin = gold.first_word[predicted.sentence]
    start, end = predicted.start + origin, predicted.end + origin
    crossing = np.zeros(len(predicted), dtype=bool)
    # Only a bracket of two words or more has a place inside.
    wide = np.flatnonzero(end - start > 1)
    inside = np.stack([start[wide] + 1, end[wide]], axis=1).ravel()
    if len(wide):
        # reduceat takes the stretch from each index to the next: every second one is a bracket.
        crossing[wide] = (np.maximum.reduceat(furthest, inside)[::2] > end[wide]) | (
            np.minimum.reduceat(earliest, inside)[::2] < start[wide]
        )
    return crossing


def _tag_matches(gold: TreeTable, parsed: TreeTable, both: Flags) -> Ints:
    """Number the sentence of each word whose part of speech is right."""
    in_gold = np.repeat(both, gold.n_words)
    in_parsed = np.repeat(both, parsed.n_words)
    found: Ints = gold.sentence_of_word[in_gold][gold.tag[in_gold] == parsed.tag[in_parsed]]
    return found


def _per_sentence(sentence: Ints, gold: TreeTable, n: Ints | None = None) -> Ints:
    return np.bincount(sentence, n, len(gold)).astype(np.int64)
