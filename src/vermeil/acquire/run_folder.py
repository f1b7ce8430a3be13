"""The folder of a run that takes its time: what it was made from, so that nothing is mixed."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from vermeil.errors import UsageError
from vermeil.formats.files.sink import replacing

MANIFEST = "manifest.json"


def claim(folder: Path, made_from: Mapping[str, Any]) -> None:
    """Make the folder for a run, or go on in one that an equal run left behind.

    A folder of another run, or of no run at all, is refused.
    """
    wanted = msgspec.json.format(msgspec.json.encode(made_from, order="sorted"), indent=1)
    path = folder / MANIFEST
    folder.mkdir(parents=True, exist_ok=True)
    if path.exists():
        if path.read_bytes() != wanted:
            raise UsageError(
                f"{folder}: holds a run with other inputs or options; choose another folder, or "
                "remove this one to begin again"
            )
        return
    if any(folder.iterdir()):
        raise UsageError(f"{folder}: is not empty and holds no run; choose another folder")
    with replacing(path) as stream:
        stream.write(wanted)


def fingerprint(paths: Iterable[Path]) -> str:
    """Give a hash of the contents of files, and of all files in folders, in this order."""
    digest = sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(file.name.encode())
                with file.open("rb") as stream:
                    while block := stream.read(1 << 20):
                        digest.update(block)
    return digest.hexdigest()
