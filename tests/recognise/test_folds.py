import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document
from vermeil.errors import UnknownNameError
from vermeil.recognise.folds import a_share, balanced_folds, folds_of, held_out, kinds_of


@pytest.mark.parametrize("n", [0, 1, 7, 30])
def test_folds_differ_by_one_document_at_the_most(n: int) -> None:
    sizes = np.bincount(folds_of(n, 4), minlength=4)
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1


def test_folds_follow_from_the_seed() -> None:
    one, same, other = (folds_of(40, 3, seed=seed).tolist() for seed in (1, 1, 2))
    assert one == same != other


@given(st.lists(st.sampled_from("abcd"), max_size=40), st.integers(2, 5), st.integers(0, 9))
def test_balanced_folds_hold_as_many_of_each_kind(
    kinds: list[str], n_folds: int, seed: int
) -> None:
    fold = balanced_folds(kinds, n_folds, seed=seed)
    for chosen in (kinds, *({kind} for kind in set(kinds))):
        mine = [kind in chosen for kind in kinds]
        sizes = np.bincount(fold[mine], minlength=n_folds)
        assert sizes.max() - sizes.min() <= 1


def test_kinds_are_read_off_the_metadata_and_a_field_nobody_has_is_refused() -> None:
    documents = [
        Document(id="1", text="", meta={"journal": "Nature", "year": 1999}),
        Document(id="2", text=""),
    ]
    assert kinds_of(documents, "journal") == ["Nature", ""]
    assert kinds_of(documents, "year") == ["1999", ""]
    with pytest.raises(UnknownNameError, match="'jornal'; did you mean 'journal'"):
        kinds_of(documents, "jornal")


def test_a_greater_share_holds_a_smaller_in_the_same_order() -> None:
    documents = [Document(id=str(number), text="") for number in range(10)]
    few, many = (a_share(documents, share, seed=3) for share in (0.25, 0.6))
    assert (len(few), len(many)) == (3, 6)
    assert [each for each in documents if each in few] == few
    assert {each.id for each in few} < {each.id for each in many}
    assert len(a_share(documents, 0.01)) == 1


def test_every_document_is_held_out_once_and_else_learned_from() -> None:
    documents = [Document(id=str(number), text="") for number in range(10)]
    fold = folds_of(len(documents), 3)
    unseen: list[Document] = []
    for number in range(3):
        rest, own = held_out(documents, fold, number)
        assert sorted(each.id for each in (*rest, *own)) == [each.id for each in documents]
        unseen += own
    assert sorted(each.id for each in unseen) == [each.id for each in documents]
