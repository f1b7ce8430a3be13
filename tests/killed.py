"""Commands killed and stopped at many moments, then repeated: ``python -m tests.killed N``.

Each command is ended by SIGKILL or SIGTERM after a share of the time that it takes, N times in all,
and repeated until it ends well. Then the output has the bytes of an undisturbed run, and no
``.partial`` is left anywhere. Prints a table.
"""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.generated import documents
from tests.runs.faulty_runs import command
from vermeil.formats import write

SHARDS = ("--shard-size", "0.05")
COMMANDS = {
    "convert to a file": ("convert", "in.jsonl", "-o", "out.jsonl.gz", "--log", "log.jsonl"),
    "convert, a file a layer": ("convert", "in.jsonl", "-o", "{layer}.pubtator"),
    "convert to a folder": ("convert", "one.jsonl", "--to", "brat", "-o", "out"),
    "consensus": ("consensus", "in.jsonl", "-o", "out.jsonl", "--by", "majority"),
    "consensus in shards": ("consensus", "in.jsonl", "-o", "out.jsonl", *SHARDS, "-j", "2"),
    "consensus, a folder of shards": ("consensus", "in.jsonl", "-o", "parts/", *SHARDS, "-j", "2"),
    "tag": ("tag", "one.jsonl", "--model", "gene", "-o", "out.jsonl"),
}
SIGNALS = (signal.SIGKILL, signal.SIGTERM)


def made(folder: Path) -> dict[str, bytes]:
    """Read all that a command has left, but for its inputs and times that a manifest keeps."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("in.jsonl", "one.jsonl", ".finished.json")
    }


def prepared(folder: Path) -> Path:
    folder.mkdir()
    some = list(documents(300))
    write(some, folder / "in.jsonl")
    alone = [each.replace(layers={"anna": each.layers.get("anna", ())}) for each in some]
    write(alone, folder / "one.jsonl")
    return folder


def start(folder: Path, arguments: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command(*arguments), cwd=folder, stdout=quiet, stderr=quiet)


def main() -> None:
    """Disturb commands so many times and print what became of them."""
    n_moments, tally = int(sys.argv[1]), Counter[tuple[str, str]]()
    with TemporaryDirectory() as place:
        whole: dict[str, tuple[dict[str, bytes], float]] = {}
        for number, (name, arguments) in enumerate(COMMANDS.items()):
            folder = prepared(Path(place) / f"whole-{number}")
            began = monotonic()
            assert start(folder, arguments).wait() == 0, f"{name} failed undisturbed"
            whole[name] = made(folder), monotonic() - began
        for number in range(n_moments):
            name = [*COMMANDS][number % len(COMMANDS)]
            wanted, seconds = whole[name]
            folder = prepared(Path(place) / f"disturbed-{number}")
            process = start(folder, COMMANDS[name])
            how = SIGNALS[number // len(COMMANDS) % 2]
            try:
                process.wait(seconds * (0.3 + 0.7 * number / n_moments))
                tally[name, "ended before"] += 1
            except subprocess.TimeoutExpired:
                process.send_signal(how)
                process.wait()
                tally[name, how.name] += 1
            tally[name, "left half-written"] += bool(list(folder.rglob(".*.partial")))
            if made(folder) != wanted:  # a folder that is whole is not written again
                assert start(folder, COMMANDS[name]).wait() == 0, f"{name} cannot be repeated"
            left = list(folder.rglob("*.partial"))
            assert not left, f"{name} after {how.name}: {left} is left"
            assert made(folder) == wanted, f"{name} after {how.name}: other bytes"
            sys.stderr.write(f"{number} {name} {how.name}\n")
    ends = ("SIGKILL", "SIGTERM", "ended before", "left half-written")
    lines = ["| command | " + " | ".join(ends) + " | after it was repeated |", "|---|" * 6]
    for name in COMMANDS:
        counts = " | ".join(str(tally[name, end]) for end in ends)
        lines.append(f"| {name} | {counts} | nothing left, same bytes |")
    lines[1] = "|---|---|---|---|---|---|"
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
