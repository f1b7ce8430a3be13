"""The distinct words of a batch, and their features before it is known from where they are seen.

Beside its spelling (see ``word_strings``), a word is described by what is known of it: its score
by the preclassifier, where it was seen in training, a guess at its type, whether it is English.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from vermeil.arrays import Floats, Ints, numbered
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.word_facts import WordFacts, facts
from vermeil.sequences.features.checksums import Registers, checksums
from vermeil.sequences.features.hashed_rows import HashedRows, word_rows
from vermeil.sequences.features.rows import KeyedRows
from vermeil.sequences.tokens.alphabet import Hashes
from vermeil.sequences.tokens.axis import TokenAxis

PAD = "\x00"
"""The one feature of what lies beyond the ends of a sentence."""

BEYOND = ""
"""The key of what lies beyond the ends of a sentence, which no word has."""

COMPANY, COMPANY_AND_SPELLING = "company: ", "company and spelling: "
N_COMPANY_BINS, N_SPELLING_BINS = 18, 6
"""Bins of what the company of words says, and of their spelling beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class DescribedWords:
    """The distinct words of a batch, by fold; ``number`` says which each token is.

    ``rows`` are those of each view, the first of which is of the words by themselves. A last row is
    what lies beyond the ends of a sentence. Hashes are of the class of a word, of the word in lower
    case, and of what it is compared by.
    """

    number: Ints
    spelt: Sequence[str]
    rows: Sequence[HashedRows | KeyedRows]
    classes: Hashes
    lower: Hashes
    folded: Hashes

    @classmethod
    def of(
        cls,
        axis: TokenAxis,
        fold: Ints,
        knowledge: Sequence[Knowledge],
        families: frozenset[str],
        *,
        n_views: int,
    ) -> "DescribedWords":
        """Describe the words of a batch, each with the knowledge of its fold.

        Of a single knowledge a model remembers what it makes of words.
        """
        spelt, number, folds = words_by_fold(axis, fold, len(knowledge))
        rows: list[HashedRows | KeyedRows]
        known = _known(spelt, folds, knowledge)
        if len(knowledge) == 1:
            rows = [_keyed_rows(spelt, knowledge[0], families, n_views)] * n_views
        else:
            full, context = _rows(spelt, known, knowledge[0].learned is not None, families)
            rows = [full, *[context] * (n_views - 1)]
        kind = known.kind if "preclassifier" in families else known.shape
        return cls(number, spelt, rows, kind, known.lower, known.folded)


def _keyed_rows(
    words: Sequence[str], knowledge: Knowledge, families: frozenset[str], n_views: int
) -> KeyedRows:
    """Describe words when a model asks for them; what lies beyond a sentence has the last key."""

    def describe(keys: Sequence[str]) -> list[HashedRows]:
        some = [key for key in keys if key != BEYOND]
        rows = _rows(some, knowledge.known(some), knowledge.learned is not None, families)
        full, context = rows if keys[-1:] == [BEYOND] else (each.without_last() for each in rows)
        return [full, *[context] * (n_views - 1)]

    views = tuple(range(n_views))
    return KeyedRows([*words, BEYOND], views, describe, knowledge.memory.word_scores)


def _known(words: Sequence[str], folds: Ints, knowledge: Sequence[Knowledge]) -> WordFacts:
    """Tell what is known of words to the knowledge of their folds."""
    if len(knowledge) == 1:
        return knowledge[0].known(words)
    of_folds = [np.flatnonzero(folds == each) for each in range(len(knowledge))]
    known = [
        own.known([words[at] for at in mine.tolist()]).records()
        for own, mine in zip(knowledge, of_folds, strict=True)
    ]
    return WordFacts.of_records(np.concatenate(known)).keep(np.argsort(np.concatenate(of_folds)))


def _rows(
    words: Sequence[str], known: WordFacts, is_learned: bool, families: frozenset[str]
) -> tuple[HashedRows, HashedRows]:
    """Describe words, and what lies beyond a sentence, by themselves and to their neighbours."""
    told = [checksums("", said)[which] for said, which in _facts(known, families)]
    if is_learned:
        told += _class_sums(known)
    every = np.stack(told, axis=1) if told else np.zeros((len(words), 0), dtype=np.uint32)
    full, context = word_rows(words, every, n_grams="n-grams" in families)
    beyond = checksums("", (PAD,))
    return full.with_row(beyond), context.with_row(beyond)


def said_of_words(
    knowledge: Knowledge, words: Sequence[str], families: frozenset[str]
) -> list[tuple[str, ...]]:
    """Say what the preclassifier and its sets know of words."""
    columns = [
        [said[place] for place in which.tolist()]
        for said, which in _facts(knowledge.known(words), families)
    ]
    return list(zip(*columns, strict=True)) or [()] * len(words)


def _facts(known: WordFacts, families: frozenset[str]) -> list[tuple[list[str], Ints]]:
    return facts(known) if "preclassifier" in families else []


def _class_sums(known: WordFacts) -> list[Registers]:
    """Hash the classes of words and what their company says of them, a column each.

    ``judging.feature_names`` makes the same ones as strings.
    """
    columns = [
        class_sums(f"class of {size}: ", size)[own]
        for size, own in zip(SIZES, known.classes.T, strict=True)
    ]
    company, spelt = company_bins(known.company), spelling_bins(known.spelling)
    columns.append(class_sums(COMPANY, N_COMPANY_BINS)[company])
    both = class_sums(COMPANY_AND_SPELLING, N_COMPANY_BINS * N_SPELLING_BINS)
    columns.append(both[company * N_SPELLING_BINS + spelt])
    return columns


def company_bins(scores: Floats) -> Ints:
    """Sort scores into bins."""
    bins: Ints = (np.floor(scores.clip(-9.99, 7.99)) + 10).astype(np.int64)
    return bins


def spelling_bins(scores: Floats) -> Ints:
    """Sort scores of the preclassifier into bins."""
    bins: Ints = (np.floor(scores.clip(-14.9, 14.9) / 5) + 3).astype(np.int64)
    return bins


@cache
def class_sums(prefix: str, n: int) -> Registers:
    """Hash the numbers up to ``n`` after a prefix."""
    return checksums(prefix, map(str, range(n)))


def words_by_fold(axis: TokenAxis, fold: Ints, n_folds: int) -> tuple[Sequence[str], Ints, Ints]:
    """Number the words of each fold, given by token; give also the fold of each word."""
    if n_folds == 1:
        words, number = axis.vocabulary.words, axis.vocabulary.number
        return words, number, np.zeros(len(words), dtype=np.int64)
    distinct, number = numbered(list(zip(fold.tolist(), axis.words, strict=True)))
    folds = np.array([of for of, _ in distinct], dtype=np.int64)
    return [word for _, word in distinct], number, folds
