"""Where the CPU time of a command goes: by the module of ours that was at work, or waited for it.

A signal comes as often as the system's clock allows, every few milliseconds of CPU time, and the
innermost function of ours is counted, whatever library it had called; NumPy's time is that of who
called it. What ran while modules were loaded counts as loading. Shares of a command that takes two
seconds are good to a hundredth or two.

    python -m benchmarks.where COMMAND [ARGUMENT…]

    python -m benchmarks.where consensus in.jsonl -o out.jsonl
"""

import signal
import sys
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType

import vermeil
from vermeil.cli import main as run

EVERY = 0.001
LEAST = 0.02
"""Folders and modules below this share are not listed one by one."""

HOME = str(Path(vermeil.__file__).parent)
LOADING = "(loading modules)"


def main(arguments: list[str]) -> None:
    """Run a command and print the shares of folders and their modules, on standard error."""
    counts = shares(arguments)
    total = max(1, sum(counts.values()))
    folders: Counter[str] = Counter()
    for name, n in counts.items():
        folders[str(Path(name).parent)] += n
    print(f"{total:,} samples: vermeil {' '.join(arguments)}", file=sys.stderr)
    for folder, n in folders.most_common():
        if n / total < LEAST:
            continue
        own = Counter({name: m for name, m in counts.items() if str(Path(name).parent) == folder})
        most = [
            f"{Path(name).name} {m / total:.0%}"
            for name, m in own.most_common()
            if m / total >= LEAST
        ]
        print(f"{n / total:>6.1%}  {folder:<28}  {', '.join(most)}", file=sys.stderr)


def shares(arguments: list[str]) -> Counter[str]:
    """Run a command and count samples by module."""
    counts: Counter[str] = Counter()

    def note(_: int, frame: FrameType | None) -> None:
        counts[place(frame)] += 1

    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    sys.argv[1:] = arguments
    try:
        with redirect_stdout(StringIO()):
            run()
    except SystemExit as end:
        if end.code:
            raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return counts


def place(frame: FrameType | None) -> str:
    """Name the innermost module of ours on the stack, unless modules are being loaded."""
    innermost = ""
    while frame is not None:
        name = frame.f_code.co_filename
        if "importlib" in name:
            return LOADING
        if not innermost and name.startswith(HOME):
            innermost = str(Path(name).relative_to(HOME).with_suffix(""))
        frame = frame.f_back
    return innermost or "(Python and libraries)"


if __name__ == "__main__":
    main(sys.argv[1:])
