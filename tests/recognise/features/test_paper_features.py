import zlib
from collections import Counter

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.recognise.features.paper_features import (
    EDGE,
    PAPER_FAMILIES,
    TypedFeatures,
    paired,
    typed_features,
)
from vermeil.recognise.features.views import view_tokens
from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources
from vermeil.sequences.features.rows import encode, salted
from vermeil.sequences.tokens.axis import TokenAxis

DOCUMENTS = [
    marked("1", "We put [C:acetic acid] in [C:lead] pipes. They lead to NaCl and [C:HCl]."),
    marked("2", "Then [C:benzoic acid], [C:toluene] and [C:xylene] burned in air."),
]
GIVEN = Resources({"C": ["formic acid"]}, ["pipes", "lead", "burned", "then"])


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    lists = Lists.of(GIVEN, "chemistry", like_paper=True)
    return Knowledge.fit(DOCUMENTS, ["C"], lists, annotator="gold")


def typed(knowledge: Knowledge, word: str, without: str = "") -> TypedFeatures:
    [found] = typed_features(knowledge, [word], PAPER_FAMILIES - {without})
    return found


def test_the_examples_of_the_paper_come_out(knowledge: Knowledge) -> None:
    acetic, acid = typed(knowledge, "acetic"), typed(knowledge, "acid")
    assert "4G=ceti" in acetic.own
    assert "w=in" in typed(knowledge, "in").shared
    assert "ct=CJ" in acetic.pairing
    # "acid" is of type 2 by itself; were it ambiguous, the pair would be ct=CJ w=acid.
    assert "w=acid" in set(acid.shared) - set(acid.pairing)
    axis = TokenAxis.of(DOCUMENTS, tokeniser="chemistry")
    other = Knowledge.fit(
        [*DOCUMENTS, marked("3", "an acid taste")],
        ["C"],
        Lists.of(GIVEN, "chemistry", like_paper=True),
        annotator="gold",
    )
    encoded = encode(view_tokens(axis, [other], families=PAPER_FAMILIES))
    row = encoded.row[axis.words.index("acetic"), 4]
    codes = encoded.rows.features[slice(*encoded.rows.first[row : row + 2])]
    pair = np.array([zlib.crc32(b"ct=CJ w=acid")], dtype=np.uint64)
    assert salted(pair, 4)[0] in codes


def test_n_grams_of_one_to_four_characters_are_of_type_one(knowledge: Knowledge) -> None:
    found = {each for each in typed(knowledge, "Pb2").own if "G=" in each}
    assert {"1G=P", "1G=2", "2G=^P", "3G=Pb2", "4G=^Pb2", "2G=2$"} <= found
    assert max(int(each[0]) for each in found) == 4
    without = typed(knowledge, "Pb2", "n-grams")
    assert not [each for each in without.own if "G=" in each]
    assert not [each for each in without.shared if each.startswith("ends=")]


def test_the_token_itself_is_of_type_three_if_short_or_ambiguous(knowledge: Knowledge) -> None:
    assert "w=HCl" in typed(knowledge, "HCl").pairing
    assert "w=lead" in typed(knowledge, "lead").pairing
    toluene = typed(knowledge, "toluene")
    assert "w=toluene" in set(toluene.shared) - set(toluene.pairing)
    for word in ("HCl", "lead", "toluene"):
        assert set(typed(knowledge, word).pairing) <= set(typed(knowledge, word).shared)


def test_other_features_of_type_two_and_three(knowledge: Knowledge) -> None:
    pipes = typed(knowledge, "Pipes")
    assert {"s=Pipe", "l=pipes", "ends=pes", "shape=Aa"} <= set(pipes.shared)
    assert "shape=Aa" in pipes.pairing
    assert not [each for each in typed(knowledge, "NaCl").shared if each.startswith("l=")]


def test_a_tentative_type_needs_a_score_above_zero(knowledge: Knowledge) -> None:
    score = dict(
        zip(("cumene", "then"), knowledge.preclassifier.score(["cumene", "then"]), strict=True)
    )
    assert score["cumene"] > 0 > score["then"]
    assert "ct=CM" in typed(knowledge, "cumene").pairing
    assert not [each for each in typed(knowledge, "then").shared if each.startswith("ct=")]
    assert Counter(typed(knowledge, "cumene").own)["+CM"] == np.ceil(score["cumene"])
    assert Counter(typed(knowledge, "then").own)["-CM"] == np.ceil(-score["then"])


def test_lists_and_sets_are_told_of_the_token_itself(knowledge: Knowledge) -> None:
    assert "list=names" in typed(knowledge, "formic").own
    assert {"list=english", "list=elements", "set=ambiguous"} <= set(typed(knowledge, "lead").own)
    assert "set=name nonword" in typed(knowledge, "HCl").own
    assert "set=other nonword" in typed(knowledge, "NaCl").own
    assert "set=other word" in typed(knowledge, "pipes").own


def test_without_the_preclassifier_its_sets_go_too_and_lists_stay(knowledge: Knowledge) -> None:
    lead = typed(knowledge, "lead", "preclassifier")
    assert not [each for each in lead.own if each[:4] in ("set=", "+CM", "-CM")]
    assert "list=english" in lead.own
    assert "w=lead" not in lead.pairing
    assert not [each for each in typed(knowledge, "lead", "lists").own if each[:5] == "list="]


def test_pairs_are_all_of_one_with_all_of_the_other() -> None:
    left, right = TypedFeatures(pairing=("a", "b")), TypedFeatures(pairing=("c", "d"))
    assert list(paired(left, right)) == ["a c", "a d", "b c", "b d"]
    assert not list(paired(left, EDGE))


def test_views_are_the_token_its_neighbours_and_pairs_by_naive_means(knowledge: Knowledge) -> None:
    axis = TokenAxis.of(DOCUMENTS, tokeniser="chemistry")
    encoded = encode(view_tokens(axis, [knowledge], families=PAPER_FAMILIES))
    told = typed_features(knowledge, axis.words, PAPER_FAMILIES)
    for at in range(len(axis.words)):
        before = told[at - 1] if at not in axis.first_token else EDGE
        after = told[at + 1] if at + 1 not in axis.first_token else EDGE
        own = told[at]
        views = (
            (*own.own, *own.shared),
            before.shared,
            after.shared,
            paired(before, own),
            paired(own, after),
        )
        for view, strings in enumerate(views):
            row = encoded.row[at, view]
            codes = encoded.rows.features[slice(*encoded.rows.first[row : row + 2])]
            crcs = np.array([zlib.crc32(each.encode()) for each in strings], dtype=np.uint64)
            assert Counter(codes.tolist()) == Counter(salted(crcs, view).tolist())
