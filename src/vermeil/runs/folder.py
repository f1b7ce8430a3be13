"""The folder of a run whose steps each write a file there, such as ``acquire run``.

It has the manifest and the lock of every other run, so nothing of two runs is mixed, two do not
work in it at the same time, and one that was ended goes on with the first file that is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vermeil.runs.fingerprints import fingerprints
from vermeil.runs.manifest import (
    Manifest,
    begin,
    clear_partial,
    code_version,
    found_manifest,
    locked,
    refuse_foreign,
    refuse_other_run,
)


@contextmanager
def claimed(
    folder: Path, *, stage: str, options: Mapping[str, Any], files: Sequence[Path | str]
) -> Iterator[Path]:
    """Hold the folder of a run while it works: a new one, or one that an equal run has left.

    ``files`` are what the run reads. Raise UsageError where the folder belongs to another run, to
    none, or to one that is at work.
    """
    refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        found = found_manifest(folder)
        inputs = fingerprints(map(str, files), found.inputs if found else ())
        if found is None:
            begin(folder, Manifest(stage, dict(options), inputs, code_version(), ()))
        else:
            refuse_other_run(folder, found, stage=stage, options=options, inputs=inputs)
            clear_partial(folder)
        yield folder
