"""``agree`` as two stages: who is there and what they look for, then what came of their meetings.

What somebody looks for is known when all documents have been seen, and only then can two be
compared; so a corpus is gone through twice, like that of a consensus.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

from vermeil.columns.held import layers_of
from vermeil.columns.joined import labels_held, labels_used
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.runs.stages import Stage
from vermeil.scope import CONSENSUS_NAME, Scope, is_annotator, refuse_unknown
from vermeil.scoring.agreement.left_out import FEW, OthersPatterns, Stored
from vermeil.scoring.agreement.sums import AgreementSums
from vermeil.scoring.agreement.votes import Votes, Words

BATCH = 500
"""Documents that are compared at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Voters:
    """Which layers and labels there are, what annotators use, and what can be learned of them.

    Add two to pool them. With more than FEW annotators nothing is learned.
    """

    layers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: OthersPatterns | None = None

    def __add__(self, other: "Voters") -> "Voters":
        scope = Scope({name: frozenset(labels) for name, labels in self.used.items()}) + Scope(
            {name: frozenset(labels) for name, labels in other.used.items()}
        )
        used = {name: tuple(sorted(scope.used[name])) for name in sorted(scope.used)}
        others = self.others or other.others
        if self.others is not None and other.others is not None:
            others = self.others + other.others
        layers = tuple(sorted({*self.layers, *other.layers}))
        labels = tuple(sorted({*self.labels, *other.labels}))
        return Voters(layers, labels, used, others if len(used) <= FEW else None)


class VotersStage(Stage[Voters, Voters, None], frozen=True):
    """Find the annotators: those ``chosen``, or all there are, without the ``excluded``.

    ``learns`` counts what the consensus of the others is learned from.
    """

    name: ClassVar[str] = "agree voters"
    observes: ClassVar[bool] = True
    in_columns: ClassVar[bool] = True

    chosen: tuple[str, ...] | None = None
    excluded: tuple[str, ...] = ()
    learns: bool = True

    def observe(self, items: Iterator[Document]) -> Voters:
        """Note who is there and what labels they use."""
        total = Voters()
        while batch := list(islice(items, BATCH)):
            total += self._seen(batch, learns=self.learns and len(total.used) <= FEW)
        return total

    def finish(self, seen: Voters) -> Voters:
        """Refuse names that are nobody's, and agreement of one."""
        for name in self.chosen or ():
            if name not in seen.layers:
                raise UnknownNameError("layer", name, seen.layers)
        if len(seen.used) < 2:
            found = ", ".join(seen.used) or "none"
            raise UsageError(f"agreement is between two layers or more; found: {found}")
        return seen

    def notes(self, known: Voters) -> Iterator[tuple[str, str, str]]:
        """Yield who is there and is nobody to compare, unless asked for."""
        if self.chosen is None and CONSENSUS_NAME in {*known.layers} - {*self.excluded}:
            yield "left out", "former consensus", f"{CONSENSUS_NAME}; --layers can name it"

    def _seen(self, batch: Sequence[Document], *, learns: bool) -> Voters:
        layers: set[str] = set()
        bare = []
        for document in batch:
            layers.update(document.layers)
            own = set(filter(self._votes, document.layers))
            kept = layers_of(document.layers, own)
            bare.append(document.replace(layers=kept, standards={}, trees={}, meta={}))
        used: dict[str, set[str]] = {}
        for name, some in labels_held([document.layers for document in bare]):
            used.setdefault(name, set()).update(some)
        labels = {label for _, some in labels_used(batch) for label in some}
        return Voters(
            tuple(sorted(layers)),
            tuple(sorted(labels)),
            {name: tuple(sorted(used[name])) for name in sorted(used)},
            OthersPatterns.of(bare) if learns and len(used) <= FEW else None,
        )

    def _votes(self, name: str) -> bool:
        if name in self.excluded:
            return False
        return is_annotator(name) if self.chosen is None else name in self.chosen


class AgreeStage(Stage[AgreementSums, AgreementSums, None], frozen=True):
    """Who is compared, what they use and were told to look for, and what is counted beside pairs.

    ``learned`` is what the consensus of the others goes by, for each annotator; without it plain
    votes decide.
    """

    name: ClassVar[str] = "agree"
    observes: ClassVar[bool] = True
    in_columns: ClassVar[bool] = True

    used: dict[str, tuple[str, ...]]
    told: dict[str, tuple[str, ...]] = {}  # noqa: RUF012  (a struct copies its defaults)
    leave_one_out: bool = True
    learned: dict[str, Stored] = {}  # noqa: RUF012
    n_resamples: int = 0
    seed: int = 0
    n_worst: int = 0

    @staticmethod
    def of(
        voters: Voters, told: Mapping[str, frozenset[str]] | None = None, **options: Any
    ) -> "AgreeStage":
        """Compare those who were found; ``told`` says what they look for, whatever they use."""
        told = told or {}
        refuse_unknown(told, voters.layers, voters.labels)
        return AgreeStage(
            dict(voters.used),
            {name: tuple(sorted(labels)) for name, labels in told.items()},
            learned=voters.others.learned() if voters.others is not None else {},
            **options,
        )

    @property
    def words(self) -> Words:
        """The annotators and labels that codes stand for."""
        labels = {label for labels in self.used.values() for label in labels}
        return Words(tuple(sorted(self.used)), tuple(sorted(labels)))

    @property
    def scope(self) -> Scope:
        """Who looks for what."""
        return Scope(
            {name: frozenset(labels) for name, labels in self.used.items()},
            {name: frozenset(labels) for name, labels in self.told.items()},
        )

    def observe(self, items: Iterator[Document]) -> AgreementSums:
        """Compare the annotators of documents, BATCH at a time."""
        words, scope = self.words, self.scope
        total = AgreementSums.none(self.n_resamples, self.n_worst)
        while batch := list(islice(items, BATCH)):
            total += AgreementSums.of(
                batch,
                Votes.of(batch, words, scope),
                words,
                n_resamples=self.n_resamples,
                seed=self.seed,
                n_worst=self.n_worst,
                leave_one_out=self.leave_one_out,
                learned=self.learned,
            )
        return total

    def finish(self, seen: AgreementSums) -> AgreementSums:
        """There is nothing to learn."""
        return seen
