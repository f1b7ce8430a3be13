import msgspec
from hypothesis import given

from tests.batches import batches
from vermeil import Centroid, Document
from vermeil.consensus import ConsensusStage, Options, combine
from vermeil.consensus.all_hearts import every_heart
from vermeil.consensus.centroids import Settings
from vermeil.runs.streaming import Held, Streaming

ANNOTATORS = ("anna", "ben", "cleo")


@given(batches(annotators=ANNOTATORS).filter(bool))
def test_likely_hearts_are_the_standard_of_the_consensus_with_its_chances(
    batch: list[Document],
) -> None:
    options = Options(Settings(extents="votes"))
    stage = ConsensusStage(choices=options, strict=False)
    learned = Streaming(stage, Held(batch)).known.model
    combined = combine(batch, annotators=ANNOTATORS, options=options)
    for document, hearts in zip(combined, every_heart(batch, ANNOTATORS, learned), strict=True):
        found = [each.centroid for each in hearts]
        bare = [msgspec.structs.replace(c, ids=()) for c in document.standards["consensus"]]
        if len(once := {(c.start, c.end, c.label) for c in bare}) < len(bare):
            continue  # the same stretch on two levels is told apart here
        likely = {_spelt(each): each for each in found if (each.confidence or 0) >= 0.5}
        assert likely.keys() >= once
        for each in bare:
            heart = likely[_spelt(each)]
            assert heart.confidence == each.confidence
            if heart.votes == each.votes:
                assert (heart.left, heart.right) == (each.left, each.right)


def _spelt(heart: Centroid) -> tuple[int, int, str]:
    return heart.start, heart.end, heart.label
