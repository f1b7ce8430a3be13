from pathlib import Path

import pytest

from tests.recognise.linear.syntax.treebank import treebank
from vermeil import Document
from vermeil.errors import UsageError
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.syntax.sources import open_classifier, restored
from vermeil.recognise.linear.syntax.tagger import SyntaxTagger
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe
from vermeil.sequences.tokens.axis import TokenAxis

TEXT = "IL-2 binds DNA. It is new."


def axis() -> TokenAxis:
    return TokenAxis.of([Document(id="1", text=TEXT)], tokeniser="punctuation")


def pipeline(folder: Path) -> str:
    """Store a spaCy pipeline that calls what begins with a capital a noun."""
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"IS_TITLE": True}], [{"IS_UPPER": True}]], {"TAG": "NNP"})
    ruler.add([[{"IS_LOWER": True}]], {"TAG": "VBZ"})
    nlp.to_disk(folder / "nouns")
    return f"spacy:{folder / 'nouns'}"


def test_spacy_tags_our_tokens(tmp_path: Path) -> None:
    words = open_classifier(pipeline(tmp_path))
    speech, chunk = (own.by_token for own in words.classes(axis()))
    by_word = dict(zip(axis().words, speech, strict=True))
    assert (by_word["IL"], by_word["binds"], by_word["It"]) == ("NNP", "VBZ", "NNP")
    assert set(chunk) == {"O"}
    again = restored(words.header(), words.arrays())
    assert again.classes(axis())[0].by_token == speech


def test_files_and_pipelines_that_are_not_there_are_named() -> None:
    with pytest.raises(UsageError, match=r"no\.zip: no such file; vermeil trees tagger makes one"):
        open_classifier("no.zip")
    pytest.importorskip("spacy")
    with pytest.raises(UsageError, match="spaCy has no pipeline 'none_such'"):
        open_classifier("spacy:none_such")


def test_a_linear_tagger_keeps_its_parts_of_speech_in_its_model() -> None:
    pytest.importorskip("sklearn")
    from tests.acquisition.bed import abstracts

    tags = SyntaxTagger.fit(treebank()[::4], n_epochs=2)
    recipe = Recipe(("Gene",), tokeniser="punctuation")
    options = LinearOptions(n_folds=0, classifier=tags)
    plain = LinearTagger.fit(abstracts()[:60], recipe, options=LinearOptions(n_folds=0))
    made = LinearTagger.fit(abstracts()[:60], recipe, options=options)
    again = LinearTagger.from_arrays(made.header(), made.arrays())
    unseen = abstracts()[60:90]
    found, same, other = (each.find_margins(unseen)[1] for each in (made, again, plain))
    assert (found == same).all()
    assert found.tolist() != other.tolist()
    assert "tags" not in plain.header()
