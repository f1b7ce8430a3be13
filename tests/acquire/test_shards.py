from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document
from vermeil.acquire.shards import open_shards, read_shard, write_shards
from vermeil.errors import FormatError, UsageError
from vermeil.recognise.cascade import Recipe
from vermeil.recognise.linear.examples import Lesson
from vermeil.recognise.linear.features import columns_of
from vermeil.recognise.linear.tagger import LinearOptions, LinearTagger, lesson_of

DOCUMENTS = [
    marked(str(number), f"We saw [G:{gene}] rise. Then {gene} fell in [G:T cell factor {number}].")
    for number, gene in enumerate(("BRCA1", "p53", "IL-2", "TNF-alpha", "NFκB"))
]
LESSON = Lesson(("G",), n_bits=16)


@pytest.mark.parametrize("hide_words", [False, True])
def test_shards_hold_the_examples_of_the_documents(tmp_path: Path, hide_words: bool) -> None:
    lesson = replace(LESSON, hide_words=hide_words)
    shards = write_shards(iter(DOCUMENTS), lesson, tmp_path / "shards", size=2)
    assert shards.n_shards == 3
    wanted = lesson.examples(DOCUMENTS)
    for _ in range(2):
        parts = list(shards)
        columns = np.concatenate([columns_of(each.encoded) for each in parts])
        assert np.array_equal(columns, columns_of(wanted.encoded))
        for column in ("tag", "before", "weight"):
            stored = np.concatenate([getattr(each, column) for each in parts])
            assert np.array_equal(stored, getattr(wanted, column))
    assert shards.n_examples == len(wanted)


def test_a_folder_of_shards_is_found_again(tmp_path: Path) -> None:
    shards = write_shards(DOCUMENTS, LESSON, tmp_path / "shards", size=2)
    assert open_shards(tmp_path / "shards") == shards


def test_a_shard_holds_no_text(tmp_path: Path) -> None:
    write_shards(DOCUMENTS, LESSON, tmp_path)
    whole = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"BRCA1" not in whole
    assert b"factor" not in whole


def test_documents_without_examples_make_no_shard(tmp_path: Path) -> None:
    bare = [Document(id="1", text="Nobody looked.")]
    assert write_shards(bare, LESSON, tmp_path / "a").n_shards == 0
    assert list(open_shards(tmp_path / "a")) == []


def test_a_tagger_learns_the_same_from_disk(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    recipe = Recipe(("G",), tokeniser="separators")
    options = LinearOptions(learner="online", n_folds=0, n_bits=16)
    shards = write_shards(DOCUMENTS, lesson_of(recipe, options), tmp_path)
    from_disk = LinearTagger.of_examples(shards, recipe, options=options)
    from_documents = LinearTagger.fit(DOCUMENTS, recipe, options=options)
    assert np.array_equal(from_disk.weights.weights, from_documents.weights.weights)


def test_a_folder_half_written_or_written_before_is_refused(tmp_path: Path) -> None:
    write_shards(DOCUMENTS, LESSON, tmp_path)
    with pytest.raises(UsageError, match="holds training examples already; choose a new folder"):
        write_shards(DOCUMENTS, LESSON, tmp_path)
    (tmp_path / "shards.json").unlink()
    with pytest.raises(UsageError, match="holds no training examples, or not all of them"):
        open_shards(tmp_path)


def test_a_damaged_shard_is_named_in_one_line(tmp_path: Path) -> None:
    write_shards(DOCUMENTS, LESSON, tmp_path)
    path = tmp_path / "000000.npz"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FormatError, match=r"000000\.npz: holds no training examples"):
        read_shard(path)
    (tmp_path / "shards.json").write_text("{}")
    with pytest.raises(FormatError, match="is no list of training examples"):
        open_shards(tmp_path)
