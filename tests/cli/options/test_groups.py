from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from vermeil.cli.options.groups import spelt_out

CALLS: list[tuple[Any, ...]] = []


@dataclass(frozen=True, slots=True)
class Paper:
    size: Annotated[str, typer.Option(metavar="SIZE", help="How big.")]
    colour: Annotated[str, typer.Option("--colour", "-c", help="Which colour.")] = "white"


@dataclass(frozen=True, slots=True)
class Ink:
    wet: Annotated[bool, typer.Option("--wet", help="Do not wait.")] = False


def draw(
    names: Annotated[list[str], typer.Argument(help="What to draw.")],
    *,
    paper: Paper,
    n: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
    ink: Ink,
) -> None:
    """Draw something."""
    CALLS.append((names, paper, n, ink))


@pytest.fixture
def app() -> typer.Typer:
    CALLS.clear()
    made = typer.Typer(rich_markup_mode=None)
    made.command()(spelt_out(draw))
    return made


def run(app: typer.Typer, *arguments: str) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 0


def test_a_group_comes_to_the_command_as_one_object(app: typer.Typer) -> None:
    run(app, "cat", "dog", "--size", "A4", "-c", "red", "--wet", "--n", "2")
    assert [(["cat", "dog"], Paper("A4", "red"), 2, Ink(wet=True))] == CALLS


def test_defaults_are_those_of_the_group(app: typer.Typer) -> None:
    run(app, "cat", "--size", "A4")
    assert [(["cat"], Paper("A4"), 1, Ink())] == CALLS


def test_options_of_groups_stand_where_their_group_does(app: typer.Typer) -> None:
    names = [each.name for each in get_command(app).params]
    assert names[:5] == ["names", "size", "colour", "n", "wet"]


def test_what_a_group_needs_is_needed(app: typer.Typer) -> None:
    assert CliRunner().invoke(app, ["cat"]).exit_code == 2
    assert not CALLS


def test_help_has_the_words_of_the_group_and_of_the_command(app: typer.Typer) -> None:
    shown = CliRunner().invoke(app, ["--help"]).output
    assert "Draw something." in shown
    assert "--size SIZE" in shown
    assert "Which colour.  [default: white]" in shown
