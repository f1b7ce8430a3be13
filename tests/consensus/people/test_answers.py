"""Answers of a crowd too large to be held: a sample that no way of cutting documents changes."""

from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span, SpanTable
from vermeil.columns.levels import levels_of
from vermeil.consensus import Options
from vermeil.consensus.people import answers
from vermeil.consensus.people.answers import AnswerRows, Answers, each_row
from vermeil.consensus.people.evidence import gather_both
from vermeil.consensus.people.model import learn
from vermeil.consensus.stage import ConsensusStage

BATCHES = st.lists(documents(annotators=("a", "b", "c", "d")), min_size=2, max_size=5)


def people(n_people: int, n_documents: int) -> list[Document]:
    """Three of many see each text; all find nine names of ten, but the first finds every other."""
    rng = np.random.default_rng(0)
    batch = []
    for number in range(n_documents):
        layers = {
            f"p{person:03}": tuple(
                Span(5 * place, 5 * place + 4, "Gene")
                for place in range(4)
                if rng.random() < (0.5 if person == 0 else 0.9)
            )
            for person in rng.choice(n_people, 3, replace=False).tolist()
        }
        batch.append(Document(id=str(number), text="abcd " * 4, layers=layers))
    return batch


def observed(batch: list[Document], least: int = 0) -> Answers:
    table = SpanTable.from_documents(batch)
    said = gather_both(table, levels=levels_of(table))
    return Answers.in_evidence(table, said, each_row(said), least=least)


def shown(found: Answers) -> list[object]:
    rows = [
        getattr(each, column).tolist()
        for each in (found.pooled, found.apart)
        for column in AnswerRows.__dataclass_fields__
    ]
    return [found.annotators, found.labels, found.n_documents.tolist(), found.least, *rows]


@given(batch=BATCHES, most=st.integers(1, 12), cut=st.integers(1, 4), before=st.booleans())
def test_the_sample_is_the_same_however_documents_are_cut(
    batch: list[Document], most: int, cut: int, before: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "MOST_ENTRIES", most)
        batch = [each.replace(id=str(number)) for number, each in enumerate(batch)]
        whole, first = observed(batch), observed(batch[:cut])
        # A part may know what was left out before, and leave it out at once.
        rest = [observed([each], first.least if before else 0) for each in batch[cut:]]
        assert shown(reduce(add, rest, first)) == shown(whole)
        assert shown(reduce(add, [*rest[::-1], first])) == shown(whole)


def test_no_more_is_held_than_fits_and_the_rest_is_left_out_by_lot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = people(40, 400)
    whole = observed(batch)
    assert np.allclose(
        [(whole.pooled.count * (whole.pooled.lot >= lot)).sum() for lot in (1, 2, 3)],
        [whole.pooled.count.sum() / 2**lot for lot in (1, 2, 3)],
        rtol=0.2,
    )
    monkeypatch.setattr(answers, "MOST_ENTRIES", 1500)
    thin = reduce(add, [observed(batch[n : n + 100]) for n in range(0, 400, 100)])
    assert 750 < thin.n_entries <= 1500 < whole.n_entries
    assert thin.n_documents.tolist() == whole.n_documents.tolist()


def test_a_sample_teaches_much_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = people(12, 900)
    whole = learn(observed(batch))
    monkeypatch.setattr(answers, "MOST_ENTRIES", 2500)
    sample = observed(batch)
    assert sample.least > 0
    some = learn(sample)
    assert some.hit[0] == pytest.approx(0.5, abs=0.1)
    assert some.hit == pytest.approx(whole.hit, abs=0.1)


def test_hearts_of_one_lot_and_another_are_counted_together_when_they_teach() -> None:
    batch = [
        Document(id=str(n), text="abcd", layers={who: (Span(0, 4, "Gene"),) for who in "abc"})
        for n in range(50)
    ]
    found = observed(batch)
    assert len(found.pooled) > 1
    voted, _, _ = found.without("")
    assert voted.pooled.count.tolist() == [50]


def test_batches_are_added_like_to_like(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vermeil.consensus.voters.BATCH", 3)
    sizes: list[tuple[int, int]] = []
    plus = Answers.__add__

    def noting(one: Answers, other: Answers) -> Answers:
        sizes.append((int(one.n_documents.sum()), int(other.n_documents.sum())))
        return plus(one, other)

    monkeypatch.setattr(Answers, "__add__", noting)
    stage = ConsensusStage(choices=Options(read=False))
    seen = stage.observe(iter(people(9, 3 * 11)))
    assert seen.patterns.answers.n_documents.sum() == 3 * 3 * 11
    assert len(sizes) == 10
    assert sum(one == other for one, other in sizes) == 8


def test_a_batch_of_many_layers_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    from vermeil.consensus.voters import batches

    monkeypatch.setattr("vermeil.consensus.voters.MOST_LAYERS", 7)
    found = list(batches(people(9, 8)))
    assert [len(each) for each in found] == [3, 3, 2]
    assert all(one[-1].id < two[0].id for one, two in pairwise(found))
