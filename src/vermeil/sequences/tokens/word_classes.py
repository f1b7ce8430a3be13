"""Classes that tokens belong to, such as parts of speech, and who finds them."""

from dataclasses import dataclass
from typing import Any, Protocol

from vermeil.arrays import AnyArray, Ints
from vermeil.sequences.tokens.axis import TokenAxis


@dataclass(frozen=True, slots=True, eq=False)
class WordClasses:
    """One class for each token of a batch: ``names[number[token]]``. ``kind`` says of what kind."""

    kind: str
    names: tuple[str, ...]
    number: Ints

    @property
    def by_token(self) -> list[str]:
        """The class of each token by its name."""
        return [self.names[number] for number in self.number.tolist()]


class WordClassifier(Protocol):
    """Finds classes of tokens, and can be kept in a model."""

    def classes(self, axis: TokenAxis) -> tuple[WordClasses, ...]:
        """Classify the tokens of a batch, in as many ways as it knows."""

    def header(self) -> dict[str, Any]:
        """Return what JSON can hold of it."""

    def arrays(self) -> dict[str, AnyArray]:
        """Return the rest of it."""
