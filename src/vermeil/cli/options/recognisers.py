"""What the commands of the recognisers share: the option of the model, and the layer to learn from.

A model is a file, or one that comes with the package and is called by its name.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.completion import model_names
from vermeil.cli.options.declaring import option
from vermeil.formats.files.source import stem
from vermeil.models import path_of

if TYPE_CHECKING:
    from vermeil.recognise.recogniser import Recogniser

GOLD = "gold"

Model = Annotated[
    str,
    option(
        "MODEL", "File of a model, or chem or gene, which come with vermeil.", offered=model_names
    ),
]
LayerOption = Annotated[str | None, option("NAME", "Annotator to believe: gold, or the only one.")]


def open_model(given: str) -> "Recogniser":
    """Load a model by its path, or by name one of those in the package."""
    from vermeil.recognise.recogniser import load

    return load(path_of(given))


def model_name(given: str) -> str:
    """Name the layer of a model: its file without folder and suffix."""
    return stem(Path(given))
