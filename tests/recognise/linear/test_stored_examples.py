from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.recognise.linear import tagger as tagging
from vermeil.recognise.linear.examples import examples_of
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.stored_examples import stored
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe

pytest.importorskip("sklearn")

RECIPE = Recipe(("G",), tokeniser="separators", n_rounds=2)
OPTIONS = LinearOptions(learner="online", n_folds=0, n_bits=12)
DOCUMENTS = [
    marked(str(number), f"We saw [G:BRCA{number}] in cells. Then [G:p{number}] fell in mice.")
    for number in range(20)
]


def test_what_is_read_again_is_what_was_stored_and_leaves_nothing_behind() -> None:
    parts = [examples_of(part, RECIPE, OPTIONS) for part in (DOCUMENTS[:7], DOCUMENTS[7:])]
    with stored(iter(parts)) as examples:
        paths = list(examples.paths)
        for _ in range(2):
            for one, other in zip(examples, parts, strict=True):
                assert np.array_equal(one.encoded.row, other.encoded.row)
                assert np.array_equal(one.encoded.rows.features, other.encoded.rows.features)
                for each in fields(one)[1:]:
                    own = getattr(one, each.name), getattr(other, each.name)
                    assert np.array_equal(*own)
    assert not any(map(Path.exists, paths))


def test_the_online_learner_has_one_batch_in_memory_and_learns_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_memory = LinearTagger.of_examples(
        [examples_of(DOCUMENTS[first : first + 5], RECIPE, OPTIONS) for first in range(0, 20, 5)],
        RECIPE,
        options=OPTIONS,
    )
    monkeypatch.setattr(tagging, "BATCH", 5)
    from_disk = LinearTagger.fit(DOCUMENTS, RECIPE, options=OPTIONS)
    assert np.array_equal(in_memory.weights.weights, from_disk.weights.weights)
