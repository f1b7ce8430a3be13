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

from vermeil.arrays import Flags, Ints
from vermeil.columns.overlap import overlapping, touched
from vermeil.scoring.pairing.matching import NOBODY
from vermeil.scoring.pairing.names import Names, ScoringBatch, comparable
from vermeil.scoring.views.outcomes import Earned, Outcomes, View, outcome_of


def biocreative_view(
    batch: ScoringBatch,
    predicted: Names,
    wanted: Names,
    alternatives: Names,
    *,
    same_label: bool = False,
    alike: tuple[Ints, Ints] | None = None,
) -> View:
    """Score predictions against names with alternatives.

    A found name is credited to one prediction: the first with the offsets of the name, else of its
    first alternative that was predicted. A right prediction weighs as much as it earned. Names and
    predictions that are known to be ``alike``, by the numbers of both, are not looked up.
    """
    sides = predicted, wanted, alternatives
    places = [batch.trimmed_names(each) for each in sides]
    labels = [each.label if same_label else np.zeros_like(each.label) for each in sides]
    codes = _in_reading_order(places, labels)
    finder = _finders(codes, places, labels, alike)
    accepted = codes[1] if not len(codes[2]) else np.concatenate(codes[1:])
    listed = _first(accepted, codes[0], alike and alike[::-1]) != NOBODY
    found = finder != NOBODY
    right = np.bincount(finder[found], minlength=len(predicted)).astype(np.float64)
    starts, ends = (np.concatenate((places[1][side], places[2][side])) for side in (0, 1))
    return View(
        n_documents=len(batch.table.documents),
        labels=batch.labels,
        predicted=predicted,
        wanted=wanted,
        predicted_outcome=_outcomes(listed, places[0], (starts, ends)),
        wanted_outcome=_outcomes(found, places[1], places[0]),
        earned=Earned(right, np.where(listed, right, 1.0), found.astype(np.float64)),
    )


def _finders(
    codes: list[Ints],
    places: list[tuple[Ints, Ints]],
    labels: list[Ints],
    alike: tuple[Ints, Ints] | None,
) -> Ints:
    """Find for each name the prediction that found it, or NOBODY."""
    is_each_once = bool((codes[0][1:] > codes[0][:-1]).all())
    finder = _first(codes[0], codes[1], alike if is_each_once else None)
    if not len(codes[2]):
        return finder
    first = _first(codes[0], codes[2])
    name, alternative = overlapping(*places[1], *places[2])
    useful = (labels[1][name] == labels[2][alternative]) & (first[alternative] != NOBODY)
    useful &= finder[name] == NOBODY
    name, alternative = name[useful], alternative[useful]
    order = np.lexsort((alternative, name))[::-1]
    finder[name[order]] = first[alternative[order]]
    return finder


def _in_reading_order(places: list[tuple[Ints, Ints]], labels: list[Ints]) -> list[Ints]:
    """Number stretches by place and label, so that those in order have rising numbers."""
    sizes = [end - start for start, end in places]
    longest = max(int(each.max(initial=0)) for each in sizes)
    return comparable([start for start, _ in places], [longest - each for each in sizes], labels)


def _first(codes: Ints, wanted: Ints, known: tuple[Ints, Ints] | None = None) -> Ints:
    """Find the first place of each wanted code among some; NOBODY where it is not there.

    Of some wanted codes the place may be ``known``, given by the numbers of these and their places.
    """
    if not len(codes):
        return np.full(len(wanted), NOBODY)
    if known is not None and len(known[0]):
        found = np.full(len(wanted), NOBODY)
        found[known[0]] = known[1]
        rest = np.flatnonzero(found == NOBODY)
        found[rest] = _first(codes, wanted[rest])
        return found
    order = None
    if (codes[1:] < codes[:-1]).any():
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
    place = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where(codes[place] == wanted, place if order is None else order[place], NOBODY)


def _outcomes(good: Flags, places: tuple[Ints, Ints], others: tuple[Ints, Ints]) -> Outcomes:
    """Decide: what is not good is near where it overlaps any of the others."""
    rest = np.flatnonzero(~good)
    near = np.zeros(len(good), dtype=bool)
    near[rest] = touched(places[0][rest], places[1][rest], *others)
    return outcome_of(good, near)
