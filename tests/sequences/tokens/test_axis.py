import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.recognise.annotated import marked
from tests.strategies import documents
from vermeil import Document, Span
from vermeil.sequences.tokens.axis import TokenAxis, common_axis
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.sentences import split_sentences
from vermeil.text.tags import find_repairs

BATCHES = st.lists(documents(annotators=("gold",)), max_size=4)
TAGS = TagSet(("Gene", "Disease"))


def names(codes: list[int], tags: TagSet) -> list[str]:
    return [tags.names[code] for code in codes]


@given(BATCHES)
def test_offsets_lead_back_to_the_documents(batch: list[Document]) -> None:
    axis = TokenAxis.of(batch)
    for number, document in enumerate(batch):
        first, last = axis.first_of_document[number : number + 2]
        for at in range(first, last):
            assert document.text[axis.start[at] : axis.end[at]] == axis.words[at]
    assert axis.first_of_document[-1] == len(axis.words)


@given(BATCHES)
def test_sentences_are_those_of_the_documents(batch: list[Document]) -> None:
    axis = TokenAxis.of(batch)
    assert axis.first_token[0] == 0
    assert axis.first_token[-1] == len(axis.words)
    assert set(axis.first_of_document.tolist()) <= set(axis.first_token.tolist())
    assert len(axis.first_token) - 1 <= sum(
        len(split_sentences(document.text)) for document in batch
    )


@given(BATCHES)
def test_a_common_axis_has_the_edges_of_all_and_no_others(batch: list[Document]) -> None:
    axes = [TokenAxis.of(batch, tokeniser=each) for each in ("words", "fine", "separators")]
    common = common_axis(axes, batch)
    assert "".join(common.words) == "".join(axes[0].words)
    for number, document in enumerate(batch):
        edges = [_edges(axis, number) for axis in axes]
        assert _edges(common, number) == set().union(*edges)
        first, last = common.first_of_document[number : number + 2]
        for at in range(first, last):
            assert document.text[common.start[at] : common.end[at]] == common.words[at]
    sentences_of = [axis.start[axis.first_token[:-1]].tolist() for axis in (axes[0], common)]
    assert sentences_of[0] == sentences_of[1]
    assert common.first_token[-1] == len(common.words)


def _edges(axis: TokenAxis, number: int) -> set[int]:
    tokens = slice(*axis.first_of_document[number : number + 2].tolist())
    return {*axis.start[tokens].tolist(), *axis.end[tokens].tolist()}


@given(BATCHES)
def test_tags_are_well_formed_in_every_sentence(batch: list[Document]) -> None:
    axis = TokenAxis.of(batch)
    codes = axis.tags_of(batch, TAGS, annotator="gold")
    for sentence in np.split(codes, axis.first_token[1:-1]):
        assert not find_repairs(names(sentence.tolist(), TAGS), "iob2")


def test_tags_mark_the_names_of_the_labels_asked_for() -> None:
    batch = [marked("1", "The [C:acetic acid] of [G:BRCA]."), marked("2", "[C:ATP]-[C:GTP]")]
    tags = TagSet(("C",))
    codes = TokenAxis.of(batch).tags_of(batch, tags, annotator="gold")
    assert codes.tolist() == [0, 1, 2, 0, 0, 0, 1, 0, 1]


def test_the_outermost_of_overlapping_names_counts() -> None:
    spans = (Span(0, 11, "Gene"), Span(4, 11, "Disease"))
    batch = [Document(id="1", text="Wnt bladder", layers={"gold": spans})]
    assert TokenAxis.of(batch).tags_of(batch, TAGS, annotator="gold").tolist() == [1, 2]


def test_a_name_over_the_end_of_a_sentence_is_two() -> None:
    document = Document(id="1", text="In acid. The end.", layers={"gold": (Span(3, 12, "Gene"),)})
    codes = TokenAxis.of([document]).tags_of([document], TAGS, annotator="gold")
    assert codes.tolist() == [0, 1, 2, 1, 0, 0]


@given(st.lists(st.sampled_from(["It is. We are.", "Yes.", "", "A b c d e. F"]), max_size=3))
def test_neighbours_are_those_of_the_sentence(texts: list[str]) -> None:
    axis = TokenAxis.of([Document(id=str(n), text=text) for n, text in enumerate(texts)])
    n = len(axis.words)
    for offset in range(-3, 4):
        wanted = [
            at + offset
            if 0 <= at + offset < n and axis.sentence[at + offset] == axis.sentence[at]
            else 99
            for at in range(n)
        ]
        assert axis.neighbours(np.arange(n), offset, beyond=99).tolist() == wanted
