"""The BioCreative gene mention score, equal to its official scorer alt_eval.

A name of the standard is found if its own offsets, or those of any alternative that overlaps it,
are among the predictions. A prediction is wrong if its offsets are neither a name's nor an
alternative's; a copy of a wrong one is wrong again. Precision is found / (found + wrong), so one
long prediction can earn two names, two short ones inside a name earn one, and an alternative that
overlaps no name earns nothing and costs nothing.

Offsets count characters that are not white space, so white space at the edges of a name does not
matter. Labels are not compared unless asked for. Discontinuous names, which the format cannot hold,
are compared by their whole extent. alt_eval compares offsets as strings and dies where nothing
matches: readers refuse what it would silently misread, and here precision is then 0 or NaN.
"""

import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.overlap import overlapping, touched
from vermeil.scoring.pairing.matching import NOBODY
from vermeil.scoring.pairing.names import Names, ScoringBatch, common_codes
from vermeil.scoring.views.outcomes import View, outcome_of


def biocreative_view(
    batch: ScoringBatch,
    predicted: Names,
    wanted: Names,
    alternatives: Names,
    *,
    same_label: bool = False,
) -> View:
    """Score predictions against names with alternatives.

    A found name is credited to one prediction: the first with the offsets of the name, else of its
    first alternative that was predicted. A right prediction weighs as much as it earned.
    """
    sides = predicted, wanted, alternatives
    places = [batch.trimmed_names(each) for each in sides]
    labels = [each.label if same_label else np.zeros_like(each.label) for each in sides]
    codes = common_codes([p[0] for p in places], [p[1] for p in places], labels)
    finder = _finders(codes, places, labels)
    listed = np.isin(codes[0], np.concatenate(codes[1:]))
    found = finder != NOBODY
    right = np.bincount(finder[found], minlength=len(predicted)).astype(np.float64)
    starts, ends = (np.concatenate((places[1][side], places[2][side])) for side in (0, 1))
    return View(
        n_documents=len(batch.table.documents),
        labels=batch.labels,
        predicted=predicted,
        wanted=wanted,
        predicted_outcome=outcome_of(listed, touched(*places[0], starts, ends)),
        wanted_outcome=outcome_of(found, touched(*places[1], *places[0])),
        right=right,
        weight=np.where(listed, right, 1.0),
        found=found.astype(np.float64),
    )


def _finders(codes: list[Ints], places: list[tuple[Ints, Ints]], labels: list[Ints]) -> Ints:
    """Find for each name the prediction that found it, or NOBODY."""
    n_codes = max((int(each.max()) + 1 for each in codes if len(each)), default=0)
    first = np.full(n_codes, NOBODY)
    first[codes[0][::-1]] = np.arange(len(codes[0]))[::-1]
    finder = first[codes[1]]
    name, alternative = overlapping(*places[1], *places[2])
    useful = (labels[1][name] == labels[2][alternative]) & (first[codes[2][alternative]] != NOBODY)
    useful &= finder[name] == NOBODY
    name, alternative = name[useful], alternative[useful]
    order = np.lexsort((alternative, name))[::-1]
    finder[name[order]] = first[codes[2][alternative[order]]]
    return finder
