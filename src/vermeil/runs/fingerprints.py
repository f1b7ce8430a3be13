"""What files were when a run began, to notice when one has changed.

A file is known by a digest of what it holds. Where its size and time of change are still those that
were noted, it is not read again to know that.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vermeil.document import Document
from vermeil.errors import FormatError
from vermeil.formats.files.states import State, files_in, state_of

if TYPE_CHECKING:
    import hashlib

N_DIGITS = 32
"""Digits kept of a digest: 128 bits."""


class Fingerprint(msgspec.Struct, frozen=True):
    """A file or folder: its state, and a digest (SHA-256) of what it holds."""

    path: str
    size: int
    changed: int
    touched: int
    listed: int
    digest: str

    @property
    def state(self) -> State:
        """What can be told without reading it."""
        return self.path, self.size, self.changed, self.touched, self.listed


def fingerprints(paths: Iterable[str], known: Sequence[Fingerprint] = ()) -> list[Fingerprint]:
    """Take the fingerprint of each file or folder; ``known`` ones are kept where nothing changed.

    Reads a gigabyte a second, about. Raise FormatError where something cannot be read.
    """
    by_state = {each.state: each for each in known}
    states = map(state_of, paths)
    return [by_state.get(state) or Fingerprint(*state, _digest(Path(state[0]))) for state in states]


def changed_file(known: Iterable[Fingerprint]) -> str | None:
    """Name the first file that no longer holds what it held; one that was merely touched does."""
    for before in known:
        if state_of(before.path) != before.state and _digest(Path(before.path)) != before.digest:
            return before.path
    return None


def fingerprint_of(name: str, documents: Iterable[Document]) -> Fingerprint:
    """Take the fingerprint of documents in memory, under a name: of ids, texts and layers."""
    digest, size = _sha256(), 0
    encode = msgspec.json.Encoder(order="sorted").encode
    for each in documents:
        line = encode((each.id, each.text, each.layers))
        digest.update(line)
        size += len(line)
    return Fingerprint(name, size, 0, 0, 0, digest.hexdigest()[:N_DIGITS])


def digest_of_file(path: Path) -> str:
    """Tell what a file holds by a few letters."""
    from hashlib import file_digest

    with path.open("rb") as stream:
        return file_digest(stream, _sha256).hexdigest()[:N_DIGITS]


def _digest(path: Path) -> str:
    held = files_in(path)
    try:
        if held == [path]:
            return digest_of_file(path)
        listed = [f"{each.relative_to(path)} {digest_of_file(each)}" for each in held]
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror}") from error
    return _sha256("\n".join(listed).encode()).hexdigest()[:N_DIGITS]


def _sha256(content: bytes = b"") -> "hashlib._Hash":
    """Begin a digest; a command that works as a stream does not load what makes one."""
    from hashlib import sha256

    return sha256(content)
