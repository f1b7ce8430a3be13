"""``tag`` by shards: a model finds names in the documents of each."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.models import path_of
from vermeil.runs.fingerprints import State, state_of
from vermeil.runs.ledgers import new_ledger, with_ledger
from vermeil.runs.results import Result
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Task

if TYPE_CHECKING:
    from vermeil.recognise.recogniser import Recogniser


class TagOptions(msgspec.Struct, frozen=True):
    """The model, the layer it writes, and what it takes for a name."""

    model: str
    layer: str
    threshold: float = 0.5
    overlaps: bool = False
    standard: bool = False


class Tagged:
    """How much has been tagged; refuses documents that have the layer already."""

    def __init__(self, layer: str) -> None:
        self._layer = layer
        self.n_documents = self.n_names = 0

    def before(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Pass documents on that have not got the layer."""
        for document in documents:
            if self._layer in document.layers:
                raise UsageError(
                    f"document {document.id!r} has a layer {self._layer!r} already; "
                    "choose another --name"
                )
            yield document

    def after(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Count documents that have got it."""
        for document in documents:
            self.n_documents += 1
            self.n_names += len(document.layers[self._layer])
            yield document


def tag_documents(
    recogniser: "Recogniser", documents: Iterable[Document], options: TagOptions
) -> Iterator[Document]:
    """Find names, with or without the distributions of their boundaries."""
    from vermeil.recognise.tagging import tag

    return tag(
        recogniser,
        documents,
        name=options.layer,
        threshold=options.threshold,
        overlaps=options.overlaps,
        standard=options.standard,
    )


def tag_shard(task: Task, options: TagOptions) -> Result:
    """Tag the documents of a shard."""
    ledger, tagged = new_ledger(skip_bad=task.reading.skip_bad), Tagged(options.layer)
    fresh = tagged.before(task.documents(ledger))
    recogniser = _loaded(state_of(str(path_of(options.model).absolute())))
    stream = tag_documents(recogniser, fresh, options)
    task.write(tagged.after(stream), ledger)
    facts = {"n_documents": tagged.n_documents, "n_names": tagged.n_names}
    return with_ledger(Result(facts), ledger)


def files(options: TagOptions) -> list[str]:
    """Name the file of the model."""
    return [str(path_of(options.model))]


@lru_cache(maxsize=1)
def _loaded(state: State) -> "Recogniser":
    """Load a model, once in a process as long as it does not change."""
    from vermeil.recognise.recogniser import load

    return load(Path(state[0]))


STAGE = Stage("tag", __name__, TagOptions, (Step("write", tag_shard, writes=True),), files=files)
