"""The folder of a run whose steps each write a file there, such as ``acquire run``.

It has the manifest and the lock of every other run, so nothing of two runs is mixed, two do not
work in it at the same time, and one that was ended goes on with the first file that is missing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import msgspec

from vermeil.document import Document
from vermeil.formats.files.replacement import at_once
from vermeil.runs.fingerprints import fingerprint_of, fingerprints
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

KEPT = "what is done is in {folder}: repeat the command to go on"
NONE: Mapping[str, Iterable[Document]] = MappingProxyType({})


class StoppedRunError(KeyboardInterrupt):
    """A run was interrupted; the message says what is kept and how to go on."""


@contextmanager
def claimed(
    folder: Path,
    *,
    stage: str,
    options: object,
    files: Sequence[Path | str] = (),
    documents: Mapping[str, Iterable[Document]] = NONE,
    may_change: Collection[str] = (),
) -> Iterator[None]:
    """Hold the folder of a run while it works: a new one, or one that an equal run has left.

    ``options`` is a dataclass, a struct or a mapping; those that ``may_change`` names may be others
    when a run goes on. ``files`` are what the run reads, ``documents`` what it has read already, by
    a name. Raise UsageError where the folder belongs to another run, to none, or to one at work;
    StoppedRunError where the run is interrupted.
    """
    refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder), at_once():
        found = found_manifest(folder)
        named: dict[str, object] = msgspec.to_builtins(options, order="deterministic")
        steady = {name: value for name, value in named.items() if name not in may_change}
        inputs = fingerprints(map(str, files), found.inputs if found else ())
        inputs += [fingerprint_of(name, each) for name, each in documents.items()]
        if found is None:
            begin(folder, Manifest(stage, steady, inputs, code_version(), ()))
        else:
            refuse_other_run(folder, found, stage=stage, options=steady, inputs=inputs)
        clear_partial(folder)
        try:
            yield
        except KeyboardInterrupt:
            raise StoppedRunError(KEPT.format(folder=folder)) from None
