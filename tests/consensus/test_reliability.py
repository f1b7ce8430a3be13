import itertools
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.strategies import documents
from vermeil import Document, Layer, Span, SpanTable
from vermeil.consensus.evidence import gather, ranked
from vermeil.consensus.hearts import judge
from vermeil.consensus.reliability import Existence, Patterns, Reliability, Rows, fit_cuts, learn

ANNOTATORS = ("a", "b", "c", "d")


def made_up(seed: int, n: int = 4000) -> tuple[Rows, NDArray[np.float64]]:
    """Votes of four annotators with known coins on hearts of which 60% are true."""
    rng = np.random.default_rng(seed)
    true = rng.random(n) < 0.6
    hit, alarm = np.array([0.95, 0.8, 0.6, 0.85]), np.array([0.05, 0.1, 0.02, 0.3])
    votes = (rng.random((n, 4)) < np.where(true[:, None], hit, alarm)).astype(np.int8)
    some = votes.any(axis=1)
    votes = votes[some]
    return Rows(votes, np.ones_like(votes), np.ones(len(votes))), np.stack([hit, alarm])


def learned(batch: list[Document]) -> Reliability:
    table = SpanTable.from_documents(batch)
    return learn(Patterns.of(gather(table), table.annotators))


def corpus(seed: int = 0, n: int = 300) -> list[Document]:
    """Names of which anna finds nearly all, ben half, carl a third with inventions, dora most."""
    rng = np.random.default_rng(seed)
    batch = []
    for number in range(n):
        layers: dict[str, list[Span]] = {name: [] for name in ("anna", "ben", "carl", "dora")}
        for place in range(4):
            start = place * 16
            for name, hit in zip(layers, (0.97, 0.5, 0.3, 0.8), strict=True):
                if rng.random() < hit:
                    wide = name == "dora" and rng.random() < 0.5
                    layers[name].append(
                        Span(start - 6 * wide if start else start, start + 5, "Gene")
                    )
            if rng.random() < 0.3:
                layers["carl"].append(Span(start + 6, start + 9, "Gene"))
        text = "BRCA1 abc human " * 4
        kept = {name: tuple(spans) for name, spans in layers.items()}
        batch.append(Document(id=str(number), text=text, layers=kept))
    return batch


def test_reliable_annotators_are_recognised_without_gold() -> None:
    coins = learned(corpus()).existence
    anna, ben, carl, dora = coins.hit
    assert anna > dora > ben > carl
    assert coins.alarm[2] == max(coins.alarm)


def test_the_tendency_to_cut_wide_is_learned() -> None:
    reliability = learned(corpus())
    exact, wider, narrower = reliability.left.share
    assert wider[3] > 0.2
    assert all(narrower < 0.1)
    assert exact[0] > 0.95


def test_coins_come_out_close_to_the_truth() -> None:
    from vermeil.consensus.reliability import fit_existence

    rows, (hit, _) = made_up(seed=1)
    found = fit_existence(rows.summed())
    assert np.abs(found.hit - hit).max() < 0.1


@given(st.lists(documents(annotators=("a", "b", "c")), min_size=2, max_size=4))
def test_patterns_of_two_parts_add_to_those_of_the_whole(batch: list[Document]) -> None:
    def patterns(some: list[Document]) -> Patterns:
        table = SpanTable.from_documents(some)
        return Patterns.of(gather(table), table.annotators)

    whole, parts = patterns(batch), patterns(batch[:1]) + patterns(batch[1:])
    assert whole.annotators == parts.annotators
    for field in ("existence", "left", "right"):
        one, two = getattr(whole, field), getattr(parts, field)
        assert one.said.tolist() == two.said.tolist()
        assert one.looked.tolist() == two.looked.tolist()
        assert one.count.tolist() == two.count.tolist()


def test_evidence_adds_up_as_in_the_formula() -> None:
    coins = Existence(np.array([0.9, 0.6]), np.array([0.1, 0.2]), 0.4, 0.5)
    logit = coins.logit(np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]]))
    assert logit[0] == pytest.approx(log(0.4 / 0.6) + 0.5 * (log(0.9 / 0.1) + log(0.4 / 0.8)))
    alone = coins.logit(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]]))
    assert alone[0] == pytest.approx(log(0.4 / 0.6) + 0.5 * log(0.9 / 0.1))


def test_boundary_posterior_agrees_with_a_naive_twin() -> None:
    rng = np.random.default_rng(3)
    reach = np.where(rng.random((60, 3)) < 0.8, rng.integers(0, 3, (60, 3)), -1)
    ranks = ranked(reach)
    cuts = fit_cuts(ranks, np.ones(len(ranks)))
    posterior = cuts.posterior(ranks)
    exact, wider, narrower = cuts.share
    for row, found in zip(ranks.tolist(), posterior, strict=True):
        n = max(1, max(row) + 1)
        weights = []
        for z in range(n):
            weight = 1.0
            for j, rank in enumerate(row):
                if rank == z:
                    weight *= exact[j]
                elif rank > z:
                    weight *= wider[j] / (n - 1 - z)
                elif rank >= 0:
                    weight *= narrower[j] / z
            weights.append(weight)
        assert found[:n] == pytest.approx(np.array(weights) / sum(weights))


def test_two_annotators_count_the_same() -> None:
    layers = {"a": (Span(0, 5, "Gene"),), "b": (Span(0, 5, "Gene"), Span(6, 9, "Gene"))}
    batch = [Document(id="1", text="BRCA1 p53", layers=layers)]
    table = SpanTable.from_documents(batch)
    verdict = judge(table, gather(table), learned(batch))
    both, one = verdict.existence
    assert both > one == pytest.approx(0.5)


@given(st.lists(documents(annotators=ANNOTATORS), min_size=1, max_size=3))
def test_no_order_changes_a_byte_of_the_verdict(batch: list[Document]) -> None:
    batch = [each.replace(id=str(number)) for number, each in enumerate(batch)]
    wanted: dict[str, Layer] = {}
    for order in itertools.islice(itertools.permutations(batch), 4):
        turned = [d.replace(layers=dict(reversed(list(d.layers.items())))) for d in order]
        table = SpanTable.from_documents(turned)
        verdict = judge(table, gather(table), learned(turned))
        for document, layer in zip(turned, verdict.decided().layers(), strict=True):
            assert wanted.setdefault(document.id, layer) == layer
