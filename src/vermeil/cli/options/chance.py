"""The options of commands that draw at random."""

from typing import Annotated

from vermeil.cli.options.declaring import option

Seed = Annotated[int, option("N", "Seed of the random numbers, so that results repeat.")]
Resamples = Annotated[
    int, option("N", "Add 95% intervals, from N resamples of the texts.", "--bootstrap", min=0)
]
