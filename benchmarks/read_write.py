"""Reading and writing our own formats against the bare library call, and memory against size.

The floor for JSON Lines is msgspec encoding and decoding the same rows as plain dictionaries. For
Parquet the peer is pyarrow turning the same rows from and into dictionaries, and the floor, which
shows what the file itself costs, pyarrow on whole columns without making any Python object.

    python -m benchmarks.read_write [N_DOCUMENTS]
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow
import pyarrow.parquet

from benchmarks.generated import documents
from benchmarks.measures import Measure, show
from benchmarks.timing import best
from vermeil import SpanTable
from vermeil.formats import read, write
from vermeil.formats.kinds.own.parquet import N_ROWS

GROWTH = 20


def main(n: int) -> None:
    """Print the table of ratios and the growth of memory."""
    show(rows(n))
    with tempfile.TemporaryDirectory() as name:
        memory(n // 10, Path(name))


def rows(size: int) -> list[Measure]:
    """Measure on ``size`` generated documents."""
    corpus = list(documents(size))
    with tempfile.TemporaryDirectory() as name:
        return [*jsonl(corpus, Path(name)), *parquet(corpus, Path(name))]


def grow(size: int) -> Callable[[], object]:
    """Prepare the conversion of ``size`` generated documents."""
    folder = Path(tempfile.mkdtemp())
    write(documents(size), folder / "a.jsonl")

    def work() -> None:
        write(read(folder / "a.jsonl"), folder / "a.parquet")
        shutil.rmtree(folder)

    return work


def jsonl(corpus: list[Any], folder: Path) -> list[Measure]:
    """Compare with msgspec on untyped rows."""
    path, bare = folder / "a.jsonl", folder / "bare.jsonl"
    ours = best(lambda: write(corpus, path))
    rows = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]

    def bare_write() -> None:
        encode = msgspec.json.Encoder().encode
        with bare.open("wb") as out:
            for row in rows:
                out.write(encode(row) + b"\n")

    def bare_read() -> None:
        decode = msgspec.json.Decoder().decode
        with bare.open("rb") as lines:
            for line in lines:
                decode(line)

    def plain_read() -> None:
        with bare.open("rb") as lines:
            for line in lines:
                json.loads(line)

    size = f"{len(corpus):,} documents, 5 annotators, {path.stat().st_size / 1e6:.0f} MB"
    floor = "msgspec, dictionaries"
    return [
        Measure("write JSON Lines", ours, floor=best(bare_write), floor_name=floor, note=size),
        Measure(
            "read JSON Lines",
            best(lambda: exhaust(path)),
            peer=best(plain_read),
            peer_name="json of the standard library, dictionaries",
            floor=best(bare_read),
            floor_name=floor,
        ),
        Measure(
            "read JSON Lines as columns",
            best(lambda: exhaust_columns(path)),
            peer=best(lambda: tabulate(path)),
            peer_name="documents, then columns",
            floor=best(bare_read),
            floor_name=floor,
        ),
    ]


def parquet(corpus: list[Any], folder: Path) -> list[Measure]:
    """Compare with pyarrow on the same rows as dictionaries, and on bare columns."""
    path, bare = folder / "a.parquet", folder / "bare.parquet"
    ours = best(lambda: write(corpus, path))
    table = pyarrow.parquet.read_table(path)
    rows = table.to_pylist()

    def bare_write() -> None:
        whole = pyarrow.Table.from_pylist(rows, schema=table.schema)
        pyarrow.parquet.write_table(whole, bare, compression="zstd", row_group_size=N_ROWS)

    def bare_columns() -> None:
        pyarrow.parquet.write_table(table, bare, compression="zstd", row_group_size=N_ROWS)

    dictionaries, columns = "pyarrow, dictionaries", "pyarrow, columns only"
    return [
        Measure(
            "write Parquet",
            ours,
            peer=best(bare_write),
            peer_name=dictionaries,
            floor=best(bare_columns),
            floor_name=columns,
        ),
        Measure(
            "read Parquet",
            best(lambda: exhaust(path)),
            peer=best(lambda: pyarrow.parquet.read_table(path).to_pylist()),
            peer_name=dictionaries,
            floor=best(lambda: pyarrow.parquet.read_table(path).nbytes),
            floor_name=columns,
        ),
        Measure(
            "read Parquet as columns",
            best(lambda: exhaust_columns(path)),
            peer=best(lambda: tabulate(path)),
            peer_name="documents, then columns",
            floor=best(lambda: pyarrow.parquet.read_table(path).nbytes),
            floor_name=columns,
        ),
    ]


def memory(n: int, folder: Path) -> None:
    """Convert a corpus and one GROWTH times larger, each in a fresh process."""
    print(f"\npeak memory of convert, {n:,} and {n * GROWTH:,} documents (MB)")
    print(f"{'':28}{'small':>10}{'large':>11}{'ratio':>8}")
    for source, target in (("jsonl", "parquet"), ("parquet", "jsonl")):
        peaks = []
        for size in (n, n * GROWTH):
            path = folder / f"{size}.{source}"
            write(documents(size), path)
            peaks.append(peak_memory(path, folder / f"out.{target}"))
        ratio = peaks[1] / peaks[0]
        print(f"{f'{source} to {target}':28}{peaks[0]:>10.2f}{peaks[1]:>11.2f}{ratio:>7.2f}x")


def peak_memory(source: Path, target: Path) -> float:
    """Give the peak resident size in MB of converting ``source`` to ``target``."""
    script = (
        "import re, sys; from vermeil.formats import read, write; "
        "write(read(sys.argv[1]), sys.argv[2]); "
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    command = [sys.executable, "-c", script, str(source), str(target)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def exhaust_columns(path: Path) -> None:
    """Read a corpus as stages that work on columns do."""
    rest = read(path, in_columns=True)
    while batch := list(islice(rest, 2000)):
        SpanTable.from_documents(batch)


def tabulate(path: Path) -> None:
    """Read a corpus as documents, and lay these out as columns."""
    rest = read(path)
    while batch := list(islice(rest, 2000)):
        SpanTable.from_documents(batch)


def exhaust(path: Path) -> None:
    """Read a corpus and drop it."""
    for _ in read(path):
        pass


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
