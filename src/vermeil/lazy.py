"""Public names of a package that are loaded when they are first asked for."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """Make the ``__getattr__`` of a package whose modules, named within it, have these names.

    >>> load = lazily("vermeil.text", {"tokens": ("tokenise",)})
    >>> load("tokenise").__module__
    'vermeil.text.tokens'
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
