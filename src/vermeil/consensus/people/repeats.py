"""Names that come again: what was made of the same words elsewhere in a document.

Who overlooks a name in one line marks it in another, and who falls for a word in one place does so
alone. So where the words of a heart are a heart elsewhere in the document, too, what the answers
come to there moves what the text says here, by a share of it, before the answers here are heard.
The words of one heart are N_OWN voices for what the text says of them, each of the others is one
for what it came to.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags, Floats, Ints
from vermeil.consensus.reading.text_model import TextPrior
from vermeil.document import Document
from vermeil.sequences.tokens.alphabet import hash_words

Hashes = NDArray[np.uint64]

N_OWN = 1.0
MOST = 15.0
"""Log-odds beyond which a text is as sure as it can be."""


def spellings(documents: Sequence[Document], document: Ints, start: Ints, end: Ints) -> Hashes:
    """Hash the words of hearts, whatever their case, at offsets of the texts of their documents."""
    places = zip(*(column.tolist() for column in (document, start, end)), strict=True)
    return hash_words([documents[number].text[a:b].lower() for number, a, b in places])


def in_document(document: Hashes, spelt: Hashes) -> Hashes:
    """Tell hearts of the same words in one document from all others."""
    mixed = (document + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) ^ spelt


def with_repeats(
    prior: TextPrior, chance: Floats, asked: Flags, same: Hashes, *, together: bool, share: float
) -> TextPrior:
    """Let hearts that are the ``same`` tell each other what they came to: their ``chance``.

    ``asked[heart, label]`` tells which labels a heart can have. ``share`` is how much of what the
    others say is taken over. A heart without others keeps what the text says.
    """
    if not share or not len(same):
        return prior
    _, group, size = np.unique(same, return_inverse=True, return_counts=True)
    several = np.flatnonzero(size[group.ravel()] > 1)
    if not len(several):
        return prior
    group = group.ravel()[several]
    own = np.clip(prior.labels[several], -MOST, MOST)
    odds = np.exp(own)
    none = 1 / (1 + (odds.sum(axis=1, keepdims=True) if together else odds))
    counted, asks = chance[several], asked[several]
    nothing = np.maximum(1 - counted.sum(axis=1, keepdims=True), 0.0) * asks
    there = _of_others(group, counted * asks, len(size))
    gone = _of_others(group, nothing, len(size))
    n_others = _of_others(group, asks.astype(np.float64), len(size))
    told = np.log((there + N_OWN * odds * none) / (gone + N_OWN * none))
    labels = prior.labels.copy()
    labels[several] += np.where(n_others > 0.5, share * (told - own), 0.0)
    return replace(prior, labels=labels)


def _of_others(group: NDArray[np.int64], values: Floats, n_groups: int) -> Floats:
    """Sum columns over the group of each row, but for the row itself."""
    columns = [np.bincount(group, each, n_groups)[group] - each for each in values.T]
    others: Floats = np.maximum(np.stack(columns, axis=1), 0.0)
    return others
