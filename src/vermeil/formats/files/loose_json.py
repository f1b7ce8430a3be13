"""JSON as language models write it: in prose or fences, with commas too many, or cut off.

What a strict reader takes is read strictly. Otherwise commas too many, quotes of the other kind,
line ends within strings and Python's names of constants are forgiven. Where the text ends too soon,
what is whole is kept: of a list the whole items, of an object the whole members, and the innermost
ones, which are not whole, are left out.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

MOST_NESTED = 60
MOST_STARTS = 2000
"""Places at which a value is looked for; beyond so many a text is no answer."""

MOST_DIGITS = 40
CONSTANTS = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
    "NaN": None,
}

_SPACE = re.compile(r"[\s,]*")
_BLANK = re.compile(r"\s*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+("?)|\'(?:[^\'\\]|\\.)*+(\'?)', re.DOTALL)
_WORD = re.compile(r"[A-Za-z]+|-?\d[\d.eE+-]*")
_FENCE = re.compile(r"```[^\S\n]*[A-Za-z]*[^\S\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"[\[{]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class LooseValue(NamedTuple):
    """A value found in a text: where it ends, and whether the text ended before it did."""

    value: Any
    end: int
    is_cut: bool


class _NotJsonError(ValueError):
    """This is no JSON, however loosely read."""


def loose_value(text: str, start: int = 0) -> LooseValue | None:
    """Read the object or list that begins at ``start``; None where there is none.

    >>> loose_value('{"a": [1, 2,], "b": [{"c": 3}, {"c": ')
    LooseValue(value={'a': [1, 2], 'b': [{'c': 3}]}, end=37, is_cut=True)
    """
    try:
        return _value(text, start, 0)
    except _NotJsonError:
        return None


def values_in(text: str) -> Iterator[LooseValue]:
    """Find the objects and lists of a text, in their order.

    Where it has fenced blocks, those are read and not the prose around them.

    >>> [each.value for each in values_in('Sure! Names: ["p53"] and {"Gene": []}.')]
    [['p53'], {'Gene': []}]
    """
    try:
        whole = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    else:
        if isinstance(whole, dict | list):
            yield LooseValue(whole, len(text), False)
            return
    fenced = [each[1] for each in _FENCE.finditer(text)]
    found = [value for each in fenced for value in _values(each)]
    yield from found or _values(text)


def _values(text: str) -> Iterator[LooseValue]:
    at = 0
    for _ in range(MOST_STARTS):
        begins = _START.search(text, at)
        if begins is None:
            return
        found = loose_value(text, begins.start())
        if found is not None:
            yield found
        at = begins.end() if found is None else found.end


def _value(text: str, at: int, depth: int) -> LooseValue:
    """Read the value at a place; that of one that is cut off may be None."""
    if depth > MOST_NESTED:
        raise _NotJsonError
    at = _after(_BLANK, text, at)
    begins = text[at : at + 1]
    if begins == "{":
        return _object(text, at + 1, depth)
    if begins == "[":
        return _list(text, at + 1, depth)
    if begins in ('"', "'") and begins:
        return _string(text, at)
    return _word(text, at)


def _object(text: str, at: int, depth: int) -> LooseValue:
    members: dict[str, Any] = {}
    while True:
        at = _after(_SPACE, text, at)
        if at == len(text):
            return LooseValue(members, at, True)
        if text[at] == "}":
            return LooseValue(members, at + 1, False)
        if text[at] not in "\"'":
            raise _NotJsonError
        key = _string(text, at)
        at = _after(_BLANK, text, key.end)
        if at == len(text):
            return LooseValue(members, at, True)
        if text[at] != ":":
            raise _NotJsonError
        member = _value(text, at + 1, depth + 1)
        if not member.is_cut or isinstance(member.value, dict | list):
            members[key.value] = member.value
        if member.is_cut:
            return LooseValue(members, len(text), True)
        at = _separated(text, member.end, "}")


def _list(text: str, at: int, depth: int) -> LooseValue:
    items: list[Any] = []
    while True:
        at = _after(_SPACE, text, at)
        if at == len(text):
            return LooseValue(items, at, True)
        if text[at] == "]":
            return LooseValue(items, at + 1, False)
        item = _value(text, at, depth + 1)
        if not item.is_cut or _holds_more(item.value):
            items.append(item.value)
        if item.is_cut:
            return LooseValue(items, len(text), True)
        at = _separated(text, item.end, "]")


def _separated(text: str, at: int, closing: str) -> int:
    """Make sure that a comma or the end follows; line ends are taken for commas."""
    after = _after(_BLANK, text, at)
    if after == len(text) or text[after] in f",{closing}" or "\n" in text[at:after]:
        return after
    raise _NotJsonError


def _holds_more(value: Any) -> bool:
    """Tell whether something that is cut off holds lists or objects, some of them whole."""
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(each, dict | list) for each in held)


def _string(text: str, at: int) -> LooseValue:
    found = _STRING.match(text, at)
    assert found is not None, "called at a quote"
    if not (found[1] or found[2]):
        return LooseValue(None, len(text), True)
    inside = found[0][1:-1]
    if text[at] == "'":
        inside = inside.replace("\\'", "'").replace('"', '\\"')
    try:
        said = json.loads(f'"{inside}"', strict=False)
    except ValueError:  # a backslash that means nothing
        said = inside
    return LooseValue(_SURROGATE.sub("\ufffd", said), found.end(), False)


def _word(text: str, at: int) -> LooseValue:
    found = _WORD.match(text, at)
    if found is None:
        if at == len(text):
            return LooseValue(None, at, True)
        raise _NotJsonError
    is_cut = found.end() == len(text)
    if found[0] in CONSTANTS:
        return LooseValue(CONSTANTS[found[0]], found.end(), is_cut)
    if is_cut:
        return LooseValue(None, found.end(), True)
    return LooseValue(_number(found[0]), found.end(), False)


def _number(word: str) -> int | float:
    if len(word) > MOST_DIGITS or word[0].isalpha():
        raise _NotJsonError
    try:
        return int(word)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        raise _NotJsonError from None


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found is not None else at
