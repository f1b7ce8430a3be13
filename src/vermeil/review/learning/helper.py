"""One more annotator: a recogniser that is trained on what is settled, and proposes names.

It is trained again whenever so many more documents are settled as a whole, on these and on what
the consensus is sure of elsewhere, and it is not shown what it says of a document that it was
trained on: documents are dealt into folds. So what it proposes is a function of what is settled,
whatever it was trained on before. It needs scikit-learn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from vermeil.consensus.combining import combine
from vermeil.document import Document, Layer, Span
from vermeil.errors import VermeilError
from vermeil.review.importing import HELPER
from vermeil.review.learning.lessons import SettledNames

N_FOLDS = 2
SURE = 0.8
"""Names of the consensus that are as sure as this are learned from."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What the recogniser found, by document, and how many settled documents it learned from."""

    n_taught: int = 0
    spans: Mapping[int, Layer] = field(default_factory=dict)


class Helper:
    """Trains the recogniser, ``every`` so many documents; never, if that is 0."""

    def __init__(self) -> None:
        self._last: tuple[object, Proposals] | None = None

    def proposals(
        self,
        every: int,
        documents: Mapping[int, Document],
        settled: Mapping[int, SettledNames],
        finished: Sequence[int],
    ) -> Proposals:
        """Say what the recogniser finds; ``finished`` are in the order in which they were begun."""
        gold = self._gold(every, settled, finished)
        if not gold:
            return Proposals()
        if self._last is None or self._last[0] != (gold, documents):
            self._last = (gold, dict(documents)), _trained(documents, gold)
        return self._last[1]

    def is_ready(
        self,
        every: int,
        documents: Mapping[int, Document],
        settled: Mapping[int, SettledNames],
        finished: Sequence[int],
    ) -> bool:
        """Tell whether ``proposals`` needs no training."""
        gold = self._gold(every, settled, finished)
        return not gold or (self._last is not None and self._last[0] == (gold, documents))

    def _gold(
        self, every: int, settled: Mapping[int, SettledNames], finished: Sequence[int]
    ) -> dict[int, Layer]:
        if not every or find_spec("sklearn") is None:
            return {}
        taught = finished[: len(finished) // every * every]
        return {number: settled[number].names for number in taught}


def _trained(documents: Mapping[int, Document], gold: Mapping[int, Layer]) -> Proposals:
    from vermeil.recognise.cascade import NO_RESCORER, Cascade
    from vermeil.recognise.folds import folds_of, held_out
    from vermeil.recognise.recipe import Recipe
    from vermeil.recognise.tagging import tag
    from vermeil.recognise.words.knowledge import Resources

    numbers = list(documents)
    silver = combine([documents[number] for number in numbers])
    lessons = [
        Document(id=str(number), text=each.text, layers={"taught": _taught(each, gold.get(number))})
        for number, each in zip(numbers, silver, strict=True)
    ]
    labels = tuple(sorted({span.label for each in lessons for span in each.layers["taught"]}))
    recipe = Recipe(labels=labels, annotator="taught", rescorer=NO_RESCORER)
    fold = folds_of(len(lessons), N_FOLDS)
    spans: dict[int, Layer] = {}
    for number in range(N_FOLDS):
        rest, own = held_out(lessons, fold, number)
        try:
            recogniser = Cascade.fit(rest, recipe, Resources())
        except VermeilError:  # too little to learn from, or of one kind only
            return Proposals(len(gold))
        for document in tag(recogniser, own, name=HELPER):
            spans[int(document.id)] = document.layers[HELPER]
    return Proposals(len(gold), spans)


def _taught(document: Document, names: Layer | None) -> Layer:
    """Take what is settled, or else the names of which the consensus is sure."""
    if names is not None:
        return names
    return tuple(
        Span(span.start, span.end, span.label)
        for span in document.layers["consensus"]
        if (span.confidence or 0.0) >= SURE
    )
