"""How a recogniser is made: its recipe, and what every kind of recogniser does with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.recognise.features.rows import FAMILIES
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.tokens.tag_set import TagSet

Documents: TypeAlias = Sequence[Document]

Say: TypeAlias = Callable[[str], None]
"""Is told what is being trained."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a recogniser is made.

    ``sequence`` names the model in the middle of a cascade, one of SEQUENCES; ``rescorer`` the
    last, one of RESCORERS or NO_RESCORER. ``families`` of features can be left out, to see what
    they are worth.

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
    n_rounds: int | None = None
    seed: int = 0
    withheld: float = 0.0

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
        return {"labels": list(self.labels), "tokeniser": self.tokeniser}

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> "Recipe":
        """Make of a header the recipe that a model keeps; the rest is as usual."""
        return cls(tuple(header["labels"]), tokeniser=header["tokeniser"])


def silent(step: str) -> None:
    """Tell nobody what is being trained."""
