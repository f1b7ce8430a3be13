from typing import Any

import numpy as np
import pytest

import vermeil
from tests.verbs.samples import passages
from vermeil import VermeilError

vm: Any = vermeil  # what a type checker would refuse is given on purpose


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vm.tag("aspirin", "chem", threshold="high"), "threshold is a number, not 'high'"),
        (lambda: vm.tag(b"aspirin", "chem"), "this is bytes; decode it first"),
        (lambda: vm.combine(passages(), by="centroids", weight=["anna=2"]), "weight is a mapping"),
        (lambda: vm.combine(passages(), by="centroids", weight={"anna": "much"}), "weight of anna"),
        (lambda: vm.write(passages(), None), "a path was wanted, not None"),
        (lambda: vm.write(passages(), 3), "a path was wanted, not 3"),
        (lambda: vm.report(passages(), 3), "a path was wanted, not 3"),
        (lambda: vm.trees.show("(S (NN a))", sentence="one"), "sentence is a number, not 'one'"),
        (lambda: vm.trees.show("(S (NN a))", sentence=1.5), "sentence is a whole number, not 1.5"),
        (lambda: vm.trees.combine({"a": ["(S (NN a))"]}, by="vote", quorum=2), "a quorum lies"),
        (lambda: vm.read("x.jsonl", text=passages()), "text takes paths, not <Corpus"),
    ],
)
def test_what_is_of_the_wrong_kind_is_said_in_one_line(call: Any, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        call()


def test_numbers_of_other_kinds_are_numbers() -> None:
    assert vm.tag("aspirin", "chem", threshold=np.float32(0.5)).layers["chem"]
    made = vm.combine(passages(), by="centroids", weight={"anna": np.int64(2)}, without="gold")
    assert made.voters
    assert "a" in str(vm.trees.show("(S (NN a))", sentence=np.int64(1)))
