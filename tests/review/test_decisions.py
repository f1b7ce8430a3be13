from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.review.reviews import CANCER, GENE, accepting, rejecting
from vermeil import Centroid, Span
from vermeil.consensus.all_hearts import FoundHeart
from vermeil.errors import UsageError
from vermeil.review.decisions import (
    WHOLE,
    Answer,
    Change,
    ConflictError,
    Name,
    Place,
    Work,
    answered,
    apply,
    check,
    inverse,
    is_done,
    layers_of,
    n_open,
)

LENGTH = 40
PLACES: st.SearchStrategy[Place] = st.sampled_from(
    [GENE, CANCER, (4, 9, "Disease"), (0, 3, "Gene")]
)


def heart(start: int, end: int, label: str, level: int = 0) -> FoundHeart:
    return FoundHeart(Centroid.of(Span(start, end, label)), level, (), ())


@st.composite
def answers(draw: st.DrawFn, place: Place) -> Answer | None:
    kind = draw(st.sampled_from(["none", "open", "accepted", "rejected", "skipped"]))
    if kind == "none":
        return None
    start = draw(st.integers(0, LENGTH - 1))
    name = Name(start, draw(st.integers(start + 1, LENGTH)), draw(st.sampled_from(["Gene", "ß"])))
    comment = draw(st.sampled_from(["", "why?"]))
    opinion = draw(st.booleans())
    return Answer(place, kind, name if kind == "accepted" else None, opinion, comment)  # type: ignore[arg-type]


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Change, ...]]:
    """Decisions as a page makes them, each on what the last one left."""
    work: Work = ()
    made = []
    for _ in range(draw(st.integers(1, 6))):
        before = {answer.place: answer for answer in work}
        changes = []
        for place in draw(st.lists(PLACES, min_size=1, max_size=3, unique=True)):
            after = draw(answers(place))
            if after is not None or place in before:
                changes.append(Change(place, before.get(place), after))
        if changes:
            made.append(tuple(changes))
            work = apply(work, changes)
    return made


@given(histories())
def test_undoing_everything_leaves_nothing(history: list[tuple[Change, ...]]) -> None:
    work: Work = ()
    for changes in history:
        assert apply(apply(work, changes), inverse(changes)) == work
        work = apply(work, changes)
    for changes in reversed(history):
        work = apply(work, inverse(changes))
    assert work == ()


@given(histories())
def test_a_decision_on_an_older_state_is_noticed(history: list[tuple[Change, ...]]) -> None:
    for changes in history[:1]:
        with pytest.raises(ConflictError, match="has changed since"):
            apply(apply((), changes), changes)


@given(histories())
def test_what_a_page_sends_is_let_through(history: list[tuple[Change, ...]]) -> None:
    for changes in history:
        check(changes, action="accept", length=LENGTH)


def test_an_answer_goes_on_speaking_of_a_heart_that_moved() -> None:
    work = apply((), [accepting(GENE), rejecting(CANCER)])
    hearts = [heart(4, 12, "Gene"), heart(30, 33, "Disease"), heart(4, 9, "Chemical")]
    assert answered(hearts, work) == [0, 1, None]
    assert n_open(hearts, work) == 1


def test_a_name_whose_label_was_changed_settles_both_places() -> None:
    answer = Answer(GENE, "accepted", Name(4, 9, "Protein"))
    work = apply((), [Change(GENE, None, answer)])
    assert answered([heart(4, 9, "Gene"), heart(5, 9, "Protein")], work) == [0, 0]


def test_a_nested_heart_needs_an_answer_of_its_own() -> None:
    hearts = [heart(4, 20, "Gene"), heart(4, 9, "Gene", 1), heart(10, 12, "Gene")]
    outer = (4, 20, "Gene")
    assert answered(hearts, apply((), [accepting(outer)])) == [0, None, 0]
    assert answered(hearts, apply((), [rejecting(outer), accepting(GENE)])) == [1, 0, 1]
    moved = apply((), [rejecting((4, 8, "Gene"))])
    assert answered(hearts, moved) == [None, 0, None], "it speaks of what is most like it"


@given(
    histories(),
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 10), st.integers(0, 1)), max_size=6),
)
def test_answers_are_those_of_a_plain_loop(
    history: list[tuple[Change, ...]], places: list[tuple[int, int, int]]
) -> None:
    work: Work = ()
    for changes in history:
        work = apply(work, changes)
    distinct = {(start, start + n): level for start, n, level in places}
    hearts = [heart(*span, "Gene", level) for span, level in distinct.items()]
    assert answered(hearts, work) == [_slowly(each, hearts, work) for each in hearts]


def _slowly(one: FoundHeart, hearts: list[FoundHeart], work: Work) -> int | None:
    own = [n for n, answer in enumerate(work) if answer.place == (one.start, one.end, one.label)]
    if own and work[own[0]].verdict in ("accepted", "rejected"):
        return own[0]
    for number, answer in enumerate(work):
        spans = [answer.place]
        if answer.name is not None:
            spans.append((answer.name.start, answer.name.end, answer.name.label))
        for start, end, label in spans:
            if answer.verdict not in ("accepted", "rejected") or label != "Gene":
                continue
            at_place = [h for h in hearts if (h.start, h.end, h.label) == answer.place]
            near = [h for h in hearts if h.start < end and start < h.end]
            if not (near and one in near):
                continue
            alike = max(
                near,
                key=lambda h: (
                    (min(end, h.end) - max(start, h.start))
                    / (max(end, h.end) - min(start, h.start)),
                    -h.start,
                    h.end,
                ),
            )
            home = at_place[0] if at_place and answer.place[2] == label else alike
            if home.level == one.level:
                return number
    return own[0] if own else None


def test_a_skipped_name_is_still_open() -> None:
    work = apply((), [Change(GENE, None, Answer(GENE, "skipped"))])
    assert n_open([heart(*GENE)], work) == 1


def test_a_document_is_done_when_something_was_decided_and_nothing_is_open() -> None:
    assert not is_done([], ())
    assert is_done([], apply((), [Change(WHOLE, None, Answer(WHOLE, "looked"))]))
    assert is_done([heart(*GENE)], apply((), [rejecting(GENE)]))
    assert not is_done([heart(*GENE), heart(*CANCER)], apply((), [rejecting(GENE)]))


def test_layers_hold_each_name_once_and_its_alternatives_apart() -> None:
    added = Answer((4, 14, "Gene"), "accepted", Name(4, 9, "Gene"))
    work = apply(
        (), [accepting(GENE, alternatives=((4, 14),)), Change((4, 14, "Gene"), None, added)]
    )
    assert layers_of(work) == ((Span(4, 9, "Gene"),), (Span(4, 14, "Gene"),))


def broken(*fragments: tuple[int, int]) -> Change:
    """Accept GENE as a name with a gap."""
    return Change(GENE, None, Answer(GENE, "accepted", Name(4, 9, "Gene", (), fragments)))


def test_a_name_with_a_gap_is_one_span() -> None:
    change = broken((4, 6), (7, 9))
    check([change], action="accept", length=LENGTH)
    assert layers_of(apply((), [change]))[0] == (Span.over([(4, 6), (7, 9)], "Gene"),)


@pytest.mark.parametrize(
    ("change", "action", "reason"),
    [
        (accepting(GENE), "delete", "no action named 'delete'"),
        (accepting(GENE, 4, 41), "accept", "not in the text"),
        (accepting(GENE, 9, 4), "accept", "not in the text"),
        (accepting(GENE, -1, 4), "accept", "not in the text"),
        (accepting(GENE, alternatives=((4, 9),)), "alternative", "differ"),
        (accepting((39, 44, "Gene"), 1, 2), "add", "not in the text"),
        (Change(GENE, None, None), "accept", "before or after"),
        (Change(GENE, None, Answer(GENE, "accepted")), "accept", "has a name"),
        (Change(GENE, None, Answer(GENE, "open", Name(4, 9, "x"))), "accept", "has a name"),
        (Change(GENE, None, Answer(CANCER, "rejected")), "reject", "place of its change"),
        (Change(GENE, None, Answer(GENE, "looked")), "done", "as a whole"),
        (Change(GENE, None, Answer(GENE, "accepted", Name(4, 9, " "))), "label", "label"),
        (Change(GENE, None, Answer(GENE, comment="x" * 10_001)), "comment", "10,000"),
        (broken((4, 9)), "accept", "fragments"),
        (broken((4, 6), (6, 9)), "accept", "fragments"),
        (broken((7, 9), (4, 6)), "accept", "fragments"),
        (broken((4, 6), (8, 10)), "accept", "fragments"),
    ],
)
def test_nonsense_is_refused(change: Any, action: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        check([change], action=action, length=LENGTH)
