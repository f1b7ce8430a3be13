from dataclasses import replace

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document, Span
from vermeil.recognise.linear.examples import Lesson
from vermeil.recognise.linear.features import columns_of
from vermeil.recognise.linear.iobes import Iobes

TAGS = Iobes(("G",))
LESSON = Lesson(("G",))
DOCUMENT = marked("1", "It bound [G:BRCA1] and [G:T cell factor]. Then p53 rose.")
START, UNKNOWN = len(TAGS), len(TAGS) + 1


def names(codes: np.ndarray) -> str:
    return "".join([*(tag[0] for tag in TAGS.names), "^", "?"][code] for code in codes)


def unsure(*marked_words: str) -> Document:
    places = [DOCUMENT.text.index(word) for word in marked_words]
    return DOCUMENT.with_layer(
        "dictionary",
        [Span(at, at + len(word), "G") for at, word in zip(places, marked_words, strict=True)],
    )


def test_examples_are_the_tags_and_those_before_sentence_by_sentence() -> None:
    examples = LESSON.examples([DOCUMENT])
    assert names(examples.tag) == "OOSOBIEOOOOO"
    assert names(examples.before) == "^OOSOBIE^OOO"
    assert set(examples.weight.tolist()) == {1.0}


def test_an_unknown_token_is_no_example_but_its_neighbours_see_it() -> None:
    everything = LESSON.examples([DOCUMENT])
    lesson = replace(LESSON, unsure="dictionary")
    examples = lesson.examples([unsure("p53", "BRCA1")])
    assert names(examples.tag) == "OOSOBIEOOOO"
    assert names(examples.before) == "^OOSOBIE^?O"
    kept = [at for at in range(len(everything)) if at != 9]
    assert np.array_equal(columns_of(examples.encoded), columns_of(everything.encoded)[kept])


def test_only_sentences_with_a_name_are_learned_from_if_asked() -> None:
    examples = replace(LESSON, named_sentences=True).examples([DOCUMENT])
    assert names(examples.tag) == "OOSOBIEO"


def test_names_may_weigh_as_much_as_their_confidence() -> None:
    spans = [Span(9, 14, "G", confidence=0.25), Span(19, 32, "G", confidence=0.0)]
    document = DOCUMENT.with_layer("gold", spans)
    examples = replace(LESSON, by_confidence=True).examples([document])
    assert names(examples.tag) == "OOSOOOOOO"
    assert examples.weight.tolist() == [1, 1, 0.25, *[1] * 6]


def test_documents_that_nobody_looked_at_are_left_out() -> None:
    bare = Document(id="2", text="BRCA1 rose.")
    assert len(LESSON.examples([bare, DOCUMENT])) == len(LESSON.examples([DOCUMENT]))
    assert len(LESSON.examples([bare])) == len(LESSON.examples([])) == 0


@pytest.mark.parametrize("hide_words", [False, True])
def test_how_documents_are_batched_changes_no_example(hide_words: bool) -> None:
    lesson = replace(LESSON, hide_words=hide_words)
    other = marked("2", "[G:p53] was found.")
    together = lesson.examples([DOCUMENT, other])
    alone = [lesson.examples([each]) for each in (DOCUMENT, other)]
    for column in ("tag", "before", "weight"):
        parts = [getattr(each, column) for each in alone]
        assert np.array_equal(getattr(together, column), np.concatenate(parts))
    parts = [columns_of(each.encoded) for each in alone]
    assert np.array_equal(columns_of(together.encoded), np.concatenate(parts))
