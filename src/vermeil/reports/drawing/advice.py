"""Findings in words, each with its figures and the command that acts on it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vermeil.reports.drawing.elements import Html, Section, element, section
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Brief):
    """A finding: what it is about, what is said with its figures, and what can be done about it."""

    about: str
    said: tuple[object, ...]
    command: str = ""


def advice_section(advice: Iterable[Advice]) -> Section:
    """Put findings one below the other, at the head of a page."""
    items = [_item(each) for each in advice]
    return section("findings", "What this says", element("dl", *items, class_="advice"))


def _item(advice: Advice) -> Html:
    command = element("code", *_whole_options(advice.command)) if advice.command else ""
    return element("div", element("dt", advice.about), element("dd", *advice.said, " ", command))


def _whole_options(command: str) -> Iterator[object]:
    """Yield a command whose lines are not broken after the hyphens of an option."""
    for part in re.split(r"(?<!\S)(-\S+)", command):
        yield element("span", part) if part.startswith("-") else part
