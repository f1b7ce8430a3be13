"""How commands are told to run on an engine.

Without any of these options a command works as a stream in this process. With one of them it works
in shards, which are kept until all are done, so that the same command goes on where it stopped.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.completion import ENGINES
from vermeil.cli.options.declaring import option

if TYPE_CHECKING:
    from vermeil.runs.driver import Engagement


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Who does the work, and where what is done of it is kept."""

    engine: Annotated[
        str | None,
        option(
            "|".join(ENGINES),
            "Work in shards, in this process, in several, or on a Dask cluster.",
            offered=ENGINES,
        ),
    ] = None
    address: Annotated[str | None, option("tcp://…", "Address of the Dask scheduler.")] = None
    workers: Annotated[int | None, option("N", "Work in N processes.", "-j", "--workers")] = None
    resume: Annotated[
        Path | None, option("FOLDER", "Keep finished shards there, to go on from.")
    ] = None

    def engagement(self) -> "Engagement":
        """Check what was said, and put it as the driver takes it."""
        from vermeil.runs.driver import Engagement

        return Engagement(**asdict(self))


@dataclass(frozen=True, slots=True)
class RunningOptions(EngineOptions):
    """The same for work on files that can be cut."""

    shard_size: Annotated[
        float | None, option("MB", "Cut big files into shards of this size.", min=0.001)
    ] = None
