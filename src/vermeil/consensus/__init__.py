"""Many layers to one: centroids, learned reliabilities, and the votes everybody knows."""

from vermeil.consensus.combining import combine
from vermeil.consensus.methods import CONSENSUS, Method, Options, get_method, voting
from vermeil.consensus.stage import ConsensusStage, Tally

__all__ = [
    "CONSENSUS",
    "ConsensusStage",
    "Method",
    "Options",
    "Tally",
    "combine",
    "get_method",
    "voting",
]
