import msgspec
from hypothesis import given

from tests.batches import batches
from vermeil import Document
from vermeil.consensus import ConsensusStage, Options, combine
from vermeil.consensus.all_hearts import every_heart
from vermeil.consensus.centroids import Settings
from vermeil.runs.streaming import Held, Streaming

ANNOTATORS = ("anna", "ben", "cleo")


@given(batches(annotators=ANNOTATORS).filter(bool))
def test_likely_hearts_are_the_standard_of_the_consensus_with_its_chances(
    batch: list[Document],
) -> None:
    flat = Options(Settings(levels=False, extents="votes"))
    stage = ConsensusStage(choices=flat, strict=False)
    learned = Streaming(stage, Held(batch)).known.model
    combined = combine(batch, annotators=ANNOTATORS, options=flat)
    for document, hearts in zip(combined, every_heart(batch, ANNOTATORS, learned), strict=True):
        likely = tuple(each for each in hearts if (each.confidence or 0) >= 0.5)
        bare = tuple(msgspec.structs.replace(c, ids=()) for c in document.standards["consensus"])
        assert likely == bare
