from itertools import pairwise, product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil.arrays import Floats, Ints
from vermeil.recognise.linear.decoding import DECODERS, greedy, viterbi
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.margins import margins
from vermeil.text.tags import find_repairs

TAGS = Iobes(("Gene",))
Batch = tuple[Floats, Floats, Ints]


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Scores of sentences of up to five tokens, and weights of the tags before."""
    lengths = draw(st.lists(st.integers(0, 5), max_size=3))
    random = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    first_token = np.cumsum([0, *lengths])
    scores = random.normal(size=(first_token[-1], len(TAGS)))
    return scores, random.normal(size=(len(TAGS) + 1, len(TAGS))), first_token


def after(batch: Batch, first: int, codes: tuple[int, ...]) -> list[Floats]:
    """Return the scores of all tags at each token of a sentence, after the tags before."""
    scores, before, _ = batch
    return [
        scores[first + at] + before[last]
        for at, last in enumerate((len(TAGS), *codes[:-1])[: len(codes)])
    ]


def shortfall(batch: Batch, first: int, codes: tuple[int, ...]) -> float:
    return sum(
        float(own.max() - own[code])
        for own, code in zip(after(batch, first, codes), codes, strict=True)
    )


@given(batches())
def test_greedy_takes_the_best_tag_after_the_one_before(batch: Batch) -> None:
    tag = greedy(*batch, TAGS)
    for first, last in pairwise(batch[2].tolist()):
        codes = tuple(tag[first:last].tolist())
        assert shortfall(batch, first, codes) == 0


@given(batches())
def test_viterbi_finds_the_best_of_all_well_formed_sequences(batch: Batch) -> None:
    tag = viterbi(*batch, TAGS)
    for first, last in pairwise(batch[2].tolist()):
        found = tuple(tag[first:last].tolist())
        every = (
            codes
            for codes in product(range(len(TAGS)), repeat=last - first)
            if not find_repairs([TAGS.names[code] for code in codes], "iobes")
        )
        best = min(every, key=lambda codes: shortfall(batch, first, codes))
        assert found == best
        free = tuple(greedy(*batch, TAGS)[first:last].tolist())
        if not find_repairs([TAGS.names[code] for code in free], "iobes"):
            assert found == free


@given(batches(), st.sampled_from(sorted(DECODERS)))
def test_a_margin_is_the_tag_less_the_best_other(batch: Batch, decoder: str) -> None:
    scores, before, first_token = batch
    tag = DECODERS[decoder](*batch, TAGS)
    found = margins(scores, before, tag, first_token)
    for first, last in pairwise(first_token.tolist()):
        codes = tuple(tag[first:last].tolist())
        for at, own in enumerate(after(batch, first, codes)):
            best_other = max(own[code] for code in range(len(TAGS)) if code != codes[at])
            assert found[first + at] == pytest.approx(own[codes[at]] - best_other)
    assert decoder == "viterbi" or (found >= 0).all()
