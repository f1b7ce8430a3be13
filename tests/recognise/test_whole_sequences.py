import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.recognise.tiny import tiny_cascade, unseen
from tests.sequences.tag_paths import potentials, sequences
from vermeil import Document, Span
from vermeil.recognise.whole_sequences import SequenceTagger, names_in, tag_sequences
from vermeil.sequences.chains.best_paths import best_paths
from vermeil.sequences.chains.potentials import Potentials
from vermeil.sequences.tokens import stretches


@given(potentials(), st.integers(1, 4))
def test_names_are_those_of_each_sequence_written_out(batch: Potentials, n: int) -> None:
    paths = best_paths(batch, n=n)
    for rank in range(n):
        probability = np.arange(len(batch.first_token) - 1) / 10
        names = names_in(batch.tags, batch.first_token, paths.tag[rank], probability)
        found = set(
            zip(
                names.start.tolist(),
                names.end.tolist(),
                (names.labels[code] for code in names.label.tolist()),
                names.confidence.tolist(),
                strict=True,
            )
        )
        wanted = set()
        for sentence, first in enumerate(batch.first_token[:-1].tolist()):
            for each in sequences(batch, sentence)[rank : rank + 1]:
                wanted |= {
                    (first + start, first + end, label, probability[sentence])
                    for start, end, label in each.names
                }
        assert found == wanted


def test_the_best_sequences_are_layers_and_their_probabilities_are_told() -> None:
    documents = unseen()[:5]
    for document, tagged in zip(
        documents, tag_sequences(tiny_cascade(), documents, name="m", n=3), strict=True
    ):
        assert set(tagged.layers) - set(document.layers) == {"m", "m.2", "m.3"}
        told = tagged.meta["sequences"]["m"]
        for rank, name in enumerate(("m", "m.2", "m.3")):
            for span in tagged.layers[name]:
                [sentence] = [each for each in told if each["start"] <= span.start < each["end"]]
                assert span.confidence == sentence["probabilities"][rank]
        for sentence in told:
            probabilities = sentence["probabilities"]
            assert probabilities == sorted(probabilities, reverse=True)
            assert 0 < sum(probabilities) <= 1 + 1e-9


def test_a_certain_sentence_is_read_alike_by_confidence_and_as_a_whole() -> None:
    model, [document] = tiny_cascade(), unseen()[:1]
    names = model.lattice_candidates([document])[2]
    sure = names.keep(names.confidence > 0.9)
    axis = model.recipe.tokens([document])
    [tagged] = tag_sequences(model, [document], name="m")
    whole = {(span.start, span.end, span.label) for span in tagged.layers["m"]}
    for start, end, code in zip(sure.start, sure.end, sure.label, strict=True):
        assert (axis.start[start], axis.end[end - 1], sure.labels[code]) in whole


def test_long_documents_are_read_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Cisplatin was given. " * 30
    document = Document(id="1", text=text, meta={"sequences": {"other": []}, "year": 1999})
    [whole] = tag_sequences(tiny_cascade(), [document], name="m", n=2)
    monkeypatch.setattr(stretches, "LONGEST", 150)
    monkeypatch.setattr(stretches.batches, "__kwdefaults__", {"longest": 150})
    [cut] = tag_sequences(tiny_cascade(), [document], name="m", n=2)
    assert bounds(cut.layers["m"]) == bounds(whole.layers["m"])
    assert [each["start"] for each in cut.meta["sequences"]["m"]] == list(range(0, 630, 21))
    assert (cut.meta["year"], set(cut.meta["sequences"])) == (1999, {"other", "m"})


def bounds(spans: tuple[Span, ...]) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in spans]


def test_an_empty_text_has_layers_without_names() -> None:
    [tagged] = tag_sequences(tiny_cascade(), [Document(id="1", text="")], name="m", n=2)
    assert tagged.layers == {"m": (), "m.2": ()}
    assert tagged.meta["sequences"]["m"] == []


def test_a_cascade_is_a_sequence_tagger() -> None:
    assert isinstance(tiny_cascade(), SequenceTagger)
