import logging
from pathlib import Path

import pytest

import vermeil as vm
from tests.verbs.samples import passages
from vermeil import VermeilError, consensus


def test_the_consensus_is_that_of_the_library() -> None:
    silver = vm.combine(passages(), without=["gold"])
    others = ["anna", "ben", "dictionary", "llm", "tagger"]
    assert list(silver.documents) == consensus.combine(list(passages()), annotators=others)
    assert silver.voters == tuple(others)


def test_every_option_has_the_name_of_the_command_line() -> None:
    silver = vm.combine(
        passages(),
        by="centroids",
        layers=["anna", "ben", "llm"],
        min_votes="50%",
        tolerance=1,
        weight={"anna": 2.0},
        general_terms="default",
        singles=False,
        emit="heart",
        name="silver",
    )
    assert "silver" in silver.documents[0].layers
    assert silver.name == "silver"
    assert silver.annotators == {}


def test_like_paper_is_a_preset_that_gives_way_to_what_is_asked() -> None:
    silver = vm.combine(passages(), without="gold", like_paper=True)
    spelt = vm.combine(
        passages(),
        without="gold",
        by="centroids",
        emit="heart",
        singles=False,
        ignore="\"'*+-]",
        boundaries="changes",
        alternatives=True,
        levels=False,
    )
    assert list(silver) == list(spelt)
    assert silver.by == "centroids"
    modal = vm.combine(passages(), without="gold", like_paper=True, emit="modal")
    assert list(modal) != list(silver)


def test_what_was_learned_of_annotators_is_there() -> None:
    silver = vm.combine(passages(), without="gold")
    assert set(silver.annotators) == {"anna", "ben", "dictionary", "llm", "tagger"}
    assert silver.annotators["anna"]["finds"] > silver.annotators["dictionary"]["finds"]
    assert list(silver.to_pandas()["annotator"]) == list(silver.annotators)


def test_the_most_contested_come_first() -> None:
    silver = vm.combine(passages(), without="gold")
    doubts = list(silver.contested.values())
    assert len(doubts) == 81
    assert doubts == sorted(doubts, reverse=True)
    assert silver.contested_names[0][2] <= 0.5


def test_a_consensus_stands_for_its_documents() -> None:
    silver = vm.combine(passages(), without="gold")
    assert vm.score(silver)["consensus"].counts("exact").f1 > 0.9
    assert len(silver) == 81
    assert len(list(silver)) == 81


def test_files_stream_and_memory_stays_memory(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    vm.write(passages(), path)
    streaming = vm.combine(vm.read(path), without="gold")
    assert not streaming.documents.is_held
    held = vm.combine(passages(), without="gold")
    assert held.documents.is_held
    assert list(streaming) == list(held)
    assert streaming.contested == held.contested


def test_where_nobody_marks_anything_nothing_is_said_of_annotators() -> None:
    silent = vm.Document(id="1", text="BRCA1", layers={"anna": (), "ben": (), "cleo": ()})
    silver = vm.combine([silent])
    assert silver.annotators == {}
    assert "Nobody marked anything" in str(silver)


def test_a_part_of_a_vote_can_be_asked_for_where_votes_are_weighed() -> None:
    half = {"anna": 0.5}
    assert vm.combine(passages(), by="centroids", weight=half, min_votes=0.5).voters
    assert vm.combine(passages(), by="centroids", by_confidence=True, min_votes=0.5).voters


def test_tables_and_lines() -> None:
    silver = vm.combine(passages(), without="gold")
    assert repr(silver) == "<Consensus: 5 annotators by people>"
    assert "Annotators, by agreement with the consensus" in str(silver)
    assert "iframe" in silver._repr_html_()
    assert silver.to_dict()["documents"] == 81


def test_gold_among_the_voters_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "vermeil"):
        vm.combine(passages())
    assert "gold standard as an annotator" in caplog.text


def test_alternatives_that_do_not_vote_are_said(caplog: pytest.LogCaptureFixture) -> None:
    layers = {"a": (vm.Span(0, 3, "Gene"),), "a.alternatives": (vm.Span(0, 7, "Gene"),)}
    documents = [vm.Document(id="1", text="p53 RNA", layers=layers)]
    with caplog.at_level(logging.WARNING, "vermeil"):
        assert vm.combine(documents).voters == ("a",)
    assert "layers of alternatives (a.alternatives; alternatives= counts it)" in caplog.text
    assert vm.combine(documents, alternatives=True).voters == ("a", "a.alternatives")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "hart"}, "did you mean 'hearts'"),
        ({"min_votes": 2}, "people has no use for min_votes; try by='centroids' or 'majority'"),
        ({"min_votes": "50%"}, "people has no use for min_votes; try by='centroids' or 'majority'"),
        ({"weight": {"ben": 2}}, "people has no use for weight; try by='centroids'"),
        ({"by": "majority", "min_votes": "half"}, "min_votes takes a number or a percentage"),
        ({"by": "majority", "min_votes": 0.5}, "min_votes .*, not 0.5; for a share say '50%'"),
        ({"by": "centroids", "tolerance": 0.125}, "tolerance .*; for a share say '12.5%'"),
        ({"by": "centroids", "tolerance": -1}, "tolerance takes .* not negative, not -1"),
        ({"by": "majority", "like_paper": True}, "like_paper= finds centroids; .* by='majority'"),
        ({"without": "glod"}, "no annotator named 'glod'; did you mean 'gold'"),
        ({"layers": ["anna", 7]}, "a layer is named by a string, not by 7"),
        ({"layers": ["anna"], "without": "anna"}, "nobody is left to vote"),
        ({"emit": "modall"}, "did you mean 'modal'"),
        ({"by": "centroids", "weight": {"anna": -1}}, "a weight lies between"),
        ({"name": "anna"}, "there is an annotator 'anna' already; choose another name="),
    ],
)
def test_what_cannot_be_done_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.combine(passages(), **options)  # type: ignore[arg-type]
