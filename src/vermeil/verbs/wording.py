"""What users of Python are told: errors of the library in the words of Python.

Deep in the library a message names the option of the command line that helps (``--text PATH``).
Every verb has the same options under the same names, so at the border of the API only the spelling
is changed: ``text=PATH``.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from sys import maxsize
from typing import ParamSpec, TypeVar

from vermeil.errors import UsageError, VermeilError

P = ParamSpec("P")
T = TypeVar("T")

NAMES = {"from": "format"}
"""Options that have another name in Python: ``from`` is a word of the language itself."""

_COMMAND = re.compile(r"(vermeil \w+ --\w+)")
_FLAG = re.compile(r"(?<![\w-])--(looked)\b")
_WITH_WORD = re.compile(r"(?<![\w-])--(align|by|overlaps|prepare|standard|without) ([a-z]+)")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?: ([A-Z]{2,}|\d+))?")


def verb(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function raise its errors in the words of Python.

    Those that take documents say so to who gives them one by one.
    """

    code = function.__code__
    n_by_place = code.co_argcount if code.co_varnames[:1] == ("documents",) else maxsize

    @wraps(function)
    def speaking(*args: P.args, **kwargs: P.kwargs) -> T:
        if len(args) > n_by_place:
            name = code.co_name
            raise UsageError(
                f"{name} takes documents in one argument, and options by their names; of files "
                f"that are read together: {name}(vermeil.read([A, B]))"
            )
        with in_python():
            return function(*args, **kwargs)

    return speaking


@contextmanager
def in_python() -> Iterator[None]:
    """Respell the options that an error names."""
    try:
        yield
    except VermeilError as error:
        error.args = tuple(respelt(each) if isinstance(each, str) else each for each in error.args)
        raise


def respelt(message: str) -> str:
    """Write options as keyword arguments.

    >>> respelt("say where the texts are with --text PATH, or name it with --from")
    'say where the texts are with text=PATH, or name it with format='
    >>> respelt("use --without gold; try --by best")
    "use without='gold'; try by='best'"
    >>> respelt("--looked leaves them out")
    'looked=True leaves them out'
    >>> respelt("name it with --to (vermeil convert --list shows all)")
    'name it with to= (vermeil convert --list shows all)'
    """
    parts = _COMMAND.split(message)  # a command of the shell stays one
    return "".join(part if number % 2 else _respelt(part) for number, part in enumerate(parts))


def _respelt(message: str) -> str:
    told = _FLAG.sub(lambda found: f"{found[1]}=True", message)
    told = _WITH_WORD.sub(lambda found: f"{found[1]}={found[2]!r}", told)
    return _OPTION.sub(lambda found: f"{_keyword(found[1])}={found[2] or ''}", told)


def _keyword(option: str) -> str:
    return NAMES.get(option, option.replace("-", "_"))
