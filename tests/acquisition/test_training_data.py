import numpy as np

from tests.acquisition.bed import abstracts, lexicon, links
from vermeil import Document, Span
from vermeil.acquisition.labelling import CONSENSUS
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.support.rejudging import Rejudgement
from vermeil.acquisition.training_data import DOUBTFUL, Belief, with_consensus, without_doubt
from vermeil.recognise.placed_names import PlacedNames
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis


class Believes:
    """A tagger that takes the first word of every sentence for a name, with one confidence."""

    def __init__(self, confidence: float) -> None:
        self.confidence = confidence

    def find(self, documents, *, threshold=0.0):  # type: ignore[no-untyped-def]
        axis = TokenAxis.of(documents)
        first = axis.first_token[:-1]
        n = len(first)
        sure = np.full(n, self.confidence)
        none = np.zeros(n, dtype=np.int64)
        return PlacedNames(axis, Candidates(("Gene",), np.arange(n), first, first + 1, none, sure))


def consensus_with(confidence: float) -> list[Document]:
    some = abstracts()[:12]
    judgement = Judgement.learn(lexicon(), links(), abstracts())
    rejudgement = Rejudgement.learn(judgement, [(abstracts(), Believes(confidence))])
    return list(with_consensus(rejudgement, [(some, Believes(confidence))], belief=Belief()))


def first_words(document: Document, layer: str) -> list[str]:
    texts = (span.marked(document.text) for span in document.layers[layer])
    return [text for text in texts if text in ("Expression", "The", "Loss", "Nothing")]


def test_what_a_tagger_adds_depends_on_how_sure_it_is() -> None:
    for document in consensus_with(0.95):
        assert len(first_words(document, CONSENSUS)) == 4
        assert not document.layers[DOUBTFUL]
    for document in consensus_with(0.5):
        assert not first_words(document, CONSENSUS)
        assert len(first_words(document, DOUBTFUL)) == 4
    for document in consensus_with(0.1):
        assert not first_words(document, CONSENSUS)
        assert not document.layers[DOUBTFUL]


def test_a_doubtful_sentence_is_cut_out_and_names_move_along() -> None:
    text = "RAD1 was high. Foo was low.  KIN2 binds RAD1. Bar was absent."
    names = [Span(0, 4, "Gene"), Span(29, 33, "Gene"), Span(40, 44, "Gene")]
    doubts = [Span(15, 18, "Gene"), Span(46, 49, "Gene")]
    document = Document(
        id="1", text=text, layers={CONSENSUS: tuple(names), DOUBTFUL: tuple(doubts)}
    )
    [cut] = without_doubt([document])
    assert cut.text == "RAD1 was high. KIN2 binds RAD1."
    assert [span.marked(cut.text) for span in cut.layers[CONSENSUS]] == ["RAD1", "KIN2", "RAD1"]


def test_a_document_of_doubts_teaches_nothing() -> None:
    layers = {CONSENSUS: (), DOUBTFUL: (Span(0, 3, "Gene"),)}
    assert not list(without_doubt([Document(id="1", text="Foo was low.", layers=layers)]))
