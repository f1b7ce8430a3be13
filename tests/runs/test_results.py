from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.generated import documents
from vermeil.consensus.methods import CONSENSUS, Options
from vermeil.consensus.voters import tables
from vermeil.errors import FormatError
from vermeil.formats.files.ledger import Ledger
from vermeil.runs.results import (
    Result,
    add_to_ledger,
    new_ledger,
    put_together,
    read_result,
    taken_apart,
    with_ledger,
    write_result,
)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other) and one.dtype == other.dtype)
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    return bool(one == other)


@pytest.mark.parametrize("name", [name for name, row in CONSENSUS.items() if row.learn])
def test_what_a_method_observes_and_learns_comes_back_from_a_file(
    name: str, tmp_path: Path
) -> None:
    method = CONSENSUS[name]
    assert method.observe is not None
    assert method.learn is not None
    [table] = tables(documents(30))
    observed = method.observe(table, Options(), None)
    for value in (observed, method.learn(observed, Options())):
        write_result(taken_apart(value), tmp_path / "value.npz")
        assert same(put_together(type(value), read_result(tmp_path / "value.npz")), value)


def test_facts_and_arrays_come_back(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    write_result(Result({"n": 3, "x": 0.1}, {"rows": np.arange(3)}), path)
    found = read_result(path)
    assert found.facts == {"n": 3, "x": 0.1}
    assert found.arrays["rows"].tolist() == [0, 1, 2]


def test_notes_beside_results_add_up_with_the_annotators_they_are_about() -> None:
    ledger, shard = Ledger(), new_ledger(skip_bad=False)
    shard.note("missing", "answers", "anna.jsonl", n=2, annotator="anna")
    for _ in range(2):
        add_to_ledger(ledger, with_ledger(Result({}, {}), shard))
    assert ledger.summary() == ["missing 4 answers by anna (anna.jsonl; anna.jsonl, …)"]


def test_a_file_that_is_no_result_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    path.write_bytes(b"PK nothing")
    with pytest.raises(FormatError, match="is no result of a shard"):
        read_result(path)


@pytest.mark.parametrize(
    "edit",
    [
        lambda held: held.update(rows=held["rows"][:, None]),
        lambda held: held.update(rows=-held["rows"]),
        lambda held: held.update(rows=held["rows"].astype(np.int32)),
        lambda held: held.update(more=held["rows"]),
        lambda held: held.pop("rows"),
        lambda held: held.pop("digest"),
    ],
)
def test_a_whole_file_with_other_content_is_no_result(
    edit: Callable[[dict[str, Any]], object], tmp_path: Path
) -> None:
    path = tmp_path / "result.npz"
    write_result(Result({"n": 3}, {"rows": np.arange(3)}), path)
    with np.load(path) as stored:
        held = dict(stored)
    edit(held)
    np.savez_compressed(path, **held)
    with pytest.raises(FormatError, match=r"is no result of a shard: .*; remove it"):
        read_result(path)
