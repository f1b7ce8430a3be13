"""What users give, checked once at the border: numbers, mappings and paths."""

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from vermeil.errors import UsageError

MOST_WEIGHT = 1e6


def probability(name: str, given: Any) -> float:
    """Take a number from 0 to 1.

    >>> probability("threshold", 0.5)
    0.5
    """
    value = number(name, given)
    if not 0 <= value <= 1:
        raise UsageError(f"a {name} lies between 0 and 1, got {given}")
    return value


def number(name: str, given: Any) -> float:
    """Take a number, of numpy too."""
    try:
        return float(given)
    except (TypeError, ValueError):
        raise UsageError(f"{name} is a number, not {given!r:.40}") from None


def whole_number(name: str, given: Any) -> int:
    """Take a whole number, also one that is written out."""
    value = number(name, given)
    if not value.is_integer():
        raise UsageError(f"{name} is a whole number, not {given!r:.40}")
    return int(value)


def weights_of(given: Any) -> dict[str, float]:
    """Take what votes count by name.

    >>> weights_of({"anna": 2})
    {'anna': 2.0}
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f"weight is a mapping of names and numbers, not {given!r:.40}")
    weights = {str(name): number(f"the weight of {name}", value) for name, value in given.items()}
    for name, value in weights.items():
        if not 0 <= value < MOST_WEIGHT:
            raise UsageError(f"a weight lies between 0 and a million, got {name}={value:g}")
    return weights


def path_given(given: Any) -> Path:
    """Take a path as a string or a path."""
    if not isinstance(given, str | PathLike):
        raise UsageError(f"a path was wanted, not {given!r:.40}")
    return Path(fspath(given))


def file_given(given: Any) -> Path:
    """Take the path of something that is there."""
    path = path_given(given)
    if not path.exists():
        raise UsageError(f"{path}: no such file")
    return path
