"""Everything that is loaded, damaged: a result or one clear line, never anything else.

LOADERS has a row for each kind of file that a user may be given by somebody else. A loader writes
files that are right and reads one again; it is fuzzed by being in the table: a few mutants in the
suite (test_fuzz.py), as many as you like with ``python -m tests.fuzzing N``, which prints a table.
Bytes of files are flipped, cut, doubled, swapped or replaced by what readers trip over; arrays and
headers of zips get other types, shapes and numbers in a zip that is whole.
"""

import io
import random
import signal
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from vermeil import VermeilError
from vermeil.arrays import AnyArray

SECONDS = 20  # for one mutant; a reader that takes longer hangs

SPICES = [
    *(
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xf0\x9d\x9b\xbc",
        b"\xef\xbb\xbf",
        b"\r",
        b"\n\n",
        b"\t",
    ),
    *(
        b"-1",
        b"0",
        b"99999999999999999999",
        b"1e999",
        b"NaN",
        b"null",
        b"true",
        b'""',
        b"{}",
        b"[]",
    ),
    *(
        b"<",
        b"&",
        b"&x;",
        b"]]>",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
        b"(",
        b")",
        b"|",
        b"#",
        b"\\u",
    ),
]


VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 2**40, -0.5, 1e300, "", "x", [], [1], ["a", "a"], {}, {"a": None}),
)


@dataclass(frozen=True, slots=True)
class Loader:
    """A kind of file: ``make`` writes one that is right to a folder, ``load`` reads and uses it."""

    make: Callable[[Path], Path]
    load: Callable[[Path], object]
    is_zip: bool = False


class Tally(Counter[str]):
    """How mutants ended: ``refused`` in one line, or ``used`` as they are."""


def fuzz(name: str, loader: Loader, folder: Path, n: int) -> Tally:
    """Load ``n`` mutants, the same ones every time; an AssertionError shows what went wrong."""
    chance, path = random.Random(name), loader.make(folder)
    content, tally = path.read_bytes(), Tally()
    assert not complaint(loader, path), "what is whole is used"
    for number in range(n):
        is_inner = loader.is_zip and number % 4
        mutant, must_fail = (
            other_zip(content, chance) if is_inner else (mutated(content, chance), False)
        )
        path.write_bytes(mutant)
        with no_hang(mutant):
            said = complaint(loader, path)
        assert "\n" not in said, f"{name}, mutant {number}: {said}"
        assert said or not must_fail, f"{name}, mutant {number} was used as it is"
        tally["refused" if said else "used"] += 1
    path.write_bytes(content)
    return tally


def complaint(loader: Loader, path: Path) -> str:
    """Load a file; return the line about what is wrong with it, if anything is."""
    try:
        loader.load(path)
    except VermeilError as error:
        return str(error)
    return ""


def other_zip(content: bytes, chance: random.Random) -> tuple[bytes, bool]:
    """Make a whole zip with another array or header; tell whether nobody could use it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        held = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    arrays = sorted(name for name in held if name.endswith(".npy") and "ids" not in name)
    must_fail = False
    if chance.random() < 0.25:
        held["header.json"] = _other_header(held["header.json"], chance)
    else:
        name = chance.choice(arrays)
        array = np.load(io.BytesIO(held[name]), allow_pickle=False)
        changed, must_fail = _other_array(array, chance)
        stream = io.BytesIO()
        np.lib.format.write_array(stream, changed, version=(1, 0), allow_pickle=False)
        held[name] = stream.getvalue()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, each in held.items():
            archive.writestr(name, each)
    return packed.getvalue(), must_fail


def _other_header(header: bytes, chance: random.Random) -> bytes:
    whole = msgspec.json.decode(header)
    place = whole
    while True:
        key = chance.choice(sorted(place))
        if not isinstance(place[key], dict) or not place[key] or chance.random() < 0.3:
            break
        place = place[key]
    if chance.random() < 0.2:
        del place[key]
    else:
        place[key] = chance.choice(VALUES)
    return msgspec.json.encode(whole)


def _other_array(array: AnyArray, chance: random.Random) -> tuple[AnyArray, bool]:
    """Change an array; tell whether it holds what no array of a model may."""
    at = chance.randrange(array.size) if array.size else 0
    match chance.randrange(9):
        case 0:
            return array[: chance.randrange(len(array) + 1)] if array.ndim else array[None], False
        case 1:
            return array[..., None], array.size > 0
        case 2:
            with np.errstate(all="ignore"):
                other = chance.choice(["S3", "U2", "complex64", "bool", "float16"])
                return array.astype(other), False
        case 3 if array.dtype.kind == "f" and array.size:
            changed = array.copy()
            changed.flat[at] = np.nan
            return changed, True
        case 4 if array.dtype.kind == "f" and array.size:
            changed = array.copy()
            changed.flat[at] = np.inf
            return changed, False
        case 5 if array.dtype.kind == "i" and array.size:
            changed = array.copy()
            changed.flat[at] = np.int64(chance.choice([-1, -(2**15), 2**14])).astype(array.dtype)
            return changed, bool(changed.flat[at] < 0) and bool((array >= 0).all())
        case 6 if array.size > 1:
            return array[::-1], False
        case 7 if array.dtype.kind == "i" and array.size:
            changed = array.copy()
            changed.flat[at] = changed.flat[chance.randrange(array.size)]
            return changed, False
        case _:
            return np.concatenate([array, array]), False


def mutated(content: bytes, rng: random.Random) -> bytes:
    mutant = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(mutant) + 1)
        end = min(len(mutant), at + rng.choice((1, 2, 8, 60)))
        match rng.randrange(7):
            case 0:
                mutant[at:end] = rng.choice(SPICES)
            case 1:
                mutant[at:at] = rng.choice(SPICES)
            case 2:
                del mutant[at:end]
            case 3:
                mutant[at:at] = mutant[at:end]
            case 4:
                mutant[at:end] = reversed(mutant[at:end])
            case 5 if at < len(mutant):
                mutant[at] ^= 1 << rng.randrange(8)
            case 6:
                del mutant[at if rng.random() < 0.2 else end :]
    return bytes(mutant)


@contextmanager
def no_hang(mutant: bytes) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise AssertionError(f"still reading after {SECONDS} s: {mutant[:200]!r}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main() -> None:
    """Print a table of so many mutants, as many of each loader."""
    from tests.loaders import LOADERS

    n = -(-int(sys.argv[1]) // len(LOADERS))
    rows = []
    for name, loader in LOADERS.items():
        with TemporaryDirectory() as folder:
            tally = fuzz(name, loader, Path(folder), n)
        rows.append((name, n, tally["refused"], tally["used"]))
        sys.stderr.write(f"{name}\n")
    lines = ["| loader | mutants | refused in one line | used as they are | tracebacks |"]
    lines += ["|---|---|---|---|---|"]
    lines += [f"| {name} | {n:,} | {bad:,} | {used:,} | 0 |" for name, n, bad, used in rows]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
