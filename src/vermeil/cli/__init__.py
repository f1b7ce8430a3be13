"""The command line: one module a command, each a thin shell around a library call.

Data goes to stdout, words to stderr. Exit 0 when done, 1 on a foreseen error (one line), 2 on
wrong usage; bugs keep their traceback.
"""

import os
import sys
from typing import Annotated

import typer

from vermeil import __version__
from vermeil.cli.agree import agree
from vermeil.cli.audit import audit
from vermeil.cli.consensus import consensus
from vermeil.cli.convert import convert
from vermeil.cli.demo import demo
from vermeil.cli.explain import explain
from vermeil.cli.info import info
from vermeil.cli.report import report
from vermeil.cli.review import review
from vermeil.cli.score import score
from vermeil.cli.tag import tag
from vermeil.cli.train import train
from vermeil.cli.trees import app as trees_app
from vermeil.cli.tune import tune
from vermeil.errors import FormatError, VermeilError

app = typer.Typer(
    name="vermeil",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(convert)
app.command()(info)
app.command()(consensus)
app.command()(agree)
app.command()(audit)
app.command()(score)
app.command()(train)
app.command()(tag)
app.command()(tune)
app.command()(explain)
app.command()(report)
app.command()(review)
app.command()(demo)
app.add_typer(trees_app, name="trees")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"vermeil {__version__}")
        raise typer.Exit


@app.callback()
def vermeil(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Turn the work of several imperfect annotators of biomedical text into one standard."""


def main() -> None:
    """Run the command line; foreseen errors are one line and exit status 1."""
    try:
        app()
    except VermeilError as error:
        hint = "; --skip-bad goes on without such records" if _is_skippable(error) else ""
        typer.echo(f"vermeil: {error}{hint}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output has gone; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _is_skippable(error: VermeilError) -> bool:
    return isinstance(error, FormatError) and error.line is not None
