"""What a long run needs and knows of no stage: shards, tasks, engines, a manifest, exact sums."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.runs.driver import Done, Engagement, Job, carry_out, carrying_out
    from vermeil.runs.folder import StoppedRunError, claimed
    from vermeil.runs.progress import Progress
    from vermeil.runs.stages import Stage
    from vermeil.runs.streaming import Held, Streaming
    from vermeil.runs.target import Target

__all__ = [
    "Done",
    "Engagement",
    "Held",
    "Job",
    "Progress",
    "Stage",
    "StoppedRunError",
    "Streaming",
    "Target",
    "carry_out",
    "carrying_out",
    "claimed",
]

__getattr__ = _lazily(__name__)
