"""The options of commands that draw at random."""

from typing import Annotated

import typer

Seed = Annotated[
    int,
    typer.Option(metavar="N", help="Where random numbers begin; the same N gives the same result."),
]
Resamples = Annotated[
    int,
    typer.Option(
        "--bootstrap", metavar="N", min=0, help="Add 95% intervals, from N resamples of the texts."
    ),
]
