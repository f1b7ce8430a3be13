"""The features of tokens as the paper has them: types 1, 2 and 3.

Corbett and Copestake, section 3.5. Type 1 is said of the token itself, type 2 also of the tokens
before and after it, and type 3 is as type 2 and forms pairs with that of the next token as well
(``ct=CJ w=acid``). What the paper leaves open is done as its published program does it: n-grams are
those of the word between ``^`` and ``$``; what the preclassifier says is one instance of a feature
for each unit of the score; pairs are of a token with the one before it and with the one after.

Strings are made word by word and hashed; ``judging`` makes the same ones to name them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import ceil

import numpy as np

from vermeil.arrays import Ints
from vermeil.recognise.features.described_words import words_by_fold
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.preclassifier import paper_type
from vermeil.recognise.words.token_sets import is_word, set_of
from vermeil.sequences.features.checksums import checksums
from vermeil.sequences.features.elements import ELEMENT_NAMES, ELEMENTS
from vermeil.sequences.features.hashed_rows import HashedRows
from vermeil.sequences.features.rows import TokenView, TokenViews
from vermeil.sequences.features.word_strings import shape, special_features
from vermeil.sequences.tokens.axis import TokenAxis

PAPER = "paper"
"""The family that stands for the paper's features in place of ours."""

PAPER_FAMILIES = frozenset({PAPER, "n-grams", "preclassifier", "lists"})

N_GRAMS = (1, 2, 3, 4)
SHORT = 4
"""Words of fewer characters are of type 3, and so are ambiguous ones."""

LONGEST = 60
"""Characters of a token that n-grams are taken from."""


@dataclass(frozen=True, slots=True)
class TypedFeatures:
    """What is said of a word, by type; ``pairing`` (type 3) is part of ``shared`` (type 2)."""

    own: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    pairing: tuple[str, ...] = ()


EDGE = TypedFeatures()
"""What is said of what lies beyond the ends of a sentence: nothing."""


def typed_features(
    knowledge: Knowledge, words: Sequence[str], families: frozenset[str]
) -> list[TypedFeatures]:
    """Describe words by themselves."""
    preclassifier = knowledge.preclassifier
    asked = "preclassifier" in families
    scores = preclassifier.score(words).tolist() if asked else [0.0] * len(words)
    sides = preclassifier.tokens.sides_of(words).tolist() if asked else [0] * len(words)
    listed = preclassifier.is_listed(words).tolist()
    english = preclassifier.is_english(words).tolist()
    columns = zip(words, scores, sides, listed, english, strict=True)
    return [_described(*each, families=families) for each in columns]


def paired(left: TypedFeatures, right: TypedFeatures) -> Iterator[str]:
    """Yield the pairs that two neighbours form."""
    return (f"{one} {other}" for one, other in product(left.pairing, right.pairing))


def paper_views(
    axis: TokenAxis, knowledge: Sequence[Knowledge], fold: Ints, families: frozenset[str]
) -> TokenViews:
    """Describe the tokens of a batch: themselves, both neighbours, and pairs with them."""
    words, number, folds = words_by_fold(axis, fold, len(knowledge))
    told = [EDGE] * (len(words) + 1)
    for each, own in enumerate(knowledge):
        mine = np.flatnonzero(folds == each).tolist()
        typed = typed_features(own, [words[at] for at in mine], families)
        for at, said in zip(mine, typed, strict=True):
            told[at] = said
    before, after = (axis.neighbours(number, each, beyond=len(words)) for each in (-1, 1))
    context = _hashed([each.shared for each in told])
    return TokenViews(
        len(axis.words),
        (
            TokenView(0, _hashed([(*each.own, *each.shared) for each in told]), number),
            TokenView(1, context, before),
            TokenView(2, context, after),
            TokenView(3, *_pairs(told, before, number)),
            TokenView(4, *_pairs(told, number, after)),
        ),
    )


def _described(
    word: str, score: float, side: int, listed: bool, english: bool, *, families: frozenset[str]
) -> TypedFeatures:
    n_grams = "n-grams" in families
    own = [*special_features(word, word.lower())]
    if n_grams:
        own += _n_grams(f"^{word[:LONGEST]}$")
    if "lists" in families:
        lists = {"names": listed, "english": english, "elements": _is_element(word)}
        own += [f"list={name}" for name, has in lists.items() if has]
    token_set = set_of(word, side)
    if token_set:
        own.append(f"set={token_set}")
    kind = paper_type(word)
    own += [f"{'+' if score > 0 else '-'}{kind}"] * ceil(abs(score))
    pairing = [f"shape={shape(word)[:8]}"]
    if score > 0:
        pairing.append(f"ct={kind}")
    shared = [f"s={word.removesuffix('s')}"]
    if is_word(word):
        shared.append(f"l={word.lower()}")
    if n_grams:
        shared.append(f"ends={word[-3:]}")
    (pairing if len(word) < SHORT or token_set == "ambiguous" else shared).append(f"w={word}")
    return TypedFeatures(tuple(own), (*shared, *pairing), tuple(pairing))


def _n_grams(padded: str) -> Iterator[str]:
    for length in N_GRAMS:
        for begin in range(len(padded) - length + 1):
            yield f"{length}G={padded[begin : begin + length]}"


def _is_element(word: str) -> bool:
    return word in ELEMENTS or word.lower() in ELEMENT_NAMES


def _pairs(told: Sequence[TypedFeatures], left: Ints, right: Ints) -> tuple[HashedRows, Ints]:
    """Describe pairs of words, each pair once; give also which of them each token is in."""
    pairs, row = np.unique(left * len(told) + right, return_inverse=True)
    both = zip(*(column.tolist() for column in np.divmod(pairs, len(told))), strict=True)
    return _hashed([tuple(paired(told[one], told[other])) for one, other in both]), row


def _hashed(rows: Sequence[tuple[str, ...]]) -> HashedRows:
    first = np.concatenate(([0], np.cumsum([len(row) for row in rows], dtype=np.int64)))
    hashes = checksums("", chain.from_iterable(rows)).astype(np.uint64)
    return HashedRows(first, hashes)
