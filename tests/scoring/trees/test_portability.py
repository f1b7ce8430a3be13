from pathlib import Path

import numpy as np
import pytest

from tests.genia_trees import genia_forests
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.productions import Rules
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.trees.losses import CAUSES, Losses, losses
from vermeil.scoring.trees.portability import portability

GOLD = (
    "(S (NP (NP (NN loss)) (PP (IN of) (NP (NN p53)))) (VP (VBZ hurts)))",
    "(S (NP (NN DNA) (NNS strands)) (VP (VBP break)))",
    "(S (NP (NP (NN p53)) (CC and) (NP (NN p63))) (VP (VBP bind)))",
    "(S (NP (PRP We)) (VP (VBP know)))",
)
PARSED = (
    "(S (NP (NN loss)) (PP (IN of) (NP (NN p53))) (VP (VBZ hurts)))",
    "(S (NP (NNP DNA)) (VP (NNS strands) (VP (VBP break))))",
    "(S (NP (NN p53) (CC and) (NN p63)) (VP (VBP bind)))",
    "",
)


def lost(gold: tuple[str, ...] = GOLD, parsed: tuple[str, ...] = PARSED) -> Losses:
    names = TreeNames()
    standard, ours = (TreeTable.parse(each, names) for each in (gold, parsed))
    return losses(standard, ours, Rules(names.labels))


def test_each_missed_constituent_has_one_cause() -> None:
    found = lost()
    assert [dict(zip(CAUSES, row, strict=True)) for row in found.missed.tolist()] == [
        {"failure": 0, "vocabulary": 0, "attachment": 1, "convention": 0},
        {"failure": 0, "vocabulary": 1, "attachment": 0, "convention": 0},
        {"failure": 0, "vocabulary": 0, "attachment": 0, "convention": 2},
        {"failure": 3, "vocabulary": 0, "attachment": 0, "convention": 0},
    ]
    missed = found.sentences.wanted - found.sentences.matched
    assert found.missed.sum(axis=1).tolist() == missed.tolist()


def test_batches_add_up_to_the_whole() -> None:
    whole = lost()
    names = TreeNames()
    rules = Rules(names.labels)
    parts = [
        losses(
            TreeTable.parse(GOLD[at : at + 2], names),
            TreeTable.parse(PARSED[at : at + 2], names),
            rules,
            first=at + 1,
        )
        for at in (0, 2)
    ]
    added = parts[0] + parts[1]
    assert added.missed.tolist() == whole.missed.tolist()
    assert added.wanted == whole.wanted
    assert dict(added.tags) == dict(whole.tags)
    assert portability(added, whole).figures == portability(whole, whole).figures


def test_nothing_is_lost_from_a_treebank_to_itself_and_the_parts_add_up() -> None:
    found = portability(lost(), lost())
    assert all(loss.drop.value == 0 for loss in found.figures.values())
    moved = portability(lost(), lost(GOLD, (GOLD[0], *PARSED[1:3], GOLD[3])))
    parts = sum(part.value for part in moved.parts.values())
    assert parts == pytest.approx(moved.figures["la"].drop.value)
    causes = sum(-loss.drop.value for loss in moved.missed.values())
    assert causes == pytest.approx(moved.figures["recall"].drop.value)
    assert moved.figures["parsed"].there == 1
    assert moved.parts["failures"].value > 0


def test_rules_are_those_of_the_treebank_at_hand_with_their_shares_in_both() -> None:
    found = portability(lost(), lost(GOLD[:1], GOLD[:1]), top=2)
    assert list(found.rules) == ["NP → NN", "S → NP VP"]
    assert found.shares["S → NP VP"] == (4 / 17, 1 / 6)
    assert found.rules["NP → NN"].there == 1
    assert found.tags["NN"] == (5, 4 / 5, 2, 1.0)


def test_a_rule_that_one_side_lacks_is_undefined_there() -> None:
    found = portability(lost(), lost(GOLD[3:], GOLD[3:]))
    assert np.isnan(found.rules["NP → NN"].there)
    assert np.isnan(found.rules["NP → NN"].drop.value)


@pytest.mark.corpus
def test_words_tagged_wrongly_score_lower_and_charniak_lacks_the_vocabulary(
    corpora: Path,
) -> None:
    tables = genia_forests(corpora).prepared(["clegg"])
    rules = Rules(tables["gold"].names.labels)
    found = {}
    for parser in ("charniak", "bikelold"):
        some = losses(tables["gold"], tables[parser], rules)
        found[parser] = portability(some, some, n_resamples=2)
    right, wrong = (found["charniak"].figures[name].here for name in ("la_right", "la_wrong"))
    assert (round(100 * right, 1), round(100 * wrong, 1)) == (88.4, 81.6)
    shares = {name: each.missed["vocabulary"].here for name, each in found.items()}
    assert shares["charniak"] > 2 * shares["bikelold"]
    assert round(found["charniak"].tags["NN"][1], 2) == 0.63
