"""How far annotators agree: who met whom, pair by pair, label by label, and all together."""

from vermeil.scoring.agreement.comparing import (
    Agreement,
    LabelAgreement,
    LeftOut,
    Pair,
    agree,
    agreement_of,
)
from vermeil.scoring.agreement.examples import Example
from vermeil.scoring.agreement.stage import AgreeStage, VotersStage

__all__ = [
    "AgreeStage",
    "Agreement",
    "Example",
    "LabelAgreement",
    "LeftOut",
    "Pair",
    "VotersStage",
    "agree",
    "agreement_of",
]
