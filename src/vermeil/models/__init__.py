"""Models on disk, and the recognisers in the package (``models/train.py`` makes them)."""

from pathlib import Path

from vermeil.errors import UnknownNameError

__all__ = ["FOLDER", "path_of"]

FOLDER = Path(__file__).parent


def path_of(given: str) -> Path:
    """Return the file of a model: by its path, or by name one of those in the package."""
    path = Path(given)
    if path.is_file() or path.suffix or len(path.parts) > 1:
        return path
    known = {each.stem: each for each in FOLDER.glob("*.zip")}
    if given not in known:
        raise UnknownNameError("model", given, known)
    return known[given]
