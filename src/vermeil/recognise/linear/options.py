"""How a linear tagger is made, beside its recipe."""

from dataclasses import dataclass

from vermeil.recognise.linear.features import N_BITS

COST = 0.1
"""What an error costs beside half the squared weights (C of LIBLINEAR)."""

N_FOLDS = 3


@dataclass(frozen=True, slots=True)
class LinearOptions:
    """How a linear tagger learns, and from which tokens.

    Without folds the confidences are those of a curve of slope 1 and no probabilities.

    What the layer ``unsure`` marks and the annotator does not is unknown. With ``named_sentences``
    only sentences with a name of the annotator are learned from: the rest of an abstract that was
    annotated by a dictionary is full of names it lacks. With ``by_confidence`` the tokens of a name
    weigh as much as its confidence. For ``hide_words`` and ``n_bits`` see ``encode_linear``.
    """

    learner: str = "svm"
    cost: float = COST
    decoder: str = "greedy"
    n_folds: int = N_FOLDS
    unsure: str | None = None
    named_sentences: bool = False
    by_confidence: bool = False
    hide_words: bool = False
    n_bits: int = N_BITS
