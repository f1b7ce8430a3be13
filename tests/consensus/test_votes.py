"""Votes and peaks against a naive twin that follows the text of the paper."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span, SpanTable
from vermeil.columns.axis import lay_axis
from vermeil.consensus.votes import UNIT, containing, find_hearts, names_of, vote_runs

BATCHES = st.tuples(documents(id="1"), documents(id="2"))
IGNORED = st.sampled_from(["", "-", "\"'*+-]"])


def naive_hearts(document: Document, ignored: str, singles: bool) -> Counter[tuple[object, ...]]:
    """Count pairs in dictionaries, label by label, character by character."""
    text = document.text
    kept = [i for i, c in enumerate(text) if not c.isspace() and c not in ignored]
    place = {offset: number for number, offset in enumerate(kept)}
    names: dict[str, list[list[int]]] = {}
    for layer in document.layers.values():
        for span in layer:
            for start, end in span.pieces:
                covered = [place[i] for i in range(start, end) if i in place]
                if covered:
                    names.setdefault(span.label, []).append(covered)
    found: Counter[tuple[object, ...]] = Counter()
    for label, group in names.items():
        votes = [0] * (len(kept) + 1)
        for covered in group:
            for k in covered[:-1]:
                votes[k] += 1
        at = 0
        while at < len(kept):
            end = at
            while end + 1 < len(votes) and votes[end + 1] == votes[at]:
                end += 1
            before = votes[at - 1] if at else 0
            after = votes[end + 1] if end + 1 < len(votes) else 0
            if votes[at] > before and votes[at] > after:
                found[label, kept[at], kept[end + 1] + 1, votes[at]] += 1
            at = end + 1
        single = Counter(covered[0] for covered in group if len(covered) == 1)
        for k, n in single.items():
            if singles and not votes[k] and not (k and votes[k - 1]):
                found[label, kept[k], kept[k] + 1, n] += 1
    return found


@given(BATCHES, IGNORED, st.booleans())
def test_hearts_are_those_of_the_naive_twin(
    batch: tuple[Document, ...], ignored: str, singles: bool
) -> None:
    table = SpanTable.from_documents(batch)
    axis = lay_axis(table, ignored)
    hearts = find_hearts(names_of(table, axis), axis, singles=singles)
    start, end = axis.bounds(hearts.first, hearts.end)
    document = np.searchsorted(table.origin, start, side="right") - 1
    for number, each in enumerate(batch):
        rows = np.flatnonzero(document == number)
        origin = table.origin[number]
        found = Counter(
            (
                table.labels[hearts.group[k]],
                start[k] - origin,
                end[k] - origin,
                hearts.votes[k] / UNIT,
            )
            for k in rows
        )
        assert found == naive_hearts(each, ignored, singles)


@given(BATCHES)
def test_equal_weights_make_the_same_runs_as_unequal_ones_would(
    batch: tuple[Document, ...],
) -> None:
    table = SpanTable.from_documents(batch)
    axis = lay_axis(table)
    plain = names_of(table, axis)
    weight = np.ones(len(table))
    if len(weight):
        weight[0] += 1e-15  # below the unit of votes: takes the slow way to the same numbers
    slow = names_of(table, axis, weight=weight)
    assert [a.tolist() for a in vote_runs(plain, axis)] == [
        a.tolist() for a in vote_runs(slow, axis)
    ]


@given(BATCHES)
def test_names_contain_the_hearts_they_are_said_to(batch: tuple[Document, ...]) -> None:
    table = SpanTable.from_documents(batch)
    axis = lay_axis(table)
    names = names_of(table, axis)
    hearts = find_hearts(names, axis)
    pairs = set(zip(*(column.tolist() for column in containing(names, hearts, axis)), strict=True))
    assert pairs == {
        (n, h)
        for n in range(len(names.row))
        for h in range(len(hearts))
        if names.group[n] == hearts.group[h]
        and names.first[n] <= hearts.first[h]
        and hearts.end[h] <= names.end[n]
    }


def test_two_names_side_by_side_stay_apart() -> None:
    document = Document(id="1", text="p53p63", layers={"a": (Span(0, 3, "G"), Span(3, 6, "G"))})
    table = SpanTable.from_documents([document])
    axis = lay_axis(table)
    hearts = find_hearts(names_of(table, axis), axis)
    assert hearts.first.tolist() == [0, 3]
    assert hearts.end.tolist() == [3, 6]
