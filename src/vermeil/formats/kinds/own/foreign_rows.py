"""Documents of our JSON Lines as other tools write them, brought to our schema.

What such tools make of our files differs from them in few things, all of which our Parquet has,
too: null stands for what is not said (of an annotator, that they did not look), a whole number is a
float, and what is an object by annotator or a list of pairs is a list of objects; ``meta`` may be
JSON in a string. Anything else is left as it is, and is an error where that is none of ours.
"""

from typing import Any

import msgspec

_ITEMS = {"layers": "spans", "standards": "centroids", "trees": "trees"}
_PAIRS = {
    "fragments": ("start", "end"),
    "attributes": ("name", "value"),
    "left": ("offset", "value"),
    "right": ("offset", "value"),
    "labels": ("label", "value"),
    "pairs": ("start", "end", "value"),
}
"""The keys of the objects that stand for pairs, or triples, in their order."""

_N_OFFSETS = {"fragments": 2, "left": 1, "right": 1, "pairs": 2}
"""So many of the numbers of each pair, or triple, are offsets."""

KEYS = {*_ITEMS, "meta"}
_OPTIONAL = {"confidence", "ids", *_PAIRS}


def brought_to_schema(fields: Any) -> Any:
    """Return the fields of a document as our schema has them, as far as that can be told.

    >>> span = {"start": 3.0, "end": 4, "label": "x", "ids": None}
    >>> brought_to_schema({"id": "1", "layers": [{"annotator": "a", "spans": [span]}]})
    {'id': '1', 'layers': {'a': [{'start': 3, 'end': 4, 'label': 'x'}]}}
    """
    if not isinstance(fields, dict):
        return fields
    made = {key: value for key, value in fields.items() if value is not None or key not in KEYS}
    for kind in _ITEMS.keys() & made.keys():
        made[kind] = _by_annotator(kind, made[kind])
    if isinstance(made.get("meta"), str):
        made["meta"] = msgspec.json.decode(made["meta"])
    return made


def _by_annotator(kind: str, said: Any) -> Any:
    item = _ITEMS[kind]
    if isinstance(said, list):
        if not all(isinstance(each, dict) and each.keys() == {"annotator", item} for each in said):
            return said
        names = [each["annotator"] for each in said]
        if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
            return said
        said = {each["annotator"]: each[item] for each in said}
    if not isinstance(said, dict):
        return said
    looked = {name: value for name, value in said.items() if value is not None}
    return looked if kind == "trees" else {name: _records(each) for name, each in looked.items()}


def _records(listed: Any) -> Any:
    return list(map(_record, listed)) if isinstance(listed, list) else listed


def _record(said: Any) -> Any:
    """Bring a span or a centroid to our schema."""
    if not isinstance(said, dict):
        return said
    made = {key: value for key, value in said.items() if value is not None or key not in _OPTIONAL}
    for key in ("start", "end"):
        if key in made:
            made[key] = _whole(made[key])
    for key in _PAIRS.keys() & made.keys():
        if isinstance(made[key], list):
            made[key] = [_pair(each, key) for each in made[key]]
    return made


def _pair(said: Any, kind: str) -> Any:
    names = _PAIRS[kind]
    if isinstance(said, dict) and said.keys() == set(names):
        said = [said[name] for name in names]
    if not isinstance(said, list):
        return said
    n_offsets = _N_OFFSETS.get(kind, 0)
    return [*map(_whole, said[:n_offsets]), *said[n_offsets:]]


def _whole(number: Any) -> Any:
    return int(number) if isinstance(number, float) and number.is_integer() else number
