"""How a command is stopped: by a signal, with nothing half-written left and one line about it."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from vermeil.cli.showing.terminal import say

STOPPED = 128
"""What a shell adds to the number of the signal that ended a command."""

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
N_NAMED = 3
WRITING = "vermeil.formats.files.replacement"
"""What knows of files being written. A command that has not loaded it has begun none."""


@contextmanager
def stoppable() -> Iterator[None]:
    """End a command that a signal stops with one line: what is kept, or what was not written.

    A signal that the command was told to ignore (nohup, a job in the background) stays ignored.
    """
    caught: list[tuple[signal.Signals, str]] = []

    def stop(number: int, frame: object) -> None:
        if not caught:  # a second one must not disturb the tidying up
            caught.append((signal.Signals(number), _undone()))
            raise KeyboardInterrupt

    before = {
        each: signal.signal(each, stop)
        for each in (SIGNALS if threading.current_thread() is threading.main_thread() else ())
        if signal.getsignal(each) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    except KeyboardInterrupt as error:
        if not caught:
            raise
        [(number, undone)] = caught
        said = "; ".join(filter(None, [f"stopped by {number.name}", str(error) or undone]))
        say(f"vermeil: {said}")
        raise typer.Exit(STOPPED + number) from None
    finally:
        if WRITING in sys.modules:
            sys.modules[WRITING].discard_unfinished()
        for each, handler in before.items():
            signal.signal(each, handler)


def _undone() -> str:
    """Say what was being written and will not be there."""
    if WRITING not in sys.modules:
        return ""
    names = list(dict.fromkeys(map(str, sys.modules[WRITING].unfinished())))
    if not names:
        return ""
    more = f" and {len(names) - N_NAMED} more" if len(names) > N_NAMED else ""
    return f"{', '.join(names[:N_NAMED])}{more} not written"
