"""Options of formats, for all inputs or one: ``locate=all``, ``gpt:locate=all``."""

from collections.abc import Iterable, Mapping, Sequence

from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format
from vermeil.formats.inputs import Input, input_name


def options_by_input(
    rows: Sequence[tuple[Input, Sequence[str]]], options: Mapping[str, str]
) -> list[dict[str, dict[str, str]]]:
    """Tell which options go to each input, given with the formats of its files, by format.

    An option that is given for one input wins over what is given for all.

    >>> from pathlib import Path
    >>> rows = [(Input(Path("a/gpt.jsonl")), ["mentions"]), (Input(Path("b"), "ann"), ["mentions"])]
    >>> options_by_input(rows, {"label": "Gene", "gpt:locate": "all"})
    [{'mentions': {'label': 'Gene', 'locate': 'all'}}, {'mentions': {'label': 'Gene'}}]
    """
    chosen: list[dict[str, dict[str, str]]] = [
        {format: {} for format in formats} for _, formats in rows
    ]
    names = [input_name(each) for each, _ in rows]
    for key in sorted(options, key=lambda key: ":" in key):
        whose, colon, option = key.rpartition(":")
        if colon and whose not in names:
            raise UnknownNameError("input", whose, names)
        meant = [
            (format, own)
            for name, by_format in zip(names, chosen, strict=True)
            for format, own in by_format.items()
            if not colon or name == whose
        ]
        takers = [own for format, own in meant if option in get_format(format).options]
        if not takers:
            raise _unknown(option, whose, dict.fromkeys(format for format, _ in meant))
        for own in takers:
            own[option] = options[key]
    return chosen


def own_options(given: Input, known: Iterable[str], options: Mapping[str, str]) -> dict[str, str]:
    """Pick the options that may go to one input, whose format has those that are ``known``."""
    mine = {"", input_name(given)}
    parted = {key: key.rpartition(":") for key in options}
    return {
        key: options[key]
        for key, (whose, _, option) in parted.items()
        if whose in mine and option in known
    }


def _unknown(option: str, whose: str, formats: Iterable[str]) -> UsageError:
    listed = ", ".join(formats)
    if whose:
        return UsageError(f"the input {whose!r} has no option {option!r}; its format is {listed}")
    return UsageError(f"no input has an option {option!r}; its formats are {listed}")
