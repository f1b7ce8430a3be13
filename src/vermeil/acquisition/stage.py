"""``acquire label`` as a stage: layers of acquired annotation for documents.

What the references teach about the lexicon is learned once, from all documents, by the process that
leads, and kept in the folder of the run: a run that goes on does not learn again, and all workers
judge by the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from vermeil.acquisition.labelling import KNOWN, PLAIN, Labelling, label
from vermeil.acquisition.strict_counts import strict_counts
from vermeil.document import Document
from vermeil.formats.files.states import State, state_of
from vermeil.runs.stages import Stage
from vermeil.scoring.counts import Counts

if TYPE_CHECKING:
    from vermeil.acquisition.databases.references import Links
    from vermeil.acquisition.lexicon.compilation import Lexicon
    from vermeil.acquisition.support.judgement import Judgement

JUDGEMENT = "judgement.zip"


@dataclass(frozen=True, slots=True, eq=False)
class Equipment:
    """What text is labelled with; no ``judgement`` without references, or where none is needed."""

    lexicon: "Lexicon"
    links: "Links | None"
    judgement: "Judgement | None" = None


@dataclass(slots=True)
class Labelled:
    """What each layer holds, and how right it is where there is gold. Add two to pool them."""

    n_documents: int = 0
    n_names: dict[str, int] = field(default_factory=dict)
    counts: dict[str, Counts] = field(default_factory=dict)

    def __add__(self, other: "Labelled") -> "Labelled":
        names = {**self.n_names, **other.n_names}
        scored = {**self.counts, **other.counts}
        return Labelled(
            self.n_documents + other.n_documents,
            {name: self.n_names.get(name, 0) + other.n_names.get(name, 0) for name in names},
            {
                name: self.counts.get(name, Counts()) + other.counts.get(name, Counts())
                for name in scored
            },
        )

    def add(self, document: Document, layers: tuple[str, ...], gold: str | None) -> None:
        """Count what the layers of a document hold."""
        self.n_documents += 1
        for name in layers:
            if name not in document.layers:
                continue
            self.n_names[name] = self.n_names.get(name, 0) + len(document.layers[name])
            if gold is not None and gold in document.layers:
                scored = strict_counts(document, name, gold)
                self.counts[name] = self.counts.get(name, Counts()) + scored


class LabelStage(Stage[None, Equipment, Labelled], frozen=True):
    """Paths of the lexicon, of its references and of what was ``learned``, and how to label.

    ``learned`` is made where it is missing and needed. Layers are counted against ``gold`` where
    there is one.
    """

    name: ClassVar[str] = "acquire label"
    prepares: ClassVar[bool] = True
    decides: ClassVar[bool] = True

    lexicon: str
    references: str | None
    learned: str | None
    tokeniser: str
    gold: str | None
    how: Labelling = PLAIN

    @property
    def learns(self) -> bool:
        """Whether something is learned from all documents before the first is labelled."""
        return self.references is not None and self.how.learns

    def files(self) -> list[str]:
        """Name the files that are needed besides documents, as far as they are there."""
        named = [self.lexicon, self.references, self.learned]
        return [each for each in named if each is not None and Path(each).exists()]

    def prepare(self, documents: Iterator[Document], folder: Path | None) -> Equipment:
        """See that lexicon and references can be used, and keep what is learned of them."""
        equipment = self._learned(documents)
        if folder is not None and equipment.judgement is not None:
            equipment.judgement.save(folder / JUDGEMENT)
        return equipment

    def is_prepared(self, folder: Path) -> bool:
        """Tell whether it was learned, where there is something to learn."""
        return not self.learns or (folder / JUDGEMENT).exists()

    def known(self, folder: Path | None) -> Equipment:
        """Load what was prepared, once in a process as long as nothing of it changes."""
        assert folder is not None, "what was learned is in the folder of the run"
        judgement = folder / JUDGEMENT if self.learns else None
        return _loaded(*map(_state, (self.lexicon, self.references, judgement)))

    def nothing(self) -> Labelled:
        """Count from the beginning."""
        return Labelled()

    def decide(
        self, documents: Iterator[Document], known: Equipment, sums: Labelled
    ) -> Iterator[Document]:
        """Add to documents a layer for each way to believe the lexicon."""
        for document in label(
            documents,
            known.lexicon,
            known.links,
            known.judgement,
            tokeniser=self.tokeniser,
            how=self.how,
        ):
            sums.add(document, KNOWN, self.gold)
            yield document

    def _learned(self, documents: Iterator[Document]) -> Equipment:
        """Load what was learned of lexicon and references, or learn it from documents.

        What is learned is stored where the options say.
        """
        from vermeil.acquisition.databases.references import open_links
        from vermeil.acquisition.lexicon.files import load_lexicon
        from vermeil.acquisition.links.hidden_names import learned_by_length
        from vermeil.acquisition.support.judgement import Judgement

        lexicon = load_lexicon(Path(self.lexicon))
        if self.references is None:
            return Equipment(lexicon, None)
        links = open_links(lexicon, Path(self.references))
        if not self.learns:
            return Equipment(lexicon, links)
        path = Path(self.learned) if self.learned else None
        if path is not None and path.exists():
            return Equipment(lexicon, links, Judgement.load(path, lexicon, links))
        learn = learned_by_length if self.how.by_length else Judgement.learn
        judgement = learn(lexicon, links, documents, tokeniser=self.tokeniser)
        if path is not None:
            judgement.save(path)
        return Equipment(lexicon, links, judgement)


def _state(path: Path | str | None) -> State | None:
    return None if path is None else state_of(str(Path(path).absolute()))


@lru_cache(maxsize=1)
def _loaded(lexicon: State, references: State | None, judgement: State | None) -> Equipment:
    from vermeil.acquisition.databases.references import open_links
    from vermeil.acquisition.lexicon.files import load_lexicon
    from vermeil.acquisition.support.judgement import Judgement

    names = load_lexicon(Path(lexicon[0]))
    if references is None:
        return Equipment(names, None)
    links = open_links(names, Path(references[0]))
    if judgement is None:
        return Equipment(names, links)
    return Equipment(names, links, Judgement.load(Path(judgement[0]), names, links))
