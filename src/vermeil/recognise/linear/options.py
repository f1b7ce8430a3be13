"""How a linear tagger is made, beside its recipe."""

from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

import msgspec

from vermeil.recognise.linear.features import N_BITS, encode_linear
from vermeil.sequences.features.rows import Encoded
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.word_classes import WordClassifier

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
    ``classifier`` finds parts of speech and chunks, which are features like words, if there is one.
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
    classifier: WordClassifier | None = None

    def encode(self, axis: TokenAxis) -> Encoded:
        """Describe the tokens of a batch."""
        classes = () if self.classifier is None else self.classifier.classes(axis)
        return encode_linear(axis, hide_words=self.hide_words, n_bits=self.n_bits, classes=classes)

    def told(self) -> dict[str, Any]:
        """Return what tells these options from others, as JSON has it."""
        plain = asdict(replace(self, classifier=None))
        if self.classifier is None:
            return plain
        digest = sha256(msgspec.json.encode(self.classifier.header(), order="sorted"))
        for name, array in sorted(self.classifier.arrays().items()):
            digest.update(name.encode() + array.tobytes())
        return {**plain, "classifier": digest.hexdigest()}
