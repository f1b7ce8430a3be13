"""A consensus of documents in memory that is asked again whenever a name is settled.

What everybody said is counted once, part by part; a document that changes costs its own part, and
learning begins where it ended before. So a review can settle a name, learn from it, and ask how
sure the open names are now.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from vermeil.columns.levels import levels_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.methods import Options, Outcome, get_method, with_outcome
from vermeil.consensus.people.answers import Answers
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.model import learn
from vermeil.consensus.voters import franchise, only_voters
from vermeil.document import Document, Layer
from vermeil.scope import META as SCOPE
from vermeil.scope import scope_in

PART = 50
"""Documents that are counted together: what one that changes costs."""


class LiveConsensus:
    """The consensus of documents of which more and more is settled, by the layer ``settled``.

    All layers vote but that one and ``without``, and alternatives. ``crowd`` is what was learned.

    >>> from vermeil.document import Span
    >>> layers = {name: (Span(0, 3, "Gene"),) for name in ("anna", "ben", "cleo")}
    >>> documents = [Document(id=n, text="p53", layers=layers) for n in "123"]
    >>> live = LiveConsensus(documents, settled="curator")
    >>> sure = live.decided(["2"])[0].layers["consensus"][0].confidence
    >>> live.put(documents[0].with_layer("curator", ()))
    >>> live.learn()
    >>> sure > live.decided(["2"])[0].layers["consensus"][0].confidence
    True
    """

    def __init__(
        self,
        documents: Iterable[Document],
        *,
        settled: str,
        without: Sequence[str] = (),
        options: Options | None = None,
        name: str = "consensus",
    ) -> None:
        self.name = name
        self._options = replace(options or Options(), settled=settled)
        self._votes: Callable[[str], bool] = franchise(None, name, without=(*without, settled))
        self._documents = {document.id: document for document in documents}
        ids = list(self._documents)
        self._parts = [ids[n : n + PART] for n in range(0, len(ids), PART)]
        self._part = {id: number for number, part in enumerate(self._parts) for id in part}
        self._counted: dict[int, Answers] = {}
        self.crowd: Crowd | None = None
        self.learn()

    def put(self, document: Document) -> None:
        """Take a document for the one of the same id; what was learned stays until ``learn``."""
        self._documents[document.id] = document
        self._counted.pop(self._part[document.id], None)

    def learn(self) -> None:
        """Learn again from everything that is there now."""
        for number, part in enumerate(self._parts):
            if number not in self._counted:
                self._counted[number] = self._answers(part)
        answers = reduce(add, self._counted.values())
        before = self.crowd
        same = before is not None and before.labels == answers.labels
        self.crowd = learn(
            answers,
            {**self._said_scope(), **self._options.scope},
            settled=self._options.settled,
            before=before if same else None,
        )

    def decided(self, ids: Iterable[str] | None = None) -> list[Document]:
        """Return documents with the consensus as it is now; all of them unless told."""
        some = self._some(ids)
        return list(with_outcome(some, self._outcome(some), self.name))

    def proposed(self, ids: Iterable[str] | None = None) -> list[Layer]:
        """Return for each document all that could be a name, and how sure it is that it is one.

        These are the best spans of all hearts, settled ones and unlikely ones among them.
        """
        return self._outcome(self._some(ids)).proposed.layers()

    def _said_scope(self) -> dict[str, frozenset[str]]:
        """Return what documents say of who looks for what, taken together."""
        said: dict[str, frozenset[str]] = {}
        for document in self._documents.values():
            for name, labels in scope_in(document).items() if SCOPE in document.meta else ():
                said[name] = said.get(name, frozenset()) | labels
        return said

    def _some(self, ids: Iterable[str] | None) -> list[Document]:
        return [self._documents[id] for id in (self._documents if ids is None else ids)]

    def _outcome(self, documents: Iterable[Document]) -> Outcome:
        return get_method("people").decide(self._table(documents), self._options, self.crowd)

    def _answers(self, part: Iterable[str]) -> Answers:
        table = self._table(self._documents[id] for id in part)
        settings = self._options.settings
        return Answers.of(
            table,
            ignored=settings.ignored,
            levels=levels_of(table) if settings.levels else None,
            settled=self._options.settled,
        )

    def _table(self, documents: Iterable[Document]) -> SpanTable:
        settled = self._options.settled
        return SpanTable.from_documents(
            only_voters(document, self._votes, settled=settled) for document in documents
        )
