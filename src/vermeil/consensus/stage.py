"""``consensus`` by shards: what annotators agree on is counted, learned from, then applied.

The first step counts who votes and, for a method that learns, the patterns of votes. Patterns of
two shards add to whole numbers, so that what is learned does not depend on how documents were cut.
The second step decides, shard by shard.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, get_type_hints

import msgspec
import numpy as np

from vermeil.consensus import BATCH, Method, Options, decide, get_method, tables, voting
from vermeil.consensus import with_outcome as given_outcome
from vermeil.consensus.decision import Decision
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.runs.ledgers import new_ledger, with_ledger
from vermeil.runs.results import Result, put_together, taken_apart
from vermeil.runs.stages import Stage, Step
from vermeil.runs.tasks import Task

DEFAULT_NAME, GOLD = "consensus", "gold"
N_DOUBTFUL = 100
"""Contested names that are kept to be shown."""

EVERY = -1
"""Stands for all contested documents."""


class ConsensusOptions(msgspec.Struct, frozen=True):
    """The method and its options; who votes (all without ``chosen``); what to call the outcome.

    ``n_contested`` of the documents are kept to be shown.
    """

    by: str = "hearts"
    choices: Options = msgspec.field(default_factory=Options)
    chosen: tuple[str, ...] | None = None
    excluded: tuple[str, ...] = ()
    name: str = DEFAULT_NAME
    n_contested: int = 0


class Electorate:
    """Who votes: the chosen annotators, or all but the excluded ones."""

    def __init__(self, options: ConsensusOptions) -> None:
        self._options = options
        self.seen: set[str] = set()
        self.voting: set[str] = set()

    def voters(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Keep of each document the layers that vote."""
        chosen, excluded, name = self._options.chosen, self._options.excluded, self._options.name
        for document in documents:
            here = voting(document, chosen, name)
            kept = {key: each for key, each in here.layers.items() if key not in excluded}
            self.seen.update(document.layers)
            self.voting.update(kept)
            yield here.replace(layers=kept)

    def check(self) -> None:
        """Refuse names that are nobody's, once all documents have been seen."""
        options = self._options
        for named in (*(options.chosen or ()), *options.excluded, *options.choices.weights):
            if named not in self.seen:
                raise UnknownNameError("annotator", named, self.seen)
        if not self.voting:
            raise UsageError("nobody is left to vote; see vermeil info for who is there")
        if options.name in self.seen and options.name != DEFAULT_NAME:
            raise UsageError(
                f"there is an annotator {options.name!r} already; choose another --name"
            )

    def notes(self) -> Iterator[tuple[str, str, str]]:
        """Yield what the user would want to know of, as a ledger takes it."""
        if self._options.name in self.seen:
            yield "replaced", "former consensus", "the inputs"
        if GOLD in self.voting:
            yield "counted", "gold standard as an annotator", "use --without gold to judge"


class Tally:
    """What has been decided so far."""

    def __init__(self, n_contested: int = EVERY) -> None:
        self._n_contested = n_contested
        self.n_documents = self.n_spans = self.n_centroids = 0
        self.contested: list[tuple[float, str]] = []
        self.doubtful: list[tuple[float, str, str]] = []

    def deciding(
        self,
        documents: Iterator[Document],
        electorate: Electorate,
        options: ConsensusOptions,
        learned: Any,
    ) -> Iterator[Document]:
        """Give documents what the method says of them, batch by batch."""
        while batch := list(islice(documents, BATCH)):
            voters = electorate.voters(batch)
            [outcome] = decide(voters, by=options.by, options=options.choices, learned=learned)
            self.n_documents += len(batch)
            self.n_spans += len(outcome.decision)
            self.n_centroids += sum(map(len, outcome.standards or ()))
            if self._n_contested:
                doubts = zip(outcome.contested.tolist(), batch, strict=True)
                self._add_contested([(doubt, document.id) for doubt, document in doubts])
            self._add_doubtful(_doubtful(outcome.proposed, batch))
            yield from given_outcome(batch, outcome, options.name)

    def add(self, result: Result) -> None:
        """Add what was decided in a shard."""
        facts = result.facts
        self.n_documents += facts["n_documents"]
        self.n_spans += facts["n_spans"]
        self.n_centroids += facts["n_centroids"]
        self._add_contested([(doubt, id) for doubt, id in facts["contested"]])
        self._add_doubtful([(doubt, name, id) for doubt, name, id in facts["doubtful"]])

    @property
    def result(self) -> Result:
        """The same as a result."""
        return Result(
            {
                "n_documents": self.n_documents,
                "n_spans": self.n_spans,
                "n_centroids": self.n_centroids,
                "contested": self.contested,
                "doubtful": self.doubtful,
            }
        )

    def most_contested(self, n: int) -> list[tuple[float, str]]:
        """Give the documents in which most decisions are expected to be wrong."""
        return sorted(self.contested, key=lambda pair: (-pair[0], pair[1]))[:n]

    def _add_contested(self, more: list[tuple[float, str]]) -> None:
        self.contested += more
        if self._n_contested != EVERY:
            self.contested = self.most_contested(self._n_contested)

    def _add_doubtful(self, more: Iterable[tuple[float, str, str]]) -> None:
        ranked = sorted([*self.doubtful, *more], key=lambda each: (-each[0], *each[1:]))
        self.doubtful = ranked[:N_DOUBTFUL]


def observe_all(
    documents: Iterable[Document], electorate: Electorate, options: ConsensusOptions
) -> Any:
    """Go through documents once: note who is there, and count what the method learns from.

    None where it learns nothing, or there are no documents.
    """
    method = get_method(options.by)
    voters = electorate.voters(documents)
    if method.observe is None:
        for _ in voters:
            pass
        return None
    seen: Any = None
    for table in tables(voters):
        some = method.observe(table, options.choices)
        seen = some if seen is None else seen + some
    return seen


def learn(observed: Any, options: ConsensusOptions) -> Any:
    """Learn from what was observed of all documents; None where the method learns nothing."""
    method = get_method(options.by)
    if method.learn is None:
        return None
    if observed is None:
        raise UsageError("there is no document with a layer to learn from")
    return method.learn(observed)


def observe_shard(task: Task, options: ConsensusOptions) -> Result:
    """Observe the documents of a shard."""
    electorate = Electorate(options)
    ledger = new_ledger(skip_bad=task.reading.skip_bad)
    observed = observe_all(task.documents(ledger), electorate, options)
    patterns = taken_apart(observed) if observed is not None else Result()
    facts = {**patterns.facts, "seen": electorate.seen, "voting": electorate.voting}
    return Result({**facts, "observed": observed is not None}, patterns.arrays)


def learn_from_all(results: Iterator[Result], options: ConsensusOptions) -> Result:
    """Add up what was observed, check who votes, and learn."""
    electorate = Electorate(options)
    observed: Any = None
    for result in results:
        electorate.seen.update(result.facts["seen"])
        electorate.voting.update(result.facts["voting"])
        if result.facts["observed"]:
            some = put_together(_kinds(get_method(options.by))[0], result)
            observed = some if observed is None else observed + some
    electorate.check()
    learned = learn(observed, options)
    known = taken_apart(learned) if learned is not None else Result()
    voters = {"seen": sorted(electorate.seen), "voting": sorted(electorate.voting)}
    return Result({**known.facts, **voters}, known.arrays)


def decide_shard(task: Task, options: ConsensusOptions) -> Result:
    """Decide on the documents of a shard."""
    ledger, tally = new_ledger(skip_bad=task.reading.skip_bad), Tally(options.n_contested)
    learned = learned_in(task.learned("observe"), options)
    documents = task.documents(ledger)
    task.write(tally.deciding(documents, Electorate(options), options, learned), ledger)
    return with_ledger(tally.result, ledger)


def learned_in(result: Result, options: ConsensusOptions) -> Any:
    """Give what was learned from all documents; None where the method learns nothing."""
    method = get_method(options.by)
    return put_together(_kinds(method)[1], result) if method.learn is not None else None


def electorate_in(result: Result, options: ConsensusOptions) -> Electorate:
    """Give who was there and voted in all documents."""
    electorate = Electorate(options)
    electorate.seen.update(result.facts["seen"])
    electorate.voting.update(result.facts["voting"])
    return electorate


def _kinds(method: Method) -> tuple[type[Any], type[Any]]:
    """Give the types a method learns from, and of what it learns."""
    assert method.learn is not None, "the method learns nothing"
    hints = get_type_hints(method.learn)
    return next(iter(hints.values())), hints["return"]


def _doubtful(proposed: Decision, batch: Sequence[Document]) -> Iterator[tuple[float, str, str]]:
    """Yield the names that could best be decided the other way; all that are equal to the last."""
    doubt = np.minimum(proposed.confidence, 1 - proposed.confidence)
    if not len(doubt):
        return
    least = np.partition(doubt, -min(N_DOUBTFUL, len(doubt)))[-min(N_DOUBTFUL, len(doubt))]
    for row in np.flatnonzero(doubt >= least).tolist():
        document = batch[proposed.document[row]]
        name = document.text[proposed.start[row] : proposed.end[row]]
        yield float(doubt[row]), name, document.id


STAGE = Stage(
    "consensus",
    __name__,
    ConsensusOptions,
    (
        Step("observe", observe_shard, learn_from_all),
        Step("write", decide_shard, writes=True),
    ),
)
