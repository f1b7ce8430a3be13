"""Commands run as from the shell, in this process: those that do well, and those that cannot."""

import sys

import pytest
from typer.testing import CliRunner

from vermeil.cli import app, main


def run(*arguments: str, given: str | None = None) -> str:
    """Run a command that does well, ``given`` some standard input; return its standard output."""
    result = CliRunner().invoke(app, list(arguments), input=given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(capsys: pytest.CaptureFixture[str], *arguments: str, is_silent: bool = True) -> str:
    """Run a command that cannot do what is asked; return the one line that it says.

    It prints nothing, unless it notices late.
    """
    sys.argv = ["vermeil", *arguments]
    with pytest.raises(SystemExit) as stop:
        main()
    captured = capsys.readouterr()
    assert stop.value.code == 1
    assert not (is_silent and captured.out)
    [line] = captured.err.splitlines()
    return line
