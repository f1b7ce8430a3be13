"""``convert`` by shards: each is read and written; nothing is learned."""

from collections.abc import Iterator

import msgspec

from vermeil.document import Document
from vermeil.runs.ledgers import new_ledger, with_ledger
from vermeil.runs.results import Result
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Task


class ConvertOptions(msgspec.Struct, frozen=True):
    """There is nothing to choose but formats, which are not the stage's."""


class Counted:
    """How much has passed."""

    def __init__(self) -> None:
        self.n_documents = self.n_spans = 0

    def passing(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Count documents on their way."""
        for document in documents:
            self.n_documents += 1
            self.n_spans += sum(map(len, document.layers.values()))
            yield document


def convert_shard(task: Task, options: ConvertOptions) -> Result:
    """Write the documents of a shard."""
    ledger, counted = new_ledger(skip_bad=task.reading.skip_bad), Counted()
    task.write(counted.passing(task.documents(ledger)), ledger)
    facts = {"n_documents": counted.n_documents, "n_spans": counted.n_spans}
    return with_ledger(Result(facts), ledger)


STAGE = Stage(
    "convert",
    __name__,
    ConvertOptions,
    (Step("write", convert_shard, writes=True),),
)
