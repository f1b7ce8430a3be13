"""How commands are told to run on an engine: the options they share, and the inputs they take.

Without any of these options a command works as a stream in this process. With one of them it works
in shards, which are kept until all are done, so that the same command goes on where it stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.options.reading import Reading, check_sources, parsed_options
from vermeil.errors import UsageError
from vermeil.formats import get_format, guess_format
from vermeil.formats.corpus import Input
from vermeil.runs.shards import SIZE, is_several

Engine = Annotated[
    str | None,
    typer.Option(
        "--engine", metavar="process|pool|dask", help="Work in shards, that can be resumed."
    ),
]
Address = Annotated[
    str | None, typer.Option(metavar="tcp://…", help="The scheduler of a Dask cluster.")
]
Workers = Annotated[
    int | None,
    typer.Option("-j", "--workers", metavar="N", help="Shards at the same time."),
]
Resume = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Keep shards there to go on from.")
]
ShardSize = Annotated[
    float | None, typer.Option(metavar="MB", min=0.001, help="Cut big files into such shards.")
]


@dataclass(frozen=True, slots=True)
class Engagement:
    """What was said about the engine."""

    engine: str | None = None
    address: str | None = None
    workers: int | None = None
    resume: Path | None = None
    shard_size: float | None = None

    def __post_init__(self) -> None:
        """Refuse what contradicts itself, before anything is begun."""
        if any(each is not None for each in (self.engine, self.address, self.workers)):
            from vermeil.runs.engines import check_engine

            check_engine(self.name, n_workers=self.workers, address=self.address)

    def is_wanted(self, inputs: Sequence[str]) -> bool:
        """Tell whether to work in shards: when asked to, or when an input is a set of them."""
        asked = (self.engine, self.address, self.workers, self.resume, self.shard_size)
        return any(each is not None for each in asked) or any(
            is_several(Input.parse(each).path) for each in inputs
        )

    @property
    def name(self) -> str:
        """The engine: the one named, or the one that has a use for what else was said."""
        if self.engine is not None:
            return self.engine
        return "dask" if self.address else "pool" if (self.workers or 1) > 1 else "process"

    @property
    def size(self) -> int:
        """Bytes of a shard."""
        return SIZE if self.shard_size is None else int(self.shard_size * 1e6)


def shard_reading(
    inputs: Sequence[str],
    *,
    source_format: str | None,
    text: str | None = None,
    align: str = "exact",
    options: Sequence[str] | None = None,
) -> Reading:
    """Make a Reading whose inputs may be folders of files and patterns."""
    if align not in ("exact", "fuzzy"):
        raise UsageError(f"--align takes exact or fuzzy, not {align!r}")
    if "-" in inputs:
        raise UsageError("standard input (-) cannot be cut into shards; give files, or no engine")
    sources = [Input.parse(each, format=source_format) for each in inputs]
    texts = [Input.parse(text)] if text else []
    check_sources([each for each in (*sources, *texts) if not is_several(each.path)])
    return Reading(sources, next(iter(texts), None), align == "fuzzy", parsed_options(options))


def is_shard_folder(target: str) -> bool:
    """Tell whether documents are to stay in a folder, a file for each shard."""
    return target.endswith("/") or Path(target).is_dir()


def guess_target(target: str, *, in_shards: bool) -> str:
    """Tell the format of the output by its suffix; a folder of shards holds our own lines."""
    if in_shards and is_shard_folder(target):
        return "jsonl"
    return guess_format(Path(target), exists=False)


def only_layer(to: str, name: str) -> str | None:
    """Give the layer to write where the format holds one."""
    return None if "layers" in get_format(to).carries else name
