"""Learning beside the work: a thread that learns whenever something new is decided.

It never holds a request up: it reads and writes through the store like everybody else, in short
transactions, and does its sums in between. Decisions that come meanwhile are learned from next.
"""

import logging
from threading import Event, Thread

from vermeil.review.learning.memory import Memory

PAUSE = 0.3
"""Seconds to wait for further decisions before learning begins."""

_LOG = logging.getLogger(__name__)


class Background:
    """Learns in a thread of its own until it is stopped."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._news, self._is_over, self._is_last = Event(), Event(), Event()
        self._thread = Thread(target=self._work, name="learning", daemon=True)

    def start(self) -> None:
        """Begin, first of all with what was decided before."""
        self._news.set()
        self._thread.start()

    def hear(self) -> None:
        """Say that something was decided."""
        self._news.set()

    def stop(self) -> None:
        """End, when the lesson at hand is over."""
        self._is_over.set()
        self.stop_when_learned()

    def stop_when_learned(self) -> None:
        """End, when there is nothing more to learn."""
        self._is_last.set()
        self._news.set()
        self._thread.join()

    def _work(self) -> None:
        while True:
            self._news.wait()
            if self._is_over.wait(PAUSE):
                return
            self._news.clear()
            try:
                while not self._memory.is_current():
                    self._memory.learn()
                    if self._is_over.is_set():
                        return
            except Exception:
                # The review goes on without: what was decided is safe, and the next decision
                # tries again.
                _LOG.exception("the review could not learn from what was decided")
            if self._is_last.is_set():
                return
