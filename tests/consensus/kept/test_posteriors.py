"""Boundaries by their chance, and pruned by it."""

from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Centroid, Document, Span
from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import Settings
from vermeil.consensus.kept.posteriors import DIGITS
from vermeil.scoring.scores import score

TEXT = "we saw that human BRCA1 gene mutated"
GENE, WIDE = Span(18, 23, "Gene"), Span(12, 28, "Gene")
OTHER, OTHER_WIDE = Span(3, 6, "Gene"), Span(0, 11, "Gene")


def with_a_sloppy_one(n: int = 20) -> list[Document]:
    """Three agree everywhere, and one cuts everything too wide."""
    good, bad = (OTHER, GENE), (OTHER_WIDE, WIDE)
    layers = {"a": good, "b": good, "c": good, "sloppy": bad}
    return [Document(id=str(number), text=TEXT, layers=layers) for number in range(n)]


def standard(options: Settings, by: str = "hearts") -> list[Centroid]:
    return list(
        combine(with_a_sloppy_one(), by=by, options=Options(options))[0].standards["consensus"]
    )


def test_one_who_always_cuts_wide_does_not_stretch_extents() -> None:
    assert [each.extent for each in standard(Settings())] == [(3, 6), (18, 23)]
    assert [each.extent for each in standard(Settings(extents="votes"))] == [(0, 11), (12, 28)]
    assert [each.extent for each in standard(Settings(mass=1))] == [(0, 11), (12, 28)]


def test_his_names_are_then_no_longer_right() -> None:
    for settings, f1 in ((Settings(extents="votes"), 1.0), (Settings(), 0.0)):
        silver = combine(with_a_sloppy_one(), options=Options(settings))
        scores = score(silver, standard="consensus", systems=["sloppy", "a"])
        assert scores["sloppy"].counts("centroid").f1 == f1
        assert scores["a"].counts("centroid").f1 == 1


def test_votes_are_pruned_by_their_share() -> None:
    assert [each.extent for each in standard(Settings(mass=0.75), "centroids")] == [
        (3, 6),
        (18, 23),
    ]
    assert [each.extent for each in standard(Settings(mass=0.76), "centroids")] == [
        (0, 11),
        (12, 28),
    ]


def test_with_two_annotators_nothing_is_learned_and_votes_stay() -> None:
    pair = [
        Document(id="1", text=TEXT, layers={"a": (GENE,), "b": (WIDE,)}),
    ]
    [document] = combine(pair)
    [heart] = document.standards["consensus"]
    assert heart.left == ((18, 1.0), (12, 1.0))


@given(st.lists(documents(annotators=("a", "b", "c", "d")), min_size=1, max_size=3))
def test_chances_add_up_to_one_and_the_likeliest_is_what_is_emitted(batch: list[Document]) -> None:
    batch = [each.replace(id=str(number)) for number, each in enumerate(batch)]
    looked = {name for document in batch for name in document.layers}
    everything = Options(Settings(mass=1))
    for document in combine(batch, options=everything):
        for heart in document.standards["consensus"]:
            for side in (heart.left, heart.right):
                if len(looked) >= 3:
                    assert isclose(sum(value for _, value in side), 1, abs_tol=10**-DIGITS * 9)
        modal = {(each.modal.start, each.modal.end) for each in document.standards["consensus"]}
        if len(looked) >= 3:
            sure = [s for s in document.layers["consensus"] if s.confidence and s.confidence >= 0.5]
            assert {(span.start, span.end) for span in sure} <= modal


@given(
    st.lists(documents(annotators=("a", "b", "c")), min_size=1, max_size=3),
    st.sampled_from([0.3, 0.5, 0.9, 1.0]),
    st.sampled_from(["hearts", "centroids"]),
)
def test_what_is_pruned_is_a_part_of_the_whole(batch: list[Document], mass: float, by: str) -> None:
    batch = [each.replace(id=str(number)) for number, each in enumerate(batch)]
    whole = combine(batch, by=by, options=Options(Settings(mass=1)))
    for before, after in zip(
        whole, combine(batch, by=by, options=Options(Settings(mass=mass))), strict=True
    ):
        hearts = before.standards["consensus"], after.standards["consensus"]
        for one, other in zip(*hearts, strict=True):
            assert {*other.left} <= {*one.left}
            assert {*other.right} <= {*one.right}
            assert {*other.pairs} <= {*one.pairs}
            assert one.modal == other.modal
            total, kept = (sum(v for _, v in each.left) for each in (one, other))
            assert kept >= mass * total - 1e-6


@pytest.mark.corpus
def test_extents_by_chance_judge_as_well_and_are_better_names(corpora: Path) -> None:
    from benchmarks.extents import verdicts
    from benchmarks.taggers import figures, load

    if not (corpora / "bc2gm" / "taggers-dev").is_dir():
        pytest.skip("no taggers")
    documents, names = load()
    documents = documents[::3]
    found = {}
    for extents, mass in (("votes", 1.0), ("posterior", 0.99)):
        settings = Settings(extents=extents, mass=mass)
        reach = combine(documents, annotators=names, options=Options(settings, "extent"))
        judged = verdicts(documents, names, settings).f1
        found[extents] = judged, figures(reach, "consensus").f1
    assert abs(found["posterior"][0] - found["votes"][0]) < 0.002
    assert found["posterior"][1] > found["votes"][1] + 0.05
