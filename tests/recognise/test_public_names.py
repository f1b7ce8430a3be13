import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

import vermeil.recognise

PACKAGES = [
    "vermeil.recognise",
    *(
        f"vermeil.recognise.{each.name}"
        for each in iter_modules(vermeil.recognise.__path__)
        if each.ispkg
    ),
]


@pytest.mark.parametrize("name", PACKAGES)
def test_what_a_package_says_it_has_is_there(name: str) -> None:
    package = import_module(name)
    assert package.__all__ == sorted(set(package.__all__), key=_constants_and_classes_first)
    assert all(getattr(package, each) is not None for each in package.__all__)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    script = "import vermeil.recognise, sys; print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    loaded = shown.stdout.decode().split()
    assert not [each for each in loaded if each.startswith(("vermeil.recognise.", "scipy"))]


def _constants_and_classes_first(name: str) -> tuple[int, str]:
    return 0 if name.isupper() else 1 if name[0].isupper() else 2, name
