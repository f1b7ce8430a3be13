from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.document import Document
from vermeil.recognise.rescoring.abbreviations import NO_NAME
from vermeil.recognise.rescoring.features import FAMILIES, describe, log_odds
from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources
from vermeil.recognise.words.name_rates import NameRates
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import ChainPotentials
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet

TRAINING = [marked("0", "It is [C:ethanol] in water.")]


def described(
    document: Document,
    names: list[tuple[int, int, float]],
    *,
    families: Sequence[str] = FAMILIES,
) -> dict[str, list[float]]:
    """Describe candidates given as tokens and confidence."""
    axis = TokenAxis.of([document])
    start, end, confidence = map(np.array, zip(*names, strict=True))
    sentence = np.searchsorted(axis.first_token, start, side="right") - 1
    label = np.zeros(len(start), int)
    candidates = Candidates(("C",), sentence, start, end, label, confidence=confidence)
    tags = TagSet(("C",))
    flat = ChainPotentials(tags, axis.first_token, np.zeros((len(axis.words), 3)), np.zeros((3, 3)))
    lists = Lists.of(Resources({"C": ["DEX"]}), "fine")
    knowledge = Knowledge.fit(TRAINING, ["C"], lists, annotator="gold")
    seen = TokenAxis.of(TRAINING)
    tag = seen.tags_of(TRAINING, tags, annotator="gold")
    rates = NameRates.of(seen, tag, tags, knowledge.preclassifier.tokens, knowledge.seen)
    knowledge = replace(knowledge, rates=rates)
    said = describe(
        candidates, lattice_of(flat), axis, [document.text], knowledge, families=families
    )
    return dict(zip(said.names, said.values.T.tolist(), strict=True))


def test_the_same_string_elsewhere_counts_but_not_itself() -> None:
    # We(0) gave(1) DEX(2) .(3) DEX(4) and(5) dex(6) .(7)
    document = Document(id="1", text="We gave DEX. DEX and dex.")
    columns = described(document, [(2, 3, 0.9), (4, 5, 0.5), (6, 7, 0.2)])
    assert columns["same: how often"] == [1, 1, 0]
    assert columns["same: mean"][:2] == pytest.approx([0.0, np.log(9)])
    assert np.isnan(columns["same: mean"][2])
    assert columns["folded: how often"] == [2, 2, 2]
    assert columns["folded: best"] == pytest.approx([0.0, np.log(9), np.log(9)])


def test_blocked_candidates_do_not_vote_among_the_unblocked() -> None:
    document = Document(id="1", text="ethyl acetate . ethyl group")
    columns = described(document, [(0, 2, 0.9), (0, 1, 0.05), (3, 4, 0.6)])
    assert columns["blocked"] == [0, 1, 0]
    assert columns["same: how often"][2] == 1
    assert columns["same unblocked: how often"][2] == 0


def test_what_overlaps_is_measured_by_where_it_lies() -> None:
    document = Document(id="1", text="a b c d")
    columns = described(document, [(0, 3, 0.5), (1, 2, 0.25), (2, 4, 0.125)])
    odds = log_odds(np.array([0.5, 0.25, 0.125])).tolist()
    assert columns["overlapping"] == pytest.approx([0.375, 0.5, 0.5])
    assert columns["best inside"][0] == pytest.approx(odds[1])
    assert columns["best around"][1] == pytest.approx(odds[0])
    assert columns["best across"][0] == pytest.approx(odds[2])


def test_a_short_form_knows_its_long_form_wherever_it_stands() -> None:
    # gave(0) dexamethasone(1) ((2) DEX(3) )(4) .(5) DEX(6) helped(7)
    document = Document(id="1", text="gave dexamethasone (DEX). DEX helped")
    columns = described(document, [(1, 2, 0.9), (3, 4, 0.5), (6, 7, 0.3)])
    assert columns["short form fits"][1:] == [1, 1]
    assert columns["long form"][1:] == pytest.approx([np.log(9)] * 2)
    assert columns["short form"][0] == pytest.approx(0.0)
    assert columns["in brackets"] == [0, 1, 0]


def test_a_short_form_stands_for_a_name_as_far_as_its_long_form_is_one() -> None:
    # a(0) total(1) acetic(2) acid(3) ((4) AA(5) )(6) .(7) AA(8) rose(9)
    document = Document(id="1", text="a total acetic acid (AA). AA rose")
    names = [(1, 4, 0.2), (2, 4, 0.7), (3, 4, 0.1), (5, 6, 0.5), (8, 9, 0.3)]
    columns = described(document, names)
    assert np.isnan(columns["name before bracket"][:3]).all()
    for use in (3, 4):
        assert columns["name before bracket"][use] == pytest.approx(1.0)
        assert columns["long form: log odds"][use] == pytest.approx(np.log(7 / 3))
        assert columns["long form: best"][use] == pytest.approx(0.7)
        assert columns["long form: fit"][use] == pytest.approx(0.2 * 4 / 5 + 0.7 + 0.1 * 2 / 3)


def test_a_long_form_that_is_no_name_says_so_and_a_missing_one_says_nothing() -> None:
    # gave(0) lead(1) ((2) Pb(3) )(4) and(5) acetic(6) acid(7) ((8) AA(9) )(10)
    document = Document(id="1", text="gave lead (Pb) and acetic acid (AA)")
    columns = described(document, [(1, 2, 0.9), (3, 4, 0.5), (9, 10, 0.5)])
    assert columns["name before bracket"][1:] == pytest.approx([0.9, 0.0])
    assert np.isnan(columns["long form: fit"][1])
    assert (columns["long form: fit"][2], columns["long form: log odds"][2]) == (0, NO_NAME)


def test_a_model_without_a_family_of_features_is_described_as_it_was() -> None:
    document = Document(id="1", text="gave dexamethasone (DEX). DEX helped")
    names = [(1, 2, 0.9), (3, 4, 0.5), (6, 7, 0.3)]
    every, first = described(document, names), described(document, names, families=())
    assert list(every)[: len(first)] == list(first)
    assert len(every) > len(first)
    for title, values in first.items():
        assert np.array_equal(values, every[title], equal_nan=True)


def test_lists_are_asked_for_the_whole_string() -> None:
    document = Document(id="1", text="DEX and ethanol")
    columns = described(document, [(0, 1, 0.5), (2, 3, 0.5)])
    assert columns["in lexicon"] == [1, 0]
    assert columns["seen as a name"] == [0, 1]
