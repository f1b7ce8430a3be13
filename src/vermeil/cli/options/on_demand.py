"""Groups of commands that load a command's module when that command is asked for.

``vermeil --help`` has a line for every command and needs none of them. So a group knows only names
and lines, and stand-ins take the places of commands until one is run, completed or asked for its
own help. The command NAME is the function NAME of the module NAME in the package of its group; a
hyphen of a command is an underscore there.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup
from typer.main import get_command

from vermeil.cli.options.as_given import Command, take_as_given
from vermeil.cli.options.groups import spelt_out


class OnDemand(TyperGroup):
    """A group whose commands are loaded one by one; ``summaries`` has their first lines."""

    package: ClassVar[str]
    summaries: ClassVar[Mapping[str, str]]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take options as they are given, also those that typer adds by itself."""
        take_as_given(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command that the first argument names, before it is looked up."""
        self.load(args[0])
        return super().resolve_command(ctx, args)

    def load(self, name: str) -> None:
        """Put the command called ``name`` in the place of its stand-in, where there is one."""
        if name in self.summaries:
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            place = name.replace("-", "_")
            function = getattr(import_module(f"{self.package}.{place}"), place)
            alone.command(name, cls=Command)(spelt_out(function))
            self.commands[name] = get_command(alone)

    def load_all(self) -> None:
        """Load every command, for those who read them all."""
        for name in self.summaries:
            self.load(name)


def command_group(package: str, summaries: Mapping[str, str], *, help: str) -> typer.Typer:
    """Make a group of the commands of a package, in the order of their ``summaries``."""
    group = type("Commands", (OnDemand,), {"package": package, "summaries": summaries})
    app = typer.Typer(cls=group, no_args_is_help=True, rich_markup_mode=None, help=help)
    add_stand_ins(app, summaries)
    return app


def add_stand_ins(app: typer.Typer, summaries: Mapping[str, str]) -> None:
    """Put a stand-in for each command into ``app``, in this order."""
    for name, summary in summaries.items():
        app.command(name, help=summary)(_stand_in)


def _stand_in() -> None:
    """Hold the place of a command until it is loaded."""
