"""Agreement in documents that were read in columns against that of the same ones as objects."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document
from vermeil.errors import VermeilError
from vermeil.formats import read, write
from vermeil.runs.results import Result
from vermeil.scoring.agreement import AgreeStage, VotersStage

WHO = ("anna", "anna.alternatives", "ben", "consensus", "gold")
BATCHES = st.integers(1, 4).flatmap(
    lambda n: st.tuples(*(documents(id=str(number), annotators=WHO) for number in range(n)))
)
VOTERS = st.builds(
    VotersStage,
    chosen=st.sampled_from([None, ("anna", "gold")]),
    excluded=st.sampled_from([(), ("ben",)]),
    learns=st.booleans(),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines") / "in.jsonl"


@given(BATCHES, VOTERS, st.booleans())
def test_agreement_is_that_of_objects(
    path: Path, batch: tuple[Document, ...], voters: VotersStage, is_told: bool
) -> None:
    write(batch, path)
    found = [_counted(path, voters, is_told, in_columns=each) for each in (False, True)]
    for plain, columns in zip(*found, strict=True):
        assert columns.facts == plain.facts
        assert columns.arrays.keys() == plain.arrays.keys()
        for name, array in plain.arrays.items():
            np.testing.assert_array_equal(columns.arrays[name], array)


def _counted(path: Path, voters: VotersStage, is_told: bool, *, in_columns: bool) -> list[Result]:
    seen = voters.observe(read(path, in_columns=in_columns))
    try:
        known = voters.finish(seen)
    except VermeilError:  # there are not two, or not who was chosen
        return [voters.kept(seen)]
    told = {"anna": frozenset(known.labels[:1])} if is_told and known.labels else {}
    if "anna" not in known.layers:
        told = {}
    stage = AgreeStage.of(known, told, n_resamples=2, n_worst=2)
    counted = stage.observe(read(path, in_columns=in_columns))
    return [voters.kept(seen), stage.kept(counted)]
