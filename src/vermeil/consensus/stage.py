"""``consensus`` as a stage: what annotators agree on is counted, learned from, then applied.

Observing counts who votes and, for a method that learns, the patterns of votes. Patterns of two
parts add to whole numbers, so that what is learned does not depend on how documents were cut.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from operator import add
from typing import Any, ClassVar, get_type_hints

import msgspec
import numpy as np

from vermeil.columns.span_table import SpanTable
from vermeil.consensus.centroids import GeneralHearts
from vermeil.consensus.decision import Decision
from vermeil.consensus.methods import (
    Method,
    Options,
    Outcome,
    get_method,
    judged_people,
    with_outcome,
)
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.heart_texts import CrowdSeen, ReadSoFar
from vermeil.consensus.people.why import Reasons, reasons_for
from vermeil.consensus.voters import (
    batches,
    franchise,
    noting_labels,
    noting_nests,
    noting_scope,
    only_voters,
    tables,
)
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.runs.results import Result, put_together, taken_apart
from vermeil.runs.stages import Stage
from vermeil.scope import CONSENSUS_NAME, refuse_unknown

GOLD = "gold"
N_DOUBTFUL = 100
"""Contested names that are kept to be shown."""

N_NAMED = 3
"""Annotators that a note names."""

EVERY = -1
"""Stands for all contested documents."""


@dataclass(frozen=True, slots=True)
class Electorate:
    """Who is there, and who votes. Add two to pool them.

    ``nesting`` are those with nested or discontinuous names, noted for flat methods only;
    ``scope`` the annotators and labels that documents say are looked for, ``labels`` all that are
    used, noted where a scope was told.
    """

    seen: frozenset[str] = frozenset()
    voting: frozenset[str] = frozenset()
    nesting: frozenset[str] = frozenset()
    scope: frozenset[tuple[str, str]] = frozenset()
    labels: frozenset[str] = frozenset()

    def __add__(self, other: "Electorate") -> "Electorate":
        return Electorate(
            self.seen | other.seen,
            self.voting | other.voting,
            self.nesting | other.nesting,
            self.scope | other.scope,
            self.labels | other.labels,
        )

    def told(self, also: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        """Return what annotators look for as documents say, or as the user says who knows."""
        said: dict[str, frozenset[str]] = {}
        for annotator, label in self.scope:
            said[annotator] = said.get(annotator, frozenset()) | {label}
        return {**said, **also}


@dataclass(frozen=True, slots=True)
class Observed:
    """Who votes, and the patterns that the method learns from; None where it learns nothing."""

    electorate: Electorate
    patterns: Any

    def __add__(self, other: "Observed") -> "Observed":
        either = self.patterns is None or other.patterns is None
        patterns = self.patterns or other.patterns if either else self.patterns + other.patterns
        return Observed(self.electorate + other.electorate, patterns)


@dataclass(frozen=True, slots=True)
class Learned:
    """Who voted, and what the method learned of them; None where it learns nothing."""

    electorate: Electorate
    model: Any


@dataclass(slots=True)
class Tally:
    """What has been decided. Add two to pool them.

    ``n_marked`` counts the names of all who vote. Of the most contested documents ``n_contested``
    are kept, of names the N_DOUBTFUL.
    """

    n_contested: int = EVERY
    n_documents: int = 0
    n_spans: int = 0
    n_centroids: int = 0
    n_marked: int = 0
    contested: list[tuple[float, str]] = field(default_factory=list)
    doubtful: list[tuple[float, str, str]] = field(default_factory=list)
    left_out: GeneralHearts = field(default_factory=GeneralHearts)

    def add_batch(self, batch: Sequence[Document], outcome: Outcome) -> None:
        """Count what a method says of some documents."""
        self.n_documents += len(batch)
        self.n_spans += len(outcome.decision)
        self.n_centroids += outcome.n_centroids
        self.n_marked += len(outcome.proposed.table.label)
        self.left_out += outcome.left_out
        if self.n_contested:
            doubts = zip(outcome.contested.tolist(), batch, strict=True)
            self._add_contested([(doubt, document.id) for doubt, document in doubts])
        self._add_doubtful(_doubtful(outcome.proposed, batch))

    def __add__(self, other: "Tally") -> "Tally":
        total = Tally(
            self.n_contested,
            self.n_documents + other.n_documents,
            self.n_spans + other.n_spans,
            self.n_centroids + other.n_centroids,
            n_marked=self.n_marked + other.n_marked,
            contested=list(self.contested),
            doubtful=self.doubtful,
            left_out=self.left_out + other.left_out,
        )
        total._add_contested(other.contested)
        total._add_doubtful(other.doubtful)
        return total

    def most_contested(self, n: int) -> list[tuple[float, str]]:
        """Rank the documents by the number of decisions that are expected to be wrong."""
        return sorted(self.contested, key=lambda pair: (-pair[0], pair[1]))[:n]

    def _add_contested(self, more: list[tuple[float, str]]) -> None:
        self.contested += more
        if self.n_contested != EVERY:
            self.contested = self.most_contested(self.n_contested)

    def _add_doubtful(self, more: Iterable[tuple[float, str, str]]) -> None:
        ranked = sorted([*self.doubtful, *more], key=lambda each: (-each[0], *each[1:]))
        self.doubtful = ranked[:N_DOUBTFUL]


class ConsensusStage(Stage[Observed, Learned, Tally], frozen=True):
    """The method and its options; who votes (all without ``chosen``); what to call the outcome.

    Layers of ``alternatives`` vote beside those they belong to if asked, or where they are chosen.
    ``n_contested`` of the documents are kept to be shown. A ``strict`` one refuses names that are
    nobody's, and documents on which nobody votes.
    """

    name: ClassVar[str] = "consensus"
    observes: ClassVar[bool] = True
    decides: ClassVar[bool] = True
    in_columns: ClassVar[bool] = True
    little: ClassVar[int] = 12_000_000

    by: str = "people"
    choices: Options = msgspec.field(default_factory=Options)
    chosen: tuple[str, ...] | None = None
    excluded: tuple[str, ...] = ()
    alternatives: bool = False
    layer: str = CONSENSUS_NAME
    n_contested: int = EVERY
    strict: bool = True

    def observe(self, items: Iterator[Document]) -> Observed:
        """Note who is there, and count what the method learns from."""
        return self._observed(items, None)

    def observe_shard(
        self, items: Iterator[Document], number: int, memory: dict[str, Any]
    ) -> Observed:
        """Do the same, reading no texts that are too many after those of other shards."""
        before: ReadSoFar = memory.setdefault("read", ReadSoFar())
        seen = self._observed(items, before)
        if isinstance(seen.patterns, CrowdSeen) and seen.patterns.texts is not None:
            before.add(number, seen.patterns.texts)
        return seen

    def _observed(self, items: Iterator[Document], before: ReadSoFar | None) -> Observed:
        seen: set[str] = set()
        voters: set[str] = set()
        scope: set[tuple[str, str]] = set()
        method = get_method(self.by)
        parts: list[Any] = []
        nesting: set[str] = set()
        labels: set[str] = set()
        items = noting_scope(items, scope)
        if self.choices.scope:
            items = noting_labels(items, labels)
        documents = self._voters(items, seen, voters)
        if method.is_flat:
            documents = noting_nests(documents, nesting)
        if method.observe is None:
            deque(documents, maxlen=0)  # who is there is noted on the way
        else:
            n_parts = 0
            for table in tables(documents):
                parts.append(method.observe(table, self.choices, parts[0] if parts else before))
                del table  # to make room for the next, which is read now
                # Parts of like size are added, as when one counts to two: each is added to
                # few others, however many there are.
                n_parts = number = n_parts + 1
                while number % 2 == 0:
                    parts[-2:], number = [parts[-2] + parts[-1]], number // 2
        who = Electorate(
            frozenset(seen),
            frozenset(voters),
            frozenset(nesting),
            frozenset(scope),
            frozenset(labels),
        )
        return Observed(who, reduce(add, reversed(parts)) if parts else None)

    def finish(self, seen: Observed) -> Learned:
        """Check who votes, and learn from the patterns of their votes."""
        method = get_method(self.by)
        if method.learn is not None and seen.patterns is None:
            raise UsageError("there is no document with a layer to learn from")
        if self.strict:
            self._check(seen.electorate)
        model = (
            None
            if method.learn is None
            else method.learn(seen.patterns, self._choices(seen.electorate))
        )
        return Learned(seen.electorate, model)

    def nothing(self) -> Tally:
        """Count from the beginning."""
        return Tally(self.n_contested)

    def decide(
        self, documents: Iterator[Document], known: Learned, sums: Tally
    ) -> Iterator[Document]:
        """Add what the method says to documents, a batch at a time."""
        method = get_method(self.by)
        for batch in batches(documents):
            table = SpanTable.from_documents(list(self._voters(batch, set(), set())))
            outcome = method.decide(table, self.choices, known.model)
            sums.add_batch(batch, outcome)
            together = self.choices.settings.together
            decided = with_outcome(batch, outcome, self.layer, together=together)
            del batch, table, outcome  # to make room for the next, which is read after the last
            yield from decided

    def notes(self, known: Learned) -> Iterator[tuple[str, str, str]]:
        """Yield what the user may not expect of who votes, and what a flat method cannot do."""
        if self.layer in known.electorate.seen:
            yield "replaced", "former consensus", "the inputs"
        if GOLD in known.electorate.voting:
            yield "counted", "gold standard as an annotator", "use --without gold to judge"
        electorate = known.electorate
        silent = electorate.seen - electorate.voting - {self.layer, *self.excluded}
        if self.chosen is None and CONSENSUS_NAME in silent:
            yield "left out", "former consensus", f"{CONSENSUS_NAME}; --layers can name it"
        if electorate.nesting:
            whose = f"{_some(sorted(electorate.nesting))}; --by people decides each, and whole"
            yield "flattened", "nested and discontinuous names", whose
        if isinstance(known.model, Crowd) and known.model.copies:
            whose = f"{_some(known.model.copies)}; --without leaves some out"
            yield "counted as fewer", "annotators who say nearly the same", whose
        if self.chosen is None and not self.alternatives:
            for key in sorted(silent):
                owner = key.removesuffix(ALTERNATIVES)
                if owner != key and owner not in self.excluded:
                    yield "left out", "layers of alternatives", f"{key}; --alternatives counts it"

    def why(self, document: Document, start: int, end: int, known: Learned) -> Reasons:
        """Explain the name at some place of a document."""
        if not isinstance(known.model, Crowd):
            raise UsageError(f"--by {self.by} does not say why; --by people does")
        table = SpanTable.from_documents(list(self._voters([document], set(), set())))
        table = table.labelled(known.model.labels)
        judged, crowd = judged_people(table, self.choices, known.model)
        return reasons_for(table, judged, crowd, start, end, settled=self.choices.settled)

    def kept(self, value: Observed | Learned | Tally) -> Result:
        """Lay out patterns and models as what they are, beside who voted."""
        if isinstance(value, Tally):
            return taken_apart(value)
        held = value.patterns if isinstance(value, Observed) else value.model
        apart = Result() if held is None else taken_apart(held)
        names = [each.name for each in fields(Electorate)]
        who = {name: sorted(getattr(value.electorate, name)) for name in names}
        return Result({**apart.facts, "electorate": who, "held": held is not None}, apart.arrays)

    def seen_in(self, result: Result) -> Observed:
        """Undo ``kept``."""
        return Observed(*self._restored_parts(result, 0))

    def known_in(self, result: Result) -> Learned:
        """Undo ``kept``."""
        return Learned(*self._restored_parts(result, 1))

    def _restored_parts(self, result: Result, place: int) -> tuple[Electorate, Any]:
        who = msgspec.convert(result.facts["electorate"], Electorate)
        if not result.facts["held"]:
            return who, None
        return who, put_together(_kinds(get_method(self.by))[place], result)

    def _voters(
        self, documents: Iterable[Document], seen: set[str], voters: set[str]
    ) -> Iterator[Document]:
        """Keep of each document the layers that vote, noting who is there."""
        votes = franchise(
            self.chosen, self.layer, without=self.excluded, alternatives=self.alternatives
        )
        settled = self.choices.settled
        before: list[str] = []
        all_vote = False
        for document in documents:
            names = list(document.layers)
            is_bare = not (document.standards or document.trees or document.meta)
            if names == before and all_vote and is_bare:  # few differ in who looked at them
                yield document
                continue
            here = only_voters(document, votes, settled=settled)
            if names != before:
                before, all_vote = names, here.layers is document.layers
                seen.update(names)
                voters.update(name for name in here.layers if name != settled)
            yield here

    def _choices(self, electorate: Electorate) -> Options:
        return replace(self.choices, scope=electorate.told(self.choices.scope))

    def _check(self, electorate: Electorate) -> None:
        choices = self.choices
        settled = (choices.settled,) if choices.settled else ()
        named = (*(self.chosen or ()), *self.excluded, *choices.weights, *settled)
        for each in named:
            if each not in electorate.seen:
                raise UnknownNameError("annotator", each, sorted(electorate.seen))
        refuse_unknown(choices.scope, electorate.seen, electorate.labels)
        if not electorate.voting:
            raise UsageError("nobody is left to vote; see vermeil info for who is there")
        if self.layer in electorate.seen and self.layer != CONSENSUS_NAME:
            raise UsageError(f"there is an annotator {self.layer!r} already; choose another --name")


def _some(names: Sequence[str]) -> str:
    """Name the first few."""
    more = f" and {len(names) - N_NAMED} more" if len(names) > N_NAMED else ""
    return ", ".join(names[:N_NAMED]) + more


def _kinds(method: Method) -> tuple[type[Any], type[Any]]:
    """Return the types a method learns from, and of what it learns."""
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
