"""``tag`` as a stage: a model finds names in documents."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.states import State, state_of
from vermeil.models import path_of
from vermeil.recognise.rescoring.corpus_evidence import CorpusEvidence
from vermeil.runs.stages import Stage

if TYPE_CHECKING:
    from vermeil.recognise.cascade import Cascade
    from vermeil.recognise.recogniser import Recogniser
    from vermeil.recognise.whole_sequences import SequenceTagger


@dataclass(slots=True)
class Tagged:
    """How much has been tagged. Add two to pool them."""

    n_documents: int = 0
    n_names: int = 0

    def __add__(self, other: "Tagged") -> "Tagged":
        return Tagged(self.n_documents + other.n_documents, self.n_names + other.n_names)


class TagStage(Stage[None, "Recogniser", Tagged], frozen=True):
    """The model, the layer it writes, and what it takes for a name."""

    name: ClassVar[str] = "tag"
    decides: ClassVar[bool] = True

    model: str
    layer: str
    threshold: float | None = None
    overlaps: bool = False
    standard: bool = False
    n_best: int = 0

    def files(self) -> list[str]:
        """Name the file of the model."""
        return [str(path_of(self.model))]

    def known(self, folder: Path | None) -> "Recogniser":
        """Load the model, once in a process as long as it does not change."""
        path = path_of(self.model)
        return _loaded(state_of(str(path)), path.absolute())

    def asked_of(self, model: "Recogniser") -> float:
        """Tell the confidence that a name needs: what was told, else what the model asks."""
        return model.recipe.threshold if self.threshold is None else self.threshold

    def nothing(self) -> Tagged:
        """Count from the beginning."""
        return Tagged()

    def decide(
        self, documents: Iterator[Document], known: "Recogniser", sums: Tagged
    ) -> Iterator[Document]:
        """Find names, with or without the distributions of their boundaries, or the n best."""
        for document in self._tagged(documents, known):
            sums.n_documents += 1
            sums.n_names += len(document.layers[self.layer])
            yield document

    def _tagged(
        self, documents: Iterator[Document], recogniser: "Recogniser"
    ) -> Iterator[Document]:
        from vermeil.recognise.tagging import tag
        from vermeil.recognise.whole_sequences import sequence_layers, tag_sequences

        if self.n_best:
            fresh = self._fresh(documents, sequence_layers(self.layer, self.n_best))
            tagger = _with_sequences(recogniser)
            return tag_sequences(tagger, fresh, name=self.layer, n=self.n_best)
        return tag(
            recogniser,
            self._fresh(documents, [self.layer]),
            name=self.layer,
            threshold=self.asked_of(recogniser),
            overlaps=self.overlaps,
            standard=self.standard,
        )

    def _fresh(self, documents: Iterator[Document], layers: list[str]) -> Iterator[Document]:
        """Refuse documents that have such a layer already."""
        for document in documents:
            for layer in layers:
                if layer in document.layers:
                    raise UsageError(
                        f"document {document.id!r} has a layer {layer!r} already; "
                        "choose another --name"
                    )
            yield document


class CorpusTagStage(Stage[CorpusEvidence, CorpusEvidence, Tagged], frozen=True):
    """The same in two passes: what all documents say of a string is asked for each name."""

    name: ClassVar[str] = "tag --corpus-wide"
    observes: ClassVar[bool] = True
    decides: ClassVar[bool] = True

    model: str
    layer: str
    threshold: float | None = None
    overlaps: bool = False
    standard: bool = False

    def files(self) -> list[str]:
        """Name the file of the model."""
        return self._alone.files()

    def observe(self, items: Iterator[Document]) -> CorpusEvidence:
        """Sum up what documents say of the strings in them."""
        from vermeil.recognise.corpus_wide import gather

        return gather(self._cascade, items)

    def finish(self, seen: CorpusEvidence) -> CorpusEvidence:
        """Keep what was seen."""
        return seen

    def nothing(self) -> Tagged:
        """Count from the beginning."""
        return Tagged()

    def decide(
        self, documents: Iterator[Document], known: CorpusEvidence, sums: Tagged
    ) -> Iterator[Document]:
        """Find names, knowing what all documents say."""
        return self._alone.decide(documents, replace(self._cascade, corpus=known), sums)

    @property
    def _alone(self) -> TagStage:
        return TagStage(self.model, self.layer, self.threshold, self.overlaps, self.standard)

    @property
    def _cascade(self) -> "Cascade":
        from vermeil.recognise.corpus_wide import corpus_wide

        return corpus_wide(self._alone.known(None))


def check_n_best(n_best: int, *, overlaps: bool, standard: bool, corpus_wide: bool = False) -> None:
    """Refuse a number of sequences below 0, and what goes with single names only."""
    if n_best < 0:
        raise UsageError(f"there is no number of sequences below 0, got {n_best}")
    if n_best and (overlaps or standard or corpus_wide):
        raise UsageError(
            "sentences are read as a whole with --n-best, so leave out --overlaps, --standard, and "
            "--corpus-wide"
        )


def _with_sequences(recogniser: "Recogniser") -> "SequenceTagger":
    """Refuse recognisers that do not read a sentence as one sequence."""
    from vermeil.recognise.whole_sequences import SequenceTagger

    if not isinstance(recogniser, SequenceTagger):
        raise UsageError(
            "this model does not read sentences as one sequence of tags, so it has no best ones; "
            "use a cascade, an hmm or a crf, or leave --n-best out"
        )
    return recogniser


@lru_cache(maxsize=1)
def _loaded(state: State, path: Path) -> "Recogniser":
    """Load the file that is in this state; two of that name differ in their whole path."""
    from vermeil.recognise.recogniser import load

    return load(Path(state[0]))
