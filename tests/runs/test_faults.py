"""Runs that are killed, stopped and starved: each ends right, or can go on, or says why not.

VERMEIL_FAULT_SEEDS=N tries N seeds of each; one is the default.
"""

import gzip
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep

import psutil
import pytest

from benchmarks.generated import documents
from tests.runs.faulty_runs import (
    command,
    consensus,
    finish,
    kill_some_worker,
    run,
    start,
    wait_until_begun,
    workers,
)
from vermeil.formats import write

pytestmark = pytest.mark.faults

SEEDS = range(int(os.environ.get("VERMEIL_FAULT_SEEDS", "1")))
N_DOCUMENTS = 200
WORKERS = {
    "process": ("process",),
    "pool": ("pool", "-j", "2"),
    "dask": ("dask", "-j", "2"),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("faults") / "in.jsonl"
    write(documents(N_DOCUMENTS), path)
    return path


@pytest.fixture(scope="module")
def undisturbed(source: Path) -> bytes:
    target = source.with_name("undisturbed.jsonl")
    assert run("consensus", str(source), "-o", str(target)) == (0, "")
    return target.read_bytes()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("engine", "n_kills"), [("pool", 5), ("dask", 3)])
def test_a_run_whose_workers_are_killed_ends_right(
    engine: str, n_kills: int, seed: int, source: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    rng = Random(seed)
    target = tmp_path / "out.jsonl"
    arguments = consensus(source, target, "--engine", engine, "-j", "2")
    process = start(*arguments)
    wait_until_begun(target, process)
    killed = 0
    while process.poll() is None and killed < n_kills:
        killed += kill_some_worker(process, rng)
        sleep(rng.uniform(0, 0.6))
    ended = finish(process)
    if ended[0]:
        # Chance may hit one shard three times; it is set aside then, and the run can go on.
        assert ended[0] == 1
        assert not target.exists()
        ended = run(*arguments)
    assert ended == (0, "")
    assert killed
    assert target.read_bytes() == undisturbed
    assert [each.name for each in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_that_is_killed_itself_goes_on_where_it_was(
    seed: int, source: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    rng = Random(seed)
    target = tmp_path / "out.jsonl"
    arguments = consensus(source, target, "--engine", "pool", "-j", "2")
    for _ in range(3):
        process = start(*arguments)
        sleep(rng.uniform(0.3, 2.0))
        below = workers(process, ("spawn_main",))
        process.kill()
        process.communicate()
        psutil.wait_procs(below, timeout=10)
        assert not [each for each in below if each.is_running()], "workers outlive their leader"
        assert not target.exists() or target.read_bytes() == undisturbed
    done = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out.jsonl.run/observe/*.npz")}
    process = start(*arguments)
    wait_until_begun(target, process)
    for path, written in done.items():
        assert not path.exists() or path.stat().st_mtime_ns == written, "a shard was done again"
    status, said = finish(process)
    assert (status, said) == (0, ""), said
    assert target.read_bytes() == undisturbed
    assert [each.name for each in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("number", "engine"),
    [
        (signal.SIGINT, "process"),
        (signal.SIGINT, "pool"),
        (signal.SIGINT, "dask"),
        (signal.SIGTERM, "pool"),
    ],
)
def test_a_run_that_is_stopped_says_how_to_go_on(
    number: signal.Signals,
    engine: str,
    seed: int,
    source: Path,
    undisturbed: bytes,
    tmp_path: Path,
) -> None:
    target = tmp_path / "out.jsonl"
    arguments = consensus(source, target, "--engine", *WORKERS[engine])
    n_shards, status, said = 1 + Random(seed).randrange(8), 0, ""
    while not status:
        # On a crowded machine a run may end before it is stopped; then an earlier moment is tried.
        target.unlink(missing_ok=True)
        assert n_shards, "no moment was early enough"
        process = start(*arguments)
        wait_until_begun(target, process, n_shards)
        if number is signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        status, said = finish(process)
        n_shards -= 1
    assert status == 128 + number
    [line] = said.splitlines()
    assert line.startswith(f"vermeil: stopped by {number.name}")
    assert "repeat the command" in line
    assert not target.exists()
    assert run(*consensus(source, target, "--engine", "process")) == (0, "")
    assert target.read_bytes() == undisturbed


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_without_its_scheduler_ends_with_one_line_and_goes_on_with_another(
    seed: int, source: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    for _ in range(2):
        with cluster(tmp_path) as (scheduler, address):
            process = start(*consensus(source, target, "--engine", "dask", "--address", address))
            wait_until_begun(target, process, 1 + Random(seed).randrange(3))
            scheduler.kill()
            status, said = finish(process)
        assert status == 1
        assert len(said.splitlines()) == 1
        assert "the Dask scheduler at" in said
        assert not target.exists()
    with cluster(tmp_path) as (_, address):
        arguments = consensus(source, target, "--engine", "dask", "--address", address)
        assert run(*arguments) == (0, "")
    assert target.read_bytes() == undisturbed


class cluster:
    """A scheduler and a worker of their own, as on another machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "tuple[subprocess.Popen[bytes], str]":
        file = self._folder / "scheduler.json"
        file.unlink(missing_ok=True)
        options = ["--no-dashboard", "--scheduler-file", str(file)]
        scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", *options)
        deadline = monotonic() + 60
        found = None
        while found is None and monotonic() < deadline:
            found = re.search(r'"address": "(.+?)"', file.read_text() if file.exists() else "")
            sleep(0.02)
        assert found is not None, "the scheduler does not start"
        address = found[1]
        self._start("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
        return scheduler, address

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
        )
        self._processes.append(process)
        return process


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 1 MB, or skip the test where it cannot be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("engine", ["process", "pool"])
def test_a_full_disk_ends_a_run_with_one_line_and_room_lets_it_go_on(
    engine: str, source: Path, undisturbed: bytes, small_disk: Path
) -> None:
    target = small_disk / "out.jsonl"
    arguments = consensus(source, target, "--engine", *WORKERS[engine])
    status, said = run(*arguments)
    assert status == 1
    [line] = said.splitlines()
    assert "No space left on device" in line
    assert "repeat the command to go on" in line
    assert not target.exists()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    assert run(*arguments) == (0, "")
    assert target.read_bytes() == undisturbed


def test_a_limit_on_the_size_of_files_ends_a_run_with_one_line(
    source: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    arguments = consensus(source, target, "--engine", "process")
    limit = min(100_000, len(undisturbed))
    limited = subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert limited.returncode == 1
    [line] = limited.stderr.splitlines()
    assert "File too large" in line
    assert not target.exists()
    assert run(*arguments) == (0, "")
    assert target.read_bytes() == undisturbed


def test_an_input_cut_off_short_is_set_aside_and_the_rest_is_done(tmp_path: Path) -> None:
    # Files are long enough that the cut is not seen when it is asked what is in them.
    whole, plain = tmp_path / "in.jsonl", tmp_path / "plain.jsonl"
    write(documents(400), whole)
    assert run("consensus", str(whole), "-o", str(plain), "--no-read") == (0, "")
    lines = whole.read_bytes().splitlines(keepends=True)
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in range(4):
        part = gzip.compress(b"".join(lines[number * 100 : number * 100 + 100]))
        cut = part[: len(part) // 2] if number == 3 else part
        (parts / f"{number}.jsonl.gz").write_bytes(cut)
    target = tmp_path / "out.jsonl"
    arguments = consensus(parts, target, "-j", "2", "--no-read")
    status, said = run(*arguments)
    assert status == 1
    [line] = said.splitlines()
    assert "1 of 4 shards failed 3 times" in line
    assert "3.jsonl.gz: broken compression" in line
    assert not target.exists()
    assert len(list(tmp_path.glob("out.jsonl.run/observe/*.npz"))) == 3
    (parts / "3.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[300:400])))
    assert run(*arguments) == (0, "")
    assert target.read_bytes() == plain.read_bytes()


def test_a_file_that_cannot_be_read_ends_a_run_before_it_begins(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    write(documents(3), parts / "a.jsonl")
    (parts / "b.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    status, said = run(*consensus(parts / "*.jsonl", tmp_path / "out.jsonl"))
    assert status == 1
    assert len(said.splitlines()) == 1
    assert "b.jsonl" in said
