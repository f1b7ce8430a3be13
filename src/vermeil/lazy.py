"""Public names of a package that are loaded when they are first asked for."""

import ast
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import InspectLoader


def lazily(package: str, called: Mapping[str, str] | None = None) -> Callable[[str], object]:
    """Make the ``__getattr__`` of a package: its names are those it imports for type checkers.

    So each name and its home stand once, under ``if _TYPE_CHECKING:``, for people, tools and this.
    ``called`` says what is meant by names that one would look for.

    >>> import vermeil.text
    >>> load = lazily("vermeil.text")
    >>> load("tokenise").__module__
    'vermeil.text.tokens'
    """

    def load(name: str) -> object:
        home = None if name.startswith("__") else _homes(package).get(name)
        if home is None:
            hint = f"; it is called {called[name]}" if called and name in called else ""
            reason = f"module {package!r} has no attribute {name!r}{hint}"
            raise AttributeError(reason, name=name, obj=sys.modules[package])
        module = import_module(home)
        # The name of a module is an attribute of its package once the module is imported.
        value: object = getattr(module, name, None) or import_module(f"{home}.{name}")
        setattr(sys.modules[package], name, value)
        return value

    return load


@cache
def _homes(package: str) -> dict[str, str]:
    """Read from the source of a package where the names are that it imports for type checkers."""
    loader = cast("InspectLoader", sys.modules[package].__loader__)
    tree = ast.parse(loader.get_source(package) or "")
    guarded = (
        each
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "_TYPE_CHECKING"
        for each in node.body
    )
    return {
        alias.name: node.module
        for node in guarded
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
