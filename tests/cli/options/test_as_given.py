"""What is given to a command is taken as it is, and what is wrong is still said by typer."""

import os
from pathlib import Path
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
    ["a", "-x", "1"],
    ["a", "-x", "00.50"],
    ["a", "-x", ".5"],
    ["a", "-x", "1."],
    ["a", "-x", "-0.1"],
    ["a", "-x", "1.0000001"],
    ["a", "-x", "٣.٣"],
    ["a", "--cut", "0.1"],
    ["a", "--cut", "1" * 400],
    ["a", "--path", "b/../c//d"],
    ["a", "--path", ""],
    ["a", "--path", "."],
    ["a", "--path", "closed"],
    ["a", "--path", "-"],
    ["a", "--paths", "b", "--paths", "closed/.."],
    ["a", "--paths", "b", "--paths", "closed"],
    ["a", "--there", "nowhere"],
    ["a", "--there", "closed"],
    ["a", "--there", "."],
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
        cut: float = 0.25,
        path: Path | None = None,
        paths: list[Path] | None = None,
        there: Annotated[Path | None, typer.Option(exists=True, dir_okay=False)] = None,
    ) -> None:
        said = (files, number, share, free, name, many, yes, perhaps, cut, path, paths, there)
        typer.echo(repr(said))

    return made


@pytest.mark.parametrize("given", GIVEN, ids=" ".join)
def test_every_value_means_what_it_means_to_typer(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "closed").touch()
    reads = os.access
    monkeypatch.setattr(
        os,
        "access",
        lambda path, mode: (
            not (Path(path) == Path("closed") and mode == os.R_OK) and reads(path, mode)
        ),
    )
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
