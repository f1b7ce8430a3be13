import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document, Span
from vermeil.recognise.linear.examples import Examples, examples_of
from vermeil.recognise.linear.features import columns_of
from vermeil.recognise.linear.iobes import Iobes
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.recipe import Recipe

PLAIN = LinearOptions()
TAGS = Iobes(("G",))
RECIPE = Recipe(("G",), tokeniser="separators")
DOCUMENT = marked("1", "It bound [G:BRCA1] and [G:T cell factor]. Then p53 rose.")
START, UNKNOWN = len(TAGS), len(TAGS) + 1


def learned(*documents: Document, options: LinearOptions = PLAIN) -> Examples:
    return examples_of(documents, RECIPE, options)


def names(codes: np.ndarray) -> str:
    return "".join([*(tag[0] for tag in TAGS.names), "^", "?"][code] for code in codes)


def unsure(*marked_words: str) -> Document:
    places = [DOCUMENT.text.index(word) for word in marked_words]
    return DOCUMENT.with_layer(
        "dictionary",
        [Span(at, at + len(word), "G") for at, word in zip(places, marked_words, strict=True)],
    )


def test_examples_are_the_tags_and_those_before_sentence_by_sentence() -> None:
    examples = learned(DOCUMENT)
    assert names(examples.tag) == "OOSOBIEOOOOO"
    assert names(examples.before) == "^OOSOBIE^OOO"
    assert set(examples.weight.tolist()) == {1.0}


def test_an_unknown_token_is_no_example_but_its_neighbours_see_it() -> None:
    everything = learned(DOCUMENT)
    options = LinearOptions(unsure="dictionary")
    examples = learned(unsure("p53", "BRCA1"), options=options)
    assert names(examples.tag) == "OOSOBIEOOOO"
    assert names(examples.before) == "^OOSOBIE^?O"
    kept = [at for at in range(len(everything)) if at != 9]
    assert np.array_equal(columns_of(examples.encoded), columns_of(everything.encoded)[kept])


def test_only_sentences_with_a_name_are_learned_from_if_asked() -> None:
    examples = learned(DOCUMENT, options=LinearOptions(named_sentences=True))
    assert names(examples.tag) == "OOSOBIEO"


def test_names_may_weigh_as_much_as_their_confidence() -> None:
    spans = [Span(9, 14, "G", confidence=0.25), Span(19, 32, "G", confidence=0.0)]
    document = DOCUMENT.with_layer("gold", spans)
    examples = learned(document, options=LinearOptions(by_confidence=True))
    assert names(examples.tag) == "OOSOOOOOO"
    assert examples.weight.tolist() == [1, 1, 0.25, *[1] * 6]


def test_documents_that_nobody_has_annotated_are_left_out() -> None:
    bare = Document(id="2", text="BRCA1 rose.")
    assert len(learned(bare, DOCUMENT)) == len(learned(DOCUMENT))
    assert len(learned(bare)) == len(learned()) == 0


@pytest.mark.parametrize("hide_words", [False, True])
def test_how_documents_are_batched_changes_no_example(hide_words: bool) -> None:
    options = LinearOptions(hide_words=hide_words)
    other = marked("2", "[G:p53] was found.")
    together = learned(DOCUMENT, other, options=options)
    alone = [learned(each, options=options) for each in (DOCUMENT, other)]
    for column in ("tag", "before", "weight"):
        one_by_one = [getattr(each, column) for each in alone]
        assert np.array_equal(getattr(together, column), np.concatenate(one_by_one))
    one_by_one = [columns_of(each.encoded) for each in alone]
    assert np.array_equal(columns_of(together.encoded), np.concatenate(one_by_one))
