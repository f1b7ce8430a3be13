"""Exact and MUC-style scores, all from one one-to-one matching.

    here         nervaluate, MUC   a matched pair is right if          otherwise it is
    exact        strict            boundaries and label are the same   near (INC)
    boundaries   exact             boundaries are the same             near (INC)
    partial      partial           boundaries are the same             partly right (PAR)
    type         ent_type          the label is the same               near (INC)

Unmatched predictions are spurious (SPU), unmatched names missed (MIS): total. Precision is
(COR + PAR / 2) / predicted and recall (COR + PAR / 2) / wanted, as in MUC-5. ``exact`` is also what
the CoNLL scorer counts; discontinuous names must agree in all fragments.

Differences from nervaluate 1.2: it takes predictions in their order and lets each meet the first
names it overlaps, so one name may serve several predictions and swapping the sides changes the
figures. Here a name is in one pair at most (see ``matching``), a copy of a name is a prediction of
its own, and what is left over is spurious or missed. Where no prediction overlaps two names and no
name two predictions, both give the same counts.
"""

from collections.abc import Callable, Iterable

import numpy as np

from vermeil.arrays import Flags
from vermeil.scoring.pairing.matching import Matching, same_place
from vermeil.scoring.pairing.names import Names
from vermeil.scoring.views.outcomes import NEAR, PARTLY, RIGHT, TOTAL, Outcomes

MODES: dict[str, Callable[[Flags, Flags], Outcomes]] = {
    "exact": lambda place, label: np.where(place & label, RIGHT, NEAR).astype(np.int8),
    "boundaries": lambda place, label: np.where(place, RIGHT, NEAR).astype(np.int8),
    "partial": lambda place, label: np.where(place, RIGHT, PARTLY).astype(np.int8),
    "type": lambda place, label: np.where(label, RIGHT, NEAR).astype(np.int8),
}
"""From whether matched pairs have the same place and the same label to their outcome."""


def judge(
    predicted: Names,
    wanted: Names,
    matching: Matching,
    modes: Iterable[str] = MODES,
    *,
    same_label: bool = True,
) -> dict[str, tuple[Outcomes, Outcomes]]:
    """Decide the outcomes of predictions and of names in each of the ``modes``.

    Without ``same_label`` all labels count as the same.
    """
    place = same_place(wanted, predicted, matching.wanted, matching.predicted)
    label = np.ones(len(place), dtype=bool)
    if same_label:
        label = wanted.label[matching.wanted] == predicted.label[matching.predicted]
    judged = {}
    for mode in modes:
        outcome = MODES[mode](place, label)
        mine, theirs = (np.full(len(side), TOTAL, dtype=np.int8) for side in (predicted, wanted))
        mine[matching.predicted] = outcome
        theirs[matching.wanted] = outcome
        judged[mode] = mine, theirs
    return judged
