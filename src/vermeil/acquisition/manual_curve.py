"""What an acquired recogniser is worth: how much hand annotation is as good (Figure 8).

Section 3.2 of the acquisition paper: hand-annotated documents are dealt into twenty pieces at
random, the paper's tagger learns from one, two, and so on to all of them, and each is scored on
documents that none has seen, as is the recogniser that learned without annotation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.acquisition.strict_counts import strict_counts
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.tagging import tag
from vermeil.scoring.counts import Counts
from vermeil.text.sentences import split_sentences
from vermeil.text.tokens import tokenise

N_PIECES = 20
MANUAL = LinearOptions(n_folds=0)
FOUND = "\0found"


@dataclass(frozen=True, slots=True)
class Piece:
    """A tagger that learned from the first so many pieces of hand annotation."""

    number: int
    n_documents: int
    n_sentences: int
    n_tokens: int
    f1: float


@dataclass(frozen=True, slots=True)
class ManualCurve:
    """F1 of a recogniser called ``name`` beside that of taggers trained on annotation."""

    name: str
    f1: float
    n_documents: int
    pieces: tuple[Piece, ...]

    @property
    def as_good(self) -> Piece | None:
        """The least annotation that is as good, or None where all of it is not."""
        return next((each for each in self.pieces if each.f1 >= self.f1), None)


def worth(
    documents: Sequence[Document],
    development: Sequence[Document],
    model: Finder,
    recipe: Recipe,
    *,
    name: str = "acquired",
    n_pieces: int = N_PIECES,
    threshold: float = 0.5,
    options: LinearOptions = MANUAL,
    watch: Callable[[Piece], None] | None = None,
) -> ManualCurve:
    """Compare a model with taggers trained by ``recipe`` on ever more of the documents.

    Scored is the layer of the recipe's annotator in ``development``: start and end of the names of
    the recipe's labels, whatever the model calls them.
    """
    annotated = recipe.annotated(documents)
    if n_pieces > len(annotated):
        raise UsageError(f"{len(annotated)} documents cannot be dealt into {n_pieces} pieces")
    order = np.random.default_rng(recipe.seed).permutation(len(annotated)).tolist()
    pieces = []
    for number in range(1, n_pieces + 1):
        some = [annotated[at] for at in sorted(order[: len(order) * number // n_pieces])]
        tagger = LinearTagger.fit(some, recipe, options=options)
        piece = Piece(
            number=number,
            n_documents=len(some),
            n_sentences=sum(len(list(split_sentences(each.text))) for each in some),
            n_tokens=sum(len(tokenise(each.text, by=recipe.tokeniser)) for each in some),
            f1=_f1(tagger, development, recipe, threshold=0.0),
        )
        pieces.append(piece)
        if watch is not None:
            watch(piece)
    f1 = _f1(model, development, recipe, threshold=threshold)
    return ManualCurve(name, f1, len(annotated), tuple(pieces))


def _f1(
    finder: Finder, documents: Sequence[Document], recipe: Recipe, *, threshold: float
) -> float:
    tagged = tag(finder, documents, name=FOUND, threshold=threshold)
    counts = (strict_counts(each, FOUND, recipe.annotator, recipe.labels) for each in tagged)
    return sum(counts, Counts()).f1
