"""The options of commands that draw at random."""

from typing import Annotated

import typer

Seed = Annotated[
    int,
    typer.Option(metavar="N", help="Seed of the random numbers, so that results repeat."),
]
Resamples = Annotated[
    int,
    typer.Option(
        "--bootstrap", metavar="N", min=0, help="Add 95% intervals, from N resamples of the texts."
    ),
]
