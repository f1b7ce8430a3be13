"""Many layers to one: centroids, learned reliabilities, and the votes everybody knows."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.consensus.combining import combine
    from vermeil.consensus.methods import CONSENSUS, Method, Options, get_method
    from vermeil.consensus.people.known import settled_in, with_settled
    from vermeil.consensus.people.live import LiveConsensus
    from vermeil.consensus.stage import ConsensusStage, Tally
    from vermeil.consensus.voters import voting

__all__ = [
    "CONSENSUS",
    "ConsensusStage",
    "LiveConsensus",
    "Method",
    "Options",
    "Tally",
    "combine",
    "get_method",
    "settled_in",
    "voting",
    "with_settled",
]

__getattr__ = _lazily(__name__)
