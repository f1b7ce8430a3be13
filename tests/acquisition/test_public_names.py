import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = (
    "vermeil.acquisition",
    "vermeil.acquisition.databases",
    "vermeil.acquisition.lexicon",
    "vermeil.acquisition.support",
)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_can_be_had_and_no_other(name: str) -> None:
    package = import_module(name)
    for each in package.__all__:
        assert getattr(package, each).__name__ if each != "LEXICONS" else package.LEXICONS
    with pytest.raises(AttributeError, match="has no attribute 'secret'"):
        _ = package.secret


def test_public_names_cost_nothing_until_they_are_asked_for() -> None:
    script = "import sys, vermeil.acquisition; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert done.stdout == b"False\n"
