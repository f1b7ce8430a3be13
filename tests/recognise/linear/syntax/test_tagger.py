from pathlib import Path

import numpy as np
import pytest

from tests.recognise.linear.syntax.treebank import treebank
from vermeil import Document
from vermeil.errors import FormatError, UsageError
from vermeil.models.model_files import write_model
from vermeil.recognise.linear.syntax.tagger import SyntaxTagger, TaggingScores, judge, tagged_tokens
from vermeil.sequences.tokens.axis import TokenAxis


@pytest.fixture(scope="module")
def tagger() -> SyntaxTagger:
    return SyntaxTagger.fit(treebank()[::2], n_epochs=3)


def test_it_learns_what_trees_say(tagger: SyntaxTagger) -> None:
    axis = TokenAxis.of(
        [Document(id="1", text="The new XYZ-7 binds DNA of cells. It blocks p53.")],
        tokeniser="punctuation",
    )
    speech, chunk = (own.by_token for own in tagger.classes(axis))
    assert axis.words[:9] == ("The", "new", "XYZ", "-", "7", "binds", "DNA", "of", "cells")
    assert speech[1:9] == ["JJ", "NN", "NN", "NN", "VBZ", "NN", "IN", "NNS"]
    assert chunk[5:9] == ["B-VP", "B-NP", "B-PP", "B-NP"]


def test_tokens_of_a_word_share_its_part_of_speech_and_chunk() -> None:
    tree = next(each for each in treebank() if "IL-2" in each.words)
    axis, tags = tagged_tokens([tree], tokeniser="punctuation")
    at = axis.words.index("IL")
    assert tags["pos"][at : at + 3] == ["NN"] * 3
    assert tags["chk"][at : at + 3].count("B-NP") == (axis.words[at - 1] != "new")
    assert len(axis.first_token) == 2


def test_what_is_unseen_is_judged_and_parts_add_up(tagger: SyntaxTagger) -> None:
    rest, unseen = treebank()[::2], treebank()[1::2]
    scores = judge(tagger, unseen, rest)
    assert scores.n_speech > 0.98 * scores.n_tokens
    assert scores.n_exact > 0.95 * scores.n_chunks
    assert scores.n_new == scores.n_speech_of_new == len(unseen)  # verbs of every other tree
    halves = [judge(tagger, unseen[place::2], rest) for place in (0, 1)]
    assert sum(halves, TaggingScores()) == scores


def test_however_sentences_are_batched_their_tags_are_the_same(tagger: SyntaxTagger) -> None:
    documents = [Document(id=str(n), text=" ".join(t.words)) for n, t in enumerate(treebank()[:9])]
    together = tagger.classes(TokenAxis.of(documents, tokeniser="punctuation"))
    apart = [tagger.classes(TokenAxis.of([each], tokeniser="punctuation")) for each in documents]
    for kind, whole in enumerate(together):
        assert whole.by_token == [tag for own in apart for tag in own[kind].by_token]


def test_a_saved_tagger_is_the_same_tagger_and_holds_no_words(
    tagger: SyntaxTagger, tmp_path: Path
) -> None:
    path = tmp_path / "tags.zip"
    tagger.save(path)
    again = SyntaxTagger.load(path)
    axis, _ = tagged_tokens(treebank(), tokeniser="punctuation")
    for one, other in zip(tagger.classes(axis), again.classes(axis), strict=True):
        assert (one.kind, one.names) == (other.kind, other.names)
        assert (one.number == other.number).all()
    arrays = again.arrays().values()
    assert all(array.dtype.kind in "uif" for array in arrays)


def test_nothing_to_learn_from_and_other_files_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no tree has a word"):
        SyntaxTagger.fit([])
    write_model(tmp_path / "x.zip", "hmm", {}, {"a": np.zeros(1)})
    with pytest.raises(FormatError, match="holds a hmm, no tagger"):
        SyntaxTagger.load(tmp_path / "x.zip")
