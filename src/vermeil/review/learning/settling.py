"""What is settled of each document, by the answers that curators gave: a function of these alone.

A place is settled where everybody who answered there says the same, or where it was adjudicated. In
a document that somebody has finished, everything is answered; elsewhere a place is, if every span
that was marked in it shares a character with an answer of its label.
"""

from collections.abc import Mapping

from vermeil.document import Document, Layer, Span, reading_order
from vermeil.review.decisions import Answer, Work, layers_of
from vermeil.review.history import ADJUDICATED
from vermeil.review.learning.lessons import SettledNames
from vermeil.review.learning.places import MarkedPlace, places_of


def settled_in(document: Document, works: Mapping[str, tuple[Work, bool]]) -> SettledNames | None:
    """Say what is settled of a document that has only layers that vote; None for nothing."""
    work, is_done = works.get(ADJUDICATED, ((), False))
    if is_done:
        return SettledNames(layers_of(work)[0])
    curators = {layer: each for layer, each in works.items() if layer != ADJUDICATED}
    finished = [layers_of(work)[0] for work, done in curators.values() if done]
    if finished and len(finished) == len(curators) and len({*finished}) == 1:
        return SettledNames(finished[0])
    stretches: list[tuple[int, int]] = []
    names: set[Span] = set()
    for place in places_of(document):
        said = {
            _inside(layers_of(work)[0], place)
            for work, done in curators.values()
            if done or _is_answered(place, work)
        }
        if len(said) == 1:
            stretches.append((place.start, place.end))
            names.update(said.pop())
    if not stretches:
        return None
    return SettledNames(tuple(sorted(names, key=reading_order)), tuple(stretches))


def _is_answered(place: MarkedPlace, work: Work) -> bool:
    given = [stretch for answer in work for stretch in _stretches(answer)]
    return all(
        any(
            label == each.label and start < each.end and each.start < end
            for start, end, label in given
        )
        for each in place.candidates
    )


def _stretches(answer: Answer) -> list[tuple[int, int, str]]:
    if answer.verdict not in ("accepted", "rejected"):
        return []
    name = answer.name
    own = [answer.place]
    return own if name is None else [*own, (name.start, name.end, name.label)]


def _inside(names: Layer, place: MarkedPlace) -> Layer:
    return tuple(name for name in names if name.start < place.end and place.start < name.end)
