"""Everything an object holds, spelled out, to compare by: results tell themselves only briefly."""

from dataclasses import fields, is_dataclass
from typing import Any


def in_full(thing: Any) -> str:
    """Spell a thing out with all it holds; NaN is the same as NaN."""
    return repr(_plain(thing))


def _plain(thing: Any) -> Any:
    if is_dataclass(thing) and not isinstance(thing, type):
        held = [(each.name, _plain(getattr(thing, each.name))) for each in fields(thing)]
        return type(thing).__name__, held
    if isinstance(thing, set | frozenset):
        return sorted(map(_plain, thing))
    if isinstance(thing, list | tuple):
        return [_plain(each) for each in thing]
    if isinstance(thing, dict):
        return [(key, _plain(value)) for key, value in thing.items()]
    return thing.tolist() if hasattr(thing, "tolist") else thing
