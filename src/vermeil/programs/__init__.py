"""External programs as children: lines in, lines out, with deadlines and fresh starts."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.programs.kept import Failure, KeptProgram, Program, StoppedError, Talk
    from vermeil.programs.process import Ending, LineProcess

__all__ = [
    "Ending",
    "Failure",
    "KeptProgram",
    "LineProcess",
    "Program",
    "StoppedError",
    "Talk",
]

__getattr__ = _lazily(__name__)
