"""Consensus as others made it, to compare with.

Each is loaded when it is asked for.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vermeil.consensus.rivals import dawid_skene as dawid_skene
    from vermeil.consensus.rivals import harmony as harmony


def __getattr__(name: str) -> ModuleType:
    if name not in ("dawid_skene", "harmony"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
