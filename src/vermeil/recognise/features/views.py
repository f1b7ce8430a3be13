"""The views of tokens that a sequence model learns from: ours, or those of the paper.

The word itself, its neighbours up to two away, the run of tokens without white space it stands in,
pairs of neighbours, and what name lists say. The paper's are in ``paper_features``.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.recognise.features.described_words import DescribedWords
from vermeil.recognise.features.paper_features import PAPER, paper_views
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.name_list import find_in_all
from vermeil.recognise.words.token_sets import folded
from vermeil.sequences.features.hashed_rows import HashedRows, chunk_rows
from vermeil.sequences.features.rows import TokenView, TokenViews, single
from vermeil.sequences.features.word_strings import N_POSITIONS
from vermeil.sequences.tokens.alphabet import Hashes, hash_words
from vermeil.sequences.tokens.axis import TokenAxis, numbered

OFFSETS = (0, -1, 1, -2, 2)
FAMILIES = frozenset({"n-grams", "preclassifier", "lists", "chunks", "pairs"})
"""Families of features that can be left out, to see what they are worth.

``n-grams`` are all parts of words and of runs, affixes too. ``preclassifier`` is what it says and
all dictionaries drawn from the training documents; ``lists`` are the names that were given.
"""

LIST_FAMILIES = ("lists", "preclassifier")
"""What the names that were given and those seen in training belong to."""


def view_tokens(
    axis: TokenAxis,
    knowledge: Sequence[Knowledge],
    fold_of_document: Ints | None = None,
    *,
    families: frozenset[str] = FAMILIES,
) -> TokenViews:
    """Describe the tokens of a batch.

    Each document is described with the knowledge of its fold; without folds there is one knowledge
    for all.
    """
    n_tokens = np.diff(axis.first_of_document)
    folds = (
        np.zeros(len(n_tokens), dtype=np.int64) if fold_of_document is None else fold_of_document
    )
    fold = np.repeat(folds, n_tokens)
    if PAPER in families:
        return paper_views(axis, knowledge, fold, families)
    words = DescribedWords.of(axis, fold, knowledge, families)
    beyond = len(words.spelt)
    views = [
        TokenView(
            view,
            words.context if offset else words.full,
            axis.neighbours(words.number, offset, beyond=beyond),
        )
        for view, offset in enumerate(OFFSETS)
    ]
    view = len(OFFSETS)
    if "pairs" in families:
        for number, pair in enumerate(_pairs(words, axis)):
            views.append(single(view + number, _joined(pair)))
    if "chunks" in families:
        views.append(TokenView(view + 5, *_chunks(axis, n_grams="n-grams" in families)))
    for number, states in _list_states(words, axis, fold, knowledge, families):
        views.append(single(view + 6 + 2 * number, states))
        views.append(single(view + 7 + 2 * number, _joined(_around(states, axis))))
    return TokenViews(len(axis.words), tuple(views))


def gaps(axis: TokenAxis) -> Flags:
    """Tell before which tokens there is white space, or the beginning of a text."""
    gap = np.ones(len(axis.words), dtype=bool)
    gap[1:] = axis.start[1:] != axis.end[:-1]
    first = axis.first_of_document[:-1]
    gap[first[first < len(gap)]] = True
    return gap


def _pairs(words: DescribedWords, axis: TokenAxis) -> Iterator[tuple[Hashes, ...]]:
    """Yield what stands side by side: words, then classes of words."""
    lower = hash_words([word.lower() for word in words.spelt])
    for of_words in (lower, words.classes):
        before, own, after = _around(of_words[words.number], axis)
        yield before, own
        yield own, after
    yield before, own, after


def _around(values: Hashes, axis: TokenAxis) -> tuple[Hashes, Hashes, Hashes]:
    """Return what the tokens before have, what the tokens have and what those after have."""
    before, after = (axis.neighbours(values, offset, beyond=1) for offset in (-1, 1))
    return before, values, after


def _chunks(axis: TokenAxis, *, n_grams: bool) -> tuple[HashedRows, Ints]:
    """Describe the runs of tokens without white space, together with the token's place in them."""
    gap = gaps(axis)
    first = np.flatnonzero(gap)
    size = np.diff(np.append(first, len(gap)))
    chunks, of_run = numbered(
        [
            axis.words[begin] if length == 1 else "".join(axis.words[begin : begin + length])
            for begin, length in zip(first.tolist(), size.tolist(), strict=True)
        ]
    )
    # First, inside, last, alone.
    position = np.ones(len(gap), dtype=np.int64)
    position[first] = 0
    position[first + size - 1] = 2
    position[first[size == 1]] = 3
    key = np.repeat(of_run, size) * N_POSITIONS + position
    is_used = np.zeros(len(chunks) * N_POSITIONS, dtype=bool)
    is_used[key] = True
    used = np.flatnonzero(is_used)
    rows = chunk_rows(chunks, *np.divmod(used, N_POSITIONS), n_grams=n_grams)
    return rows, (np.cumsum(is_used) - 1)[key]


def _list_states(
    words: DescribedWords,
    axis: TokenAxis,
    fold: Ints,
    knowledge: Sequence[Knowledge],
    families: frozenset[str],
) -> Iterator[tuple[int, Hashes]]:
    """Say where each token stands in names given (0) and seen (1): 0, or place and length."""
    kinds = [number for number, family in enumerate(LIST_FAMILIES) if family in families]
    hashes = hash_words([folded(word) for word in words.spelt])[words.number]
    lists = [(own.lexicon, own.seen)[kind] for kind in kinds for own in knowledge]
    matches = find_in_all(lists, hashes, axis.first_token)
    for number, kind in enumerate(kinds):
        states = np.zeros(len(hashes), dtype=np.uint64)
        own_matches = matches[number * len(knowledge) : (number + 1) * len(knowledge)]
        for each, (start, end) in enumerate(own_matches):
            mine = fold[start] == each
            length = (end - start)[mine]
            place = _ramp(length)
            last = place == np.repeat(length, length) - 1
            state = 1 + np.minimum(place, 2) + 3 * last
            state += 6 * np.repeat(np.minimum(length, 4), length)
            states[np.repeat(start[mine], length) + place] = state
        yield kind, states


def _ramp(lengths: Ints) -> Ints:
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def _joined(columns: Sequence[Hashes]) -> Hashes:
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(29)
    return mixed
