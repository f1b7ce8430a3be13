"""``acquire.worth``: how much hand annotation is as good as an acquired recogniser."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.verbs.checking import probability
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.models import Model, load
from vermeil.verbs.naming import believed_layer, names_of
from vermeil.verbs.tables.table import Block, Table, Tabled
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.acquisition.manual_curve import ManualCurve, Piece


class AnnotationWorth(Tabled):
    """F1 of taggers that learned from ever more hand annotation, beside that of a recogniser."""

    def __init__(self, found: "ManualCurve") -> None:
        self.found = found

    def blocks(self) -> Iterator[Block]:
        """Yield a line about the recogniser, and a row a tagger."""
        yield worth_line(self.found)
        yield ""
        yield worth_table(self.found)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a tagger."""
        return map(piece_data, self.found.pieces)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return worth_data(self.found)


@verb
def worth(
    documents: Any,
    development: Any,
    model: Any,
    *,
    layer: str | None = None,
    label: str | Iterable[str] | None = None,
    pieces: int = 20,
    threshold: float = 0.5,
    tokeniser: str | None = None,
    like_paper: bool = False,
    page: str | PathLike[str] | None = None,
    seed: int = 0,
    watch: "Callable[[Piece], None] | None" = None,
) -> AnnotationWorth:
    """Tell how much hand annotation is as good as a model: Figure 8 of the acquisition paper.

    The paper's tagger learns from the layer of one, two and so on to all of the ``pieces`` that
    ``documents`` are dealt into, and finds names in the ``development`` documents; so does the
    ``model``. Spans must be right to the character; labels are not compared. ``page`` is where the
    curve is drawn.
    """
    finder = model if isinstance(model, Model) else load(model)
    found = compare_worth(
        some_documents(documents, verb="worth").listed(),
        some_documents(development, verb="worth").listed(),
        finder,
        layer=layer,
        labels=names_of(label),
        pieces=pieces,
        threshold=probability("threshold", threshold),
        asked={"tokeniser": tokeniser},
        like_paper=like_paper,
        seed=seed,
        watch=watch,
    )
    if page is not None:
        from vermeil.reports.acquired import worth_page

        write_picture(page, worth_page(found))
    return AnnotationWorth(found)


def compare_worth(
    documents: Sequence[Document],
    development: Sequence[Document],
    model: Model,
    *,
    layer: str | None,
    labels: Sequence[str],
    pieces: int,
    threshold: float,
    asked: Mapping[str, Any],
    like_paper: bool,
    seed: int,
    watch: "Callable[[Piece], None] | None",
) -> "ManualCurve":
    """Settle what is compared, and compare it."""
    from vermeil.acquisition.asking import settled
    from vermeil.acquisition.manual_curve import worth as compared
    from vermeil.verbs.training import recipe_for

    annotator = believed_layer(documents, layer)
    judges = [each for each in development if annotator in each.layers]
    if not judges:
        raise UsageError(f"no document to score on has a layer {annotator!r}")
    way = settled(asked, like_paper=like_paper)
    recipe = recipe_for(documents, annotator, labels, tokeniser=way["tokeniser"], seed=seed)
    return compared(
        documents,
        judges,
        model.recogniser,
        recipe,
        name=model.name,
        n_pieces=pieces,
        threshold=threshold,
        watch=watch,
    )


def worth_line(found: "ManualCurve") -> str:
    """Say how much annotation is as good."""
    said = f"{found.name}: F1 {found.f1:.3f}"
    equal = found.as_good
    if equal is None:
        return f"{said}; no part of the {found.n_documents:,} annotated documents is as good"
    share = equal.n_documents / found.n_documents
    much = f"{equal.n_sentences:,} sentences, {equal.n_tokens:,} tokens"
    return f"{said}; as good as {share:.0%} of the annotated documents ({much})"


def worth_table(found: "ManualCurve") -> Table:
    """List the taggers by how much they learned from."""
    rows = [
        [each.number, each.n_documents, each.n_sentences, each.n_tokens, f"{each.f1:.3f}"]
        for each in found.pieces
    ]
    return Table(
        "Trained on hand annotation", ["pieces", "documents", "sentences", "tokens", "F1"], rows
    )


def worth_data(found: "ManualCurve") -> dict[str, Any]:
    """Return the comparison as JSON has it."""
    equal = found.as_good
    return {
        "model": found.name,
        "f1": found.f1,
        "documents": found.n_documents,
        "as_good": None if equal is None else equal.number,
        "pieces": [piece_data(each) for each in found.pieces],
    }


def piece_data(each: "Piece") -> dict[str, Any]:
    """Return a tagger as JSON has it."""
    return {
        "pieces": each.number,
        "documents": each.n_documents,
        "sentences": each.n_sentences,
        "tokens": each.n_tokens,
        "f1": each.f1,
    }
