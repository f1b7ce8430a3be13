"""The laws of the product: what must hold for every method, whatever the names are like.

Identical annotators give back that annotator; nothing decided is wider than what supports it; no
order of annotators, documents or shards, no renaming and no shift changes anything; who is compared
with themselves is right; one parser, or several that agree, give back the tree. Flat methods keep
the first law for flat names.
"""

import random
from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.consensus.trees.voices import forests
from tests.strategies import TREES, trimmed_pieces
from vermeil import Document, Layer, Span, Tree
from vermeil.consensus import CONSENSUS, combine
from vermeil.consensus.stage import ConsensusStage
from vermeil.consensus.trees import TREE_CONSENSUS
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.document import reading_order
from vermeil.runs.streaming import Held, Streaming
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import score

METHODS = sorted(CONSENSUS)
WHOLE = [by for by in METHODS if not CONSENSUS[by].is_flat]
FLAT = [by for by in METHODS if CONSENSUS[by].is_flat]
POOLED = ["people"]
"""Methods to which the label is one more question: names of any label support a decision."""

LABELS = ("Gene", "Disease", "Ω/β")
TEXTS = st.text(alphabet="ab1 -\nαβ\U0001d6fc\U0001f9ece\u0301", min_size=4, max_size=24)

Name = tuple[str, tuple[tuple[int, int], ...]]


@st.composite
def layers(draw: st.DrawFn, *, text: str) -> Layer:
    """Names that nest, cross, touch and have gaps, none with white space at an edge."""
    found = set()
    for _ in range(draw(st.integers(0, 6))):
        n_cuts = draw(st.sampled_from([2, 2, 2, 4]))
        places = st.integers(0, len(text))
        cuts = sorted(draw(st.sets(places, min_size=n_cuts, max_size=n_cuts)))
        pieces = tuple(zip(cuts[::2], cuts[1::2], strict=True))
        label = draw(st.sampled_from(LABELS))
        if kept := trimmed_pieces(text, Span.over(pieces, label)):
            found.add(Span.over(kept, label))
    return tuple(sorted(found, key=reading_order))


@st.composite
def batches(draw: st.DrawFn, *, annotators: tuple[str, ...] = ("a", "b", "c")) -> list[Document]:
    """Documents that some annotators looked at, who often say the same."""
    batch = []
    for number in range(draw(st.integers(1, 3))):
        text = draw(TEXTS)
        usual = draw(layers(text=text))
        said = {
            name: usual if draw(st.booleans()) else draw(layers(text=text))
            for name in annotators
            if draw(st.integers(0, 5))
        }
        batch.append(Document(id=str(number), text=text, layers=said))
    return batch


@st.composite
def worded(draw: st.DrawFn) -> tuple[str, Layer]:
    """A text of words and names of one or several words, of which no two overlap."""
    words = draw(st.lists(st.sampled_from(["p53", "α", "binds", "\U0001d6fc"]), min_size=1))
    starts = [sum(len(word) + 1 for word in words[:k]) for k in range(len(words))]
    cuts = sorted(draw(st.sets(st.integers(0, len(words)), max_size=8)))
    layer = tuple(
        Span(starts[low], starts[high - 1] + len(words[high - 1]), draw(st.sampled_from(LABELS)))
        for low, high in zip(cuts[::2], cuts[1::2], strict=False)
    )
    return " ".join(words), layer


def names(layer: Layer) -> list[Name]:
    return sorted((span.label, span.pieces) for span in layer)


def consensus(batch: list[Document], by: str) -> dict[str, Layer]:
    return {document.id: document.layers["consensus"] for document in combine(batch, by=by)}


def assert_alike(some: Mapping[str, Layer], others: Mapping[str, Layer]) -> None:
    """Compare what was decided; confidences may differ by how sums are rounded."""
    assert {id: names(layer) for id, layer in some.items()} == {
        id: names(layer) for id, layer in others.items()
    }
    for id, layer in some.items():
        sure, also = (
            [span.confidence for span in sorted(each, key=lambda span: (span.label, span.pieces))]
            for each in (layer, others[id])
        )
        assert sure == pytest.approx(also, abs=1e-6)


def moved(document: Document, prefix: str) -> Document:
    by = len(prefix)
    layers = {
        name: tuple(span.moved([(a + by, b + by) for a, b in span.pieces]) for span in layer)
        for name, layer in document.layers.items()
    }
    return Document(id=document.id, text=prefix + document.text, layers=layers)


def renamed(document: Document, mapping: Mapping[str, str]) -> Document:
    layers = {mapping[name]: layer for name, layer in document.layers.items()}
    return document.replace(layers=layers)


@pytest.mark.parametrize("n", [2, 3, 14])
@pytest.mark.parametrize("by", WHOLE)
@given(data=st.data())
def test_identical_annotators_give_back_that_annotator(
    by: str, n: int, data: st.DataObject
) -> None:
    batch = []
    for number in range(data.draw(st.integers(1, 3))):
        text = data.draw(TEXTS)
        layer = data.draw(layers(text=text))
        everybody = {f"a{k}": layer for k in range(n)}
        batch.append(Document(id=str(number), text=text, layers=everybody))
    for document in combine(batch, by=by):
        assert names(document.layers["consensus"]) == names(document.layers["a0"])


@pytest.mark.parametrize("n", [2, 3, 14])
@pytest.mark.parametrize("by", FLAT)
@given(flat=worded())
def test_identical_annotators_of_words_give_back_that_annotator(
    by: str, n: int, flat: tuple[str, Layer]
) -> None:
    text, layer = flat
    document = Document(id="1", text=text, layers={f"a{k}": layer for k in range(n)})
    [combined] = combine([document], by=by)
    assert names(combined.layers["consensus"]) == names(layer)


@given(data=st.data())
def test_the_consensus_of_identical_annotators_scores_as_right(data: st.DataObject) -> None:
    text = data.draw(TEXTS)
    layer = data.draw(layers(text=text))
    document = Document(id="1", text=text, layers=dict.fromkeys("abc", layer))
    scores = score(combine([document]), standard="a", systems=["consensus"])["consensus"]
    n = len(layer)
    assert scores.counts("exact") == Counts(n, n, n, n)


@given(batch=batches(annotators=("a",)))
def test_who_is_scored_against_themselves_is_right(batch: list[Document]) -> None:
    looked = [document for document in batch if "a" in document.layers]
    assume(looked)
    twice = [each.replace(layers={"a": each.layers["a"], "b": each.layers["a"]}) for each in looked]
    n = sum(len(set(each.layers["a"])) for each in twice)
    scores = score(twice, standard="a", systems=["b"])["b"]
    assert scores.counts("exact") == Counts(n, n, n, n)
    assert n == 0 or scores.counts("exact").f1 == 1.0


@pytest.mark.parametrize("by", METHODS)
@given(batch=batches(), cut=st.integers(0, 3))
def test_no_cut_into_shards_changes_anything(by: str, batch: list[Document], cut: int) -> None:
    stage = ConsensusStage(by=by, strict=False)
    seen = [stage.observe(iter(part)) for part in (batch[:cut], batch[cut:])]
    known = stage.finish(stage.total(seen))
    decided = [
        each
        for part in (batch[:cut], batch[cut:])
        for each in stage.decide(iter(part), known, stage.nothing())
    ]
    alone = Streaming(stage, Held(batch))
    assert decided == list(alone.documents())


@pytest.mark.parametrize("by", sorted(TREE_CONSENSUS))
@given(tree=TREES, n=st.integers(1, 3))
def test_parsers_that_agree_give_back_their_tree(by: str, tree: Tree, n: int) -> None:
    everybody = forests({f"p{k}": [tree] for k in range(n)})
    ensemble = Ensemble(by, steps=("none",))
    [made] = ensemble.combine(everybody, ensemble.learn([everybody])).trees
    assert str(made) == str(tree)


@pytest.mark.parametrize("by", WHOLE)
@given(batch=batches())
def test_nothing_is_wider_than_what_supports_it(by: str, batch: list[Document]) -> None:
    for document in combine(batch, by=by):
        everybody = [
            span for name, layer in document.layers.items() if name != "consensus" for span in layer
        ]
        for decided in document.layers["consensus"]:
            near = [
                span
                for span in everybody
                if (by in POOLED or span.label == decided.label)
                and span.start < decided.end
                and decided.start < span.end
            ]
            marked = {at for span in near for start, end in span.pieces for at in range(start, end)}
            assert all(at in marked for piece in decided.pieces for at in range(*piece))
            assert decided.start in {span.start for span in near}
            assert decided.end in {span.end for span in near}


@pytest.mark.parametrize("by", WHOLE)
@given(batch=batches())
def test_no_name_is_decided_twice(by: str, batch: list[Document]) -> None:
    for layer in consensus(batch, by).values():
        assert len(set(names(layer))) == len(layer)


@pytest.mark.parametrize("by", METHODS)
@given(batch=batches(), chance=st.randoms(use_true_random=False))
def test_no_order_changes_anything(by: str, batch: list[Document], chance: random.Random) -> None:
    again = [
        document.replace(layers=dict(chance.sample(sorted(document.layers.items()), k)))
        for document in chance.sample(batch, len(batch))
        for k in [len(document.layers)]
    ]
    assert consensus(again, by) == consensus(batch, by)


@pytest.mark.parametrize("by", METHODS)
@given(batch=batches(), others=st.sampled_from(["zyx", "yzx", "xyz"]))
def test_no_name_of_an_annotator_changes_anything(
    by: str, others: str, batch: list[Document]
) -> None:
    if by == "harmony":
        others = "xyz"  # it aligns annotators in the order of their names
    mapping = dict(zip("abc", others, strict=True))
    again = [renamed(document, mapping) for document in batch]
    assert_alike(consensus(again, by), consensus(batch, by))


@pytest.mark.parametrize("by", sorted({*METHODS} - {"dawid-skene"}))  # tokens outside teach it
@given(batch=batches(), prefix=st.sampled_from(["zeta ", "\U0001f9ec\n", "ζ " * 40]))
def test_no_shift_of_the_text_changes_anything(by: str, batch: list[Document], prefix: str) -> None:
    there = consensus([moved(document, prefix) for document in batch], by)
    here = consensus(batch, by)
    shifted = {
        document.id: moved(document.replace(layers={"consensus": here[document.id]}), prefix)
        for document in batch
    }
    assert_alike(there, {id: each.layers["consensus"] for id, each in shifted.items()})
