"""Commands run as a user runs them, to be disturbed: killed, stopped, starved."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic, sleep

import psutil

SHARDS = ("--shard-size", "0.05")


# Code that changes between two commands, as it does while it is worked on, would end these runs.
SCRIPT = """
from vermeil.runs import folder, manifest, sharded
manifest.code_version = folder.code_version = sharded.code_version = lambda: "as tested"
from vermeil.cli import main
main()
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", SCRIPT, *arguments]


def start(*arguments: str) -> "subprocess.Popen[str]":
    """Start a command that leads a session of its own, so that Ctrl-C can be sent to all of it."""
    return subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def finish(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Wait for a command; give its status and what it said."""
    _, said = process.communicate(timeout=120)
    return process.returncode, said


def run(*arguments: str) -> tuple[int, str]:
    return finish(start(*arguments))


def consensus(source: Path, target: Path, *options: str) -> list[str]:
    return ["consensus", str(source), "-o", str(target), *SHARDS, *options]


def wait_until_begun(target: Path, process: "subprocess.Popen[str]", n_shards: int = 1) -> None:
    """Wait until a run has done some shards more, or ended."""
    folder = Path(f"{target}.run")
    n_before = sum(1 for _ in folder.glob("*/*.npz"))
    deadline = monotonic() + 60
    while process.poll() is None and monotonic() < deadline:
        if sum(1 for _ in folder.glob("*/*.npz")) >= n_before + n_shards:
            return
        sleep(0.005)


def workers(process: "subprocess.Popen[str]", marks: Sequence[str]) -> list[psutil.Process]:
    """Give the processes below one that do the work: those whose command line has such a mark."""
    try:
        below = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    found = []
    for each in below:
        try:
            line = " ".join(each.cmdline())
        except psutil.NoSuchProcess:
            continue
        if any(mark in line for mark in marks) and "resource_tracker" not in line:
            found.append(each)
    return found


def kill_some_worker(process: "subprocess.Popen[str]", rng: Random) -> bool:
    """Kill -9 one of the workers; tell whether there was one."""
    found = workers(process, ("spawn_main",))
    if not found:
        return False
    try:
        rng.choice(found).send_signal(signal.SIGKILL)
    except psutil.NoSuchProcess:
        return False
    return True
