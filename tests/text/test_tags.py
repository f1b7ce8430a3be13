from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.document import Span
from vermeil.errors import UnknownNameError
from vermeil.text.tags import (
    SCHEMES,
    Name,
    decode,
    encode,
    find_repairs,
    guess_scheme,
    is_faithful,
    tracks,
)

LABELS = ("Gene", "Cell-line")


@st.composite
def flat_names(draw: st.DrawFn) -> list[Name]:
    names, place = [], 0
    for gap, length, label in draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(LABELS)))
    ):
        names.append((place + gap, place + gap + length, label))
        place += gap + length
    return names


def tag_sequences(scheme: str) -> st.SearchStrategy[list[str]]:
    letters = sorted(SCHEMES[scheme].alphabet)
    tags = ["O", *(f"{letter}-{label}" for letter in letters for label in LABELS)]
    return st.lists(st.sampled_from(tags), max_size=12)


def n_tokens_of(names: list[Name]) -> int:
    return max((end for _, end, _ in names), default=0) + 1


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@given(names=flat_names())
def test_names_come_back_from_every_scheme_that_is_faithful_to_them(
    scheme: str, names: list[Name]
) -> None:
    tags = encode(n_tokens_of(names), names, scheme)
    assert (decode(tags, scheme) == names) == is_faithful(names, scheme)
    assert find_repairs(tags, scheme) == []
    assert decode(tags, scheme, repair="strict") == decode(tags, scheme, repair="drop")
    assert scheme == "io" or is_faithful(names, scheme)


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@given(data=st.data())
def test_a_lenient_reading_keeps_every_tagged_token_and_repairs_to_a_well_formed_sequence(
    scheme: str, data: st.DataObject
) -> None:
    tags = data.draw(tag_sequences(scheme))
    names = decode(tags, scheme)
    assert all(first[1] <= second[0] for first, second in pairwise(names))
    covered = {at: label for start, end, label in names for at in range(start, end)}
    assert covered == {at: tag[2:] for at, tag in enumerate(tags) if tag != "O"}
    repaired = list(tags)
    for at, _, wanted in find_repairs(tags, scheme):
        repaired[at] = wanted
    assert decode(repaired, scheme, repair="strict") == names


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@given(data=st.data())
def test_dropping_keeps_exactly_the_names_without_a_repair(
    scheme: str, data: st.DataObject
) -> None:
    tags = data.draw(tag_sequences(scheme))
    faulty = {repair.position for repair in find_repairs(tags, scheme)}
    kept = [name for name in decode(tags, scheme) if not faulty & set(range(name[0], name[1]))]
    assert decode(tags, scheme, repair="drop") == kept


def conlleval(tags: list[str]) -> list[Name]:
    """Be the naive twin: startOfChunk and endOfChunk of conlleval, spelt out."""
    names: list[Name] = []
    start, open_label = 0, ""
    for at, tag in enumerate([*tags, "O"]):
        previous = tags[at - 1] if at else "O"
        letter, label = tag[0], tag[2:]
        old_letter, old_label = previous[0], previous[2:]
        ends = (
            (old_letter, letter)
            in {("B", "B"), ("B", "O"), ("I", "B"), ("I", "O"), ("E", "E"), ("E", "I"), ("E", "O"),
                ("E", "B"), ("B", "S"), ("I", "S"), ("E", "S")}
            or old_letter == "S"
            or (old_letter != "O" and old_label != label)
        )  # fmt: skip
        starts = (
            (old_letter, letter)
            in {("B", "B"), ("I", "B"), ("O", "B"), ("O", "I"), ("E", "E"), ("E", "I"), ("O", "E"),
                ("E", "B"), ("S", "I"), ("S", "E"), ("S", "B")}
            or letter == "S"
            or (letter != "O" and old_label != label)
        )  # fmt: skip
        if open_label and ends:
            names.append((start, at, open_label))
            open_label = ""
        if starts:
            start, open_label = at, label
    return names


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@given(data=st.data())
def test_a_lenient_reading_is_that_of_conlleval(scheme: str, data: st.DataObject) -> None:
    tags = data.draw(tag_sequences(scheme))
    as_iobes = str.maketrans("LU", "ES")
    assert decode(tags, scheme) == conlleval([tag[0].translate(as_iobes) + tag[1:] for tag in tags])


@given(names=flat_names())
def test_bilou_is_iobes_in_other_letters(names: list[Name]) -> None:
    letters = str.maketrans("ES", "LU")
    iobes = encode(n_tokens_of(names), names, "iobes")
    bilou = encode(n_tokens_of(names), names, "bilou")
    assert [tag[0].translate(letters) + tag[1:] for tag in iobes] == bilou


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("io", "I I I I O I"),
        ("iob1", "I I I B O I"),
        ("iob2", "B I I B O B"),
        ("ioe1", "I I E I O I"),
        ("ioe2", "I I E E O E"),
        ("iobes", "B I E S O S"),
        ("bilou", "B I L U O U"),
    ],
)
def test_letters_of_touching_names(scheme: str, expected: str) -> None:
    tags = encode(6, [(0, 3, "x"), (3, 4, "x"), (5, 6, "x")], scheme)
    assert " ".join(tag[0] for tag in tags) == expected


def test_a_touching_name_of_another_label_needs_no_b_in_iob1() -> None:
    assert encode(2, [(0, 1, "x"), (1, 2, "y")], "iob1") == ["I-x", "I-y"]


def test_strict_reading_names_position_and_tag() -> None:
    with pytest.raises(ValueError, match=r"tag 1 is 'I-x', where iob2 wants 'B-x'"):
        decode(["O", "I-x"], "iob2", repair="strict")


@pytest.mark.parametrize("tag", ["E-x", "B", "B-", "-x", "", "o", "BI-x", "O-x"])
def test_a_tag_that_is_not_of_the_scheme_is_refused_by_name(tag: str) -> None:
    with pytest.raises(ValueError, match=rf"tag 1 is '{tag}'"):
        decode(["O", tag], "iob2")


@pytest.mark.parametrize("names", [[(0, 2, "x"), (1, 3, "x")], [(2, 4, "x")], [(1, 1, "x")]])
def test_names_that_tags_cannot_hold_are_refused(names: list[Name]) -> None:
    with pytest.raises(ValueError, match=r"'x' at tokens \d-\d (overlaps|is not within)"):
        encode(3, names, "iob2")


def test_an_unknown_scheme_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="no tag scheme named 'iob'; did you mean 'iob"):
        decode([], "iob")


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_a_scheme_is_guessed_from_its_own_tags(scheme: str) -> None:
    names = [(0, 3, "x"), (3, 5, "x"), (6, 7, "x"), (8, 9, "y"), (9, 10, "y")]
    assert guess_scheme([encode(12, names, scheme), ["O"]]) == scheme


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("", "iob2"), ("OO", "iob2"), ("IO", "io"), ("BO", "iob2"), ("SO", "iobes"),
        ("UO", "bilou"), ("BEO", "iobes"), ("BLO", "bilou"), ("BIOBIOI", "iob2"),
        ("IOIB", "iob1"), ("IEO", "ioe2"),
    ],
)  # fmt: skip
def test_a_scheme_is_guessed_from_few_letters(letters: str, expected: str) -> None:
    tags = ["O" if letter == "O" else f"{letter}-x" for letter in letters]
    assert guess_scheme([tags]) == expected


def test_letters_that_no_scheme_has_together_are_refused() -> None:
    with pytest.raises(ValueError, match="no scheme has all the letters B, E, U; known: iob2, "):
        guess_scheme([["B-x", "E-x"], ["U-x"]])


@st.composite
def layers(draw: st.DrawFn) -> list[Span]:
    edges = st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from(LABELS))
    return [Span(start, start + length, label) for start, length, label in draw(st.lists(edges))]


@given(spans=layers(), data=st.data())
def test_tracks_are_flat_lose_nothing_and_are_as_few_as_the_deepest_nesting(
    spans: list[Span], data: st.DataObject
) -> None:
    found = tracks(data.draw(st.permutations(spans)))
    assert found == tracks(spans)
    flat = [span for track in found for span in track]
    assert sorted(map(repr, flat)) == sorted(map(repr, spans))
    for track in found:
        assert all(first.end <= second.start for first, second in pairwise(track))
    depth = max((sum(s.start <= at < s.end for s in spans) for at in range(19)), default=0)
    assert len(found) == depth


def test_a_discontinuous_span_takes_its_whole_extent() -> None:
    outer = Span(0, 9, "Gene", fragments=((0, 2), (7, 9)))
    assert tracks([Span(3, 5, "Gene"), outer]) == [[outer], [Span(3, 5, "Gene")]]
