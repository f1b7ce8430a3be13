"""How far a run has come, as whoever watches it is told."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a step has come, some of it in an earlier run; sizes are in bytes.

    Of a stream nobody knows how much there is: it has no shards, and its size is 0.
    """

    step: str
    n_shards: int = 0
    n_before: int = 0
    n_done: int = 0
    n_items: int = 0
    size: int = 0
    size_done: int = 0
    n_failed: int = 0
    size_before: int = 0


Watch = Callable[[Progress], None]
