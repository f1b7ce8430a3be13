"""Groups of options that several commands share, each named once in a command's signature.

A group is a frozen dataclass whose fields are annotated as the parameters of a command are. A
command takes such an object as one parameter; typer is shown the command ``spelt_out``, with the
fields of the group in its place. Command functions themselves stay plain and can be called.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints


def spelt_out(command: Callable[..., None]) -> Callable[..., None]:
    """Return ``command`` with the options of its groups as parameters of its own, in their order.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int
    ...     height: int = 1
    >>> def draw(name: str, size: Size) -> None:
    ...     print(name, size)
    >>> list(signature(spelt_out(draw)).parameters)
    ['name', 'width', 'height']
    >>> spelt_out(draw)(name="a", width=2, height=3)
    a Size(width=2, height=3)
    """
    hints = get_type_hints(command, include_extras=True)
    own = signature(command)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    def parameters() -> Iterator[Parameter]:
        for name, parameter in own.parameters.items():
            if name in groups:
                yield from _parameters_of(groups[name])
            else:
                yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])

    @wraps(command)
    def with_groups(**given: Any) -> None:
        made = {
            name: group(**{each.name: given.pop(each.name) for each in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    shown = list(parameters())
    with_groups.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    with_groups.__annotations__ = {each.name: each.annotation for each in shown}
    return with_groups


def _parameters_of(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        default = Parameter.empty if each.default is MISSING else each.default
        yield Parameter(
            each.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[each.name]
        )
