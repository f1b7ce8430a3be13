"""What every consensus method promises. A new row in CONSENSUS is tested by being there."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Layer, Span
from vermeil.consensus import CONSENSUS, ConsensusStage, Options, combine, voting
from vermeil.consensus.centroids import Settings
from vermeil.consensus.voters import BATCH
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import read
from vermeil.runs.streaming import Held, Streaming

METHODS = sorted(CONSENSUS)
BATCHES = st.lists(documents(annotators=("a", "b", "c")), min_size=1, max_size=3).map(
    lambda batch: [each.replace(id=str(number)) for number, each in enumerate(batch)]
)
GENE, DISEASE = Span(0, 5, "Gene"), Span(13, 26, "Disease")
TEXT = "BRCA1 causes breast cancer."


def agreed(n: int) -> list[Document]:
    layers = dict.fromkeys(("a", "b", "c"), (GENE, DISEASE))
    return [Document(id=str(number), text=TEXT, layers=layers) for number in range(n)]


@pytest.mark.parametrize("by", METHODS)
def test_what_is_unanimous_is_kept(by: str) -> None:
    for document in combine(agreed(3), by=by):
        assert [(s.start, s.end, s.label) for s in document.layers["consensus"]] == [
            (0, 5, "Gene"),
            (13, 26, "Disease"),
        ]


@pytest.mark.parametrize("by", METHODS)
@given(batch=BATCHES)
def test_no_order_of_documents_or_annotators_changes_anything(
    by: str, batch: list[Document]
) -> None:
    forth = {document.id: document for document in combine(batch, by=by)}
    turned = [d.replace(layers=dict(reversed(list(d.layers.items())))) for d in reversed(batch)]
    for document in combine(turned, by=by):
        assert document == forth[document.id]


@pytest.mark.parametrize("by", METHODS)
@given(batch=BATCHES)
def test_a_consensus_layer_overlaps_only_where_somebody_holds_names_apart(
    by: str, batch: list[Document]
) -> None:
    for document in combine(batch, by=by):
        layer = document.layers["consensus"]
        assert all(span.confidence is not None for span in layer)
        others = [spans for name, spans in document.layers.items() if name != "consensus"]
        if CONSENSUS[by].is_flat or all(is_flat(spans) for spans in others):
            assert is_flat(layer)


def is_flat(layer: Layer) -> bool:
    return all(one.end <= two.start for one, two in pairwise(layer)) and not any(
        span.fragments for span in layer
    )


@pytest.mark.parametrize("by", METHODS)
def test_documents_nobody_looked_at_get_an_empty_layer(by: str) -> None:
    *_, last = combine([*agreed(2), Document(id="x", text=TEXT)], by=by)
    assert last.layers == {"consensus": ()}


@pytest.mark.parametrize("by", METHODS)
def test_batches_do_not_show(by: str) -> None:
    combined = combine(agreed(BATCH + 5), by=by)
    assert len({document.layers["consensus"] for document in combined}) == 1


@pytest.mark.parametrize("n_annotators", [5, 12, 40])
@pytest.mark.parametrize("by", METHODS)
def test_what_is_decided_does_not_depend_on_the_size_of_batches(by: str, n_annotators: int) -> None:
    batch = crowded(n_annotators)
    stage = ConsensusStage(by=by)
    known = stage.finish(stage.observe(iter(batch)))
    whole = list(stage.decide(iter(batch), known, stage.nothing()))
    for size in (1, 3, 7):
        parts = [batch[first : first + size] for first in range(0, len(batch), size)]
        assert whole == [
            each for part in parts for each in stage.decide(iter(part), known, stage.nothing())
        ]


def crowded(n_annotators: int) -> list[Document]:
    """Documents that a third of the annotators looked at, who begin and end names all over."""
    rng = np.random.default_rng(1)
    batch = []
    for number in range(30):
        layers = {
            f"annotator {who}": tuple(
                Span(20 * place + 7 - before, 20 * place + 12 + after, "Gene")
                for place in range(4)
                for before, after in [np.maximum(0, rng.integers(-7, 7, 2)).tolist()]
                if rng.random() < 0.75
            )
            for who in range(n_annotators)
            if rng.random() < 0.3 or who == number % n_annotators
        }
        batch.append(Document(id=str(number), text="a sort of long name " * 4, layers=layers))
    return batch


def test_alternatives_and_a_former_consensus_do_not_vote() -> None:
    layers = {"a": (GENE,), "a.alternatives": (DISEASE,), "consensus": (DISEASE,)}
    document = Document(id="1", text=TEXT, layers=layers)
    assert set(voting(document).layers) == {"a"}
    assert set(voting(document, ["a", "a.alternatives"]).layers) == {"a", "a.alternatives"}


def test_a_former_consensus_votes_for_one_of_another_name_if_it_is_asked_for() -> None:
    layers = {"a": (GENE,), "b": (GENE,), "consensus": (DISEASE,)}
    document = Document(id="1", text=TEXT, layers=layers)
    assert set(voting(document, name="other").layers) == {"a", "b"}
    assert set(voting(document, ["a", "consensus"], name="other").layers) == {"a", "consensus"}
    assert set(voting(document, ["a", "consensus"]).layers) == {"a"}


def test_an_unknown_method_suggests_another() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'hearts'"):
        combine(agreed(1), by="heart")


def test_nothing_to_learn_from_is_an_error() -> None:
    with pytest.raises(UsageError, match="no document"):
        combine([], by="hearts")


@pytest.mark.corpus
def test_the_default_beats_every_tagger_and_every_vote_on_the_tagger_outputs(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "taggers-dev"
    stream = read(folder / "text.in")
    for path in sorted(folder.glob("s*.eval")):
        stream = read(path, documents=stream)
    for path in (folder / "GENE.eval", folder / "ALTGENE.eval"):
        stream = read(path, documents=stream)
    batch = list(stream)
    names = sorted(set(batch[0].layers) - {"GENE", "ALTGENE"})

    def f1(annotator: str, documents: list[Document]) -> float:
        found = wrong = wanted = 0
        for document in documents:
            core, others = document.layers["GENE"], document.layers["ALTGENE"]
            candidates = {(s.start, s.end) for s in document.layers[annotator]}
            wanted += len(core)
            for name in core:
                rivals = [name, *(s for s in others if s.start < name.end and name.start < s.end)]
                found += any((s.start, s.end) in candidates for s in rivals)
            wrong += len(candidates - {(s.start, s.end) for s in core + others})
        return 2 * found / (found + wrong + wanted)

    ours = f1("consensus", combine(batch, annotators=names))
    assert ours > max(f1(name, batch) for name in names)
    for by in set(METHODS) - {"hearts", "people"}:
        for votes in range(1, 7) if "min_votes" in CONSENSUS[by].takes else [1]:
            options = Options(Settings(min_votes=votes))
            assert ours > f1("consensus", combine(batch, by=by, annotators=names, options=options))


@pytest.mark.parametrize("by", METHODS)
def test_a_flat_method_says_what_it_cannot_do(by: str) -> None:
    nested = (Span(13, 26, "Disease"), Span(20, 26, "Disease"))
    layers = {"a": nested, "b": (GENE,), "c": (Span(0, 26, "Gene", None, ((0, 5), (13, 26))),)}
    stage = ConsensusStage(by=by)
    work = Streaming(stage, Held([Document(id="1", text=TEXT, layers=layers)]))
    notes = [note for note in stage.notes(work.known) if note[0] == "flattened"]
    said = [
        ("flattened", "nested and discontinuous names", "a, c; --by people decides each, and whole")
    ]
    assert notes == (said if CONSENSUS[by].is_flat else [])
    assert list(stage.notes(stage.known_in(stage.kept(work.known)))) == notes
