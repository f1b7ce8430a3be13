"""Several curators at once, and a server that is killed: a small run of the benchmark."""

from pathlib import Path

import pytest

from benchmarks.review_load import loaded


def test_every_acknowledged_decision_is_in_the_export(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    done = loaded(tmp_path / "load.db", n_curators=4, n_decisions=64, n_kills=1)
    assert done.n_decisions == len(done.waits) == 64
    assert done.n_lost == 0
    assert done.n_again > 0, "somebody was waiting for the server that was killed"
