"""Commands that take what is given as it is, where it needs no check.

typer has pydantic check the value of every option, also of those that nobody gave, and loading
pydantic takes as long as loading typer or numpy. A text is a text, and nothing given is nothing;
numbers of plain digits and paths that may be read are made here. Whatever else comes, as a number
that is none, is still left to typer and its words for it.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

_SHARE = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)
_PLAIN_PATH = {
    "parser": None,
    "path_type": None,
    "exists": False,
    "file_okay": True,
    "dir_okay": True,
    "writable": False,
    "readable": True,
    "resolve_path": False,
    "allow_dash": False,
}
"""What typer knows of a path of which nothing was asked."""


class Command(TyperCommand):
    """A command whose options are taken as they are given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take options as they are given."""
        take_as_given(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless its notes would be written over what else it names."""
        if ctx.params.get("log") or ctx.params.get("skip_bad"):
            from vermeil.cli.options.overwriting import refuse_overwriting  # loads what writes

            refuse_overwriting(self.params, ctx.params)
        return super().invoke(ctx)


def take_as_given(parameters: Iterable[Any]) -> None:
    """Spare ``parameters`` what typer does to values that need nothing done.

    A typer that does not check in this way (before 0.29) is left as it is.
    """
    for each in parameters:
        is_able = hasattr(each, "get_runtime_param") and hasattr(each, "type_descriptor")
        if is_able and "get_runtime_param" not in vars(each):
            own = _AsGiven(each.get_runtime_param, each.type_descriptor)
            each.get_runtime_param = lambda own=own: own


class _AsGiven:
    """What typer asks for the value of a parameter."""

    def __init__(self, checked: Any, asked: Any) -> None:
        self._checked, self._asked = checked, asked

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value that is what was asked for; have typer look at any other."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        kind = self._asked.annotation
        if kind in (list[str], list[Path]) and isinstance(value, list | tuple):
            made = [self._path(each) if kind == list[Path] else each for each in value]
            if None not in made and all(type(each) is str for each in value):
                return made
        elif type(value) is kind and not self._asked.is_ranged:
            return value
        elif kind in (int, float) and (number := self._number(value, kind)) is not None:
            return number
        elif kind is Path and (path := self._path(value)) is not None:
            return path
        return self._checked().coerce(value, param=param, ctx=ctx)

    def _number(self, value: Any, kind: type[Any]) -> Any:
        """Read a number of plain digits that is neither too low nor too high."""
        if type(value) is not kind and not (
            type(value) is str and _SHARE.fullmatch(value) and (kind is float or value.isdigit())
        ):
            return None
        asked, number = self._asked.parameter_info, kind(value)
        is_in_range = (asked.min is None or asked.min <= number) and (
            asked.max is None or number <= asked.max
        )
        return number if is_in_range else None

    def _path(self, value: Any) -> Path | None:
        """Make a path, of which typer would only see that what is there may be read."""
        asked = self._asked.parameter_info
        is_plain = all(getattr(asked, name, own) == own for name, own in _PLAIN_PATH.items())
        if type(value) is not str or not is_plain:
            return None
        is_closed = os.access(value, os.F_OK) and not os.access(value, os.R_OK)
        return None if is_closed else Path(value)
