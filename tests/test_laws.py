"""The laws of the product: what must hold for every method, whatever the names are like.

Identical annotators give back that annotator; nothing decided is wider than what supports it; no
order of annotators, documents or shards, no renaming and no shift changes anything, be it decided,
scored or compared; who is compared with themselves is right; one parser, or several that agree,
give back the tree. Flat methods keep the first law for flat names.
"""

import random
from collections.abc import Mapping
from math import isnan
from types import MappingProxyType

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.consensus.trees.voices import forests
from tests.in_full import in_full
from tests.strategies import TREES, trimmed_pieces
from vermeil import Document, Layer, Span, Tree
from vermeil.consensus import CONSENSUS, combine
from vermeil.consensus.stage import ConsensusStage
from vermeil.consensus.trees import TREE_CONSENSUS
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.document import reading_order
from vermeil.runs.streaming import Held, Streaming
from vermeil.scoring.agreement import Agreement, AgreeStage, Pair, VotersStage, agree, agreement_of
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import VIEWS, score

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


def of_pair(pair: Pair) -> dict[str, float]:
    """The figures of two annotators, whichever is called first."""
    counted = {name: getattr(pair, name).f1 for name in ("exact", "overlap", "hearts")}
    others = {name: getattr(pair, name) for name in ("left", "right", "kappa")}
    figures = {f"F, {name}": f1 for name, f1 in counted.items()} | others
    return {name: round(figure, 9) for name, figure in figures.items()}


def compared(agreement: Agreement, called: Mapping[str, str] = MappingProxyType({})) -> str:
    """All figures of agreement, with annotators as they are ``called``."""
    told: dict[str, object] = {
        "all": (round(agreement.fleiss, 9), round(agreement.alpha, 9), agreement.matches)
    }
    for pair in agreement.pairs:
        both = sorted(called.get(name, name) for name in (pair.first, pair.second))
        told[" and ".join(both)] = {**of_pair(pair), "documents": pair.n_documents}
    for each in agreement.left_out:
        told[f"without {called.get(each.annotator, each.annotator)}"] = (each.exact, each.overlap)
    for label in agreement.labels:
        told[f"label {label.label}"] = (round(label.exact.f1, 9), round(label.alpha, 9))
    return in_full(dict(sorted(told.items())))


def scored(batch: list[Document], standard: str = "a") -> dict[str, dict[str, Counts]]:
    """Count everybody against one of them, by every view."""
    return {
        name: {view: scores.counts(view) for view in VIEWS}
        for name, scores in score(batch, standard=standard).items()
    }


def moved(document: Document, prefix: str) -> Document:
    by = len(prefix)
    layers = {
        name: tuple(span.moved([(a + by, b + by) for a, b in span.pieces]) for span in layer)
        for name, layer in document.layers.items()
    }
    return Document(id=document.id, text=prefix + document.text, layers=layers)


def shuffled(batch: list[Document], chance: random.Random) -> list[Document]:
    return [
        document.replace(layers=dict(chance.sample(sorted(document.layers.items()), k)))
        for document in chance.sample(batch, len(batch))
        for k in [len(document.layers)]
    ]


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
    for view in VIEWS:
        assert scores.counts(view).f1 == 1.0 or (isnan(scores.counts(view).f1) and not n), view


@given(batch=batches(annotators=("a",)))
def test_who_is_compared_with_themselves_agrees(batch: list[Document]) -> None:
    twice = [each.replace(layers=dict.fromkeys("bcd", each.layers.get("a", ()))) for each in batch]
    agreement = agree(twice)
    n = sum(len(set(each.layers["b"])) for each in twice)
    figures = {name: value for pair in agreement.pairs for name, value in of_pair(pair).items()}
    for each in agreement.left_out:
        figures |= {"left out, exact": each.exact.f1, "left out, overlap": each.overlap.f1}
    figures |= {"fleiss": agreement.fleiss, "alpha": agreement.alpha}
    for name, value in figures.items():
        assert value == pytest.approx(1) or (isnan(value) and not (n and "F" in name)), name


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
    assert consensus(shuffled(batch, chance), by) == consensus(batch, by)


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


MET = batches().filter(
    lambda batch: (
        any({"a", "b"} <= each.layers.keys() for each in batch)
        and {"a", "b", "c"} == {name for each in batch for name in each.layers}
    )
)
"""Documents of three annotators, of whom two have met."""


@given(batch=MET, chance=st.randoms(use_true_random=False))
def test_no_order_changes_a_figure(batch: list[Document], chance: random.Random) -> None:
    again = shuffled(batch, chance)
    assert compared(agree(again)) == compared(agree(batch))
    assert scored(again) == scored(batch)


@given(batch=MET, others=st.permutations("abc"))
def test_no_name_of_an_annotator_changes_a_figure(batch: list[Document], others: list[str]) -> None:
    mapping = dict(zip("abc", others, strict=True))
    again = [renamed(document, mapping) for document in batch]
    assert compared(agree(again)) == compared(agree(batch), mapping)
    there = {mapping[name]: counts for name, counts in scored(batch).items()}
    assert scored(again, mapping["a"]) == there


@given(batch=MET, prefix=st.sampled_from(["zeta ", "\U0001f9ec\n", "ζ " * 40]))
def test_no_shift_of_the_text_changes_a_figure(batch: list[Document], prefix: str) -> None:
    """But for coefficients over characters, which count those outside names, too."""
    again = [moved(document, prefix) for document in batch]
    assert scored(again) == scored(batch)
    for here, there in zip(agree(batch).pairs, agree(again).pairs, strict=True):
        assert (here.exact, here.overlap, here.hearts) == (there.exact, there.overlap, there.hearts)
        assert in_full((here.left, here.right)) == in_full((there.left, there.right))


@given(batch=MET, cut=st.integers(0, 3))
def test_no_cut_into_shards_changes_a_figure(batch: list[Document], cut: int) -> None:
    parts = batch[:cut], batch[cut:]
    first = VotersStage(None, learns=True)
    voters = first.finish(first.total([first.observe(iter(part)) for part in parts]))
    stage = AgreeStage.of(voters, None, leave_one_out=True, n_resamples=0, seed=0, n_worst=0)
    sums = stage.total([stage.observe(iter(part)) for part in parts])
    assert compared(agreement_of(stage, sums)) == compared(agree(batch))
