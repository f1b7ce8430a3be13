"""How the commands on trees read: the options they share, and the stream of batches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.completion import PREPARATIONS
from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.reading import (
    FormatOptions,
    SourceFormat,
    check_sources,
    listed,
    parsed_options,
)
from vermeil.cli.showing.terminal import watched
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input, input_name

if TYPE_CHECKING:
    from vermeil.formats.forests import Forests

TreeInputs = Annotated[
    list[str], argument("PARSER…", "Files with the trees of parsers; name=PATH names one.")
]
Prepare = Annotated[
    str,
    option(
        "STEPS",
        f"How trees are made alike first: {', '.join(PREPARATIONS)}, or steps by name.",
        offered=PREPARATIONS,
    ),
]
Cascades = Annotated[
    list[str] | None,
    option(
        "NAME=A,B…",
        "Add a parser NAME that answers as the first of A, B… that has a parse.",
        "--cascade",
    ),
]


@dataclass(frozen=True, slots=True)
class TreeReading:
    """Files of trees for the same sentences. They can be read more than once."""

    inputs: tuple[Input, ...]
    options: Mapping[str, str]

    @property
    def names(self) -> list[str]:
        """What the parsers are called."""
        return [input_name(each) for each in self.inputs]

    @property
    def apart(self) -> list[TreeReading]:
        """Each file by itself, where files need not hold the same sentences."""
        return [TreeReading((each,), self.options) for each in self.inputs]

    def batches(self, ledger: Ledger, *, noun: str = "batches of sentences") -> Iterator[Forests]:
        """Read the sentences in step, showing progress."""
        return watched(self.read(ledger), noun=noun)

    def read(self, ledger: Ledger) -> Iterator[Forests]:
        """Read the sentences in step."""
        from vermeil.formats.forests import read_forests

        return read_forests(self.inputs, ledger=ledger, options=self.options)


@dataclass(frozen=True, slots=True)
class TreeReadingOptions:
    """How trees are read."""

    source_format: SourceFormat = None
    options: FormatOptions = None

    def of(self, inputs: Sequence[str]) -> TreeReading:
        """Describe the stream of batches in ``inputs``."""
        sources = tree_inputs(inputs, source_format=self.source_format)
        return TreeReading(tuple(sources), parsed_options(self.options))


def use_one_thread() -> None:
    """Let one thread multiply matrices, unless somebody said otherwise, before numpy is loaded.

    Combining multiplies many small ones, on which threads only wait for one another.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def tree_inputs(inputs: Sequence[str], *, source_format: str | None) -> list[Input]:
    """Take the arguments of a command apart; without --from, standard input holds brackets."""
    sources = [Input.parse(each, format=source_format) for each in inputs]
    check_sources(sources)
    return [
        replace(each, format="penn") if str(each.path) == "-" and each.format is None else each
        for each in sources
    ]


def steps_of(prepare: str) -> tuple[str, ...]:
    """Take the names of steps apart and look each up."""
    from vermeil.columns.trees.steps import named

    return tuple(named([step.strip() for step in prepare.split(",")]))


def cascades_of(given: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """Take NAME=A,B options apart."""
    found = {}
    for each in given or ():
        name, equals, parts = each.partition("=")
        if not equals or not name or not parts:
            raise UsageError(f"--cascade takes NAME=PARSER,PARSER, got {each!r}")
        found[name] = listed(parts)
    return found
