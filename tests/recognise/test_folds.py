import numpy as np
import pytest

from vermeil import Document
from vermeil.recognise.folds import folds_of, held_out


@pytest.mark.parametrize("n", [0, 1, 7, 30])
def test_folds_differ_by_one_document_at_the_most(n: int) -> None:
    sizes = np.bincount(folds_of(n, 4), minlength=4)
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1


def test_folds_follow_from_the_seed() -> None:
    one, same, other = (folds_of(40, 3, seed=seed).tolist() for seed in (1, 1, 2))
    assert one == same != other


def test_every_document_is_held_out_once_and_else_learned_from() -> None:
    documents = [Document(id=str(number), text="") for number in range(10)]
    fold = folds_of(len(documents), 3)
    unseen: list[Document] = []
    for number in range(3):
        rest, own = held_out(documents, fold, number)
        assert sorted(each.id for each in (*rest, *own)) == [each.id for each in documents]
        unseen += own
    assert sorted(each.id for each in unseen) == [each.id for each in documents]
