import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.batches import batches
from vermeil import Document, Span
from vermeil.errors import UnknownNameError
from vermeil.scoring.gold.cores import CORES, partition

BATCHES = batches(annotators=("gold",))


def overlap(one: Span, other: Span) -> bool:
    same = one.label == other.label
    return same and one.start < other.end and other.start < one.end


def parted(*bounds: tuple[int, int], core: str) -> list[tuple[int, int]]:
    names = tuple(Span(start, end, "Disease") for start, end in bounds)
    document = Document(id="1", text=" " * 40, layers={"gold": names})
    return [(s.start, s.end) for s in partition(document, "gold", core=core).layers["gold"]]


def test_the_first_of_overlapping_names_is_core() -> None:
    assert parted((0, 9), (4, 15), (4, 20), (30, 33), core="first") == [(0, 9), (30, 33)]


def test_the_name_whose_boundaries_most_share_is_core() -> None:
    assert parted((0, 9), (4, 15), (4, 20), core="modal") == [(4, 20)]
    assert parted((0, 9), (4, 9), (4, 20), core="modal") == [(4, 9)]


def test_what_overlaps_only_an_alternative_is_core() -> None:
    assert parted((0, 9), (4, 15), (12, 20), core="first") == [(0, 9), (12, 20)]


def test_alternatives_stay_alternatives() -> None:
    layers = {"gold": (Span(0, 3, "G"),), "gold.alternatives": (Span(0, 5, "G"),)}
    document = Document(id="1", text="p53 gene", layers=layers)
    assert partition(document, "gold") == document


def test_an_unknown_choice_is_named() -> None:
    with pytest.raises(UnknownNameError, match="'frist'; did you mean 'first'"):
        partition(Document(id="1", text="", layers={"gold": ()}), "gold", core="frist")


@given(BATCHES, st.sampled_from(sorted(CORES)))
def test_cores_lie_apart_and_every_alternative_has_one(batch: list[Document], core: str) -> None:
    for document in batch:
        if "gold" in document.layers:
            result = partition(document, "gold", core=core)
            cores, others = result.layers["gold"], result.alternatives("gold")
            assert sorted(map(repr, cores + others)) == sorted(map(repr, document.layers["gold"]))
            assert not any(overlap(a, b) for a in cores for b in cores if a is not b)
            assert all(any(overlap(core, other) for core in cores) for other in others)
