"""Commands that take what is given as it is, where it needs no check.

typer has pydantic check the value of every option, also of those that nobody gave, and loading
pydantic takes as long as loading typer or numpy. A text is a text, and nothing given is nothing;
whatever else comes, as a number that is none, is still left to typer and its words for it.
"""

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand


class Command(TyperCommand):
    """A command whose options are taken as they are given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take options as they are given."""
        take_as_given(self.get_params(ctx))
        return super().parse_args(ctx, args)


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
        if kind == list[str] and isinstance(value, list | tuple):
            if all(type(each) is str for each in value):
                return list(value)
        elif type(value) is kind and not self._asked.is_ranged:
            return value
        elif kind is int and (number := self._number(value)) is not None:
            return number
        return self._checked().coerce(value, param=param, ctx=ctx)

    def _number(self, value: Any) -> int | None:
        """Read a number of plain digits that is neither too low nor too high."""
        if type(value) is not int and not (
            type(value) is str and value.isascii() and value.isdigit()
        ):
            return None
        asked, number = self._asked.parameter_info, int(value)
        is_low = asked.min is not None and number < asked.min
        return None if is_low or (asked.max is not None and number > asked.max) else number
