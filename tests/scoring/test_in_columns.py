"""Scoring of documents that were read in columns against that of the same documents as objects."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document
from vermeil.formats import read, write
from vermeil.runs.results import Result
from vermeil.scoring.stage import ScoreStage

WHO = ("anna", "gold", "gold.alternatives", "silver")
BATCHES = st.integers(1, 4).flatmap(
    lambda n: st.tuples(*(documents(id=str(number), annotators=WHO) for number in range(n)))
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines") / "in.jsonl"


@given(
    BATCHES,
    st.builds(
        ScoreStage,
        standard=st.sampled_from(["gold", "silver"]),
        ranked=st.booleans(),
        listed=st.booleans(),
        annotated=st.booleans(),
        referents=st.booleans(),
        looked=st.booleans(),
        overlaps=st.sampled_from(["names", "alternatives"]),
    ),
)
def test_scores_are_those_of_objects(
    path: Path, batch: tuple[Document, ...], stage: ScoreStage
) -> None:
    write(batch, path)
    _is_same(*(_scored(stage, path, in_columns=each) for each in (False, True)))


def _scored(stage: ScoreStage, path: Path, *, in_columns: bool) -> Result:
    return stage.kept(stage.observe(read(path, in_columns=in_columns)))


def _is_same(plain: Result, columns: Result) -> None:
    assert columns.facts == plain.facts
    assert columns.arrays.keys() == plain.arrays.keys()
    for name, array in plain.arrays.items():
        np.testing.assert_array_equal(columns.arrays[name], array)
