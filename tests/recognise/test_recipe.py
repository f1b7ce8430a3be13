import json
from dataclasses import replace

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


def test_a_model_keeps_labels_tokeniser_and_threshold() -> None:
    header = json.loads(json.dumps(replace(RECIPE, threshold=0.3).header()))
    assert Recipe.from_header(header) == Recipe(("C", "G"), tokeniser="words", threshold=0.3)


def test_models_of_before_ask_for_a_half() -> None:
    assert Recipe.from_header({"labels": ["C"], "tokeniser": "fine"}).threshold == 0.5
