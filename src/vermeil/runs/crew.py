"""Tasks on an engine: handed out a few at a time, taken back, tried again.

A bounded number of shards is under way at a time. A shard that fails is tried TRIALS times and then
set aside; the others go on. Where workers die, the shards they may have had are tried one at a
time, so that one that kills its worker is found and no other is blamed for it.
"""

from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait

from vermeil.errors import UsageError
from vermeil.runs.engines import Engine
from vermeil.runs.stages import perform
from vermeil.runs.tasks import Task, TaskEnd

TRIALS = 3
AHEAD = 2
"""Shards under way for each worker."""

PULSE = 0.5
"""Seconds after which progress is shown and the engine is looked after, if nothing ends before."""


class Crew:
    """Tasks on an engine: those waiting, those under way, and how all the others ended."""

    def __init__(self, engine: Engine, tasks: Sequence[Task]) -> None:
        self._engine = engine
        self._waiting = deque(tasks)
        self._running: dict[Future[TaskEnd], Task] = {}
        self._suspects: set[int] = set()
        self._n_trials: Counter[int] = Counter()
        self.failures: dict[str, str] = {}
        self.n_done = self.n_items = self.size_done = 0

    @property
    def is_busy(self) -> bool:
        """Whether anything is left to do."""
        return bool(self._waiting or self._running)

    def advance(self) -> None:
        """Hand out tasks as far as there is room, and take back what is done."""
        limit = 1 if self._suspects else self._engine.n_workers * AHEAD
        is_whole = True
        while is_whole and self._waiting and len(self._running) < limit:
            task = self._waiting.popleft()
            try:
                self._running[self._engine.submit(perform, task)] = task
            except BrokenExecutor:
                self._waiting.appendleft(task)
                is_whole = False
        done, _ = wait(self._running, timeout=PULSE, return_when=FIRST_COMPLETED)
        lost = [task for future in done for task in self._take_back(future)]
        self._engine.check()
        if lost or not is_whole:
            self._recover(lost)

    def _take_back(self, future: "Future[TaskEnd]") -> list[Task]:
        """Note how a task ended; give it back where its worker died."""
        task = self._running.pop(future)
        try:
            outcome = future.result()
        except (BrokenExecutor, CancelledError):
            return [task]
        except Exception as error:  # what an engine itself raises, such as Dask's KilledWorker
            self._note_failure(task, f"{type(error).__name__}: {error}")
            return []
        if outcome.ends_run:
            raise UsageError(outcome.error)
        if outcome.error:
            self._note_failure(task, outcome.error, outcome.trace)
        else:
            self._suspects.discard(task.number)
            self.n_done += 1
            self.n_items += outcome.n_items
            self.size_done += task.shard.size
        return []

    def _recover(self, lost: list[Task]) -> None:
        """Get new workers, and take up what the dead ones may have had."""
        lost += self._running.values()
        self._running.clear()
        self._engine.renew()
        if len(lost) == 1:
            [task] = lost
            self._note_failure(task, "its worker was killed, perhaps for want of memory")
            return
        self._suspects.update(task.number for task in lost)
        self._waiting.extendleft(sorted(lost, key=lambda task: -task.number))

    def _note_failure(self, task: Task, error: str, trace: str = "") -> None:
        self._n_trials[task.number] += 1
        if self._n_trials[task.number] < TRIALS:
            self._waiting.append(task)
            return
        self._suspects.discard(task.number)
        self.failures[task.shard.name] = error + (f"\n{trace}" if trace else "")
        self.size_done += task.shard.size
