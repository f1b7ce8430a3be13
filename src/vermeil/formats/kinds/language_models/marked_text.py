"""Texts that a language model repeated with marks around names.

Two kinds of marks are known: ``<Gene>p53</Gene>``, or with the label in an attribute as inline XML
may have it, and ``[p53](Gene)``. A mark without its other half is text like any other.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from vermeil.formats.kinds.inline.inline_xml import GENERIC, LABELLING
from vermeil.formats.kinds.standoff.placing import Mention

MOST_OPEN = 100

_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)((?:\s[^<>]*)?)>")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\(([^()\n]+)\)")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*["']([^"'<>]*)["']""")


class MarkedText(NamedTuple):
    """A text without its marks, and what was marked, with offsets in it."""

    text: str
    mentions: list[Mention]


def unmarked(reply: str) -> MarkedText:
    """Take the marks out of a reply.

    >>> unmarked("the <Gene>p53</Gene> of mice")
    MarkedText(text='the p53 of mice', mentions=[Mention(text='p53', label='Gene', start=4, end=7)])
    >>> unmarked("[mice](Species)").mentions
    [Mention(text='mice', label='Species', start=0, end=4)]
    """
    halves = _matched(reply)
    pieces: list[str] = []
    mentions: list[Mention] = []
    begun: dict[int, int] = {}
    at = place = 0
    for start, end, inside, label, opening in sorted(halves):
        if start < at:  # a tag within a link, or the other way round
            continue
        pieces += [reply[at:start], inside]
        place += start - at
        if inside:
            mentions.append(Mention(inside, label, start=place, end=place + len(inside)))
        elif opening is None:
            begun[start] = place
        elif opening in begun and begun[opening] < place:
            mentions.append(Mention("", label, start=begun[opening], end=place))
        place += len(inside)
        at = end
    text = "".join([*pieces, reply[at:]])
    for each in mentions:
        each.text = text[each.start : each.end]
    return MarkedText(text, sorted(mentions, key=lambda each: (each.start, -(each.end or 0))))


def _matched(reply: str) -> Iterator[tuple[int, int, str, str, int | None]]:
    """Yield marks: where they begin and end, what stands inside, the label, and who opened it."""
    for link in _LINK.finditer(reply):
        label = link[2].strip()
        if label and "/" not in label:
            yield link.start(), link.end(), link[1], label, None
    waiting: list[re.Match[str]] = []
    for tag in _TAG.finditer(reply):
        if not tag[1]:
            if not tag[3].rstrip().endswith("/"):
                waiting = [*waiting[-MOST_OPEN:], tag]
            continue
        names = [each[2] for each in waiting]
        if tag[2] in names:
            last = len(names) - 1 - names[::-1].index(tag[2])
            opening = waiting[last]
            del waiting[last:]
            label = _label(opening)
            yield opening.start(), opening.end(), "", label, None
            yield tag.start(), tag.end(), "", label, opening.start()


def _label(tag: re.Match[str]) -> str:
    said = dict(_ATTRIBUTE.findall(tag[3]))
    if tag[2].lower() in GENERIC:
        return next((said[name] for name in LABELLING if said.get(name)), tag[2])
    return tag[2]
