"""The tree expected to score best: what it maximises, computed again from trees."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.consensus.trees.voices import of_texts, voices
from tests.genia_trees import PARSERS, genia_forests, scored
from tests.scoring.trees import naive
from vermeil.consensus.trees.best import best_tree, steps
from vermeil.consensus.trees.candidates import BracketSets, bits
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.consensus.trees.pool import Pool
from vermeil.formats.forests import Forests
from vermeil.scoring.trees.scores import Sentences
from vermeil.tree import Bracket, assemble


@given(voices(may_fail=False, max_sentences=2))
def test_the_best_tree_is_a_tree_whose_worth_no_member_and_no_vote_exceeds(batch: Forests) -> None:
    for candidates in candidates_of(batch):
        tree, value = best_tree(candidates)
        chosen = [candidates.brackets[each] for each in bits(tree)]
        assert not any(naive.cross(a, b) for a, b in combinations(chosen, 2))
        assert value == pytest.approx(naive_objective(candidates, tree))
        vote = sum(1 << n for n, worth in enumerate(candidates.worth) if worth > 0.5)
        for rival in (*candidates.members, vote):
            assert value >= naive_objective(candidates, rival) - 1e-9


@given(voices(may_fail=False, max_sentences=1))
def test_no_single_step_from_the_best_tree_leads_higher(batch: Forests) -> None:
    for candidates in candidates_of(batch):
        tree, value = best_tree(candidates)
        for number, crossing in enumerate(candidates.crossing):
            bit = 1 << number
            other = tree & ~bit if tree & bit else (tree | bit) & ~crossing
            assert naive_objective(candidates, other) <= value + 1e-8


def candidates_of(batch: Forests) -> list[BracketSets]:
    """Every sentence with brackets worth what share of the members has them."""
    pool = Pool.of(batch.prepared(["clegg"]))
    worth = pool.shares([1.0] * len(pool.members))
    bounds = pool.bounds.tolist()
    found = []
    for number, n_words in enumerate(pool.n_words.tolist()):
        rows = slice(bounds[number], bounds[number + 1])
        members = [
            sum(1 << each for each in np.flatnonzero(column).tolist())
            for column in pool.have[rows].T
        ]
        found.append(
            BracketSets(
                n_words, pool.brackets(rows), worth[rows].tolist(), members, [1.0, 2.0, 4.0]
            )
        )
    return found


def naive_objective(candidates: BracketSets, tree: int) -> float:
    """Expected leaf-ancestor score and F, from a tree built of the brackets."""
    n_words = candidates.n_words

    def lineages(some: int) -> list[list[str]]:
        made = assemble([("NN", "w")] * n_words, [candidates.brackets[each] for each in bits(some)])
        _root, *brackets = made.brackets or [None]
        return naive.lineages_under([each for each in brackets if each is not None], n_words)

    score = 0.0
    for member, weight in zip(candidates.members, candidates.weights, strict=True):
        for one, other in zip(lineages(tree), lineages(member), strict=True):
            length = len(one) + len(other)
            distance = naive.edit_distance(one, other, lambda a, b: 1.0)
            score += weight * (1 - distance / length if length else 1.0)
    la = score / n_words / sum(candidates.weights) if n_words else 1.0
    both = tree.bit_count() + sum(candidates.worth)
    right = sum(candidates.worth[each] for each in bits(tree))
    return la + (2 * right / both if both else 1.0)


def test_no_step_of_the_search_lets_brackets_cross() -> None:
    brackets = [Bracket(0, 4, "S"), Bracket(0, 2, "A"), Bracket(1, 3, "B"), Bracket(2, 4, "C")]
    candidates = BracketSets(4, brackets, [1.0, 0.6, 0.5, 0.6], [0b1011, 0b0101], [0.5, 0.5])
    for tree in candidates.members:
        for step in steps(candidates, tree):
            kept = [brackets[number] for number in bits(step)]
            for one, other in product(kept, kept):
                assert not one.start < other.start < one.end < other.end


def test_a_lone_parser_keeps_its_tree() -> None:
    batch = of_texts(anna="(S (NP (NN a)) (VP (VB b) (NP (NN c))))")
    ensemble = Ensemble("best")
    combined = ensemble.combine(batch, ensemble.learn([batch]))
    assert [str(tree) for tree in combined.trees] == ["(S (NP (NN a)) (VP (VB b) (NP (NN c))))"]


@pytest.mark.corpus
def test_best_beats_the_vote_on_f_and_levenshtein_on_lineages(corpora: Path) -> None:
    batch = genia_forests(corpora)
    best = combined(batch, "best", PARSERS)
    for by in ("vote", "levenshtein"):
        other = combined(batch, by, PARSERS)
        assert best.counts.f1 > other.counts.f1
        assert best.leaf_ancestor > other.leaf_ancestor
    assert best.counts.f1 > 0.7674, "the vote as recorded"
    assert best.leaf_ancestor > 0.8873, "Levenshtein switching as recorded"


def combined(batch: Forests, by: str, members: tuple[str, ...]) -> Sentences:
    ensemble = Ensemble(by, members)
    return scored(batch, ensemble.combine(batch, ensemble.learn([batch])).trees, "clegg").all
