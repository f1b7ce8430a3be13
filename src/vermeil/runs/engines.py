"""Who does the work: this process, a pool of processes, or a Dask cluster.

All three take a function and its arguments and give a future, so a run does not know which it has.
Workers leave SIGINT to the process that leads them, and end when that process ends.
"""

import os
import signal
import threading
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from vermeil.errors import MissingExtraError, UnknownNameError, UsageError

if TYPE_CHECKING:  # a command that needs no engine asks only whether one can be had
    from concurrent.futures import Future, ProcessPoolExecutor

START_SECONDS = 30.0
"""Time a Dask scheduler has to answer, at the start and after it was lost."""

STOP_SECONDS = 5.0
"""Time a worker has to end what it has begun, such as other programs."""


class Engine(Protocol):
    """Takes work. ``n_workers`` work at the same time."""

    n_workers: int

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Begin some work."""

    def renew(self) -> None:
        """Get new workers after some died."""

    def check(self) -> None:
        """Raise UsageError where the engine is lost for good."""

    def stop(self) -> None:
        """End all workers at once, whatever they are doing."""


def open_engine(name: str, *, n_workers: int | None, address: str | None) -> Engine:
    """Start an engine; without ``n_workers`` one for every processor this process may use."""
    check_engine(name, n_workers=n_workers, address=address)
    return ENGINES[name](n_workers or len(os.sched_getaffinity(0)), address)


def check_engine(name: str, *, n_workers: int | None, address: str | None) -> None:
    """Refuse an engine that is not there, or that cannot be as it is wanted."""
    if name not in ENGINES:
        raise UnknownNameError("engine", name, ENGINES)
    if address and name != "dask":
        raise UsageError("--address is that of a Dask scheduler; add --engine dask")
    if n_workers is not None and n_workers < 1:
        raise UsageError(f"-j takes the number of workers, 1 or more, not {n_workers}")
    if n_workers is not None and n_workers > 1 and name == "process":
        raise UsageError(
            f"--engine process works alone, not with {n_workers} workers; leave -j out, or take "
            "--engine pool"
        )


def before_end(act: Callable[[bool], None]) -> None:
    """Have something done in this process when its work for a run ends, unless it is killed.

    It is told whether to end what is under way, too.
    """
    if act in _LAST_ACTS:
        return
    _LAST_ACTS.append(act)
    from multiprocessing import parent_process

    if parent_process() is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end_at_once)


def end_work(*, at_once: bool = True) -> None:
    """Do what ``before_end`` was told."""
    for act in _LAST_ACTS:
        act(at_once)


class InProcess:
    """Works while the caller waits."""

    n_workers = 1

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Do the work."""
        from concurrent.futures import Future

        done: Future[Any] = Future()
        done.set_result(function(*arguments))
        return done

    def renew(self) -> None:
        """Nobody died."""

    def check(self) -> None:
        """Nothing can be lost."""

    def stop(self) -> None:
        """Nothing goes on but what the work itself has begun."""
        end_work()


class ProcessPool:
    """Processes on this machine."""

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self._pool = self._started()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Hand some work to the pool; raise BrokenProcessPool where a worker has died."""
        return self._pool.submit(function, *arguments)

    def renew(self) -> None:
        """Start a new pool: one that has lost a worker takes no more work."""
        self.stop()
        self._pool = self._started()

    def check(self) -> None:
        """A pool can always be renewed."""

    def stop(self) -> None:
        """End the workers."""
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(STOP_SECONDS)
            process.kill()
            process.join()

    def _started(self) -> "ProcessPoolExecutor":
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Forking would copy whatever threads hold locked just then.
        return ProcessPoolExecutor(
            self.n_workers, mp_context=get_context("spawn"), initializer=_follow_leader
        )


class Dask:
    """Workers of a Dask cluster: a local one, or that of the scheduler at ``address``.

    Workers at an address need this package in the same version and the same files at the same
    paths. Dask itself gives the work of a lost worker to another.
    """

    def __init__(self, n_workers: int, address: str | None) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise MissingExtraError("the Dask engine", "distributed") from None
        for each in ("distributed", "tornado"):
            _quieten(each)
        self._address, self._cluster = address, None
        if address is None:
            try:
                self._cluster = distributed.LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    memory_limit=0,
                    silence_logs=50,
                    preload=[__name__],
                )
            except (OSError, RuntimeError) as error:  # a worker was killed while it started
                raise UsageError(
                    f"the workers of a Dask cluster did not start: {error}; repeat the command, "
                    "or take --engine pool"
                ) from error
        try:
            self._client = distributed.Client(
                address or self._cluster, timeout=START_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise UsageError(f"{address}: no Dask scheduler answers there: {error}") from error
        known = self._client.scheduler_info(n_workers=-1)["workers"]
        self.n_workers = sum(each["nthreads"] for each in known.values()) or n_workers
        self._executor = self._client.get_executor(pure=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Hand some work to the cluster."""
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def renew(self) -> None:
        """Dask starts new workers itself."""

    def check(self) -> None:
        """Raise UsageError where the scheduler is gone."""
        if self._client.status != "running":
            raise UsageError(
                f"the Dask scheduler at {self._address or 'this machine'} is gone; the shards that "
                "are done are kept: start it again and repeat the command to go on"
            )

    def stop(self) -> None:
        """Forget the work, and end a local cluster."""
        if self._client.status == "running":
            # Workers at an address may be at work for others.
            is_ours = self._cluster is not None
            self._client.run(end_work, at_once=is_ours, on_error="ignore")
        self._client.close(timeout=2)
        if self._cluster is not None:
            self._cluster.close(timeout=5)


ENGINES: dict[str, Callable[[int, str | None], Engine]] = {
    "process": lambda n_workers, address: InProcess(),
    "pool": lambda n_workers, address: ProcessPool(n_workers),
    "dask": Dask,
}


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C to the leader; Dask calls this in a worker of a local cluster that begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_LAST_ACTS: list[Callable[[bool], None]] = []


def _end_at_once(number: int, frame: object) -> None:
    end_work()
    os._exit(128 + number)


def _quieten(name: str) -> None:
    """Keep a package from logging; what matters of it we say ourselves."""
    import logging

    for each in [name, *logging.root.manager.loggerDict]:
        if each == name or each.startswith(f"{name}."):
            logging.getLogger(each).setLevel(logging.CRITICAL + 1)


def _follow_leader() -> None:
    """Prepare a worker: no end by Ctrl-C of its own, and none later than that of its leader."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leader = parent_process()
    assert leader is not None, "a worker has a leader"
    sentinel = leader.sentinel

    def end_with_leader() -> None:
        wait([sentinel])
        end_work()
        os._exit(1)

    threading.Thread(target=end_with_leader, daemon=True).start()
