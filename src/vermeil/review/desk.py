"""What lies on a curator's desk: a document as the page shows it, as plain data for JSON.

Curators do not see each other's answers while they work, only comments and requests for a second
opinion; an adjudicator sees the names of all who are done (``n_above`` lanes), and below them those
of the annotators, who may be called the same.
Offsets count code points.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from vermeil.consensus.all_hearts import every_heart
from vermeil.consensus.trees.doubt import stretches_of, trust_of
from vermeil.document import ALTERNATIVES, Document, Span
from vermeil.review.decisions import layers_of
from vermeil.review.history import ADJUDICATED, seen_by, work_on, works_on
from vermeil.review.importing import HELPER, learned_reliability, scope_of
from vermeil.review.learning.memory import likely_names, proposed_by_helper
from vermeil.review.queue import FEWEST
from vermeil.review.store import Store
from vermeil.review.team.archive import is_archived
from vermeil.scope import Scope
from vermeil.vote_view.lanes import Heart, VoteView, vote_view


def on_desk(store: Store, layer: str, number: int) -> dict[str, Any]:
    """Collect everything the page needs to work on a document."""
    content = store.document(number)
    shown = seen_by(store, layer, number, content)
    is_done = works_on(store, number).get(layer, ((), False))[1]
    found = None if layer == ADJUDICATED or is_done else proposed_by_helper(store, number)
    if found is not None:
        shown = shown.with_layer(HELPER, found)
    scope = Scope() if layer == ADJUDICATED else scope_of(store)
    view = _view(store, layer, shown, scope)
    hearts = view.hearts
    above = [*view.lanes, *_alternatives(store, layer, number)]
    below = vote_view(content, hearts=()).lanes if layer == ADJUDICATED else ()
    if layer != ADJUDICATED:
        likely = likely_names(store, number)
        hearts = tuple(_taught(heart, likely) for heart in hearts)
    return {
        "number": number,
        "is_archived": is_archived(store, number),
        "id": content.id,
        "text": content.text,
        "hearts": hearts,
        "looked": [
            sum(scope.looks_for(lane.annotator, heart.label, shown) for lane in view.lanes)
            for heart in view.hearts
        ],
        "lanes": [*above, *below],
        "n_above": len(above),
        "wave": list(_runs(view.wave)),
        "doubtful": stretches_of(content),
        "trust": trust_of(content),
        "remarks": list(_remarks(store, layer, number)),
        "answers": work_on(store, layer, number),
        "is_final": layer == ADJUDICATED and works_on(store, number).get(layer, ((), False))[1],
    }


def labels_of(store: Store) -> list[str]:
    """List the labels of the annotators, the most frequent first."""
    with store.reading() as connection:
        rows = connection.execute("SELECT label FROM labels ORDER BY n DESC, label").fetchall()
    return [label for (label,) in rows]


def _view(store: Store, layer: str, shown: Document, scope: Scope) -> VoteView:
    learned = None if layer == ADJUDICATED else learned_reliability(store)
    if learned is not None and (len(learned.annotators) < FEWEST or HELPER in shown.layers):
        learned = None  # what is said of hearts then comes from what was learned since
    [hearts] = every_heart([shown], learned=learned, scope=scope)
    return vote_view(shown, hearts=hearts)


def _taught(heart: Heart, likely: Sequence[Span]) -> Heart:
    """Put the chance and the likeliest edges that were learned on a heart in an open place."""
    starts, ends = ({at for at, _ in side} for side in (heart.left, heart.right))
    own = [
        span
        for span in likely
        if span.label == heart.label and span.start in starts and span.end in ends
    ]
    if not own:
        return heart
    best = max(own, key=lambda span: (span.confidence or 0.0, -span.start, span.end))
    # Spans with edges of one heart exclude each other, so their chances add.
    chance = min(1.0, sum(span.confidence or 0.0 for span in own))
    return replace(heart, confidence=chance, modal=(best.start, best.end), fragments=best.fragments)


def _alternatives(store: Store, layer: str, number: int) -> Iterator[dict[str, Any]]:
    """Yield what an adjudicator also sees of the curators: the spans that are as good."""
    if layer != ADJUDICATED:
        return
    for curator, (work, done) in works_on(store, number).items():
        others = layers_of(work)[1]
        if done and others and curator != ADJUDICATED:
            spans = [(span.start, span.end, span.label, None, ()) for span in others]
            yield {"annotator": curator + ALTERNATIVES, "spans": spans}


def _remarks(store: Store, layer: str, number: int) -> Iterator[dict[str, Any]]:
    """Yield what the others say to everybody."""
    for curator, (work, _) in works_on(store, number).items():
        for answer in work:
            if curator != layer and (answer.opinion or answer.comment):
                yield {
                    "curator": curator,
                    "place": answer.place,
                    "opinion": answer.opinion,
                    "comment": answer.comment,
                }


def _runs(wave: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Yield the wave as runs of equal height above zero, because most of a text is flat."""
    start, height = 0, 0.0
    for place, value in enumerate((*wave, 0.0)):
        if value != height:
            if height:
                yield start, place, height
            start, height = place, value
