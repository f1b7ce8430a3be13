"""How commands are told to run on an engine.

Without any of these options a command works as a stream in this process. With one of them it works
in shards, which are kept until all are done, so that the same command goes on where it stopped.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.completion import ENGINES, offering

if TYPE_CHECKING:
    from vermeil.runs.driver import Engagement

ShardSize = Annotated[
    float | None,
    typer.Option(metavar="MB", min=0.001, help="Cut big files into shards of this size."),
]


@dataclass(frozen=True, slots=True)
class RunningOptions:
    """Who does the work, and where what is done of it is kept."""

    engine: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(ENGINES),
            help="Work in shards, in this process, in several, or on a Dask cluster.",
            autocompletion=offering(*ENGINES),
        ),
    ] = None
    address: Annotated[
        str | None, typer.Option(metavar="tcp://…", help="Address of the Dask scheduler.")
    ] = None
    workers: Annotated[
        int | None, typer.Option("-j", "--workers", metavar="N", help="Work in N processes.")
    ] = None
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep finished shards there, to go on from."),
    ] = None

    def engagement(self, shard_size: float | None = None) -> "Engagement":
        """Check what was said, and put it as the driver takes it."""
        from vermeil.runs.driver import Engagement

        return Engagement(self.engine, self.address, self.workers, self.resume, shard_size)
