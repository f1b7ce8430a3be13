"""The views of tokens that a sequence model learns from: ours, or those of the paper.

The word itself, its neighbours up to two away, the run of tokens without white space it stands in,
pairs of neighbours, and what name lists say. The paper's are in ``paper_features``.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints, numbered, numbered_codes
from vermeil.recognise.features.described_words import (
    BEYOND,
    COMPANY,
    N_COMPANY_BINS,
    PAD,
    DescribedWords,
    class_sums,
    company_bins,
)
from vermeil.recognise.features.paper_features import PAPER, paper_views
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.word_classes.forms import chunks_of, runs_of
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.name_list import find_in_all
from vermeil.sequences.features.checksums import Registers, checksums
from vermeil.sequences.features.hashed_rows import HashedRows, chunk_rows
from vermeil.sequences.features.rows import KeyedRows, TokenView, TokenViews, of_few, single
from vermeil.sequences.features.word_memory import RowMemory
from vermeil.sequences.features.word_strings import N_POSITIONS
from vermeil.sequences.tokens.alphabet import Hashes
from vermeil.sequences.tokens.axis import Number, TokenAxis

OFFSETS = (0, -1, 1, -2, 2)
FAMILIES = frozenset({"n-grams", "preclassifier", "lists", "chunks", "pairs"})
"""Families of features that can be left out, to see what they are worth.

``n-grams`` are all parts of words and of runs, affixes too. ``preclassifier`` is what it says and
all dictionaries drawn from the training documents; ``lists`` are the names that were given.
"""

_PLACES = "(-)."
"""Signs for the places that a token may have in a chunk, as ``word_strings`` numbers them."""

_BEYOND = 1
"""Stands for what lies beyond the ends of a sentence among hashes and states."""

_N_STATES = 32
"""More than there are places in names that are told apart."""

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
    words = DescribedWords.of(axis, fold, knowledge, families, n_views=len(OFFSETS))
    beyond = len(words.spelt)
    views = [
        TokenView(
            view,
            words.rows[view],
            axis.neighbours(words.number, offset, beyond=beyond),
        )
        for view, offset in enumerate(OFFSETS)
    ]
    view = len(OFFSETS)
    if "pairs" in families:
        views += _pairs(view, words, axis)
    if "chunks" in families:
        memory, n_grams = knowledge[0].memory.chunk_scores, "n-grams" in families
        views.append(TokenView(view + 5, *_chunks(view + 5, axis, memory, n_grams=n_grams)))
    if knowledge[0].learned is not None:
        views += _run_views(view + 10, axis, fold, knowledge)
    for number, state in _list_states(words, axis, fold, knowledge, families):
        views += _states(view + 6 + 2 * number, state, axis)
    return TokenViews(len(axis.words), tuple(views))


def _pairs(view: int, words: DescribedWords, axis: TokenAxis) -> Iterator[TokenView]:
    """See what stands side by side: words, then classes of words, of which there are few."""
    lower = _around(words.lower[words.number], axis)
    yield single(view, _joined(lower[:2]))
    yield single(view + 1, _joined(lower[1:]))
    kind: Ints
    classes, kind = np.unique(words.classes, return_inverse=True)
    n = len(classes) + 1
    classes = np.append(classes, np.uint64(_BEYOND))
    before, own, after = _around(kind[words.number], axis, beyond=n - 1)
    pairs, pair = numbered_codes(before * n + own, n * n)
    left = classes[pairs // n], classes[pairs % n]
    yield of_few(view + 2, pair, _joined(left))
    right, code = numbered_codes(own * n + after, n * n)
    yield of_few(view + 3, code, _joined((classes[right // n], classes[right % n])))
    triples, code = numbered_codes(pair * n + after, len(pairs) * n)
    three = (*(each[triples // n] for each in left), classes[triples % n])
    yield of_few(view + 4, code, _joined(three))


def _around(
    values: NDArray[Number], axis: TokenAxis, *, beyond: int = _BEYOND
) -> tuple[NDArray[Number], NDArray[Number], NDArray[Number]]:
    """Return what the tokens before have, what the tokens have and what those after have."""
    before, after = (axis.neighbours(values, offset, beyond=beyond) for offset in (-1, 1))
    return before, values, after


def _chunks(
    view: int, axis: TokenAxis, memory: RowMemory[np.float64], *, n_grams: bool
) -> tuple[KeyedRows, Ints]:
    """Describe the runs of tokens without white space, together with the token's place in them."""
    chunks, of_run, first = chunks_of(axis)
    n_tokens = len(axis.words)
    size = np.diff(np.append(first, n_tokens))
    # First, inside, last, alone.
    position = np.ones(n_tokens, dtype=np.int64)
    position[first] = 0
    position[first + size - 1] = 2
    position[first[size == 1]] = 3
    key = np.repeat(of_run, size) * N_POSITIONS + position
    is_used = np.zeros(len(chunks) * N_POSITIONS, dtype=bool)
    is_used[key] = True
    which, place = np.divmod(np.flatnonzero(is_used), N_POSITIONS)
    pairs = zip(which.tolist(), place.tolist(), strict=True)
    keys = [f"{_PLACES[at]}{chunks[own]}" for own, at in pairs]
    rows = KeyedRows(keys, (view,), partial(_placed_chunks, n_grams=n_grams), memory)
    return rows, (np.cumsum(is_used) - 1)[key]


def _placed_chunks(keys: Sequence[str], *, n_grams: bool) -> list[HashedRows]:
    """Describe chunks after a sign for the token's place in them."""
    chunks, chunk = numbered([key[1:] for key in keys])
    position = np.array([_PLACES.index(key[0]) for key in keys], dtype=np.int64)
    return [chunk_rows(chunks, chunk, position, n_grams=n_grams)]


def _run_views(
    view: int, axis: TokenAxis, fold: Ints, knowledge: Sequence[Knowledge]
) -> Iterator[TokenView]:
    """See the run that a token stands in by its classes, and the runs before and after it."""
    words, number, first = runs_of(axis)
    begin = chunks_of(axis).first
    of_token = np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(axis.words))))
    seen_from, memory = (view, view + 1, view + 2), knowledge[0].memory.run_scores
    rows = KeyedRows([*words, BEYOND], seen_from, partial(_run_rows, knowledge[0]), memory)
    sentence = np.searchsorted(first, np.arange(len(number)), side="right")
    yield TokenView(view, rows, number[of_token])
    scores = np.stack([each.known_runs(words)[1] for each in knowledge])
    bins = company_bins(scores[fold[begin], number])
    said = class_sums(COMPANY, N_COMPANY_BINS).astype(np.uint64)
    used, own_bin = numbered_codes(bins, N_COMPANY_BINS)
    yield of_few(view + 3, own_bin[of_token], said[used])
    for place, offset in enumerate((-1, 1)):
        at = np.arange(len(number)) + offset
        inside = (at >= 0) & (at < len(number))
        at = np.where(inside, at, 0)
        inside &= sentence[at] == sentence
        yield TokenView(view + 1 + place, rows, np.where(inside, number[at], len(words))[of_token])


def _run_rows(knowledge: Knowledge, keys: Sequence[str]) -> list[HashedRows]:
    """Describe runs by their classes, and twice, to their neighbours, by their string as well.

    If it is there, BEYOND comes last; it is no run of which there are classes.
    """
    runs = [key for key in keys if key != BEYOND]
    classes, _ = knowledge.known_runs(runs)
    columns = [
        class_sums(f"class of {size}: ", size)[own]
        for size, own in zip(SIZES, classes.T, strict=True)
    ]
    strings = checksums("l=", [run.lower() for run in runs])
    own, whole = (_as_rows(np.stack(each, axis=1)) for each in (columns, [*columns, strings]))
    if keys[-1:] == [BEYOND]:
        pad = checksums("", (PAD,))
        own, whole = own.with_row(pad), whole.with_row(pad)
    return [own, whole, whole]


def _as_rows(facts: Registers) -> HashedRows:
    n_rows, n_facts = facts.shape
    return HashedRows(np.arange(n_rows + 1) * n_facts, facts.astype(np.uint64).ravel())


def _list_states(
    words: DescribedWords,
    axis: TokenAxis,
    fold: Ints,
    knowledge: Sequence[Knowledge],
    families: frozenset[str],
) -> Iterator[tuple[int, Ints]]:
    """Say where each token stands in names given (0) and seen (1): 0, or place and length."""
    kinds = [number for number, family in enumerate(LIST_FAMILIES) if family in families]
    hashes = words.folded[words.number]
    lists = [(own.lexicon, own.seen)[kind] for kind in kinds for own in knowledge]
    matches = find_in_all(lists, hashes, axis.first_token)
    for number, kind in enumerate(kinds):
        states = np.zeros(len(hashes), dtype=np.int64)
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


def _states(view: int, state: Ints, axis: TokenAxis) -> Iterator[TokenView]:
    """See the state of each token, then those before and after it as well."""
    states, own = numbered_codes(state, _N_STATES)
    yield of_few(view, own, states.astype(np.uint64))
    before, own, after = _around(state, axis)
    codes, code = numbered_codes((before * _N_STATES + own) * _N_STATES + after, _N_STATES**3)
    around = codes // _N_STATES**2, codes // _N_STATES % _N_STATES, codes % _N_STATES
    yield of_few(view + 1, code, _joined([each.astype(np.uint64) for each in around]))


def _ramp(lengths: Ints) -> Ints:
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def _joined(columns: Sequence[Hashes]) -> Hashes:
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(29)
    return mixed
