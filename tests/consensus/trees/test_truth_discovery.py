"""CPTAM: weights as counted naively, spans by more than half of them, labels by a vote."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings

from tests.consensus.trees.voices import of_texts, voices
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.truth_discovery import (
    N_TURNS,
    ParserWeights,
    SpanPatterns,
    chosen_brackets,
)
from vermeil.formats.forests import Forests

Spans = dict[tuple[int, int], tuple[str, ...]]


@settings(max_examples=40)
@given(voices())
def test_weights_are_those_found_naively(batch: Forests) -> None:
    tables = batch.prepared(["clegg"])
    learned = ParserWeights.learn(SpanPatterns.of(tables))
    weights, of_labels = naive_weights(tables)
    assert learned.weights.tolist() == pytest.approx(weights)
    assert learned.label_weights.tolist() == pytest.approx(of_labels)


@settings(max_examples=20)
@given(voices(), voices())
def test_what_two_parts_show_adds(one: Forests, two: Forests) -> None:
    parts = [SpanPatterns.of(each.prepared(["clegg"])) for each in (one, two)]
    total = parts[0] + parts[1]
    for pattern in {**parts[0].counts, **parts[1].counts}:
        assert total.counts[pattern] == sum(each.counts.get(pattern, 0) for each in parts)


def test_the_parser_that_differs_least_weighs_most_and_labels_are_voted_on() -> None:
    batch = of_texts(
        anna="(S (NP (DT a) (NN b)) (VP (VB c)))",
        ben="(S (NP (DT a) (NN b)) (VP (VB c)))",
        cleo="(S (DT a) (X (NN b) (VB c)))",
    )
    learned = ParserWeights.learn(SpanPatterns.of(batch.tables))
    assert learned.weights[0] == learned.weights[1] > learned.weights[2]
    [made] = chosen_brackets(Pool.of(batch.tables), learned)
    assert made is not None
    assert [tuple(each) for each in made] == [(0, 3, "S"), (0, 2, "NP"), (2, 3, "VP")]


def test_spans_with_half_of_the_weight_are_taken_where_they_cross_nothing() -> None:
    batch = of_texts(anna="(S (NP (DT a) (NN b)) (VB c))", ben="(S (DT a) (VP (NN b) (VB c)))")
    even = ParserWeights(np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    [made] = chosen_brackets(Pool.of(batch.tables), even)
    assert made is not None
    assert [tuple(each) for each in made] == [(0, 3, "S"), (0, 2, "NP")]


def naive_weights(tables: Mapping[str, object]) -> tuple[list[float], list[float]]:
    """Find weights span by span, as the paper's two steps have them."""
    pool = Pool.of(tables)  # type: ignore[arg-type]
    sentences: list[list[Spans | None]] = []
    for number in range(len(pool.parsed)):
        row: list[Spans | None] = []
        for member in range(len(pool.members)):
            spans: Spans = {}
            for at in np.flatnonzero((pool.sentence == number) & pool.have[:, member]):
                span = int(pool.start[at]), int(pool.end[at])
                spans[span] = (*spans.get(span, ()), pool.labels[pool.label[at]])
            row.append(spans if pool.parsed[number, member] else None)
        sentences.append(row)
    n_members = len(pool.members)
    weights = labels = [1 / n_members] * n_members
    for _ in range(N_TURNS):
        weights = reweighed(sentences, weights, differing)
    for _ in range(N_TURNS):
        labels = reweighed(sentences, labels, outvoted)
    return weights, labels


def reweighed(sentences: list[list[Spans | None]], weights: list[float], lost) -> list[float]:  # type: ignore[no-untyped-def]
    total, n = [0.5] * len(weights), [0] * len(weights)
    for row in sentences:
        for span in {span for spans in row if spans is not None for span in spans}:
            for member, part in lost(row, span, weights).items():
                total[member] += part
                n[member] += 1
    apart = [one / max(1, many) for one, many in zip(total, n, strict=True)]
    found = [-math.log(each / sum(apart)) for each in apart]
    return [each / sum(found) for each in found]


def differing(
    row: Sequence[Spans | None], span: tuple[int, int], weights: Sequence[float]
) -> dict[int, float]:
    parsed = {member: spans for member, spans in enumerate(row) if spans is not None}
    lead = sum(weights[m] * (1 if span in spans else -1) for m, spans in parsed.items())
    chosen = 0.5 if abs(lead) < 1e-9 else float(lead > 0)
    return {member: abs((span in spans) - chosen) for member, spans in parsed.items()}


def outvoted(
    row: Sequence[Spans | None], span: tuple[int, int], weights: Sequence[float]
) -> dict[int, float]:
    said = {m: spans[span] for m, spans in enumerate(row) if spans is not None and span in spans}
    support = {
        chain: sum(weights[m] for m, other in said.items() if other == chain)
        for chain in said.values()
    }
    best = [chain for chain in support if support[chain] > max(support.values()) - 1e-9]
    return {m: 1 - 1 / len(best) if chain in best else 1.0 for m, chain in said.items()}
