"""What a run works on, cut into shards that can be worked on apart.

An input is a file, a folder of files or a pattern such as ``'parts/*.jsonl'``. One input makes a
shard of every file, and several of a big file that can be cut (see ``parts``). Several inputs are
brought together by document id, so their shards must match: folders of which each file has the
documents of one file of the other (see ``arranging``), or files of JSON Lines with the same
documents in the same order. All else is one shard.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
import numpy as np

from vermeil.arrays import AnyArray, distinct
from vermeil.document import Document
from vermeil.errors import FormatError, UsageError
from vermeil.formats import guess_format
from vermeil.formats.arranging import called, rows_of
from vermeil.formats.corpus import merge, read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.open_files import allow, why
from vermeil.formats.files.seen_ids import digest
from vermeil.formats.files.states import refuse_changed, state_of
from vermeil.formats.inputs import Input, files_of, in_step, is_several
from vermeil.runs.parts import Part, opened, read_part, split

SIZE = 32 << 20
"""Bytes of a shard, about."""


class Shard(msgspec.Struct, frozen=True):
    """The parts that are read together, in the order of the inputs; ``text`` holds their texts.

    ``called`` is what documents that are only numbered get their names from (see ``Row``).
    """

    parts: tuple[Part, ...]
    text: Part | None = None
    called: str = ""

    @property
    def size(self) -> int:
        """How much there is to read, in bytes."""
        return sum(part.size for part in self.parts)

    @property
    def name(self) -> str:
        """How to call it: the place of its first part."""
        part = self.parts[0]
        return part.path if part.is_whole else f"{part.path}:{part.first}"


def plan_shards(
    inputs: Sequence[Input],
    *,
    text: Input | None = None,
    size: int = SIZE,
    options: Mapping[str, str] | None = None,
) -> tuple[Shard, ...]:
    """Cut inputs into shards. Options of formats may change how a file is read, so none is cut."""
    rows = [
        Shard(tuple(map(_part, row.inputs)), _part(row.text) if row.text else None, row.called)
        for row in rows_of(inputs, text, options)
    ]
    before = [state_of(path) for path in paths_of(rows)]
    shards = rows if text or options else [shard for row in rows for shard in _cut(row, size)]
    refuse_changed(before)
    return tuple(shards)


def plan_in_step(inputs: Sequence[Input]) -> tuple[Shard, ...]:
    """Take files as they are, side by side in the order of their names, where none has ids."""
    return tuple(Shard(tuple(map(_part, row))) for row in in_step(inputs))


def read_shard(
    shard: Shard,
    ledger: Ledger,
    *,
    fuzzy: bool,
    options: Mapping[str, str],
    in_columns: bool = False,
) -> Iterator[Document]:
    """Yield the documents of a shard with all their layers."""
    return called(_read(shard, ledger, fuzzy, options, in_columns), shard.called)


def paths_of(shards: Sequence[Shard]) -> list[str]:
    """List every file that shards are read from, once."""
    parts = [part for shard in shards for part in (*shard.parts, shard.text) if part]
    paths = (str(each.path) for part in parts for each in files_of(part.input))
    return list(dict.fromkeys(paths))


def refuse_twins(
    shards: Sequence[Shard], ids: Sequence[AnyArray], read: Callable[[Shard], Iterator[Document]]
) -> None:
    """Raise UsageError where two documents of all shards have one id, of which ``ids`` are digests.

    Shards that share a digest are read again: that decides, and says what the id is.
    """
    every = np.concatenate([np.empty(0, np.uint64), *ids])
    every.sort()  # in place: of all of MEDLINE these are 300 MB
    shared = distinct(every[1:][every[1:] == every[:-1]])
    doubtful = set(map(int, shared))
    first: dict[str, Shard] = {}
    for shard, own in zip(shards, ids, strict=True):
        if not np.isin(own, shared).any():
            continue
        for document in read(shard):
            if digest(document.id) not in doubtful:
                continue
            if document.id in first:
                raise UsageError(
                    f"{shard.name}: a document is called {document.id!r}, as one in "
                    f"{first[document.id].name} is; rename one and repeat the command"
                )
            first[document.id] = shard


def _read(
    shard: Shard, ledger: Ledger, fuzzy: bool, options: Mapping[str, str], in_columns: bool
) -> Iterator[Document]:
    if shard.parts[0].is_whole:
        return read_corpus(
            [part.input for part in shard.parts],
            text=shard.text.input if shard.text else None,
            fuzzy=fuzzy,
            ledger=ledger,
            options=options,
            in_columns=in_columns,
        )
    alone = in_columns and len(shard.parts) == 1
    streams = [read_part(part, ledger, in_columns=alone) for part in shard.parts]
    names = [part.path for part in shard.parts]
    return merge(streams, names, fuzzy=fuzzy, ledger=ledger) if streams[1:] else streams[0]


def _part(given: Input) -> Part:
    """Take a file as a whole."""
    if is_several(given):
        size = sum(_size(each.path) for each in files_of(given))
        return Part(str(given.path), given.format, given.annotator, given.within, size=size)
    format = given.format or guess_format(given.path)
    return Part(str(given.path), format, given.annotator, given.within, size=_size(given.path))


def _size(path: Path) -> int:
    try:
        if path.is_dir():
            return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
        return path.stat().st_size
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {why(error)}") from error


def _cut(shard: Shard, size: int) -> list[Shard]:
    if len(shard.parts) == 1:
        if shard.called:
            return [shard]
        return [Shard((part,)) for part in split(shard.parts[0], size)]
    is_lines = all(part.format == "jsonl" and _is_plain(part) for part in shard.parts)
    if shard.size <= size or not is_lines:
        return [shard]
    return _cut_in_step(shard, size)


def _is_plain(part: Part) -> bool:
    return Path(part.path).suffix in (".jsonl", ".ndjson") and Path(part.path).is_file()


class _Named(msgspec.Struct):
    id: str


def _cut_in_step(shard: Shard, size: int) -> list[Shard]:
    """Cut files that hold the same documents in the same order, line by line.

    Where they do not, bringing them together needs all of them: one shard.
    """
    cuts: list[tuple[int, ...]] = [(0,) * len(shard.parts)]
    lines = [1]
    decode = msgspec.json.Decoder(_Named).decode
    allow(len(shard.parts))
    with ExitStack() as stack:
        streams = [stack.enter_context(opened(Path(part.path))) for part in shard.parts]
        place, number = list(cuts[0]), 1
        while any(row := [stream.readline() for stream in streams]):
            try:
                ids = {decode(line).id for line in row}
            except msgspec.MsgspecError:
                return [shard]
            if len(ids) > 1:
                return [shard]
            place = [at + len(line) for at, line in zip(place, row, strict=True)]
            number += 1
            if sum(place) - sum(cuts[-1]) >= size:
                cuts.append(tuple(place))
                lines.append(number)
        if tuple(place) != cuts[-1]:
            cuts.append(tuple(place))
    return [
        Shard(
            tuple(
                msgspec.structs.replace(part, start=a, end=b, first=first, size=b - a)
                for part, a, b in zip(shard.parts, starts, ends, strict=True)
            )
        )
        for starts, ends, first in zip(cuts, cuts[1:], lines, strict=False)
    ]
