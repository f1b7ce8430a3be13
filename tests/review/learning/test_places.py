"""Places: what could be there, and what can be there together."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vermeil.document import Document, Span
from vermeil.review.learning.places import MOST_CHOICES, overlap, places_of

TEXT = "the alpha beta gamma chain of p53"


def document(**layers: list[tuple[int, int]]) -> Document:
    spans = {
        name: tuple(Span(start, end, "Gene") for start, end in own) for name, own in layers.items()
    }
    return Document(id="1", text=TEXT, layers=spans)


def test_names_that_nobody_has_both_of_are_alternatives_to_each_other() -> None:
    [place] = places_of(document(anna=[(4, 14)], ben=[(4, 9)]))
    assert place.choices == ((), (0,), (1,))


def test_nested_names_can_both_be_right_where_somebody_has_both() -> None:
    [place] = places_of(document(anna=[(4, 14), (4, 9)], ben=[(4, 9)]))
    assert (0, 1) in place.choices


def test_the_ends_of_two_names_that_overlap_make_another() -> None:
    [place] = places_of(document(anna=[(4, 14)], ben=[(10, 20)]))
    assert {(each.start, each.end) for each in place.candidates} == {
        (4, 14),
        (4, 20),
        (10, 14),
        (10, 20),
    }


def test_what_is_right_is_found_among_the_choices() -> None:
    [place] = places_of(document(anna=[(4, 14)], ben=[(4, 9)]))
    assert place.choice_of([]) == 0
    assert place.choice_of([Span(4, 9, "Gene", 0.5)]) == 2
    assert place.choice_of([Span(0, 33, "Gene")]) == 0  # nobody proposed it


@given(st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=5), max_size=4))
def test_places_are_apart_and_hold_every_name(drawn: list[list[tuple[int, int]]]) -> None:
    layers = {
        str(n): [(start, min(start + size, len(TEXT))) for start, size in own]
        for n, own in enumerate(drawn)
    }
    found = document(**layers)
    places = places_of(found)
    for one, other in pairwise(places):
        assert one.end <= other.start
    marked = {span for layer in found.layers.values() for span in layer}
    assert marked <= {each for place in places for each in place.candidates}
    for place in places:
        assert place.choices[0] == ()
        assert len(place.choices) <= MOST_CHOICES + 1
        assert len({*place.choices}) == len(place.choices)
        if len(place.candidates) < 4:
            assert all((n,) in place.choices for n in range(len(place.candidates)))


def test_fragments_overlap_where_they_share_a_character() -> None:
    broken = Span(0, 9, "Gene", fragments=((0, 3), (6, 9)))
    assert not overlap(broken, Span(3, 6, "Gene"))
    assert overlap(broken, Span(2, 6, "Gene"))
