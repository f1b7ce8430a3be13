import pytest

from tests.recognise.tiny import tiny_cascade, unseen
from vermeil import Document
from vermeil.recognise.tagging import tag


@pytest.mark.parametrize("overlaps", [False, True])
def test_the_layer_is_that_of_plain_tagging(overlaps: bool) -> None:
    model, documents = tiny_cascade(), unseen()
    plain = tag(model, documents, name="m", threshold=0.3, overlaps=overlaps)
    both = tag(model, documents, name="m", threshold=0.3, overlaps=overlaps, standard=True)
    assert [each.layers["m"] for each in plain] == [each.layers["m"] for each in both]


def test_sure_names_have_hearts() -> None:
    n_hearts = 0
    for document in tag(tiny_cascade(), unseen(), name="m", standard=True):
        for centroid in document.standards["m"]:
            n_hearts += 1
            assert 0.5 <= centroid.votes <= 1
            assert document.text[centroid.start : centroid.end].strip()
    assert n_hearts > 20


def test_a_document_has_the_same_standard_alone_and_among_others() -> None:
    model, documents = tiny_cascade(), unseen()[:6]
    together = list(tag(model, documents, name="m", standard=True))
    for number, document in enumerate(documents):
        [alone] = tag(model, [document], name="m", standard=True)
        assert [(c.start, c.end) for c in alone.standards["m"]] == [
            (c.start, c.end) for c in together[number].standards["m"]
        ]


def test_an_empty_document_has_an_empty_standard() -> None:
    [tagged] = tag(tiny_cascade(), [Document(id="1", text="")], name="m", standard=True)
    assert tagged.standards["m"] == ()
