"""The consensus of documents read in columns against that of objects: the same bytes and sums."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document
from vermeil.consensus.centroids import CentroidTable, Settings
from vermeil.consensus.decision import Decision
from vermeil.consensus.methods import Options
from vermeil.consensus.stage import ConsensusStage
from vermeil.formats import read, write

WHO = ("anna", "ben", "cleo", "consensus", "gold.alternatives")
BATCHES = st.integers(1, 3).flatmap(
    lambda n: st.tuples(*(documents(id=str(number), annotators=WHO) for number in range(n)))
)
STAGES = st.builds(
    ConsensusStage,
    by=st.sampled_from(["people", "hearts", "centroids", "majority", "tokens"]),
    choices=st.builds(
        Options,
        settings=st.builds(Settings, together=st.booleans()),
        emit=st.sampled_from(["modal", "extent"]),
    ),
    alternatives=st.booleans(),
    layer=st.sampled_from(["consensus", "silver"]),
    strict=st.just(False),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines")


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
@given(BATCHES, STAGES)
def test_bytes_and_sums_are_those_of_objects(
    folder: Path, suffix: str, batch: tuple[Document, ...], stage: ConsensusStage
) -> None:
    source = folder / f"in.{suffix}"
    write(batch, source)
    plain, columns = (_combined(stage, source, in_columns=each) for each in (False, True))
    assert columns == plain


def test_columns_are_not_made_into_objects(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the two paths agree shows nothing if one of them is never taken."""
    monkeypatch.setattr(Decision, "layers", None)
    monkeypatch.setattr(CentroidTable, "standards", None)
    write([Document(id="1", text="p53", layers={"anna": (), "ben": ()})], folder / "in.jsonl")
    stage = ConsensusStage(by="centroids")
    assert _combined(stage, folder / "in.jsonl", in_columns=True)


def _combined(stage: ConsensusStage, path: Path, *, in_columns: bool) -> tuple[bytes, str]:
    out = path.with_name(f"out{path.suffix}")
    known = stage.finish(stage.observe(read(path, in_columns=in_columns)))
    sums = stage.nothing()
    write(stage.decide(read(path, in_columns=in_columns), known, sums), out)
    return out.read_bytes(), str(stage.kept(sums))
