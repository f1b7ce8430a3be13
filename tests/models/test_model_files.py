import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vermeil.errors import FormatError, UsageError
from vermeil.models.model_files import read_model, steps_of, summed, write_model

ARRAYS: dict[str, NDArray[Any]] = {"a/b": np.arange(5, dtype=np.uint16), "c": np.eye(2)}


def test_a_model_comes_back_as_it_was(tmp_path: Path) -> None:
    write_model(tmp_path / "m.zip", "cascade", {"card": {"title": "α"}}, ARRAYS)
    kind, header, arrays = read_model(tmp_path / "m.zip")
    assert (kind, header["card"]) == ("cascade", {"title": "α"})
    assert all((arrays[name] == array).all() for name, array in ARRAYS.items())
    assert arrays["a/b"].dtype == np.uint16


@given(
    st.sampled_from((np.uint16, np.uint32, np.uint64)),
    st.sets(st.integers(0, 2**64 - 1), min_size=1),
)
def test_what_rises_comes_back_from_its_steps(kind: Any, numbers: set[int]) -> None:
    most = int(np.iinfo(kind).max)
    rising = np.array(sorted({number % (most + 1) for number in numbers}), dtype=kind)
    again = summed(steps_of(rising))
    assert again.dtype == rising.dtype
    assert again.tolist() == rising.tolist()


def test_lists_of_hashes_are_stored_as_steps_and_others_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    arrays: dict[str, NDArray[Any]] = {
        "rises": np.array([1, 5, 9], dtype=np.uint32),
        "falls": np.array([9, 5], dtype=np.uint32),
        "none": np.zeros(0, dtype=np.uint32),
    }
    write_model(path, "crf", {}, arrays)
    with zipfile.ZipFile(path) as archive:
        stored = set(archive.namelist())
    assert {"arrays/rises.steps.npy", "arrays/falls.npy", "arrays/none.npy"} <= stored
    again = read_model(path)[2]
    assert again.keys() == arrays.keys()
    assert all(again[name].tolist() == array.tolist() for name, array in arrays.items())


@pytest.mark.parametrize("steps", [np.zeros((3, 2), np.uint8), np.zeros(4, np.uint8), np.eye(4)])
def test_steps_of_another_shape_are_refused(tmp_path: Path, steps: NDArray[Any]) -> None:
    path = tmp_path / "m.zip"
    write_model(path, "crf", {}, {"a.steps": steps})
    with pytest.raises(FormatError, match="steps have the shape"):
        read_model(path)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_model_is_not_packed_twice(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"m.zip{suffix}"
    with pytest.raises(UsageError, match=f"a model is compressed already; leave {suffix} out"):
        write_model(path, "cascade", {}, ARRAYS)
    assert not path.exists()


def test_the_same_model_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_model(tmp_path / name, "cascade", {}, ARRAYS)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_every_damage_is_one_line_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    write_model(path, "cascade", {}, ARRAYS)
    whole = path.read_bytes()
    for cut in range(0, len(whole), 37):
        path.write_bytes(whole[:cut])
        with pytest.raises(FormatError, match=r"m\.zip: "):
            read_model(path)
    for at in range(0, len(whole), 11):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        with suppress(FormatError):  # what is changed may be a date or a name nobody needs
            read_model(path)


def test_a_zip_that_unpacks_to_too_much_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.zip"
    write_model(path, "cascade", {}, {"a": np.zeros(10**6)})
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.001")
    with pytest.raises(FormatError, match=r"m\.zip: unpacks to more than 0\.001 GB"):
        read_model(path)


def test_an_array_must_be_as_long_as_it_says(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    write_model(path, "cascade", {}, {"a": np.zeros(5)})
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    held["arrays/a.npy"] = held["arrays/a.npy"].replace(b"(5,)", b"(9,)")
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in held.items():
            archive.writestr(name, content)
    with pytest.raises(FormatError, match=r"arrays/a\.npy is not as long as its header says"):
        read_model(path)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"format": "something else", "version": 1}, "holds no model"),
        ({"format": "vermeil recogniser", "version": 9}, "version 9"),
    ],
)
def test_foreign_and_later_files_are_refused(
    tmp_path: Path, header: dict[str, object], said: str
) -> None:
    path = tmp_path / "m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
    with pytest.raises(FormatError, match=said):
        read_model(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        read_model(tmp_path / "none.zip")


def test_pickles_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    write_model(path, "cascade", {}, {})
    with zipfile.ZipFile(path, "a") as archive, archive.open("arrays/x.npy", "w") as stream:
        np.lib.format.write_array(stream, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match="damaged"):
        read_model(path)


MUCH = 80 << 20


def spelt(header: bytes = b"", array: bytes = b"", *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Write a model of parts as they are."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method, compresslevel=1) as archive:
        archive.writestr("header.json", header or json.dumps(HEADER))
        if array:
            archive.writestr("arrays/a.npy", array)
    return stream.getvalue()


HEADER = {"format": "vermeil recogniser", "version": 1, "kind": "crf"}
ARRAY = io.BytesIO()
np.save(ARRAY, np.zeros(5, np.uint8))


def lying(content: bytes, truth: int, said: int) -> bytes:
    """Let a zip say that an entry is shorter than it is."""
    return content.replace(struct.pack("<I", truth), struct.pack("<I", said))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            lambda: spelt(array=bytes(MUCH)),
            r"unpacks to more than 0\.067.* GB, which no model does",
        ),
        (lambda: spelt(header=b" " * (20 << 20)), "header.json has 20,971,520 bytes"),
        (lambda: lying(spelt(header=b" " * MUCH), MUCH, 100), "is no model or is damaged"),
        (
            lambda: lying(spelt(array=ARRAY.getvalue() + bytes(MUCH)), 133 + MUCH, 133),
            "is no model or is damaged",
        ),
        (
            lambda: spelt(array=ARRAY.getvalue().replace(b"(5,)", b"(5, ")),
            "is no model or is damaged",
        ),
        (
            lambda: spelt(array=ARRAY.getvalue(), method=zipfile.ZIP_BZIP2),
            "packed in a way that is not",
        ),
    ],
)
def test_what_unpacks_to_too_much_is_refused_before_it_does(
    content: Callable[[], bytes], reason: str, tmp_path: Path
) -> None:
    (tmp_path / "m.zip").write_bytes(content())
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=reason):
            read_model(tmp_path / "m.zip")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
