"""How commands are told to run on an engine: the options they share.

Without any of these options a command works as a stream in this process. With one of them it works
in shards, which are kept until all are done, so that the same command goes on where it stopped.
"""

from pathlib import Path
from typing import Annotated

import typer

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
