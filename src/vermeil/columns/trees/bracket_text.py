"""Bracket text of many trees read with array operations, as ``vermeil.tree.parse_line`` reads one.

Brackets, tokens and line breaks are events. What may follow what is checked over all events at
once, so that what passes is what ``parse_line`` would read the same way; anything out of the
ordinary is left to it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Ints
from vermeil.shown import Brief
from vermeil.tree import MAX_DEPTH

_FAILURES = ("", "()", "(())")
_OTHER_SPACE = re.compile(r"[^\S \t\n]")
_BLANK, _BREAK, _OPEN, _CLOSE, _TOKEN, _ODD = range(6)
_KINDS = np.full(256, _TOKEN, dtype=np.int8)
_KINDS[[ord(character) for character in " \t\n()"]] = _BLANK, _BLANK, _BREAK, _OPEN, _CLOSE
_KINDS[[ord(character) for character in "\r\f\v\x1c\x1d\x1e\x1f"]] = _ODD


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BracketText(Brief):
    """What stands in lines of bracket text, with the columns of a TreeTable.

    ``word``, ``tag`` and ``label`` are places among the ``tokens``, which are words and labels as
    they are spelt; a root without a label has -1.
    """

    tokens: list[str]
    failed: Flags
    first_word: Ints
    word: Ints
    tag: Ints
    above: Ints
    label: Ints
    start: Ints
    end: Ints
    parent: Ints


def scan(lines: Sequence[str]) -> BracketText | None:
    """Read well-formed lines, one tree each; None where anything is out of the ordinary.

    >>> text = scan(["(S (NP (NN p53)) (VP (VBZ binds)))"])
    >>> text.word.tolist(), text.start.tolist(), text.end.tolist(), text.parent.tolist()
    ([3, 6], [0, 0, 1], [2, 1, 2], [-1, 0, 0])
    """
    text = "\n".join(["" if line in _FAILURES else line for line in lines])
    if text.count("\n") != len(lines) - 1 or (not text.isascii() and _OTHER_SPACE.search(text)):
        return None
    kind = _events(text)
    if (kind == _ODD).any():
        return None
    before, after = np.append(_BREAK, kind[:-1]), np.append(kind[1:], _BREAK)
    is_token = kind == _TOKEN
    is_label, is_word = is_token & (before == _OPEN), is_token & (before == _TOKEN)
    if not _is_well_formed(kind, before, after, is_label, is_word):
        return None
    tokens = text.replace("(", " ").replace(")", " ").split()
    return _nested(tokens, kind, is_label, is_word)


def _events(text: str) -> Ints:
    """List the brackets, the tokens and the line breaks, one of each at either end included."""
    kind = _KINDS[np.frombuffer(f"\n{text}\n".encode("utf-8", "surrogatepass"), dtype=np.uint8)]
    inside = (kind[1:] == _TOKEN) & (kind[:-1] == _TOKEN)
    events: Ints = kind[(kind != _BLANK) & ~np.append(False, inside)]
    return events


def _is_well_formed(kind: Ints, before: Ints, after: Ints, is_label: Flags, is_word: Flags) -> bool:
    """Tell whether every event may stand where it stands."""
    is_open, is_close, is_token = kind == _OPEN, kind == _CLOSE, kind == _TOKEN
    depth = np.cumsum(is_open.astype(np.int64) - is_close)
    is_fine = np.select(
        [is_open, is_close, is_label, is_word, is_token],
        [
            ((depth == 1) == (before == _BREAK))
            & ((after == _TOKEN) | ((after == _OPEN) & (depth == 1))),
            after != _TOKEN,
            (after == _OPEN) | (after == _TOKEN),
            (after == _CLOSE) & np.append(False, is_label[:-1]),
            False,
        ],
        ((after == _BREAK) | (after == _OPEN)) & (depth == 0),
    )
    return bool(is_fine.all() and depth.min() >= 0 and depth.max() <= MAX_DEPTH)


def _nested(tokens: list[str], kind: Ints, is_label: Flags, is_word: Flags) -> BracketText:
    """Find out what holds what, given events that are known to be well formed."""
    is_tag = np.append(is_word[1:], False) & is_label
    # An opening bracket has the place of the label behind it.
    place = np.cumsum(is_label | is_word) - 1
    label = np.where(np.append(is_label[1:], False), place + 1, -1)
    opens = np.flatnonzero((kind == _OPEN) & ~np.append(is_tag[1:], False))
    closes = np.flatnonzero((kind == _CLOSE) & ~np.append(False, is_word[:-1]))
    depth = np.zeros(len(kind), dtype=np.int64)
    depth[opens], depth[closes] = 1, -1
    n_opened = np.cumsum(depth == 1, dtype=np.int64)
    depth = np.cumsum(depth)
    n_words = np.cumsum(is_word, dtype=np.int64)
    by_depth = np.argsort(depth[opens], kind="stable")
    close = np.empty_like(closes)
    close[by_depth] = closes[np.argsort(depth[closes], kind="stable")]
    # Of the constituents opened so far at some depth, the last one is the one still open.
    rank = depth[opens] * (len(opens) + 1) + np.arange(len(opens))
    holders = np.append(by_depth, -1)

    def holder(at: Ints, depth_of_holder: Ints) -> Ints:
        wanted = depth_of_holder * (len(opens) + 1) + n_opened[at] - (kind[at] == _OPEN)
        found = np.searchsorted(rank[by_depth], wanted) - 1
        return np.where(depth_of_holder > 0, holders[found], -1)

    at_word = np.flatnonzero(is_word)
    breaks = np.flatnonzero(kind == _BREAK)
    return BracketText(
        tokens,
        failed=kind[breaks[:-1] + 1] == _BREAK,
        first_word=n_words[breaks],
        word=place[at_word],
        tag=place[np.flatnonzero(is_tag)],
        above=holder(at_word, depth[at_word]),
        label=label[opens],
        start=n_words[opens],
        end=n_words[close],
        parent=holder(opens, depth[opens] - 1),
    )
