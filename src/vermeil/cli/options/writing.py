"""How every command writes: what could not be written is refused before any work is done."""

from pathlib import Path
from typing import Annotated

from vermeil.cli.options.completion import target_formats
from vermeil.cli.options.declaring import flag, option
from vermeil.errors import UsageError


def _settled(output: str) -> str:
    """Call standard output by one name."""
    return "-" if output == "/dev/stdout" else output


Output = Annotated[
    str, option("OUT", "File to write; - is stdout.", "-o", "--output", settle=_settled)
]
AsJson = Annotated[bool, flag("Print JSON instead of tables.", "--json")]
Full = Annotated[bool, flag("Show everybody of a crowd, not the first or most telling.", "--full")]
TargetFormat = Annotated[
    str | None,
    option("FORMAT", "Format to write, if its name does not tell.", "--to", offered=target_formats),
]


def check_target(path: Path | str | None) -> None:
    """Refuse a file whose folder is not there; None and - are no files."""
    if path is None or str(path) == "-":
        return
    folder = Path(path).parent
    try:
        is_there = folder.is_dir()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    if not is_there:
        raise UsageError(f"{path}: there is no folder {str(folder)!r}; make it first")


def check_output(output: str | None, *, as_json: bool, option: str = "-o") -> None:
    """Refuse what ``option`` cannot write, also to stdout if a summary as JSON goes there."""
    refuse_two_on_stdout(output, as_json=as_json, option=option)
    check_target(output)


def check_picture(path: Path | None) -> None:
    """Refuse a picture on standard output, where the tables are, and a folder that is not there."""
    if path is not None and str(path) == "-":
        raise UsageError("a picture goes to a file, not to standard output; give its name")
    check_target(path)


def refuse_two_on_stdout(output: str | None, *, as_json: bool, option: str = "-o") -> None:
    """Refuse to print a summary as JSON among the data that ``option`` sends to stdout."""
    if as_json and output == "-":
        raise UsageError(
            f"--json and {option} - both write to standard output; drop --json, or give "
            f"{option} FILE"
        )
