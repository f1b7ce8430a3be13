"""What the commands of the recognisers share: the option of the model, and the layer to learn from.

A model is a file, or one that comes with the package and is called by its name.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.completion import model_names
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import stem
from vermeil.models import path_of

if TYPE_CHECKING:
    from vermeil.recognise.recogniser import Recogniser

GOLD = "gold"

Model = Annotated[
    str,
    typer.Option(
        metavar="MODEL",
        help="File of a model, or chem or gene, which come with vermeil.",
        autocompletion=model_names,
    ),
]
LayerOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Annotator to believe; without this gold, or the only one."),
]


def open_model(given: str) -> "Recogniser":
    """Load a model by its path, or by name one of those in the package."""
    from vermeil.recognise.recogniser import load

    return load(path_of(given))


def model_name(given: str) -> str:
    """Give what a model's layer is called: its file without folder and suffix."""
    return stem(Path(given))


def believed_layer(documents: Sequence[Document], wanted: str | None) -> str:
    """Give the name of the layer to learn from or to judge by.

    That is the one wanted, or ``gold``, or the only one; layers of alternatives are none.
    """
    names = {name for each in documents for name in each.layers if not name.endswith(ALTERNATIVES)}
    if wanted is not None:
        if wanted not in names:
            raise UnknownNameError("layer", wanted, names)
        return wanted
    if not names:
        raise UsageError("no document has a layer of names; see vermeil info for what is there")
    if GOLD in names or len(names) == 1:
        return GOLD if GOLD in names else names.pop()
    raise UsageError(f"there are the layers {', '.join(sorted(names))}; choose one with --layer")


def count_labels(documents: Iterable[Document], layer: str) -> Counter[str]:
    """Count the names of a layer by label."""
    return Counter(span.label for each in documents for span in each.layers.get(layer, ()))


def figure(value: float, *, n_digits: int = 3) -> str:
    """Write a number; undefined is a dash."""
    return f"{value:.{n_digits}f}" if value == value else "–"
