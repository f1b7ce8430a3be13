"""The folder of a run, and the manifest that says which run it is.

    manifest.json    the command, its options, its inputs, the code, and the shards if there are any
    lock             held while a run works here
    given.jsonl      what the command was given, where that has to be written down first
    failures.jsonl   the shards that failed, and why
    *.partial        what is being written, or was when a run was killed

All else is what the run has made. Each file appears when it is whole, and what is there is not made
again. A run with other inputs, options or code than the manifest has is refused, so that what two
runs made is never mixed.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import vermeil
from vermeil.errors import UsageError
from vermeil.formats.files.replacement import replacing
from vermeil.formats.files.states import LOCK, MANIFEST
from vermeil.runs.fingerprints import Fingerprint
from vermeil.runs.results import sync_folder
from vermeil.runs.shards import Shard, paths_of

PARTIAL = "*.partial"
FAILURES, GIVEN = "failures.jsonl", "given.jsonl"
RESULTS = "*/*.npz"
"""Where the results of shards are; a shard that has one is done."""

FINISHED = ".finished.json"
"""The manifest as a run leaves it in a folder of documents that it has finished."""


class Manifest(msgspec.Struct, frozen=True):
    """Which run a folder belongs to. How many work on it may change on the way.

    ``inputs`` are the files of the documents, then those that the stage itself needs.
    """

    stage: str
    options: dict[str, Any]
    inputs: list[Fingerprint]
    code: str
    shards: tuple[Shard, ...]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder of a run where it is not there, and keep other runs out of it."""
    import fcntl  # not on every system

    try:
        folder.mkdir(exist_ok=True)
        lock = (folder / LOCK).open("ab")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{folder}: another run is working there; wait for it") from None
        yield


def found_manifest(folder: Path, name: str = MANIFEST) -> Manifest | None:
    """Read the manifest of a folder; None where no run has begun there."""
    path = folder / name
    if not path.exists():
        return None
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Manifest)
        unknown = set(paths_of(found.shards)).difference(each.path for each in found.inputs)
        if unknown or not all(shard.parts for shard in found.shards):
            raise ValueError("its shards are not those of its inputs")
        return found
    except (msgspec.MsgspecError, OSError, ValueError) as error:
        raise UsageError(f"{path}: is no manifest of a run: {error}; remove {folder}") from error


def begin(folder: Path, manifest: Manifest, name: str = MANIFEST) -> None:
    """Store the manifest of a new run."""
    with replacing(folder / name) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    sync_folder(folder)


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder in which something else than a run has left its files."""
    if not folder.is_dir() or (folder / MANIFEST).exists():
        return
    for path in folder.iterdir():
        if not _is_groundwork(path):
            raise UsageError(
                f"{folder}: holds {path.name}, which no run has left there; move it away, or "
                "choose another folder"
            )


def forget(folder: Path) -> None:
    """Remove what a run has left, unless it is still at work."""
    if (folder / MANIFEST).exists():
        with locked(folder):
            remove(folder)


def remove(folder: Path) -> None:
    """Remove the folder of a run, which may be killed at any moment: the manifest goes last.

    Results go first, for a shard that has one counts as done, whatever became of its documents. So
    what is left is always a run that can go on, or nothing that anybody could take for one.
    """
    for result in folder.glob(RESULTS):
        result.unlink()
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in (MANIFEST, LOCK):
            path.unlink()
    for name in (MANIFEST, LOCK):
        (folder / name).unlink(missing_ok=True)
    folder.rmdir()


def is_untouched(folder: Path) -> bool:
    """Tell whether a run has left nothing that it could go on from, and nothing to be read."""
    return all(path.is_dir() or _is_groundwork(path) for path in folder.rglob("*"))


def clear_partial(folder: Path) -> None:
    """Remove what a run that was killed left half-written."""
    for path in folder.rglob(PARTIAL):
        path.unlink(missing_ok=True)


def refuse_other_run(
    folder: Path,
    found: Manifest,
    *,
    stage: str,
    options: Mapping[str, Any],
    inputs: Sequence[Fingerprint],
) -> None:
    """Say what is not as it was when the run began, in one line."""
    for what, then, now in (
        ("the command", {"command": found.stage}, {"command": stage}),
        ("an option", found.options, _as_stored(options)),
        ("an input", _by_path(found.inputs), _by_path(inputs)),
        ("the version of vermeil", {"code": found.code}, {"code": code_version()}),
    ):
        changed = [key for key in {**then, **now} if then.get(key) != now.get(key)]
        if changed:
            key = changed[0]
            raise UsageError(
                f"{folder}: this run was begun otherwise, {what} has changed ({key}: "
                f"{then.get(key)!r}, now {now.get(key)!r}); repeat it as it was to go on, or "
                f"remove {folder} to begin anew"
            )


@cache
def code_version() -> str:
    """Tell the version of the package and a digest of its modules."""
    from hashlib import sha256  # loads a library of ciphers, which a stream does without

    digest = sha256()
    folder = Path(vermeil.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{vermeil.__version__}+{digest.hexdigest()[:12]}"


def _is_groundwork(path: Path) -> bool:
    """Tell whether a file is there before a run has made anything."""
    return path.name in (MANIFEST, LOCK, GIVEN) or path.match(PARTIAL)


def _as_stored(options: Mapping[str, Any]) -> dict[str, Any]:
    stored: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(options))
    return stored


def _by_path(inputs: Sequence[Fingerprint]) -> dict[str, str]:
    return {each.path: each.digest for each in inputs}
