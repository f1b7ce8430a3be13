"""Sentences of biomedical prose, by rule.

A sentence ends at a blank line, or at a stop (``. ! ? …``) with its closing brackets and quotes, if
white space follows and what follows can begin a sentence. The rules that decide are below, the
lists they use are tables. A single line break is only white space.

Two questions have no certain answer. A small letter begins a sentence only in words that look like
symbols (``p53``, ``mRNA``, ``α-synuclein``) after a word that is no abbreviation. A stop within
round brackets that close again within BRACKET_REACH characters ends nothing.
"""

import re
from collections.abc import Iterator

NEVER_LAST = frozenset({
    "approx", "ca", "cf", "conc", "dept", "dr", "e.g", "eq", "eqn", "eqs", "et", "ex", "fig",
    "figs", "i.e", "incl", "mr", "mrs", "ms", "mt", "no", "nos", "p", "pp", "prof", "ref",
    "refs", "resp", "sect", "st", "suppl", "tab", "viz", "vol", "vols", "vs",
})  # fmt: skip
"""Abbreviations, in lower case, that want a word after them."""

SELDOM_LAST = frozenset({
    "al", "co", "corp", "etc", "inc", "jr", "ltd", "sp", "spp", "subsp", "ssp", "var", "bv",
    "str", "assoc", "univ", "hosp",
})  # fmt: skip
"""Abbreviations that end a sentence only before a word that likes to begin one."""

STARTERS = frozenset({
    "A", "Additionally", "After", "All", "Also", "Although", "An", "And", "Another", "As", "At",
    "Based", "Because", "Both", "But", "By", "Compared", "Consistent", "Conversely", "Despite",
    "Due", "During", "Each", "Finally", "For", "From", "Furthermore", "Given", "Here",
    "However", "If", "In", "Interestingly", "It", "Its", "Many", "Moreover", "Most", "Neither",
    "No", "Nevertheless", "None", "Of", "On", "One", "Only", "Other", "Our", "Overall",
    "Patients", "Previous", "Recent", "Results", "Several", "Similarly", "Since", "Some",
    "Such", "Taken", "That", "The", "Their", "Then", "There", "Therefore", "These", "They",
    "This", "Those", "Three", "Thus", "To", "Together", "Treatment", "Two", "Under", "Unlike",
    "Using", "Was", "We", "Were", "What", "When", "Whereas", "Whether", "Which", "While",
    "With", "Within",
})  # fmt: skip
"""Words that like to begin a sentence."""

BRACKET_REACH = 300
"""How far, in characters, a pair of round brackets may reach and still hold its stops in."""

_BREAK = r"(?:\r\n?+|\n)"
_STOPS = re.compile(
    rf"""
    (?P<blank> {_BREAK} [^\S\r\n]*+ {_BREAK} )
    | (?<![.!?…]) (?P<stop> [.!?…]++ )
      (?: (?<=[a-z]{{2}}\.) (?: \d{{1,3}} (?:[,–-]\d{{1,3}})*+ | \[[\d,–-]++\] ) )?   # a citation
      (?P<closing> [)\]}}"”’'»]*+ ) (?=\s)
    """,
    re.VERBOSE,
)
_MAYBE_STOP = re.compile(r"[.!?…\r\n](?=[\s.!?…\d\[)\]}\"”’'»])")
"""Where a match of _STOPS may begin; found several times as fast."""

_BEFORE_LAST_WORD = re.compile(r".*[\s()\[\]{}\"“\u2018,;–—]", re.DOTALL)
_NEXT_WORD = re.compile(r"\s*+[(\[{\"“\u2018'«]{0,4}([^\s()\[\]{},;:]{0,24})")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_AFTER_NUMBER = re.compile(r"\d\s?°?\s?\S$")
_LETTERED = re.compile(
    r"""
    \b (?: class | complex | cyclosporine? | cytochrome | factor | group | hepatitis | hormone
         | kinase | phase | protein | stage | subunit | type | vitamin ) s?
    \s (?: \w \s (?:and|or) \s )? \w $
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENUMERATOR = re.compile(r"\s{0,9}[(\[]?(?:\d{1,2}|[A-Za-z]|[ivx]{1,4})[)\]]?")
_PLAIN_CAPITALISED = re.compile(r"[A-Z][a-z]{3,}\.?")
_SMALL_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_WINDOW = 40


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Find the half-open stretches of sentences, in order, without white space at their edges.

    Together they cover every character that is not white space.

    >>> text = "See Fig. 2 (cf. E. coli). P < 0.05. p53 was lost."
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['See Fig. 2 (cf. E. coli).', 'P < 0.05.', 'p53 was lost.']
    """
    found = []
    start = 0
    for end in [*_ends(text), len(text)]:
        stretch = text[start:end]
        first = start + len(stretch) - len(stretch.lstrip())
        last = start + len(stretch.rstrip())
        if first < last:
            found.append((first, last))
        start = end
    return found


def _ends(text: str) -> Iterator[int]:
    bracketed = [*_bracketed(text), (len(text), len(text))]
    begin = n_passed = 0
    for match in _stops(text):
        at = match.end()
        while bracketed[n_passed][1] < at:
            n_passed += 1
        is_enclosed = bracketed[n_passed][0] < at
        is_enumerator = _ENUMERATOR.fullmatch(text, begin, match.start())
        if match["blank"] or not (is_enclosed or is_enumerator or not _ends_sentence(text, match)):
            yield at
            begin = at


def _stops(text: str) -> Iterator[re.Match[str]]:
    """Find all matches of _STOPS."""
    passed = 0
    for found in _MAYBE_STOP.finditer(text):
        place = found.start()
        if place >= passed and (match := _STOPS.match(text, place)):
            passed = match.end()
            yield match


def _bracketed(text: str) -> list[tuple[int, int]]:
    """List the outermost round brackets that close within BRACKET_REACH, in order."""
    pending: list[int] = []
    found: list[tuple[int, int]] = []
    for match in re.finditer(r"[()]", text):
        if match[0] == "(":
            pending.append(match.start())
        elif pending:
            start = pending.pop()
            if match.start() - start <= BRACKET_REACH:
                while found and found[-1][0] > start:
                    found.pop()
                found.append((start, match.start()))
    return found


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = _NEXT_WORD.match(text, match.end())
    word = following[1] if following else ""
    stop = match.start("stop")
    before = text[max(0, stop - _WINDOW) : stop]
    last = _last_word(before)
    if match["stop"] != "." or match.end() > match.end("stop"):
        return not word[:1].islower() or _is_symbol(word)
    if _wants_more(last, before, word):
        return False
    return not word[:1].islower() or (_is_symbol(word) and len(last) != 1)


def _last_word(before: str) -> str:
    """Find the word right before a stop; one line break between them is no matter."""
    before = before.removesuffix("\n")
    others = _BEFORE_LAST_WORD.match(before)
    return before[others.end() :] if others else before


def _wants_more(last: str, before: str, word: str) -> bool:
    """Tell whether ``last`` is an abbreviation that goes on with ``word``."""
    is_starter = word in STARTERS
    folded = last.lower()
    if folded == "no" or (last.isupper() and folded in NEVER_LAST):
        return word[:1].isdigit()
    if folded in NEVER_LAST:
        return True
    if folded in SELDOM_LAST:
        return not is_starter
    if not _INITIALS.fullmatch(last):
        return False
    if _AFTER_NUMBER.search(before) or _LETTERED.search(before) or last in _SMALL_LETTERS:
        return not word[:1].isupper()
    return not (is_starter or (last.islower() and _PLAIN_CAPITALISED.fullmatch(word)))


def _is_symbol(word: str) -> bool:
    """Tell whether a word with a small first letter may be a symbol rather than a word."""
    return not word.isascii() or any(char.isupper() or char.isdigit() for char in word)
