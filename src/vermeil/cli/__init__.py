"""The command line: one module a command, each a thin shell around a library call.

Data goes to stdout, words to stderr. Exit 0 when done, 1 on a foreseen error (one line), 2 on
wrong usage; bugs keep their traceback. A command's module is loaded when the command is asked for.
"""

import errno
import gc
import os
import sys
from typing import Annotated, Any

import typer

from vermeil import __version__
from vermeil.cli.acquire import app as acquire_app
from vermeil.cli.options.on_demand import OnDemand, add_stand_ins
from vermeil.cli.showing.standard_streams import settle_streams
from vermeil.cli.showing.stopping import stoppable
from vermeil.cli.showing.terminal import say
from vermeil.cli.trees import app as trees_app
from vermeil.errors import OUT_OF_MEMORY, FinishedRunError, FormatError, VermeilError
from vermeil.programs.threads import use_one_thread

__all__ = ["app", "main"]

SUMMARIES = {
    "convert": "Rewrite files in any format as one file in any other.",
    "info": "Show what files hold, who looks for what, and oddities.",
    "consensus": "Make one standard of what several annotators said.",
    "agree": "Show how far annotators agree: F1, kappa and alpha.",
    "silver": "Score systems, and silver made of them, against gold.",
    "audit": "Find what is inconsistent in a gold standard.",
    "score": "Score systems against a standard.",
    "annotate": "Ask any program or language model for the names in texts.",
    "learn-words": "Learn classes of words from texts without annotation.",
    "train": "Train a recogniser of names on annotated documents.",
    "tag": "Find names in texts, each with a confidence.",
    "tune": "Choose the threshold of a model on annotated documents.",
    "explain": "Show why a model is as sure of a name as it is.",
    "report": "Write one self-contained page of scores, votes and trees.",
    "review": "Serve a page on which curators settle what is disputed.",
    "demo": "Try the main commands on sample passages, in seconds.",
}
"""The first line of each command's help, which a test compares with the commands themselves."""


UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
"""What is wrong with a place to write to, not with us."""

CLOSED = UNWRITABLE | {errno.EACCES, errno.EBADF}
"""The same of standard output; a file that has a name may be one that is read."""


class Commands(OnDemand):
    """All commands but those of groups."""

    package = "vermeil.cli"
    summaries = SUMMARIES

    def invoke(self, ctx: Any) -> Any:
        """Run a command, which signals may stop and which may have been done before."""
        try:
            with stoppable():
                return super().invoke(ctx)
        except FinishedRunError as error:
            say(f"vermeil: {error}")
            raise typer.Exit from None


app = typer.Typer(
    name="vermeil",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
add_stand_ins(app, SUMMARIES)
app.add_typer(acquire_app, name="acquire")
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
    max_size: Annotated[
        float | None,
        typer.Option(
            metavar="GB",
            help="Let a compressed file unpack to so much, not 100 times its size or 1 GB.",
        ),
    ] = None,
) -> None:
    """Turn the work of several imperfect annotators of biomedical text into one standard."""
    if max_size is not None:
        from vermeil.formats.files.source import MAX_SIZE, most_unpacked

        os.environ[MAX_SIZE] = f"{max_size:g}"
        most_unpacked(0)


def main() -> None:
    """Run the command line; foreseen errors are one line and exit status 1."""
    # Documents make no cycles, and looking for some at the usual rate takes a tenth of the time.
    gc.set_threshold(100_000)
    use_one_thread()
    settle_streams()
    # Arrow's own pool keeps a third of what a worker holds for columns that are long gone.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except VermeilError as error:
        hint = "; --skip-bad goes on without such records" if _is_skippable(error) else ""
        say(f"vermeil: {error}{hint}")
        sys.exit(1)
    except MemoryError:
        say(f"vermeil: {OUT_OF_MEMORY}")
        sys.exit(1)
    except BrokenPipeError:
        _leave_stdout()
        sys.exit(1)
    except OSError as error:
        if error.filename is not None:
            what = "cannot be written: " if error.errno in UNWRITABLE else ""
            say(f"vermeil: {error.filename}: {what}{error.strerror}")
        elif error.errno in CLOSED:
            _leave_stdout()
            say(f"vermeil: standard output: cannot be written: {error.strerror}")
        else:
            raise
        sys.exit(1)


def _leave_stdout() -> None:
    """Keep the interpreter from complaining at exit of an output that takes nothing more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_skippable(error: VermeilError) -> bool:
    return isinstance(error, FormatError) and error.line is not None
