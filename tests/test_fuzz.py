"""Every loader, damaged a little; see fuzzing.py for as much as you like."""

from pathlib import Path

import pytest

from tests.fuzzing import fuzz
from tests.loaders import LOADERS

N_MUTANTS = 40


@pytest.mark.parametrize("name", LOADERS)
def test_what_is_damaged_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    tally = fuzz(name, LOADERS[name], tmp_path, N_MUTANTS)
    assert tally.total() == N_MUTANTS
