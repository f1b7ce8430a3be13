import json

from tests.recognise.annotated import marked
from vermeil import Document
from vermeil.recognise.recipe import Recipe

RECIPE = Recipe(("C", "G"), tokeniser="words", seed=3)


def test_only_documents_of_the_annotator_are_learned_from() -> None:
    documents = [marked("1", "[C:lead] pipes"), Document(id="2", text="lead")]
    assert [each.id for each in RECIPE.annotated(documents)] == ["1"]


def test_tokens_have_the_tags_of_the_annotators_names() -> None:
    axis, tag = RECIPE.tagged_tokens([marked("1", "[C:acetic acid] in [G:p53] [D:mice]")])
    assert axis.words == ("acetic", "acid", "in", "p53", "mice")
    assert [RECIPE.tags.names[code] for code in tag] == ["B-C", "I-C", "O", "B-G", "O"]


def test_a_model_keeps_labels_and_tokeniser() -> None:
    header = json.loads(json.dumps(RECIPE.header()))
    assert Recipe.from_header(header) == Recipe(("C", "G"), tokeniser="words")
