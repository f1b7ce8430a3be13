from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.acquisition.bed import pairs_of
from vermeil.acquisition.databases.references import References
from vermeil.acquisition.links.hiding import STEP, LinkTrial, hide

EVERY = [(str(n % 17), str(n // 3)) for n in range(600)]


def hidden(links: list[tuple[str, str]], seed: int) -> set[tuple[str, str]]:
    return set(pairs_of(hide(References.of(links), 0.3, seed=seed)[1]))


def test_what_is_hidden_depends_on_the_seed_and_on_nothing_else() -> None:
    assert hidden(EVERY, 1) == hidden(EVERY[::-1], 1)
    assert hidden(EVERY[:200], 1) <= hidden(EVERY, 1)
    assert hidden(EVERY, 1) != hidden(EVERY, 2)


def test_every_link_stays_or_is_hidden() -> None:
    stay, gone = hide(References.of(EVERY), 0.3, seed=0)
    assert not set(pairs_of(stay)) & set(pairs_of(gone))
    assert set(pairs_of(stay)) | set(pairs_of(gone)) == {(document, id) for id, document in EVERY}
    assert len(gone) == pytest.approx(0.3 * 600, abs=40)


@given(
    st.lists(st.tuples(st.integers(-400, 400), st.booleans()), max_size=40),
    st.integers(0, 9),
    st.integers(1, 5),
)
def test_parts_of_a_trial_add_up_and_its_average_precision_is_the_textbook_one(
    made: list[tuple[int, bool]], n_missed: int, size: int
) -> None:
    odds = np.array([each * STEP for each, _ in made])
    right = np.array([each for _, each in made], dtype=bool)
    n_hidden = int(right.sum()) + n_missed
    whole = LinkTrial.of(7, n_hidden, odds, right)
    parts = [
        LinkTrial.of(0, 0, odds[first : first + size], right[first : first + size])
        for first in range(0, len(made), size)
    ]
    pooled = reduce(add, parts, LinkTrial(7, n_hidden))
    assert (pooled.n_found == whole.n_found).all()
    assert (pooled.n_right == whole.n_right).all()
    assert pooled.n_findable == right.sum()
    found, average = whole.ranking.average_precision, 0.0
    for threshold in sorted({each for each, _ in made}, reverse=True):
        above = [is_right for each, is_right in made if each >= threshold]
        own = [is_right for each, is_right in made if each == threshold]
        average += sum(above) / len(above) * sum(own) / max(1, n_hidden)
    assert n_hidden == 0 or found == pytest.approx(average)
