"""What was learned of a crowd says the same of a document, whatever stands in its batch."""

import numpy as np

from vermeil import Document, Span
from vermeil.consensus.all_hearts import every_heart, likely_spans
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.stage import ConsensusStage

ANNOTATORS = "abcd"


def typed() -> list[Document]:
    """Four people who confuse two labels at times; the last document has a third label."""
    rng = np.random.default_rng(1)
    batch = []
    for number in range(40):
        labels = ("Gene", "Disease") if number < 39 else ("Gene", "Rare")
        layers = {
            name: tuple(
                Span(5 * place, 5 * place + 4, labels[int(rng.random() < (0.2, 0.8)[place % 2])])
                for place in range(6)
                if rng.random() < 0.8
            )
            for name in ANNOTATORS
        }
        batch.append(Document(id=str(number), text="abcd " * 6, layers=layers))
    return batch


def test_what_is_decided_does_not_depend_on_the_labels_of_the_batch() -> None:
    batch = typed()
    stage = ConsensusStage()
    known = stage.finish(stage.observe(iter(batch)))
    assert isinstance(known.model, Crowd)
    assert known.model.labels == ("Disease", "Gene", "Rare")
    whole = list(stage.decide(iter(batch), known, stage.nothing()))
    apart = [each for one in batch for each in stage.decide(iter([one]), known, stage.nothing())]
    assert [each.standards for each in whole] == [each.standards for each in apart]
    assert whole == apart


def test_nor_do_hearts_and_spans_that_are_looked_at() -> None:
    batch = typed()
    stage = ConsensusStage()
    crowd = stage.finish(stage.observe(iter(batch))).model
    assert isinstance(crowd, Crowd)
    hearts = [each for one in batch for each in every_heart([one], learned=crowd)]
    assert every_heart(batch, learned=crowd) == hearts
    assert likely_spans(batch, crowd) == [
        each for one in batch for each in likely_spans([one], crowd)
    ]
