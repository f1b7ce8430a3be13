"""Core names found in columns, beside those found document by document."""

import numpy as np
import pytest

from tests.scoring.test_crowd import documents
from vermeil.document import ALTERNATIVES
from vermeil.scoring.arranged import CORE, arranged, parted
from vermeil.scoring.gold.cores import count_overlapping
from vermeil.scoring.pairing.marked import FlatNames
from vermeil.scoring.pairing.names import ScoringBatch

COLUMNS = ("document", "annotator", "label", "start", "end", "confidence", "looked", "loose")


@pytest.mark.parametrize("seed", range(12))
def test_core_names_are_those_of_each_document(seed: int) -> None:
    bare = [
        each.replace(layers={name: each.layers[name] for name in each.layers if "." not in name})
        for each in documents(seed)
    ]
    ordered = arranged(bare, "gold")
    found = FlatNames.of(ScoringBatch.of(ordered), "gold")
    assert found.n_overlapping == sum(count_overlapping(each, "gold") for each in ordered)
    marked = found.marked("gold" + CORE)
    twin = ScoringBatch.of([parted(each, "gold") for each in ordered])
    assert {"gold" + CORE, "gold" + ALTERNATIVES} <= {*marked.table.annotators}
    assert marked.table.annotators == twin.table.annotators
    assert (marked.labels, marked.table.labels) == (twin.labels, twin.table.labels)
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(marked.table, name), getattr(twin.table, name))
    np.testing.assert_array_equal(marked.shape, twin.shape)
    np.testing.assert_array_equal(marked.label, twin.label)
    assert dict(marked.table.further.every()) == dict(twin.table.further.every())
