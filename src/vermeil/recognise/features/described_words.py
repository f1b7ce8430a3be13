"""The distinct words of a batch, and their features before it is known from where they are seen.

Beside its spelling (see ``word_strings``), a word is described by what is known of it: its score
by the preclassifier, where it was seen in training, a guess at its type, whether it is English.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from vermeil.arrays import Floats, Ints, numbered
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.preclassifier import tentative_type
from vermeil.recognise.words.token_sets import folded, is_word
from vermeil.sequences.features.checksums import Registers, checksums
from vermeil.sequences.features.hashed_rows import HashedRows, word_rows
from vermeil.sequences.features.rows import KeyedRows
from vermeil.sequences.features.word_strings import shapes
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
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
        if len(knowledge) == 1:
            rows = [_keyed_rows(spelt, knowledge[0], families, n_views)] * n_views
        else:
            full, context = _rows(spelt, folds, knowledge, families)
            rows = [full, *[context] * (n_views - 1)]
        marks = np.zeros((len(spelt), 3), dtype=np.uint64)
        for each, own in enumerate(knowledge):
            mine = np.flatnonzero(folds == each)
            marks[mine] = _marks(own, [spelt[at] for at in mine.tolist()], families)
        return cls(number, spelt, rows, *marks.T)


def _keyed_rows(
    words: Sequence[str], knowledge: Knowledge, families: frozenset[str], n_views: int
) -> KeyedRows:
    """Describe words when a model asks for them; what lies beyond a sentence has the last key."""

    def describe(keys: Sequence[str]) -> list[HashedRows]:
        some = [key for key in keys if key != BEYOND]
        rows = _rows(some, np.zeros(len(some), dtype=np.int64), [knowledge], families)
        full, context = rows if keys[-1:] == [BEYOND] else (each.without_last() for each in rows)
        return [full, *[context] * (n_views - 1)]

    views = tuple(range(n_views))
    return KeyedRows([*words, BEYOND], views, describe, knowledge.memory.word_scores)


def _rows(
    words: Sequence[str], folds: Ints, knowledge: Sequence[Knowledge], families: frozenset[str]
) -> tuple[HashedRows, HashedRows]:
    """Describe words, and what lies beyond a sentence, by themselves and to their neighbours."""
    told: list[tuple[str, ...]] = [()] * len(words)
    classes = class_facts(words, folds, knowledge)
    for each, own in enumerate(knowledge):
        mine = np.flatnonzero(folds == each).tolist()
        facts = word_facts(own, [words[at] for at in mine], families)
        for at, said in zip(mine, facts, strict=True):
            told[at] = said
    distinct, of_told = numbered(told)
    hashed = [checksums("", said) for said in distinct] or [checksums("", ())]
    every = np.hstack((np.stack(hashed)[of_told], classes))
    full, context = word_rows(words, every, n_grams="n-grams" in families)
    beyond = checksums("", (PAD,))
    return full.with_row(beyond), context.with_row(beyond)


def _marks(knowledge: Knowledge, words: Sequence[str], families: frozenset[str]) -> Hashes:
    """Hash for each word its class, itself in lower case, and what it is compared by."""

    def found(new: Sequence[str]) -> Hashes:
        told = word_facts(knowledge, new, families)
        names, of_names = numbered(
            [
                "|".join((*said[:2], shape[:4]))
                for said, shape in zip(told, shapes(new), strict=True)
            ]
        )
        hashes = (
            hash_words(names)[of_names],
            hash_words([word.lower() for word in new]),
            hash_words([folded(word) for word in new]),
        )
        return np.stack(hashes, axis=1)

    known = "preclassifier" in families
    return knowledge.memory.marks.of(words, found) if known else found(words)


def word_facts(
    knowledge: Knowledge, words: Sequence[str], families: frozenset[str]
) -> list[tuple[str, ...]]:
    """Say what the preclassifier and its sets know of words."""
    if "preclassifier" not in families:
        return [()] * len(words)
    return knowledge.memory.facts.of(words, partial(_facts, knowledge))


def _facts(knowledge: Knowledge, words: Sequence[str]) -> list[tuple[str, ...]]:
    scores = knowledge.spelling_of(words)
    bins = np.floor(scores / 2.5).astype(np.int64).tolist()
    sides = knowledge.preclassifier.tokens.sides_of(words).tolist()
    english = knowledge.preclassifier.is_english(words).tolist()
    return [
        (
            f"pre={bin}",
            f"seen={side}{'w' if is_word(word) else ''}",
            f"type={tentative_type(word)}{bin > 0}",
            f"english={known}",
        )
        for word, bin, side, known in zip(words, bins, sides, english, strict=True)
    ]


def class_facts(words: Sequence[str], folds: Ints, knowledge: Sequence[Knowledge]) -> Registers:
    """Hash the classes of words and what their company says of them, a column each.

    ``judging.feature_names`` makes the same ones as strings.
    """
    learned = knowledge[0].learned
    if learned is None:
        return np.zeros((len(words), 0), dtype=np.uint32)
    classes, _ = learned.tokens.classes(words)
    columns = [
        class_sums(f"class of {size}: ", size)[own]
        for size, own in zip(SIZES, classes.T, strict=True)
    ]
    scores, spelling = np.zeros((2, len(words)))
    for each, own in enumerate(knowledge):
        mine = np.flatnonzero(folds == each)
        some = [words[at] for at in mine.tolist()]
        scores[mine] = own.company_of(some)
        spelling[mine] = own.spelling_of(some)
    company, spelt = company_bins(scores), spelling_bins(spelling)
    columns.append(class_sums(COMPANY, N_COMPANY_BINS)[company])
    both = class_sums(COMPANY_AND_SPELLING, N_COMPANY_BINS * N_SPELLING_BINS)
    columns.append(both[company * N_SPELLING_BINS + spelt])
    return np.stack(columns, axis=1)


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
