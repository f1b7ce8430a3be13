"""The recognisers that come with the package; ``models/train.py`` makes them."""

from pathlib import Path

from vermeil.errors import UnknownNameError

FOLDER = Path(__file__).parent


def path_of(name: str) -> Path:
    """Give the file of a model by its name."""
    known = {path.stem: path for path in FOLDER.glob("*.zip")}
    if name not in known:
        raise UnknownNameError("model", name, known)
    return known[name]
