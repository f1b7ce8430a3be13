"""Levels: what is held apart, what is taken for one name, and which pieces a name has."""

from collections import defaultdict
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents, trimmed_pieces
from vermeil import Document, Span, SpanTable
from vermeil.columns.broken_names import pieces_of
from vermeil.columns.levels import levels_of

TEXT = "alpha- and beta-globin gene promoter"
OUTER, INNER = Span(11, 27, "Gene"), Span(11, 22, "Gene")
BROKEN = Span(0, 22, "Gene", fragments=((0, 6), (16, 22)))
BATCHES = st.tuples(documents(id="1"), documents(id="2", annotators=("anna", "ben", "cleo")))


def levels(**layers: tuple[Span, ...]) -> list[list[int]]:
    """The levels of the names of each annotator."""
    table = SpanTable.from_documents([Document(id="1", text=TEXT, layers=layers)])
    found = levels_of(table)
    return [found.level[table.annotator == n].tolist() for n in range(len(table.annotators))]


def broken(*pieces: tuple[int, int]) -> Span:
    return Span.over(pieces, "Gene")


def test_flat_names_are_on_one_level() -> None:
    layers = {"a": (Span(0, 6, "Gene"), INNER), "b": (OUTER,)}
    table = SpanTable.from_documents([Document(id="1", text=TEXT, layers=layers)])
    assert levels_of(table).is_flat
    assert not levels_of(table).level.any()


def test_nested_names_meet_their_like() -> None:
    assert levels(a=(OUTER, INNER), b=(OUTER, INNER), c=(INNER,), d=(OUTER,)) == [
        [0, 1],
        [0, 1],
        [1],
        [0],
    ]


def test_a_name_cut_otherwise_goes_to_the_level_it_shares_most_with() -> None:
    assert levels(a=(OUTER, INNER), b=(Span(11, 21, "Gene"),), c=(Span(11, 36, "Gene"),)) == [
        [0, 1],
        [1],
        [0],
    ]


def test_who_lists_two_opinions_does_not_part_those_who_have_one() -> None:
    many = {f"long{k}": (OUTER,) for k in range(3)} | {f"short{k}": (INNER,) for k in range(3)}
    assert not any(map(sum, levels(hedger=(OUTER, INNER), **many)))


def test_alternatives_hold_nothing_apart() -> None:
    layers = {"a": (OUTER,), "a.alternatives": (INNER, Span(16, 22, "Gene"))}
    assert not any(map(sum, levels(**layers)))


def test_labels_of_one_stretch_are_names_of_their_own() -> None:
    protein = Span(11, 22, "Protein")
    assert levels(a=(INNER, protein), b=(protein,)) == [[0, 1], [1]]


def test_a_name_with_a_gap_has_a_level_of_its_own_where_it_covers_others() -> None:
    assert levels(a=(BROKEN,), b=(INNER,), c=(BROKEN,)) == [[0], [1], [0]]
    assert levels(a=(BROKEN,), b=(Span(0, 22, "Gene"),)) == [[0], [0]]


def test_white_space_that_somebody_marked_hides_no_name_within_another() -> None:
    layer = (Span(0, 2, "Gene"), Span(0, 1, "Gene"), Span(1, 2, "Disease"))
    document = Document(id="1", text="\na", layers={"a": layer, "b": layer})
    [wide, _, narrow] = levels_of(SpanTable.from_documents([document])).level.tolist()[:3]
    assert wide != narrow


@given(BATCHES)
def test_only_names_that_few_hold_apart_share_a_level(batch: tuple[Document, ...]) -> None:
    """Where all annotators mark the same, overlapping names are on different levels."""
    for document in batch:
        for layer in document.layers.values():
            alike = document.replace(layers={"a": layer, "b": layer})
            table = SpanTable.from_documents([alike])
            level = levels_of(table).level.tolist()
            found: dict[int, set[Span]] = defaultdict(set)
            for span, at in zip([*layer, *layer], level, strict=True):
                if pieces := trimmed_pieces(document.text, span):
                    found[at].add(Span.over(pieces, span.label))
            for names in found.values():
                pairs = combinations(names, 2)
                assert all(one.end <= two.start or two.end <= one.start for one, two in pairs)


@given(BATCHES)
def test_equal_names_have_one_level_and_documents_nothing_to_do_with_each_other(
    batch: tuple[Document, ...],
) -> None:
    together = levels_of(SpanTable.from_documents(batch)).level.tolist()
    apart = [levels_of(SpanTable.from_documents([each])).level.tolist() for each in batch]
    assert together == [level for each in apart for level in each]
    table = SpanTable.from_documents(batch)
    places = zip(table.document.tolist(), table.start.tolist(), table.end.tolist(), strict=True)
    labels = zip(places, table.label.tolist(), strict=True)
    shapes = [
        table.further[row].fragments if row in table.further else () for row in range(len(table))
    ]
    level_of: dict[object, set[int]] = defaultdict(set)
    for name, shape, level in zip(labels, shapes, together, strict=True):
        level_of[name, shape].add(level)
    assert all(len(each) == 1 for each in level_of.values())


def decided(start: int, end: int, **layers: tuple[Span, ...]) -> object:
    table = SpanTable.from_documents([Document(id="1", text=TEXT, layers=layers)])
    found = pieces_of(
        table,
        levels_of(table),
        document=np.array([0]),
        level=np.array([0]),
        label=None,
        start=np.array([start]),
        end=np.array([end]),
    )
    return found[0]


def test_those_who_gave_the_edges_say_where_the_gap_is() -> None:
    other = broken((0, 6), (15, 22))
    assert decided(0, 22, a=(BROKEN,), b=(BROKEN,), c=(other,)) == ((0, 6), (16, 22))
    assert decided(0, 22, a=(BROKEN,), b=(Span(0, 22, "Gene"),)) == ()


def test_where_nobody_gave_both_edges_the_pieces_of_all_count() -> None:
    short, late = broken((0, 6), (16, 20)), broken((1, 6), (16, 22))
    assert decided(0, 22, a=(short,), b=(late,)) == ((0, 6), (16, 22))
