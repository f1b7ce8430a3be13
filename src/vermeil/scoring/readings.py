"""The scores of all systems over a corpus of any size, batch by batch, without its documents.

A system is summed up over the documents where it is met. Elsewhere it found nothing, and what that
comes to is known of nobody, over all documents: once for everybody who looks for the same labels.
So a batch costs what the systems in it cost, however many there are in others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from vermeil.document import ALTERNATIVES
from vermeil.errors import UnknownNameError
from vermeil.scope import Scope
from vermeil.scoring.pairing.lens import EVERY_LABEL, Kind
from vermeil.scoring.score_sums import SystemSums
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreReading(Brief):
    """What systems score where the names of a standard are read in one way. Add two to pool them.

    ``silences`` are the sums of nobody over all documents, by what is looked for; ``kinds`` has
    those who look for less than everything. Systems that are in ``full`` are summed up over all
    documents: what is kept of each document cannot be told from what is wanted.
    """

    systems: Mapping[str, SystemSums]
    silences: Mapping[Kind, SystemSums]
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    full: frozenset[str] = frozenset()

    def __add__(self, other: "ScoreReading") -> "ScoreReading":
        full = self.full | other.full
        met_twice = self.systems.keys() & other.systems.keys()
        pooled = {
            name: self.part(name, is_full=name in full) + other.part(name, is_full=name in full)
            for name in met_twice | full
        }
        return ScoreReading(
            {**self.systems, **other.systems, **pooled},
            {kind: each + other.silences[kind] for kind, each in self.silences.items()},
            {**self.kinds, **other.kinds},
            full,
        )

    def of_system(self, name: str) -> SystemSums:
        """Return the sums of a system over all documents."""
        return self.part(name, is_full=True)

    def part(self, name: str, *, is_full: bool) -> SystemSums:
        """Return the sums of a system over all documents, or over those where it is met."""
        nobody = self.silences[self.kinds.get(name, EVERY_LABEL)]
        sums = self.systems.get(name)
        if sums is None:
            return nobody
        return sums.with_rest(nobody) if is_full and name not in self.full else sums


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreSums(Brief):
    """The scores of all systems. Add two to pool them.

    ``n_read`` documents were read, ``names`` are all layers there, ``ids`` the documents scored
    where they are to be listed. Without a ``plain`` reading no document was scored. ``flat`` holds
    what counts if no document marks alternatives, where that makes a difference: then
    ``n_overlapping`` names overlap another. ``scope`` has the labels that everybody used. Documents
    that are ``n_waiting`` were not scored, as they must be gone through again; then nothing counts.
    """

    n_read: int = 0
    names: frozenset[str] = frozenset()
    ids: tuple[str, ...] = ()
    plain: ScoreReading | None = None
    flat: ScoreReading | None = None
    n_overlapping: int = 0
    scope: Scope = field(default_factory=Scope)
    n_waiting: int = 0

    def __add__(self, other: "ScoreSums") -> "ScoreSums":
        n_read, names = self.n_read + other.n_read, self.names | other.names
        scope = self.scope + other.scope
        if n_waiting := self.n_waiting + other.n_waiting:
            return ScoreSums(n_read, names, scope=scope, n_waiting=n_waiting)
        if self.plain is None or other.plain is None:
            some = other if self.plain is None else self
            return replace(some, n_read=n_read, names=names, scope=scope)
        flat = None
        if self.flat is not None or other.flat is not None:
            flat = (self.flat or self.plain) + (other.flat or other.plain)
        return ScoreSums(
            n_read,
            names,
            self.ids + other.ids,
            self.plain + other.plain,
            flat=flat,
            n_overlapping=self.n_overlapping + other.n_overlapping,
            scope=scope,
        )

    def n_alternatives(self, standard: str) -> int:
        """Count the names of a flat standard that were taken for alternatives of others."""
        is_marked = standard + ALTERNATIVES in self.names
        return 0 if is_marked or self.flat is None else self.n_overlapping

    def of_systems(self, standard: str) -> dict[str, SystemSums]:
        """Return the scores of every layer but the standard; refuse a standard that is nowhere."""
        if standard not in self.names or self.plain is None:
            raise UnknownNameError("layer", standard, sorted(self.names))
        reading = self.plain
        if self.n_alternatives(standard) and self.flat is not None:
            reading = self.flat
        judged = sorted(name for name in self.names if not name.endswith(ALTERNATIVES))
        return {name: reading.of_system(name) for name in judged if name != standard}
