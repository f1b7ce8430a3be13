"""Which columns of a CoNLL file are numbers, words, offsets and tags: told by what is in them.

The first documents of a file are looked at together, for a sentence alone may mislead: the only
token of "1" is no token number.
"""

from collections.abc import Iterable, Sequence

from vermeil.errors import UsageError
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.tokens.conll_columns import OFFSET, Layout, Row, Sentences
from vermeil.formats.kinds.tokens.token_rows import UNSEEN, looks_like_tag

CHUNKS = frozenset(["NP", "VP", "PP", "ADJP", "ADVP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP"])
"""Labels of the chunks in CoNLL-2000 and 2003, whose tags are no names."""

N_NAMED = 4
"""Layers that a note names one by one."""

SIDE_BY_SIDE = ("gold", "predicted")
"""What two columns of tags are, in the order of the official scorer."""

_PASSED_OVER = frozenset({"", "_", "-", "number", "pos", "chunk", "lemma"})
_TAGS = frozenset({"tag", "tags"})


def asked_layout(asked: str, source: Source) -> Layout:
    """Read the layout off the option ``columns``: ``number,token,pos,gold,predicted``.

    ``token`` is wanted, ``start`` and ``end`` are offsets, ``_``, ``number``, ``pos``, ``chunk``
    and ``lemma`` are passed over, ``tag`` is the layer of the file; other names are layers.
    """
    names = [name.strip() for name in asked.split(",")]
    if names.count("token") != 1:
        raise UsageError(f"{source.path}: columns={asked} names {names.count('token')} tokens")
    has_offsets = "start" in names and names[names.index("start") + 1 :][:1] == ["end"]
    fixed = {"token", *(("start", "end") if has_offsets else ())} | _PASSED_OVER
    tags = [
        (source.annotator if name in _TAGS else name, at)
        for at, name in enumerate(names)
        if name not in fixed
    ]
    if not tags:
        raise UsageError(f"{source.path}: columns={asked} names no column of tags")
    start = names.index("start") if has_offsets else None
    return Layout(names.index("token"), tags, start, len(names))


def guess_layout(documents: Sequence[Sentences], source: Source) -> Layout:
    """Tell the columns by what is in them; the tag is in the last, or in the first as brat has it.

    Further columns of tags that are no chunks are layers of their own. Where some cells are ``?``
    the columns are those of a crowd, one of which may hold nothing else as far as was looked.
    """
    held = [[row for rows in each for row in rows if len(row[1]) > 1] for each in documents]
    rows = [cells for each in held for _, cells in each]
    if not rows:
        return Layout(0, [(source.annotator, -1)])
    width = min(map(len, rows))
    start = _offset_column(held, width)
    offsets = () if start is None else (start, start + 1)
    columns = {at: [cells[at] for cells in rows] for at in range(width) if at not in offsets}
    is_even = width == max(map(len, rows))
    if start == 1 and _are_tags(columns[0]) and not _are_tags([cells[-1] for cells in rows]):
        return Layout(-1, [(source.annotator, 0)], start)
    token = _token_column(documents, columns) if is_even else 0
    tags = [at for at in columns if at > token and is_even and _are_names(columns[at])]
    is_crowd = any(UNSEEN in columns[at] for at in tags)
    if len(tags) < 2 and not is_crowd:
        return Layout(token, [(source.annotator, -1)], start)
    names = [f"{source.annotator}-{at + 1}" for at in tags]
    if len(tags) == 2 and not is_crowd:
        names = list(SIDE_BY_SIDE)
    named = ", ".join(names) if len(names) <= N_NAMED else f"{names[0]} to {names[-1]}"
    what = f"columns of tags for the layers {named} (say otherwise with -O columns=)"
    source.ledger.note("took", what, source.where(held[0][0][0]), n=len(tags))
    return Layout(token, list(zip(names, tags, strict=True)), start)


def note_others(sentences: Sentences, layout: Layout, source: Source) -> None:
    """Refuse rows without a tag; count the cells of which nothing is made."""
    rows = [row for rows in sentences for row in rows]
    for number, cells in rows:
        if len(cells) < 2:
            raise source.error(number, f"one column {cells[0]!r}, wanted a token and its tag")
    n_used = 1 + len(layout.tags) + (0 if layout.start is None else 2)
    n_others = sum(len(cells) - n_used for _, cells in rows)
    if n_others > 0:
        where = source.where(rows[0][0])
        source.ledger.note(
            "dropped", "cells of other columns (POS, chunks, numbers)", where, n=n_others
        )


def _token_column(documents: Sequence[Sentences], columns: dict[int, list[str]]) -> int:
    """Find the words: the first column, or the second where the first but numbers the tokens."""
    further = [at for at in columns if at and not _are_tags(columns[at])]
    sentences = [rows for each in documents for rows in each]
    return further[0] if further and _are_numbers(sentences) else 0


def _are_numbers(sentences: Iterable[Sequence[Row]]) -> bool:
    """Tell whether first columns count the tokens of a sentence, from 0 or 1."""
    longest = 0
    for rows in sentences:
        cells = [cells[0] for _, cells in rows]
        longest = max(longest, len(cells))
        if not any(
            cells == [str(at) for at in range(first, first + len(cells))] for first in (0, 1)
        ):
            return False
    return longest > 1


def _are_tags(cells: Iterable[str]) -> bool:
    return all(map(looks_like_tag, cells))


def _are_names(cells: Sequence[str]) -> bool:
    """Tell whether cells are tags, or those of tokens not seen, and not those of chunks."""
    seen = [cell for cell in cells if cell != UNSEEN]
    if not _are_tags(seen):
        return False
    labels = {cell[2:] for cell in seen if cell[1:2] == "-"}
    return not labels or not labels <= CHUNKS


def _offset_column(documents: Sequence[Sequence[Row]], width: int) -> int | None:
    """Find two columns of numbers that rise like offsets, between the first and the last."""
    return next((at for at in range(1, width - 2) if _rise(documents, at)), None)


def _rise(documents: Sequence[Sequence[Row]], at: int) -> bool:
    for rows in documents:
        place = 0
        for _, cells in rows:
            start, end = cells[at : at + 2]
            if not (OFFSET.fullmatch(start) and OFFSET.fullmatch(end)):
                return False
            if not place <= int(start) < int(end):
                return False
            place = int(end)
    return True
