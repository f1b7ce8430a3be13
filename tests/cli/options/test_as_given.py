"""What is given to a command is taken as it is, and what is wrong is still said by typer."""

from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from vermeil.cli.options.as_given import Command, take_as_given

GIVEN: list[list[str]] = [
    [],
    ["a"],
    ["a", "b", "-n", "3", "-x", "0.5", "--name", "é", "--many", "p", "--many", "q", "--yes"],
    ["a", "-n", "+3"],
    ["a", "-n", " 3 "],
    ["a", "-n", "٣"],
    ["a", "-n", "3.0"],
    ["a", "-n", "-1"],
    ["a", "-n", "11"],
    ["a", "-n", "1_0"],
    ["a", "-n", "007"],
    ["a", "-n", ""],
    ["a", "-x", "nan"],
    ["a", "-x", "2"],
    ["a", "-x", "much"],
    ["a", "--free", "12"],
    ["a", "--free", "1e2"],
    ["a", "--name", ""],
    ["a", "--no-yes"],
    ["a", "--perhaps"],
]


def app(cls: type[Any]) -> typer.Typer:
    made = typer.Typer(add_completion=False, rich_markup_mode=None)

    @made.command(cls=cls)
    def show(
        files: Annotated[list[str], typer.Argument()],
        number: Annotated[int, typer.Option("-n", min=0, max=10)] = 1,
        share: Annotated[float | None, typer.Option("-x", min=0, max=1)] = None,
        free: int | None = None,
        name: str = "",
        many: list[str] | None = None,
        yes: bool | None = None,
        perhaps: bool = False,
    ) -> None:
        typer.echo(repr((files, number, share, free, name, many, yes, perhaps)))

    return made


@pytest.mark.parametrize("given", GIVEN, ids=" ".join)
def test_every_value_means_what_it_means_to_typer(given: list[str]) -> None:
    runner = CliRunner()
    wanted = runner.invoke(app(typer.core.TyperCommand), given)
    shown = runner.invoke(app(Command), given)
    assert (shown.exit_code, shown.output) == (wanted.exit_code, wanted.output)


def test_parameters_are_prepared_once() -> None:
    command = get_command(app(Command))
    take_as_given(command.params)
    before = [vars(each).get("get_runtime_param") for each in command.params]
    take_as_given(command.params)
    assert [vars(each).get("get_runtime_param") for each in command.params] == before
