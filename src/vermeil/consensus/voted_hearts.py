"""The names of a batch, the hearts they make, and which name contains which heart, found once.

What annotators say of hearts and how their boundaries are distributed both begin here.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints
from vermeil.columns.axis import Axis, lay_axis
from vermeil.columns.levels import Levels
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.votes import Hearts, VotingNames, containing, find_hearts, names_of


@dataclass(frozen=True, slots=True, eq=False)
class VotedHearts:
    """``hearts`` are ordered by group and place; name ``name[p]`` contains heart ``heart[p]``."""

    axis: Axis
    names: VotingNames
    hearts: Hearts
    name: Ints
    heart: Ints

    @staticmethod
    def of(
        table: SpanTable,
        *,
        ignored: str = "",
        weight: Floats | None = None,
        together: bool = False,
        singles: bool = True,
        levels: Levels | None = None,
    ) -> "VotedHearts":
        """Let the names of a batch vote, each with its ``weight``, level by level if given."""
        axis = lay_axis(table, ignored)
        names = names_of(table, axis, weight=weight, together=together, levels=levels)
        return VotedHearts.by(names, axis, singles=singles)

    @staticmethod
    def by(names: VotingNames, axis: Axis, *, singles: bool = True) -> "VotedHearts":
        """Let some names vote."""
        return VotedHearts.around(find_hearts(names, axis, singles=singles), names, axis)

    @staticmethod
    def around(hearts: Hearts, names: VotingNames, axis: Axis) -> "VotedHearts":
        """Find the names that contain hearts."""
        return VotedHearts(axis, names, hearts, *containing(names, hearts, axis))

    def only(self, wanted: Flags) -> "VotedHearts":
        """Keep some of the hearts, in the same order."""
        place = np.cumsum(wanted) - 1
        pairs = np.flatnonzero(wanted[self.heart])
        return VotedHearts(
            self.axis,
            self.names,
            self.hearts.keep(wanted),
            self.name[pairs],
            place[self.heart[pairs]],
        )


def weights_of(
    table: SpanTable, annotator_weight: Floats | None, by_confidence: bool
) -> Floats | None:
    """Return the weight of each span's vote, or None where each counts 1."""
    if annotator_weight is None and not by_confidence:
        return None
    weight = np.ones(len(table))
    if annotator_weight is not None:
        weight = annotator_weight[table.annotator]
    if by_confidence:
        weight = weight * np.where(np.isnan(table.confidence), 1.0, table.confidence)
    return weight
