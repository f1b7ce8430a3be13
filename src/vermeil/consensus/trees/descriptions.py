"""Brackets described by hashed features: their words, their place in the trees, and who has them.

Features are hashed by name, so nothing depends on the order of files or members.
"""

import zlib
from collections.abc import Sequence

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.word_axis import WordAxis, hashed

FEATURE_BITS = 17
N_CONTEXTS = 4
"""Columns: parent, left and right neighbour under the same parent, daughters in order."""

_N_TEMPLATES = 15
_NONE, _EDGE = zlib.crc32(b"nothing there"), zlib.crc32(b"edge of the sentence")
_STEP = np.uint64(0x9E3779B97F4A7C15)
_LENGTHS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32])


def features(pool: Pool, tables: Sequence[TreeTable]) -> Ints:
    """Describe each pooled bracket by hashed features, a column for each template.

    After those of its words come, for each member, those of its place in that member's tree.
    """
    axis = WordAxis.of(tables)
    labels = hashed(pool.labels)
    words = hashed(tables[0].names.words.names)
    origin = axis.first_word[pool.sentence]
    tag, word = (
        _at_edges(pool, origin, names[codes])
        for names, codes in ((labels, axis.tag), (words, axis.word))
    )
    before, first, last, after = tag
    length = np.searchsorted(_LENGTHS, pool.end - pool.start)
    whole = 2 * (pool.start == 0) + (pool.end == pool.n_words[pool.sentence])
    templates: list[tuple[Ints, ...]] = [
        (),
        (length,),
        (whole,),
        *((each,) for each in tag),
        (before, first),
        (first, last),
        (last, after),
        (before, after),
        *((each,) for each in word),
    ]
    label = labels[pool.label]
    columns = [_mixed(n, label, parts) for n, parts in enumerate(templates)]
    for table, rows in zip(tables, pool.rows_of, strict=True):
        around = np.zeros((len(pool), N_CONTEXTS), dtype=np.int64)
        around[rows] = contexts(table, labels)
        columns += [_mixed(32 + n, label, (column,)) for n, column in enumerate(around.T)]
    return np.stack(columns, axis=1).astype(np.int32)


def feature_counts(have: Flags) -> Floats:
    """Tell how much each feature counts: what owners see is averaged over them."""
    of_owners = have / np.maximum(1, have.sum(axis=1, keepdims=True))
    counts = (np.ones((len(have), _N_TEMPLATES)), np.repeat(of_owners, N_CONTEXTS, axis=1))
    return np.concatenate(counts, axis=1)


def ownership(pool: Pool) -> Ints:
    """Describe who has each bracket: each member and its construction, and all owners together."""
    label = hashed(pool.labels)[pool.label]
    names = hashed(pool.members)
    length = np.searchsorted(_LENGTHS, pool.end - pool.start)
    says = pool.have * 2 + (~pool.parsed[pool.sentence])
    owners = (pool.have * names).sum(axis=1) * 2 + (pool.parsed[pool.sentence] * names).sum(axis=1)
    plain = np.zeros(len(pool), dtype=np.int64)
    columns = [_mixed(64, plain, (owners,)), _mixed(65, label, (owners,))]
    for member, name in enumerate(names.tolist()):
        said = says[:, member] * 8 + name
        columns += [_mixed(66, label, (said,)), _mixed(67, label, (said, length))]
    return np.stack(columns, axis=1).astype(np.int32)


def ownership_counts(have: Flags) -> Floats:
    """Tell how much each feature counts where it is also told who has a bracket."""
    return np.concatenate(
        (feature_counts(have), np.ones((len(have), 2 + 2 * have.shape[1]))), axis=1
    )


def contexts(table: TreeTable, hashes: Ints) -> Ints:
    """Describe each constituent that holds words; ``hashes`` has a number for each label.

    >>> table = TreeTable.parse(["(S (NP (DT the) (NN cell)) (VP (VBZ divides)))"])
    >>> described = contexts(table, hashed(table.names.labels.names))
    >>> described.shape, bool(described[1, 0] == described[2, 0])
    ((3, 4), True)
    """
    table = table.without_rows(table.start == table.end)
    n_rows = len(table.label)
    # Daughters of each constituent lie side by side, the words of a bare root at the beginning.
    owner = np.concatenate((table.above, table.parent))
    place = np.concatenate((np.arange(len(table.word)), table.start))
    label = hashes[np.concatenate((table.tag, table.label))]
    sentence = np.concatenate((table.sentence_of_word, table.sentence))
    order = np.lexsort((place, owner, sentence))
    owner, label, sentence = owner[order], label[order], sentence[order]
    same = (owner[1:] == owner[:-1]) & (sentence[1:] == sentence[:-1])
    left = np.concatenate(([_NONE], np.where(same, label[:-1], _NONE)))[: len(order)]
    right = np.concatenate((np.where(same, label[1:], _NONE), [_NONE]))[-len(order) or 1 :]
    at = np.empty(len(order), dtype=np.int64)
    at[order] = np.arange(len(order))
    of_row = at[len(table.word) :]
    parent = np.append(hashes[table.label], _NONE)[table.parent]
    found = np.stack((parent, left[of_row], right[of_row], _daughters(owner, label, n_rows)), 1)
    return found.astype(np.int64)


def _at_edges(pool: Pool, origin: Ints, hashes: Ints) -> list[Ints]:
    """Return what stands before, first, last and after each bracket."""
    hashes = np.append(hashes, _EDGE)
    n_words = pool.n_words[pool.sentence]
    return [
        np.where((at >= 0) & (at < n_words), hashes[np.clip(at, 0, n_words - 1) + origin], _EDGE)
        for at in (pool.start - 1, pool.start, pool.end - 1, pool.end)
    ]


def _mixed(number: int, label: Ints, parts: Sequence[Ints]) -> Ints:
    """Hash a template and what it looks at."""
    mixed = label.astype(np.uint64) + np.uint64(number << 32)
    for part in parts:
        mixed = (mixed ^ part.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - FEATURE_BITS)).astype(np.int64)


def _daughters(owner: Ints, label: Ints, n_rows: int) -> Ints:
    """Hash the labels of each constituent's daughters, in order."""
    held = owner >= 0
    owner, label = owner[held], label[held]
    order = np.argsort(owner, kind="stable")
    owner, label = owner[order], label[order]
    number = np.arange(len(owner)) - np.searchsorted(owner, owner)
    mixed = label.astype(np.uint64) * (np.uint64(2) * number.astype(np.uint64) * _STEP + _STEP)
    total = np.zeros(n_rows, dtype=np.uint64)
    np.add.at(total, owner, mixed ^ (mixed >> np.uint64(29)))
    return (total >> np.uint64(16)).astype(np.int64)
