"""How commands declare their options and arguments: what is to be given, and a sentence on it."""

from collections.abc import Callable, Collection
from typing import Any

import typer

from vermeil.cli.options.completion import offering


def option(
    value: str,
    help: str,
    *names: str,
    offered: Collection[str] | Callable[[str], list[str]] = (),
    min: float | None = None,
    max: float | None = None,
    settle: Callable[[str], str] | None = None,
) -> Any:
    """Declare an option that takes a value; without ``names`` it is called like its parameter.

    A shell offers the values ``offered``, or those that ``value`` lists in lower case, as in
    ``exact|fuzzy`` or ``FILE|none``. ``settle`` turns several ways to say a thing into one.
    """
    words = tuple(word for word in value.split("|") if word.islower()) if "|" in value else ()
    values = offered or words
    return typer.Option(
        *names,
        metavar=value,
        help=help,
        min=min,
        max=max,
        callback=settle,
        autocompletion=values if callable(values) else offering(*values) if values else None,
    )


def flag(help: str, *names: str) -> Any:
    """Declare an option without a value; without ``names`` there is one to deny it, too."""
    return typer.Option(*names, help=help)


def argument(value: str, help: str) -> Any:
    """Declare an argument."""
    return typer.Argument(metavar=value, help=help)
