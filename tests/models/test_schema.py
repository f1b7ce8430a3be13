from pathlib import Path

import numpy as np
import pytest

from vermeil.arrays import AnyArray
from vermeil.errors import FormatError
from vermeil.models.schema import HASHES, ArraySpec, checked, one_of, told, usable
from vermeil.recognise.rescoring.boosted_trees import BoostedTrees

SCHEMA = {
    "hashes": HASHES,
    "weights": ArraySpec("number", ("n", "tags"), least=-10, most=10),
    "is_leaf": ArraySpec("flag"),
}
FITTING: dict[str, AnyArray] = {
    "hashes": np.array([1, 5], dtype=np.uint64),
    "weights": np.zeros((2, 3), dtype=np.float16),
    "is_leaf": np.array([True, False]),
}
TREE: dict[str, AnyArray] = {
    "root": np.array([0]),
    "feature": np.array([0, 0, 0]),
    "threshold": np.array([0.5, 0, 0]),
    "left": np.array([1, 1, 2]),
    "right": np.array([2, 1, 2]),
    "missing_left": np.array([True, False, False]),
    "value": np.array([0, -1.0, 1.0]),
    "base": np.array([0.0]),
}


def test_arrays_that_fit_are_passed_on() -> None:
    assert checked(FITTING, SCHEMA, tags=3) == FITTING


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("hashes", np.array([5, 1]), "the numbers of hashes do not rise"),
        ("hashes", np.array([-1, 1]), "hashes holds numbers from -1 to 1, wanted 0"),
        ("hashes", np.array([0.5, 1]), "hashes holds float64, wanted wholes"),
        ("weights", np.zeros((2, 4)), r"weights has the shape \(2, 4\), wanted \(2, 3\)"),
        ("weights", np.zeros((3, 3)), r"weights has the shape \(3, 3\), wanted \(2, 3\)"),
        ("weights", np.zeros(2), r"weights has the shape \(2,\)"),
        ("weights", np.full((2, 3), np.nan), "weights holds what is no number"),
        ("weights", np.full((2, 3), np.inf), "weights holds numbers from inf to inf"),
        ("is_leaf", np.array([0, 1]), "is_leaf holds int64, wanted flags"),
    ],
)
def test_arrays_that_do_not_fit_are_named(name: str, array: AnyArray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checked({**FITTING, name: array}, SCHEMA, tags=3)


def test_what_a_header_says_has_its_kind() -> None:
    assert told({"order": 4}, "order", int) == 4
    assert told({}, "order", int, 7) == 7
    with pytest.raises(ValueError, match="order: Expected `int`, got `str`"):
        told({"order": "x"}, "order", int)
    with pytest.raises(ValueError, match="no tokeniser named 'x'"):
        one_of({"tokeniser": "x"}, "tokeniser", {"fine": None})


def test_what_cannot_be_used_is_one_line_that_names_the_file() -> None:
    with (
        pytest.raises(FormatError, match=r"m\.zip: is damaged: it lacks 'hashes'"),
        usable(Path("m.zip")),
    ):
        checked({}, SCHEMA)
    with (
        pytest.raises(FormatError, match=r"m\.zip: cannot be used: hashes holds float64"),
        usable(Path("m.zip")),
    ):
        checked({**FITTING, "hashes": np.zeros(2)}, SCHEMA)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("left", np.array([0, 1, 2]), "cycle"),
        ("right", np.array([2, 0, 2]), "cycle"),
        ("right", np.array([9, 1, 2]), "out of the table"),
        ("root", np.array([7]), "out of the table"),
        ("root", np.array([1]), "share branches"),
        ("value", np.array([0, np.nan, 1]), "no number"),
    ],
)
def test_trees_end(name: str, array: AnyArray, message: str) -> None:
    assert BoostedTrees.from_arrays(TREE).log_odds(np.array([[0.0], [1.0]])).tolist() == [-1, 1]
    with pytest.raises(ValueError, match=message):
        BoostedTrees.from_arrays({**TREE, name: array})
