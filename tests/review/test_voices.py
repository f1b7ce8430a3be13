import numpy as np
from hypothesis import given

from tests.batches import batches
from vermeil import Document
from vermeil.columns.levels import levels_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.evidence import gather
from vermeil.consensus.reliability import Patterns
from vermeil.review.voices import Voices, unpacked

BATCHES = batches(annotators=("anna", "ben", "llm"))


@given(BATCHES)
def test_what_is_packed_by_document_comes_out_again(batch: list[Document]) -> None:
    voices = Voices.of(SpanTable.from_documents(batch))
    packed = voices.packed()
    labels = voices.labels_by_document()
    again = unpacked(voices.annotators, packed, labels) if batch else voices
    assert again.n_documents == len(batch)
    for field in ("document", "left", "right", "looked", "voted", "labels"):
        assert np.array_equal(getattr(again, field), getattr(voices, field)), field
    assert (again.packed() if batch else packed) == packed


@given(BATCHES)
def test_what_is_learned_from_voices_is_what_the_consensus_learns(batch: list[Document]) -> None:
    table = SpanTable.from_documents(batch)
    evidence = gather(table, levels=levels_of(table))
    ours, theirs = Voices.of(table).patterns(), Patterns.of(evidence, table.annotators)
    for field in ("existence", "left", "right"):
        one, other = getattr(ours, field), getattr(theirs, field)
        assert np.array_equal(one.said, other.said)
        assert np.array_equal(one.count, other.count)
