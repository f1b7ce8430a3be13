"""What the boundaries of each annotation score, and whether somebody gave them together."""

from math import isclose, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.consensus.test_centroids import P75, P75_NAMES, TGF, TGF_NAMES
from tests.strategies import documents
from vermeil import Centroid, Document, Span
from vermeil.consensus import combine
from vermeil.scoring.scores import score
from vermeil.scoring.views.annotations import annotations


def judged(
    text: str, names: tuple[str, ...], name: str
) -> tuple[str, float | None, float | None, str]:
    spans = [Span(text.index(each), text.index(each) + len(each), "Gene") for each in names]
    said = (Span(text.index(name), text.index(name) + len(name), "Gene"),)
    layers = {"gold": (spans[0],), "gold.alternatives": tuple(spans[1:]), "x": said}
    scores = score([Document(id="1", text=text, layers=layers)], standard="gold")["x"]
    [each] = annotations(scores)
    assert each.text == name
    return each.outcome, each.left, each.right, each.support


@pytest.mark.parametrize(
    ("name", "left", "right", "support"),
    [
        ("TGF-beta", 1, 1, "said"),
        ("TGF-beta-specific complex", 1, 1, "said"),
        ("TGF-beta-specific", 1, 0, "unheard"),
    ],
)
def test_the_running_example(name: str, left: float, right: float, support: str) -> None:
    assert judged(TGF, TGF_NAMES, name) == ("right", left, right, support)


def test_recombination_is_told_from_what_somebody_said() -> None:
    outcome, left, right, support = judged(P75, P75_NAMES, "p75 nucleoprotein")
    assert (outcome, support) == ("right", "recombined")
    assert right is not None
    assert left is not None
    assert isclose(right, 1 / 3)
    assert judged(P75, P75_NAMES, "human p75 nucleoprotein")[3] == "said"
    assert judged(P75, P75_NAMES, "nucleoprotein") == ("near", None, None, "")
    assert judged(P75, P75_NAMES, "induced") == ("total", None, None, "")


def test_where_pairs_were_not_kept_nobody_knows() -> None:
    heart = Centroid(4, 7, "Gene", 2, ((4, 1.0), (0, 1.0)), ((7, 1.0), (10, 1.0)))
    document = Document(id="1", text="the p53 gene", layers={"x": (Span(0, 10, "Gene"),)})
    scores = score([document.with_standard("gold", [heart])], standard="gold")["x"]
    assert [each.support for each in annotations(scores)] == ["permitted"]


@given(st.lists(documents(annotators=("a", "b", "c")), min_size=1, max_size=3))
def test_who_took_part_by_votes_is_said_or_not_right(batch: list[Document]) -> None:
    batch = [each.replace(id=str(n), standards={}) for n, each in enumerate(batch)]
    if not any(each.layers.get("a") for each in batch):
        return
    silver = combine(batch, by="centroids")
    for each in annotations(score(silver, standard="consensus", systems=["a"])["a"]):
        assert (each.left is None) == (each.outcome != "right")
        assert (each.support == "") == (each.outcome != "right")


@given(st.lists(documents(annotators=("gold", "gold.alternatives", "x")), min_size=1, max_size=3))
def test_means_are_those_of_the_annotations(batch: list[Document]) -> None:
    batch = [each.replace(id=str(n)) for n, each in enumerate(batch)]
    if not all(any(name in each.layers for each in batch) for name in ("gold", "x")):
        return
    scores = score(batch, standard="gold")["x"]
    lefts = [each.left for each in annotations(scores) if each.left is not None]
    mean = sum(lefts) / len(lefts) if lefts else nan
    assert isclose(mean, scores.boundaries.mean_left) or not lefts
