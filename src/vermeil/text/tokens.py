"""Tokenisers that keep offsets.

A token is a half-open pair of code points into the text. Whichever row of TOKENISERS made them,
tokens are in reading order, apart, not empty, hold no white space and cover every other character.
All rows take time linear in the text.

A name can be tagged only if it starts and ends where tokens do. Percentage of name boundaries that
are token boundaries, on BioCreative II GM training genes, BC5CDR chemicals (training and
development), ChemProt training chemicals and BioNLP 2011 GE training proteins:

    fine                100.0   100.0   99.98   99.94
    words                96.9    93.5   95.0    96.0
    chemistry            97.5    98.4   97.1    98.3
    punctuation         100.0    99.95  99.8    99.8
    separators           99.9    99.7   99.3    99.5
    separators-paper     90.4    93.9   92.0    90.4

The lists of ``chemistry`` were drawn up looking at what it missed on the two chemical corpora.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from vermeil.errors import UnknownNameError

Token: TypeAlias = tuple[int, int]
Tokeniser: TypeAlias = Callable[[str], list[Token]]

PAPER_SEPARATORS = "-,.;:"
"""What section 2 of "Acquisition" splits at, besides white space."""

SEPARATORS = PAPER_SEPARATORS + "()[]{}/"
"""The same with brackets and slash, which bring a tenth more of the names within reach."""

SECOND_HALVES = (
    "acid|analogs?|analogues?|associated|based?|bound|conjugates?|depend[ae]nce|depletion|derivatives?"
    "|diet|fed|fold|free|intake|level|like|naive|null|only|pathway|rich|system|terminal|terminally"
    "|terminus|to|toxicity|transport|type|users?|water"
)
"""Words that end a compound (``glucose-free``) and are no part of a chemical name."""

SECOND_SUFFIXES = "able|ant|ase|ases|ed|ent|ergic|ible|ing|ists?|ive|ors?|tion"
"""Endings of such words too many to list: ``-induced``, ``-lowering``, ``-dependent``."""

FIRST_HALVES = frozenset({"anti", "high", "low", "non", "post", "pre"})
"""Words that begin a compound (``non-ethanol``) and are no part of a chemical name."""

_MARKS = "\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
_SMALL = f"a-zß-öø-ÿα-ωµ{_MARKS}"
_HYPHENS = r"\-‐\u2011–"
_RAISED = "²³¹⁰-⁹₀-₉"
_FINE = re.compile(rf"[^\W\d_{_SMALL}{_RAISED}]++[{_SMALL}]*+|[{_SMALL}]++|[\d{_RAISED}]++|\S")

_WORDS = re.compile(
    rf"""
    (?<!\w) (?<!\w\.) (?:[^\W\d_]\.){{2,}}+ (?!\w)        # e.g. i.e. U.S.A.
    | (?:(?<!\w)\.(?=\d))?                                # .05
      [^\W_] (?:[^\W_]|[{_MARKS}])*+
      (?:
        (?: [′″]++ | (?<=\d)['’]++ )?                     # 5′-UTR
        (?: [{_HYPHENS}_'’] | \.(?=\d) | (?<=\d),(?=\d{{3}}(?!\d)) )
        [^\W_] (?:[^\W_]|[{_MARKS}])*+
      )*+
      (?: [′″]++ | (?<=\d)['’]++ )?
      (?: \+++ (?!\w) )?                                  # Ca2+
    | \S
    """,
    re.VERBOSE,
)

_CHUNKS = re.compile(r"\S+")
_RUNS = re.compile(r"[^\W_]+|\S")
_PARTNERS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_PARTNERS.values())
_LEADING = frozenset("\"“”\u2018’'*~<>≤≥=±;:,.?!")
_TRAILING = frozenset('.,;:!?"“”\u2018’*®™%')
_BRACKETS = re.compile(r"[()\[\]{}]")
_HALF = rf"[{_HYPHENS}] (?= (?: {SECOND_HALVES} | [a-z]*(?:{SECOND_SUFFIXES}) ) (?![^\W_]) )"
_LOCANTS_COMMA = (
    r"(?: (?<=[\d′'’α-ω)\]]) | (?<=\d[ab]) | (?<=\b[A-Z]) ) , (?= [\dα-ω(\[] | [A-Z]\b )"
)
_JOINTS = re.compile(
    rf"""
    (?P<bracket> [()\[\]{{}}] )
    | (?P<joint>
        -{{0,2}}> | => | <-{{1,2}} | [→←↔⇌⇄⇒]             # arrows
      | [<>≤≥±×~≈%®™;|/—"“”] | [{_HYPHENS}]{{2,}}+
      | (?!{_LOCANTS_COMMA}) ,
      | (?<!\d): | :(?!\d)
      | (?<=[a-z]{{2}})\.(?=[A-Z])                         # a lost space: "acid.The"
      | ['’](?=s\b)
      | (?i:{_HALF})
      )
    | (?P<hyphen> [{_HYPHENS}] )
    """,
    re.VERBOSE,
)


def tokenise(text: str, *, by: str = "fine") -> list[Token]:
    """Split ``text`` with the row ``by`` of TOKENISERS.

    >>> ["IL-2Rα binds"[start:end] for start, end in tokenise("IL-2Rα binds")]
    ['IL', '-', '2', 'Rα', 'binds']
    """
    if by not in TOKENISERS:
        raise UnknownNameError("tokeniser", by, TOKENISERS)
    return TOKENISERS[by](text)


def covering(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """Find the half-open range of tokens that share a character with ``start``-``end``.

    The range is empty where there are none. A span is reachable if its range starts where the
    span starts and ends where it ends.

    >>> covering([(0, 4), (5, 9), (9, 10)], 6, 10)
    (1, 3)
    """
    first = bisect_right(tokens, start, key=_end_of)
    if start >= end:
        return first, first
    return first, max(first, bisect_left(tokens, end, key=_start_of))


def fine(text: str) -> list[Token]:
    """Split into runs of letters, runs of digits and single other characters.

    A run of letters also ends before a capital that follows a small letter, which costs 0.3 to 1%
    more tokens and reaches names like that in ``hMLH1``. Combining marks stay with their letter.

    >>> text = "hMLH1 (NaCl 0.9%)"
    >>> [text[start:end] for start, end in fine(text)]
    ['h', 'MLH', '1', '(', 'Na', 'Cl', '0', '.', '9', '%', ')']
    """
    return [match.span() for match in _FINE.finditer(text)]


def words(text: str) -> list[Token]:
    """Split into words as people read them.

    Hyphens, apostrophes, primes and the points and commas of numbers stay inside; brackets,
    slashes and the punctuation around a word stand alone.

    >>> text = "e.g. NF-kappaB at the 5′-UTR (P<0.05), and/or Ca2+."
    >>> [text[start:end] for start, end in words(text)]  # doctest: +NORMALIZE_WHITESPACE
    ['e.g.', 'NF-kappaB', 'at', 'the', '5′-UTR', '(', 'P', '<', '0.05', ')', ',', 'and', '/', 'or',
     'Ca2+', '.']
    """
    return [match.span() for match in _WORDS.finditer(text)]


def chemistry(text: str) -> list[Token]:
    """Split with as few boundaries inside chemical names as can be.

    In the spirit of the tokeniser of "Cascaded Classifiers", section 3.2, whose rules were not
    printed; these are ours. What stands between white space is peeled of the punctuation, stray
    brackets and enclosing brackets at its edges, then parted outside its brackets at arrows,
    slashes, commas that are not between locants and hyphens before (after) a word of
    SECOND_HALVES (FIRST_HALVES), and the parts are treated in the same way.

    >>> text = "2-(4-isobutylphenyl)propanoic acid, (EtOH)-induced, 1,2-diol/(CH3)2CO"
    >>> [text[start:end] for start, end in chemistry(text)]  # doctest: +NORMALIZE_WHITESPACE
    ['2-(4-isobutylphenyl)propanoic', 'acid', ',', '(', 'EtOH', ')', '-', 'induced', ',',
     '1,2-diol', '/', '(CH3)2CO']
    """
    tokens: list[Token] = []
    for match in _CHUNKS.finditer(text):
        if match[0].isalnum():
            tokens.append(match.span())
        else:
            cuts = sorted(_cuts(text, *match.span()))
            tokens.extend(pairwise(cuts))
    return tokens


def split_at(characters: str) -> Tokeniser:
    """Make a tokeniser that parts at white space and at each of ``characters``, and keeps these.

    >>> split_at("-")("IL-2 gene")
    [(0, 2), (2, 3), (3, 4), (5, 9)]
    """
    members = re.escape(characters)
    pattern = re.compile(rf"[^\s{members}]++|\S" if characters else r"\S++")

    def separators(text: str) -> list[Token]:
        return [match.span() for match in pattern.finditer(text)]

    return separators


def punctuation(text: str) -> list[Token]:
    """Split at everything that is no letter or digit; each such character is a token.

    >>> ["CD4+ p65/RelA"[start:end] for start, end in punctuation("CD4+ p65/RelA")]
    ['CD4', '+', 'p65', '/', 'RelA']
    """
    return [found.span() for found in _RUNS.finditer(text)]


TOKENISERS: dict[str, Tokeniser] = {
    "fine": fine,
    "words": words,
    "chemistry": chemistry,
    "punctuation": punctuation,
    "separators": split_at(SEPARATORS),
    "separators-paper": split_at(PAPER_SEPARATORS),
}


def _cuts(text: str, start: int, end: int) -> set[int]:
    """Find where the chunk ``start``-``end`` falls apart, its own edges included."""
    partners = _partners(text, start, end)
    cuts = {start, end}
    pending = [(start, end)]
    while pending:
        start, end = pending.pop()
        left, right = _peel(text, start, end, partners)
        cuts.update(range(start, left + 1), range(right, end + 1))
        joints = list(_joints(text, left, right, partners))
        if joints:
            places = [left, *(place for joint in joints for place in joint), right]
            cuts.update(places)
            parts = zip(places[::2], places[1::2], strict=True)
            pending.extend((first, last) for first, last in parts if first < last)
    return cuts


def _partners(text: str, start: int, end: int) -> dict[int, int]:
    """Pair the brackets of a chunk, both ways; those that pair with nothing are left out."""
    partners: dict[int, int] = {}
    open_brackets: list[int] = []
    for match in _BRACKETS.finditer(text, start, end):
        at = match.start()
        if match[0] in _PARTNERS:
            open_brackets.append(at)
        elif open_brackets and _PARTNERS[text[open_brackets[-1]]] == match[0]:
            first = open_brackets.pop()
            partners[first], partners[at] = at, first
    return partners


def _peel(text: str, left: int, right: int, partners: dict[int, int]) -> tuple[int, int]:
    while left < right:
        first, last = text[left], text[right - 1]
        if first in _PARTNERS and partners.get(left) == right - 1:
            left, right = left + 1, right - 1
        elif first in _LEADING or (first in _PARTNERS and left not in partners):
            left += 1
        elif last in _TRAILING or (last in _CLOSING and right - 1 not in partners):
            right -= 1
        else:
            break
    return left, right


def _joints(text: str, left: int, right: int, partners: dict[int, int]) -> Iterator[Token]:
    """Yield what parts the stretch ``left``-``right``: separators outside its brackets."""
    place = part = left
    while match := _JOINTS.search(text, place, right):
        place = match.end()
        if match["bracket"] and match.start() in partners:
            place = partners[match.start()] + 1
        elif not match["hyphen"] or _is_joint(text, part, match.start(), left, right):
            part = place
            yield match.span()


def _is_joint(text: str, part: int, at: int, left: int, right: int) -> bool:
    """Tell whether a hyphen hangs at an edge or ends the first half of a compound."""
    if at + 1 == right:
        return True
    if at == left:
        return text[at + 1].isalpha()
    return text[part:at].lower() in FIRST_HALVES if at - part < 5 else False


def _start_of(token: Token) -> int:
    return token[0]


def _end_of(token: Token) -> int:
    return token[1]
