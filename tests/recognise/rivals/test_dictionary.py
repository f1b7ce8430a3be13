import pytest

from tests.recognise.annotated import marked
from vermeil.errors import UsageError
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.rivals.dictionary import DictionaryTagger
from vermeil.recognise.words.knowledge import Resources

DOCUMENTS = [
    marked("1", "He took [C:lead] and [C:lead acetate], but lead to nothing in [G:lead mice]."),
    marked("2", "[C:Lead] again."),
]
RECIPE = Recipe(("C", "G"))


def test_a_dictionary_finds_the_longest_listed_names_and_knows_how_often_they_are_right() -> None:
    lists = Resources({"C": ["lead", "lead acetate"], "G": ["lead mice"]})
    tagger = DictionaryTagger.fit(DOCUMENTS, RECIPE, lists)
    assert tagger.confidence == {"C": 3 / 5, "G": 1.0}
    names = tagger.find(DOCUMENTS)
    marks = [span.marked(DOCUMENTS[0].text) for span in names.spans(0, names.candidates)]
    assert marks == ["lead", "lead acetate", "lead", "lead mice", "lead"]
    assert len(tagger.find(DOCUMENTS, threshold=0.7).candidates) == 1


def test_a_dictionary_needs_no_documents() -> None:
    tagger = DictionaryTagger.fit([], RECIPE, Resources({"C": ["lead"]}))
    assert tagger.find(DOCUMENTS).candidates.confidence.tolist() == [1.0] * 5


def test_a_dictionary_without_names_of_its_labels_is_refused() -> None:
    with pytest.raises(UsageError, match="a dictionary needs a list of names of C or G"):
        DictionaryTagger.fit(DOCUMENTS, RECIPE, Resources({"D": ["lead"]}))
