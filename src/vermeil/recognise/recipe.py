"""How a recogniser is made: its recipe, and what every kind of recogniser does with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.models.schema import one_of, told
from vermeil.recognise.features.paper_features import PAPER
from vermeil.recognise.features.views import FAMILIES
from vermeil.recognise.rescoring.features import USUAL
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.tokens import TOKENISERS

Documents: TypeAlias = Sequence[Document]

Say: TypeAlias = Callable[[str], None]
"""Is told what is being trained."""

EVEN = 0.5
"""The confidence from which on a name is more likely than not."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a recogniser is made.

    ``sequence`` names the model in the middle of a cascade, one of SEQUENCES; ``rescorer`` the
    last, one of RESCORERS or NO_RESCORER. ``families`` of features can be left out, to see what
    they are worth; PAPER_FAMILIES are those of the paper, for rescorer and preclassifier, too.

    A share of the features may be ``kept``, the most telling ones. What is known to the features of
    a document is learned from the other of ``n_parts`` parts of the documents. Documents are dealt
    ``n_deals`` times into thirds that the rescorer learns from. Candidates may be
    ``filtered`` by rules. Which of them overlap surer ones may be settled before they are rescored
    (``blocked_first``). ``threshold`` is the confidence that a name needs unless told.
    ``evidence`` are the families of features that the rescorer has beside its first.

    A share of the names that are given may be ``withheld`` from training, though the model has them
    in the end. Where the annotation was made with the list, every name stands in it, and without
    gaps a recogniser would learn to find nothing else.
    """

    labels: tuple[str, ...]
    annotator: str = "gold"
    tokeniser: str = "fine"
    sequence: str = "crf"
    rescorer: str = "trees"
    families: frozenset[str] = FAMILIES
    kept: float = 1.0
    n_parts: int = 4
    n_deals: int = 2
    filtered: bool = False
    blocked_first: bool = False
    threshold: float = EVEN
    evidence: tuple[str, ...] = USUAL
    n_rounds: int | None = None
    seed: int = 0
    withheld: float = 0.0

    @property
    def like_paper(self) -> bool:
        """Whether tokens and candidates are described as in the paper."""
        return PAPER in self.families

    @property
    def tags(self) -> TagSet:
        """The tags of the labels."""
        return TagSet(self.labels)

    def annotated(self, documents: Documents) -> list[Document]:
        """Keep the documents that the annotator has seen."""
        return [document for document in documents if self.annotator in document.layers]

    def tokens(self, documents: Documents) -> TokenAxis:
        """Lay documents out as tokens."""
        return TokenAxis.of(documents, tokeniser=self.tokeniser)

    def tagged_tokens(self, documents: Documents) -> tuple[TokenAxis, Ints]:
        """Lay documents out as tokens, with the tags of the annotator's names."""
        axis = self.tokens(documents)
        return axis, axis.tags_of(documents, self.tags, annotator=self.annotator)

    def header(self) -> dict[str, Any]:
        """Return what a model of any kind keeps of its recipe, as JSON can hold it."""
        return {
            "labels": list(self.labels),
            "tokeniser": self.tokeniser,
            "threshold": self.threshold,
        }

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> "Recipe":
        """Make of a header the recipe that a model keeps; the rest is as usual."""
        labels = told(header, "labels", tuple[str, ...])
        threshold = told(header, "threshold", float, EVEN)
        if not labels or not all(labels) or not 0 <= threshold <= 1:
            raise ValueError(f"labels {labels} and a threshold of {threshold} are none")
        return cls(labels, tokeniser=one_of(header, "tokeniser", TOKENISERS), threshold=threshold)


def silent(step: str) -> None:
    """Tell nobody what is being trained."""
