import random
from math import exp, inf, log

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.batches import batches, shuffled
from vermeil import Document, Layer, Span, SpanTable
from vermeil.consensus.rivals import dawid_skene
from vermeil.consensus.rivals.dawid_skene import ABSENT, FLOOR, Confusions, TagPatterns
from vermeil.consensus.token_vote import collect
from vermeil.errors import UsageError

BATCHES = batches(annotators=("anna", "ben", "cleo"))


def learned(batch: list[Document]) -> Confusions:
    return dawid_skene.learn(TagPatterns.of(SpanTable.from_documents(batch)))


def decided(batch: list[Document]) -> list[Layer]:
    return dawid_skene.decide(SpanTable.from_documents(batch), learned(batch)).layers()


def tag_rows(batch: list[Document]) -> list[dict[int, int]]:
    """Give, for every token that anybody looked at, the tag of each annotator."""
    ballot = collect(SpanTable.from_documents(batch))
    looked = ballot.table.looked
    rows = [
        dict.fromkeys(np.flatnonzero(looked[document]).tolist(), 0)
        for document in ballot.document.tolist()
    ]
    for token, annotator, tag in zip(
        ballot.token.tolist(), ballot.annotator.tolist(), ballot.tag.tolist(), strict=True
    ):
        rows[token][annotator] = tag
    return rows


class Textbook:
    """EM token by token, as the paper has it and crowd-kit runs it."""

    def __init__(self, rows: list[dict[int, int]], n_rounds: int) -> None:
        self.rows = rows
        self.tags = sorted({tag for row in rows for tag in row.values()})
        self.used = sorted({(a, tag) for row in rows for a, tag in row.items()})
        chance = [{tag: [*row.values()].count(tag) / len(row) for tag in self.tags} for row in rows]
        prior, error = self.maximise(chance)
        before = -inf
        for _ in range(n_rounds):
            self.prior, self.error = prior, error
            chance = self.chance = [self.expect(row, prior, error) for row in rows]
            prior, error = self.maximise(chance)
            bound = self.bound(chance, prior, error)
            if bound - before < 1e-5:
                break
            before = bound

    def maximise(
        self, chance: list[dict[int, float]]
    ) -> tuple[dict[int, float], dict[tuple[int, int, int], float]]:
        prior = {tag: sum(c[tag] for c in chance) / len(chance) for tag in self.tags}
        error: dict[tuple[int, int, int], float] = {}
        for a, said in self.used:
            given_by = [c for c, row in zip(chance, self.rows, strict=True) if row.get(a) == said]
            for true in self.tags:
                error[a, true, said] = max(FLOOR, sum(c[true] for c in given_by))
        total = {
            (a, true): sum(error[a, true, said] for b, said in self.used if a == b)
            for a, true, _ in error
        }
        prior = {tag: max(FLOOR, value) for tag, value in prior.items()}
        return prior, {key: value / total[key[:2]] for key, value in error.items()}

    def expect(
        self,
        row: dict[int, int],
        prior: dict[int, float],
        error: dict[tuple[int, int, int], float],
    ) -> dict[int, float]:
        logit = {
            true: log(prior[true]) + sum(log(error[a, true, said]) for a, said in row.items())
            for true in self.tags
        }
        power = {true: exp(value - max(logit.values())) for true, value in logit.items()}
        return {true: value / sum(power.values()) for true, value in power.items()}

    def bound(
        self,
        chance: list[dict[int, float]],
        prior: dict[int, float],
        error: dict[tuple[int, int, int], float],
    ) -> float:
        total = 0.0
        for row, c in zip(self.rows, chance, strict=True):
            for true, value in c.items():
                for a, said in row.items():
                    total += value * (log(error[a, true, said]) + log(prior[true]))
                total -= max(FLOOR, value) * log(max(FLOOR, value))
        return total / sum(map(len, self.rows))


@given(BATCHES, st.sampled_from([1, 2, 4]))
def test_it_is_the_textbook_em(batch: list[Document], n_rounds: int) -> None:
    rows = tag_rows(batch)
    if not rows:
        return
    twin = Textbook(rows, n_rounds)
    table = SpanTable.from_documents(batch)
    found = dawid_skene.learn(TagPatterns.of(table), n_rounds=n_rounds)
    for tag, value in twin.prior.items():
        assert found.prior[tag] == pytest.approx(value, abs=1e-9)
    for (annotator, true, said), value in twin.error.items():
        assert found.confusion[annotator, true, said] == pytest.approx(value, abs=1e-9)
    tags = np.full((len(rows), len(table.annotators)), ABSENT)
    for number, row in enumerate(rows):
        tags[number, list(row)] = list(row.values())
    for row_found, row_wanted in zip(found.posterior(tags), twin.chance, strict=True):
        for tag, value in row_wanted.items():
            assert row_found[tag] == pytest.approx(value, abs=1e-9)


GENE = "Gene"
SENTENCES = [
    Document(
        id=str(number),
        text="p53 binds human DNA",
        layers={name: tuple(Span(*span, GENE) for span in spans) for name, spans in layers.items()},
    )
    for number, layers in enumerate(
        [
            {"anna": [(0, 3)], "ben": [(0, 3)], "cleo": [(0, 9)]},
            {"anna": [(0, 3), (10, 15)], "ben": [(0, 3)], "cleo": []},
            {"anna": [(0, 3)], "cleo": [(16, 19)]},
            {"anna": [], "ben": [(0, 3)], "cleo": [(0, 3)]},
        ]
    )
]


# Chances of O, B and I for the tags of anna, ben and cleo, as crowdkit.aggregation.DawidSkene() of
# crowd-kit 1.4.2 gives them for SENTENCES.
CROWD_KIT = [
    ([0, 0, 0], [0.999607, 0.000239, 0.000154]),
    ([1, 1, 1], [0.000002, 0.999998, 0.0]),
    ([0, 0, 2], [0.99838, 0.0, 0.00162]),
    ([1, 1, 0], [0.000319, 0.999681, 0.0]),
    ([1, 0, 0], [0.998291, 0.001709, 0.0]),
    ([0, 2, 2], [0.000188, 0.0, 0.999812]),
    ([1, ABSENT, 0], [0.641374, 0.358626, 0.0]),
    ([2, ABSENT, 0], [0.061598, 0.0, 0.938402]),
    ([0, ABSENT, 0], [0.876716, 0.068459, 0.054825]),
    ([0, ABSENT, 1], [0.073484, 0.926516, 0.0]),
]


@pytest.mark.parametrize(("tags", "chances"), CROWD_KIT)
def test_crowd_kit_gives_the_same_chances(tags: list[int], chances: list[float]) -> None:
    [found] = learned(SENTENCES).posterior(np.array([tags]))
    assert found.tolist() == pytest.approx(chances, abs=1e-6)


def test_two_who_agree_are_trusted_more_than_a_third() -> None:
    agreed = {"anna": (Span(0, 3, GENE),), "ben": (Span(0, 3, GENE),), "cleo": (Span(4, 9, GENE),)}
    nothing = dict.fromkeys(agreed, ())
    sentence = Document(id="1", text="XYZ binds", layers=agreed)
    disputed = sentence.replace(layers={name: agreed[name] for name in ("anna", "cleo")})
    silent = sentence.replace(text="a longer sentence without names", layers=nothing)
    *_, layer = decided([sentence] * 10 + [silent] * 10 + [disputed])
    assert [(span.start, span.end) for span in layer] == [(0, 3)]


def test_a_tag_that_goes_on_with_nothing_begins_a_name() -> None:
    begins_for_inside = np.array([[[1.0, 0, 0], [0, 0, 1.0], [0, 1.0, 0]]])
    confusions = Confusions(("anna",), (GENE,), np.array([0.8, 0.1, 0.1]), begins_for_inside)
    batch = [Document(id=id, text="p", layers={"anna": (Span(0, 1, GENE),)}) for id in "12"]
    [one, other] = dawid_skene.decide(SpanTable.from_documents(batch), confusions).layers()
    assert [(span.start, span.end) for span in (*one, *other)] == [(0, 1), (0, 1)]


def test_tags_are_named_in_the_order_of_their_codes() -> None:
    assert learned(SENTENCES).tags == ("O", "B-Gene", "I-Gene")


@given(BATCHES, st.integers(0, 4))
def test_patterns_of_parts_add_to_the_whole(batch: list[Document], cut: int) -> None:
    parts = batch[:cut], batch[cut:]
    one, other = (TagPatterns.of(SpanTable.from_documents(part)) for part in parts)
    whole, both = TagPatterns.of(SpanTable.from_documents(batch)), one + other
    assert (both.annotators, both.labels) == (whole.annotators, whole.labels)
    assert both.tags.tolist() == whole.tags.tolist()
    assert both.count.tolist() == whole.count.tolist()


def test_patterns_add_by_the_names_of_labels_and_annotators() -> None:
    gene = Document(id="1", text="p53", layers={"anna": (Span(0, 3, GENE),), "ben": ()})
    cell = Document(id="2", text="p53", layers={"ben": (Span(0, 3, "Cell"),)})
    one, other = (TagPatterns.of(SpanTable.from_documents([each])) for each in (gene, cell))
    for both in (one + other, other + one):
        assert (both.annotators, both.labels) == (("anna", "ben"), ("Cell", GENE))
        tags = {(*row,): n for row, n in zip(both.tags.tolist(), both.count, strict=True)}
        assert tags == {(3, 0): 1, (4, 0): 1, (ABSENT, 1): 1, (ABSENT, 2): 1}


@given(BATCHES)
def test_a_part_can_be_decided_with_what_the_whole_taught(batch: list[Document]) -> None:
    found = learned(batch)
    alone = [
        dawid_skene.decide(SpanTable.from_documents([document]), found).layers()[0]
        for document in batch
    ]
    assert alone == dawid_skene.decide(SpanTable.from_documents(batch), found).layers()


@given(BATCHES, st.randoms(use_true_random=False))
def test_no_order_changes_anything(batch: list[Document], chance: random.Random) -> None:
    layer_by_id = {d.id: layer for d, layer in zip(batch, decided(batch), strict=True)}
    again = shuffled(batch, chance)
    assert {d.id: layer for d, layer in zip(again, decided(again), strict=True)} == layer_by_id


def test_an_annotator_nothing_was_learned_about_is_named() -> None:
    stranger = Document(id="1", text="p53", layers={"dora": ()})
    with pytest.raises(UsageError, match="the annotator 'dora', only about anna, ben, cleo; learn"):
        dawid_skene.decide(SpanTable.from_documents([stranger]), learned(SENTENCES))


def test_nothing_comes_of_nothing() -> None:
    assert decided([Document(id="1", text="p53")]) == [()]
    assert decided([Document(id="1", text="", layers={"anna": ()})]) == [()]
