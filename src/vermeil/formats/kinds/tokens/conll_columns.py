"""Which column of a CoNLL file holds what, and where in the text its tokens are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote, unquote

from vermeil.errors import UsageError
from vermeil.formats.files.doctor import UNITS, Claim, settle
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.tokens.token_rows import find_in, lay_out
from vermeil.shown import Brief
from vermeil.text.tokens import Token

Row: TypeAlias = tuple[int, list[str]]
"""The number of a line and its columns."""

Sentences: TypeAlias = Sequence[Sequence[Row]]

_FIXED = ("token", "start", "end")
_QUOTED = re.compile(r"[\s%#]")
OFFSET = re.compile(r"[0-9]{1,8}")  # no more, because text is laid out up to there


@dataclass(frozen=True, slots=True, repr=False)
class Layout(Brief):
    """The columns of the token, of its start (the end is next to it) and of each annotator's tags.

    ``width`` is how many columns there must be, None where more may come in between.
    """

    token: int
    tags: Sequence[tuple[str, int]]
    start: int | None = None
    width: int | None = None


def split_row(line: str) -> list[str]:
    """Part a line into its columns."""
    return line.split("\t") if "\t" in line else line.split()


def column_name(annotator: str, track: int) -> str:
    """Name the column of a track of tags; ``named_layout`` undoes it.

    >>> column_name("Dr. No", 1), column_name("end", 2)
    ('Dr.%20No', '%65nd#2')
    """
    if not annotator:
        raise UsageError("a layer without a name cannot head a column; name its annotator")
    name = _QUOTED.sub(lambda match: quote(match[0], safe=""), annotator)
    if name in _FIXED:
        name = f"%{ord(name[0]):x}{name[1:]}"
    return name if track == 1 else f"{name}#{track}"


def named_layout(columns: Sequence[str]) -> Layout:
    """Read the layout off the names of the columns, as we write them."""
    if columns[0] != "token":
        raise ValueError(f"the columns begin with {columns[0]!r}, wanted 'token'")
    n_fixed = 3 if tuple(columns[:3]) == _FIXED else 1
    names = [unquote(name.partition("#")[0]) for name in columns[n_fixed:]]
    tags = [(name, at) for at, name in enumerate(names, start=n_fixed)]
    return Layout(0, tags, 1 if n_fixed == 3 else None, len(columns))


def check_rows(sentences: Sentences, layout: Layout, source: Source) -> None:
    """Refuse rows of the wrong width and rows without a token."""
    for number, cells in (row for rows in sentences for row in rows):
        if layout.width and len(cells) != layout.width:
            raise source.error(number, f"{len(cells)} columns, wanted {layout.width}: {cells!r}")
        if not cells[layout.token]:
            raise source.error(number, f"there is no token in {cells!r}")


def place_tokens(
    sentences: Sentences, layout: Layout, texts: Sequence[str], source: Source
) -> tuple[str, list[list[Token]]]:
    """Find or make the text, and where in it the tokens of each sentence are.

    ``texts`` are the parts of the text if the file holds it. Otherwise it is made of the tokens.
    """
    if texts:
        text = "\n".join(texts)
        found = iter(_found_tokens(text, sentences, layout, source))
        return text, [[next(found) for _ in rows] for rows in sentences]
    if layout.start is not None:
        return _laid_at_offsets(sentences, layout, source)
    return lay_out([[cells[layout.token] for _, cells in rows] for rows in sentences])


def _found_tokens(
    text: str, sentences: Sentences, layout: Layout, source: Source
) -> Sequence[Token]:
    rows = [row for rows in sentences for row in rows]
    if layout.start is None:
        return find_in(text, [cells[layout.token] for _, cells in rows])
    offsets = [_offsets(row, layout, source) for row in rows]
    if all(
        text[start:end] == cells[layout.token]
        for (start, end), (_, cells) in zip(offsets, rows, strict=True)
    ):
        return offsets
    claims = [
        Claim((place,), cells[layout.token], number)
        for place, (number, cells) in zip(offsets, rows, strict=True)
    ]
    return [pieces[0] for pieces in settle(text, claims, source)]


def _laid_at_offsets(
    sentences: Sentences, layout: Layout, source: Source
) -> tuple[str, list[list[Token]]]:
    """Lay the tokens where their offsets say, blanks between them, a line break per sentence.

    The offsets may count any unit that gives every token its length.
    """
    _check_lengths([row for rows in sentences for row in rows], layout, source)
    pieces: list[str] = []
    places: list[list[Token]] = []
    length = reached = 0
    for rows in sentences:
        places.append([])
        for row in rows:
            start, end = _offsets(row, layout, source)
            if start < reached:
                reason = f"the token at {start}-{end} begins before {reached}, where the last ends"
                raise source.error(row[0], reason)
            gap = " " * (start - reached)
            if pieces and not places[-1]:
                gap = gap.replace(" ", "\n", 1)
            token = row[1][layout.token]
            pieces += gap, token
            length += len(gap)
            places[-1].append((length, length + len(token)))
            length, reached = length + len(token), end
    return "".join(pieces), places


def _check_lengths(rows: Sequence[Row], layout: Layout, source: Source) -> None:
    wanted = [end - start for start, end in (_offsets(row, layout, source) for row in rows)]
    tokens = [cells[layout.token] for _, cells in rows]
    for unit, edges in UNITS.items():
        if wanted == [max(edges(token)) for token in tokens]:
            if unit != "code points":
                note = f"offsets that count {unit}"
                source.ledger.note("repaired", note, source.where(rows[0][0]), n=len(rows))
            return
    for row, token, length in zip(rows, tokens, wanted, strict=True):
        if len(token) != length:
            raise source.error(
                row[0], f"token {token!r} has {len(token)} characters, its offsets say {length}"
            )


def _offsets(row: Row, layout: Layout, source: Source) -> Token:
    number, cells = row
    assert layout.start is not None
    start, end = cells[layout.start : layout.start + 2]
    if not (OFFSET.fullmatch(start) and OFFSET.fullmatch(end)):
        raise source.error(number, f"offsets {start!r} and {end!r}, wanted whole numbers")
    return int(start), int(end)
