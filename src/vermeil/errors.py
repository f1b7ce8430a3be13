"""Every error the package raises on purpose.

* VermeilError
  * FormatError        a file breaks its format; names file and line
  * DataError          a span, document or tree cannot be made of this; also a ValueError
  * AlignmentError     two texts of one document differ in more than white space
  * UnknownNameError   a name is in no table
  * MissingExtraError  a feature needs packages that are not installed
  * UsageError         what was asked for cannot be done as asked
    * FinishedRunError   what was asked for has been done before
    * TooLittleError     there is too little to learn from

A message says where, what was found, what was wanted and what to do next, on one line.
Readers turn a DataError of what they read into a FormatError.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeAlias

Package: TypeAlias = Literal[
    "argon2-cffi",
    "distributed",
    "dkpro-cassis",
    "httpx2",
    "itsdangerous",
    "markdown-it-py",
    "pandas",
    "pyarrow",
    "python-crfsuite",
    "scikit-learn",
    "spacy",
    "starlette",
    "uvicorn",
]
EXTRAS: dict[Package, str] = {
    "argon2-cffi": ">=23.1",
    "distributed": ">=2024.1",
    "dkpro-cassis": ">=0.12",
    "httpx2": ">=2.16",
    "itsdangerous": ">=2.1",
    "markdown-it-py": ">=3",
    "pandas": ">=2.1",
    "pyarrow": ">=15",
    "python-crfsuite": ">=0.9.11",
    "scikit-learn": ">=1.4",
    "spacy": ">=3.7",
    "starlette": ">=0.40",
    "uvicorn": ">=0.30",
}
"""The packages that some features need and the version of each; those of pyproject.toml."""


N_LISTED = 40
"""Names that an error lists; hundreds of people would hide what it says."""

OUT_OF_MEMORY = "out of memory; give smaller files, or documents with shorter texts"


class VermeilError(Exception):
    """Base class: catch this to catch whatever the package can foresee."""

    def __init__(self, message: str) -> None:
        # A path may hold bytes that no terminal can show.
        shown = message.encode(errors="backslashreplace").decode()
        super().__init__(" ".join(shown.splitlines()))


class FormatError(VermeilError):
    """A file does not follow its format. ``line`` counts from 1; None where there are no lines."""

    def __init__(self, path: Path | str, line: int | None, reason: str) -> None:
        self.path, self.line, self.reason = path, line, reason
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")

    def __reduce__(self) -> tuple[type, tuple[Path | str, int | None, str]]:
        return type(self), (self.path, self.line, self.reason)


class DataError(VermeilError, ValueError):
    """What a span, a document or a tree was to be made of does not make one."""


class AlignmentError(VermeilError):
    """Two texts that should be the same document are not."""


class UnknownNameError(VermeilError):
    """Something was asked for by a name nobody gave it."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        close = get_close_matches(name, self.known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {self._listed()}"
        super().__init__(f"no {kind} named {name!r}; {hint}")

    def _listed(self) -> str:
        more = len(self.known) - N_LISTED
        named = ", ".join(self.known[:N_LISTED])
        return f"{named} and {more:,} more" if more > 0 else named or "none"

    def __reduce__(self) -> tuple[type, tuple[str, str, list[str]]]:
        return type(self), (self.kind, self.name, self.known)


class MissingExtraError(VermeilError):
    """A feature was asked for whose ``packages`` are not installed."""

    def __init__(self, feature: str, *packages: Package) -> None:
        self.feature, self.packages = feature, packages
        wanted = " ".join(repr(f"{name}{EXTRAS[name]}") for name in packages)
        verb = "is" if len(packages) == 1 else "are"
        super().__init__(
            f"{feature} needs {' and '.join(packages)}, which {verb} not installed: "
            f"pip install {wanted}"
        )

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        return type(self), (self.feature, *self.packages)


class UsageError(VermeilError):
    """What was asked for cannot be done as asked; the message says what can."""


class TooLittleError(UsageError):
    """There is too little to learn from; who can do without may go on."""


class FinishedRunError(UsageError):
    """What was asked for is there already, made by the same work; a command ends well with it."""
