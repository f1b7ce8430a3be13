"""``acquire label`` by shards: layers of acquired annotation for the documents of each.

What the references teach about the lexicon is learned once, from all documents, by the process that
leads, and kept in the folder of the run: a run that goes on does not learn again, and all workers
judge by the same.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vermeil.document import Document
from vermeil.runs.fingerprints import State, state_of
from vermeil.runs.ledgers import new_ledger, with_ledger
from vermeil.runs.results import Result
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Task
from vermeil.scoring.counts import Counts

if TYPE_CHECKING:
    from vermeil.acquire.databases.references import Links
    from vermeil.acquire.lexicon.compilation import Lexicon
    from vermeil.acquire.support.judgement import Judgement

JUDGEMENT = "judgement.zip"


class LabelOptions(msgspec.Struct, frozen=True):
    """Paths of the lexicon, of its references and of what was ``learned``, and how to label.

    ``learned`` is made where it is missing. Layers are counted against ``gold`` where there is one.
    """

    lexicon: str
    references: str | None
    learned: str | None
    threshold: float
    by_discourse: bool
    tokeniser: str
    gold: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """What text is labelled with; no ``judgement`` without references."""

    lexicon: "Lexicon"
    links: "Links | None"
    judgement: "Judgement | None" = None

    def label(self, documents: Iterator[Document], options: LabelOptions) -> Iterator[Document]:
        """Give documents their layers. Streams."""
        from vermeil.acquire.labelling import Labelling, label

        how = Labelling(by_discourse=options.by_discourse, threshold=options.threshold)
        return label(
            documents,
            self.lexicon,
            self.links,
            self.judgement,
            tokeniser=options.tokeniser,
            how=how,
        )


@dataclass(slots=True)
class Labelled:
    """What each layer holds, and how right it is where there is gold."""

    gold: str | None
    n_documents: int = 0
    n_names: dict[str, int] = field(default_factory=dict)
    counts: dict[str, Counts] = field(default_factory=dict)

    def counting(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Count documents on their way."""
        from vermeil.acquire.labelling import LAYERS

        for document in documents:
            self.n_documents += 1
            for name in LAYERS:
                if name in document.layers:
                    self._count(name, len(document.layers[name]), self._score(name, document))
            yield document

    def add(self, result: Result) -> None:
        """Add what was counted in a shard."""
        self.n_documents += result.facts["n_documents"]
        for name, n in result.facts["n_names"].items():
            row = result.facts["counts"].get(name)
            self._count(name, n, Counts(*row) if row else None)

    @property
    def result(self) -> Result:
        """The same as a result."""
        counts = {name: astuple(each) for name, each in self.counts.items()}
        return Result({"n_documents": self.n_documents, "n_names": self.n_names, "counts": counts})

    def _count(self, name: str, n: int, counts: Counts | None) -> None:
        self.n_names[name] = self.n_names.get(name, 0) + n
        if counts is not None:
            self.counts[name] = self.counts.get(name, Counts()) + counts

    def _score(self, name: str, document: Document) -> Counts | None:
        if self.gold is None or self.gold not in document.layers:
            return None
        found = {(span.start, span.end) for span in document.layers[name]}
        wanted = {(span.start, span.end) for span in document.layers[self.gold]}
        right = len(found & wanted)
        return Counts(right, len(found), right, len(wanted))


def learned_means(documents: Iterator[Document], options: LabelOptions) -> Means:
    """Load lexicon and references, and what was learned of them, or learn it from documents.

    What is learned is stored where the options say.
    """
    from vermeil.acquire.databases.references import open_links
    from vermeil.acquire.lexicon.files import load_lexicon
    from vermeil.acquire.support.judgement import Judgement

    lexicon = load_lexicon(Path(options.lexicon))
    if options.references is None:
        return Means(lexicon, None)
    links = open_links(lexicon, Path(options.references))
    learned = Path(options.learned) if options.learned else None
    if learned is not None and learned.exists():
        return Means(lexicon, links, Judgement.load(learned, lexicon, links))
    judgement = Judgement.learn(lexicon, links, documents, tokeniser=options.tokeniser)
    if learned is not None:
        judgement.save(learned)
    return Means(lexicon, links, judgement)


def files(options: LabelOptions) -> list[str]:
    """Name the files that are needed besides documents, as far as they are there."""
    named = [options.lexicon, options.references, options.learned]
    return [each for each in named if each is not None and Path(each).exists()]


def learn_once(folder: Path, documents: Iterator[Document], options: LabelOptions) -> None:
    """See that lexicon and references can be used, and keep what is learned of them."""
    if (folder / JUDGEMENT).exists():
        return
    means = learned_means(documents, options)
    if means.judgement is not None:
        means.judgement.save(folder / JUDGEMENT)


def label_shard(task: Task, options: LabelOptions) -> Result:
    """Label the documents of a shard."""
    ledger, labelled = new_ledger(skip_bad=task.reading.skip_bad), Labelled(options.gold)
    judgement = Path(task.folder) / JUDGEMENT if options.references else None
    means = _loaded(*map(_state, (options.lexicon, options.references, judgement)))
    stream = means.label(task.documents(ledger), options)
    task.write(labelled.counting(stream), ledger)
    return with_ledger(labelled.result, ledger)


def _state(path: Path | str | None) -> State | None:
    return None if path is None else state_of(str(Path(path).absolute()))


@lru_cache(maxsize=1)
def _loaded(lexicon: State, references: State | None, judgement: State | None) -> Means:
    """Load what was prepared, once in a process as long as nothing of it changes."""
    from vermeil.acquire.databases.references import open_links
    from vermeil.acquire.lexicon.files import load_lexicon
    from vermeil.acquire.support.judgement import Judgement

    names = load_lexicon(Path(lexicon[0]))
    if references is None or judgement is None:
        return Means(names, None)
    links = open_links(names, Path(references[0]))
    return Means(names, links, Judgement.load(Path(judgement[0]), names, links))


STAGE = Stage(
    "acquire-label",
    __name__,
    LabelOptions,
    (Step("write", label_shard, writes=True),),
    prepare=learn_once,
    files=files,
)
