"""Standard input and output as a shell leaves them: closed, or in a coding of few characters."""

import codecs
import os
import sys
from typing import TextIO, cast

PLAIN = str.maketrans("–—×·│├└┌┐┘─┬┴", "--x.||`,.'-++") | {ord("…"): "...", ord("→"): "->"}
"""How what tables and help are drawn with is written where there is no such character."""

_HANDLER = "vermeil.plain"


def settle_streams() -> None:
    """Let closed streams fail when they are used, and any text be printed.

    What is closed must not get the number of a file that is opened later, either. Data in JSON are
    UTF-8 whatever the terminal has.
    """
    sys.stdin = sys.stdin or _closed("r")
    sys.stdout = sys.stdout or _closed("w")
    # Nobody will read what goes wrong with a standard error that nobody reads.
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    codecs.register_error(_HANDLER, _plainly)
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and sys.stdout.errors == "strict":
        reconfigure(errors=_HANDLER)


def _closed(mode: str) -> TextIO:
    """Make a stream that cannot be used: one that is open the other way round."""
    way = os.O_WRONLY if mode == "r" else os.O_RDONLY
    return cast(TextIO, os.fdopen(os.open(os.devnull, way), mode, encoding="utf-8"))


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Write what cannot be encoded with characters that can, or by its number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end].translate(PLAIN)
    return lost.encode("ascii", errors="backslashreplace").decode(), error.end
