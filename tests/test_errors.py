"""Errors that users can cause: what they say, and that they travel between processes."""

import pickle
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from vermeil.errors import (
    EXTRAS,
    FormatError,
    MissingExtraError,
    Package,
    UnknownNameError,
    VermeilError,
)

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
FOR_DEVELOPERS = {"dev", "site"}


def test_extra_packages_are_those_of_the_project() -> None:
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    wanted = {each for name, some in extras.items() if name not in FOR_DEVELOPERS for each in some}
    assert {f"{name}{version}" for name, version in EXTRAS.items()} == wanted
    assert set(get_args(Package)) == set(EXTRAS)


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    assert str(MissingExtraError("Parquet", "pyarrow")) == (
        f"Parquet needs pyarrow, which is not installed: pip install 'pyarrow{EXTRAS['pyarrow']}'"
    )
    several = str(MissingExtraError("the review page", "starlette", "uvicorn"))
    assert re.search(r"needs starlette and uvicorn, which are not .* '\S+' 'uvicorn>=", several)


@pytest.mark.parametrize(
    "error",
    [
        FormatError("a.ann", 7, "text at 1-6 is 'RCA1 ', not 'BRCA1'"),
        UnknownNameError("format", "brats", ["brat", "jsonl"]),
        MissingExtraError("the review page", "starlette", "uvicorn"),
    ],
)
def test_an_error_says_the_same_in_another_process(error: VermeilError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
