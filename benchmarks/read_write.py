"""Reading and writing our own formats against the bare library call, and memory against size.

The floor for JSON Lines is msgspec encoding and decoding the same rows as plain dictionaries; for
Parquet it is pyarrow turning the same rows from and into dictionaries; and, to see what the file
itself costs, pyarrow loading the columns without making any Python object.

    python -m benchmarks.read_write [N_DOCUMENTS]
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pyarrow
import pyarrow.parquet

from benchmarks.generated import documents
from benchmarks.timing import best
from vermeil.formats import read, write
from vermeil.formats.parquet import N_ROWS

GROWTH = 20


def main(n: int) -> None:
    """Print the table of ratios and the growth of memory."""
    corpus = list(documents(n))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{n:,} documents, 5 annotators; CPU seconds, best of 3")
        print(f"{'':28}{'vermeil':>10}{'bare call':>11}{'ratio':>8}")
        jsonl(corpus, folder)
        parquet(corpus, folder)
        memory(n // 10, folder)


def jsonl(corpus: list[Any], folder: Path) -> None:
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

    report("write JSON Lines", ours, best(bare_write))
    report("read JSON Lines", best(lambda: exhaust(path)), best(bare_read))


def parquet(corpus: list[Any], folder: Path) -> None:
    """Compare with pyarrow on the same rows as dictionaries, and on bare columns."""
    path, bare = folder / "a.parquet", folder / "bare.parquet"
    ours = best(lambda: write(corpus, path))
    table = pyarrow.parquet.read_table(path)
    rows = table.to_pylist()

    def bare_write() -> None:
        whole = pyarrow.Table.from_pylist(rows, schema=table.schema)
        pyarrow.parquet.write_table(whole, bare, compression="zstd", row_group_size=N_ROWS)

    report("write Parquet", ours, best(bare_write))
    reading = best(lambda: exhaust(path))
    report("read Parquet", reading, best(lambda: pyarrow.parquet.read_table(path).to_pylist()))
    report("  against columns only", reading, best(lambda: pyarrow.parquet.read_table(path).nbytes))


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
        report(f"{source} to {target}", peaks[1], peaks[0], small=peaks[0], large=peaks[1])


def peak_memory(source: Path, target: Path) -> float:
    """Give the peak resident size in MB of converting ``source`` to ``target``."""
    script = (
        "import re, sys; from vermeil.formats import read, write; "
        "write(read(sys.argv[1]), sys.argv[2]); "
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    command = [sys.executable, "-c", script, str(source), str(target)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def exhaust(path: Path) -> None:
    """Read a corpus and drop it."""
    for _ in read(path):
        pass


def report(
    what: str, ours: float, bare: float, *, small: float | None = None, large: float | None = None
) -> None:
    """Print a line of the table."""
    first, second = (small, large) if small is not None and large is not None else (ours, bare)
    print(f"{what:28}{first:>10.2f}{second:>11.2f}{ours / bare:>7.2f}x")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
