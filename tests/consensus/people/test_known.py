"""What somebody has settled: it is the consensus where it was settled, and teaches elsewhere."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.test_laws import batches, names
from vermeil import Document, Span, SpanTable
from vermeil.columns.levels import levels_of
from vermeil.consensus import Options, combine
from vermeil.consensus.people.answers import AnswerRows, Answers
from vermeil.consensus.people.known import OPEN, settled_in, with_settled
from vermeil.consensus.people.live import LiveConsensus
from vermeil.consensus.people.model import learn
from vermeil.errors import UsageError

CURATOR = "curator"
SETTLED = Options(settled=CURATOR)
TEXT = "BRCA1 and p53 in breast cancer cells"
GENE, P53, DISEASE = Span(0, 5, "Gene"), Span(10, 13, "Gene"), Span(17, 30, "Disease")


def observed(batch: list[Document]) -> Answers:
    table = SpanTable.from_documents(batch)
    return Answers.of(table, levels=levels_of(table), settled=CURATOR)


def quarrel(n: int = 60) -> list[Document]:
    """Two find BRCA1, two others p53, all but one breast cancer, so that none copies another."""
    finds = {"a": GENE, "b": GENE, "c": P53, "d": P53}
    return [
        Document(
            id=str(number),
            text=TEXT,
            layers={
                who: (gene,) if place == number % 4 else (gene, DISEASE)
                for place, (who, gene) in enumerate(finds.items())
            },
        )
        for number in range(n)
    ]


def confidences(document: Document) -> dict[int, float]:
    return {span.start: span.confidence or 0.0 for span in document.layers["consensus"]}


@given(batch=batches(annotators=("a", "b", "c", CURATOR)))
def test_a_document_that_is_settled_has_just_the_settled_names(batch: list[Document]) -> None:
    for before, after in zip(batch, combine(batch, options=SETTLED), strict=True):
        if CURATOR in before.layers:
            assert names(after.layers["consensus"]) == names(before.layers[CURATOR])
            assert all(span.confidence == 1.0 for span in after.layers["consensus"])


@given(batch=batches(annotators=("a", "b", "c", CURATOR)), data=st.data())
def test_outside_of_the_stretches_settled_names_stay_and_the_rest_is_open(
    batch: list[Document], data: st.DataObject
) -> None:
    cut = [data.draw(st.integers(1, len(document.text))) for document in batch]
    parted = [
        with_settled(document, CURATOR, [(0, end)])
        for document, end in zip(batch, cut, strict=True)
    ]
    for before, after, end in zip(parted, combine(parted, options=SETTLED), cut, strict=True):
        if CURATOR in before.layers:
            settled, found = (
                names(each.layers[layer])
                for each, layer in ((before, CURATOR), (after, "consensus"))
            )
            assert {*settled} <= {*found}
            inside = [name for name in found if name[1][-1][1] <= end]
            assert {*inside} <= {*settled}


@given(batch=batches(annotators=("a", "b", "c", CURATOR)))
def test_settled_answers_of_two_parts_add_to_those_of_the_whole(batch: list[Document]) -> None:
    whole, parts = observed(batch), observed(batch[:1]) + observed(batch[1:])
    for one, two in ((whole.pooled, parts.pooled), (whole.apart, parts.apart)):
        for column in AnswerRows.__dataclass_fields__:
            assert getattr(one, column).tolist() == getattr(two, column).tolist()


@given(batch=batches(annotators=("a", "b", "c", CURATOR)))
def test_where_all_is_settled_everybody_is_judged_by_it(batch: list[Document]) -> None:
    """A plain twin: who has a name around each heart that the truth has a name around."""
    batch = [document for document in batch if CURATOR in document.layers]
    answers = observed(batch)
    if not len(answers.pooled):
        return
    learned = learn(answers, settled=CURATOR)
    rows = answers.pooled if learned.together else answers.apart
    curator = answers.annotators.index(CURATOR)
    seen: dict[str, float] = defaultdict(float)
    hits: dict[str, float] = defaultdict(float)
    looks = {
        name: {label for label, yes in zip(learned.labels, row, strict=True) if yes}
        for name, row in zip(learned.annotators, learned.looks_for, strict=True)
    }
    for row in range(len(rows)):
        said = {
            int(rows.annotator[at]): int(rows.label[at])
            for at in range(rows.first[row], rows.first[row + 1])
        }
        truth = said.pop(curator)
        for place, label in said.items():
            name = answers.annotators[place]
            if truth >= 0 and answers.labels[truth] in looks[name]:
                seen[name] += rows.count[row]
                hits[name] += rows.count[row] * (label >= 0)
    for place, name in enumerate(learned.annotators):
        peers = [
            each for each in learned.annotators if learned.together or looks[each] == looks[name]
        ]
        crowd = (sum(hits[each] for each in peers) + 2.4) / (sum(seen[each] for each in peers) + 4)
        wanted = (hits[name] + 10 * crowd) / (seen[name] + 10)
        assert learned.hit[place] == pytest.approx(np.clip(wanted, 1e-4, 1 - 1e-4))


def test_settled_names_teach_whom_to_trust_elsewhere() -> None:
    batch = quarrel()
    before = confidences(combine(batch)[-1])
    assert {0, 10, 17} >= before.keys() >= {17}
    assert before.get(0) == before.get(10)
    taught = [document.with_layer(CURATOR, (GENE, DISEASE)) for document in batch[:10]]
    after = confidences(combine([*taught, *batch[10:]], options=SETTLED)[-1])
    assert after[0] > 0.9
    assert 10 not in after


def test_names_that_nobody_proposed_are_missed_by_all() -> None:
    batch = quarrel()
    missed = Span(31, 36, "Cell")
    taught = [document.with_layer(CURATOR, (GENE, DISEASE, missed)) for document in batch[:30]]
    crowd = learn(observed([*taught, *batch[30:]]), {n: {"*"} for n in "abcd"}, settled=CURATOR)
    plain = learn(observed(batch), {n: {"*"} for n in "abcd"})
    assert (crowd.hit[2:] < plain.hit[2:]).all()


def test_a_cut_that_nobody_else_made_is_learned_from() -> None:
    layers = dict.fromkeys("abc", (DISEASE,))
    batch = [Document(id=str(n), text=TEXT, layers=layers) for n in range(40)]
    narrow = Span(24, 30, "Disease")
    taught = [document.with_layer(CURATOR, (narrow,)) for document in batch[:20]]
    crowd = learn(observed([*taught, *batch[20:]]), settled=CURATOR)
    assert (crowd.left[1] > 0.3).all()  # everybody cuts wider on the left
    assert (crowd.right[0] > 0.9).all()


def test_two_annotators_are_known_as_soon_as_something_is_settled() -> None:
    batch = [
        document.replace(layers={n: document.layers[n] for n in "ac"}) for document in quarrel()
    ]
    assert not learn(observed(batch)).is_learned
    taught = [document.with_layer(CURATOR, (GENE, DISEASE)) for document in batch[:20]]
    crowd = learn(observed([*taught, *batch[20:]]), settled=CURATOR)
    assert crowd.is_learned
    assert crowd.hit[0] > crowd.hit[1]
    after = confidences(combine([*taught, *batch[20:]], options=SETTLED)[-1])
    assert 0 in after
    assert 10 not in after


def test_only_hearts_within_the_stretches_are_known() -> None:
    document = quarrel(1)[0].with_layer(CURATOR, ())
    parted = with_settled(document, CURATOR, [(8, 14), (12, 31)])
    _, known, _ = observed([parted]).without(CURATOR)
    assert sorted(known.label.tolist()) == [OPEN, -1, -1]
    [decided] = combine([parted], options=SETTLED)
    assert not confidences(decided).keys() & {10, 17}


@pytest.mark.parametrize("said", [[[0, 99]], [[3, 3]], [["a", 2]], 7, [[1]], [[-1, 2]]])
def test_stretches_that_are_none_are_refused(said: object) -> None:
    document = quarrel(1)[0].replace(meta={"settled": {CURATOR: said}})
    with pytest.raises(UsageError, match=r"document '0': meta\[\"settled\"\]"):
        settled_in(document, CURATOR)


def test_what_is_not_a_mapping_of_layers_is_refused() -> None:
    with pytest.raises(UsageError, match="maps a layer to stretches"):
        settled_in(quarrel(1)[0].replace(meta={"settled": [[0, 3]]}), CURATOR)


def test_a_live_consensus_says_what_the_whole_would_say_again() -> None:
    batch = quarrel(120)
    live = LiveConsensus(batch, settled=CURATOR)
    for number in (*range(20), 70):
        batch[number] = with_settled(batch[number].with_layer(CURATOR, (GENE,)), CURATOR, [(0, 14)])
        live.put(batch[number])
    live.learn()
    for one, two in zip(live.decided(), combine(batch, options=SETTLED), strict=True):
        assert names(one.layers["consensus"]) == names(two.layers["consensus"])
        assert confidences(one) == pytest.approx(confidences(two), abs=1e-4)
    [proposed] = live.proposed(["3"])
    assert {(span.start, span.confidence) for span in proposed} >= {(0, 1.0), (10, 0.0)}
