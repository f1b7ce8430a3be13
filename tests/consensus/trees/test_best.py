"""The tree expected to score best: what it maximises, computed again from trees."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.consensus.trees.voices import forests, of_texts, voices
from tests.genia_trees import PARSERS, genia_forests, scored
from tests.scoring.trees import naive
from vermeil.columns.trees.productions import productions
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.best import best_tree, steps
from vermeil.consensus.trees.candidates import BracketSets, bits
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.consensus.trees.grammar import Grammar, Tags, used_rules
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.word_axis import given_tags
from vermeil.formats.forests import Forests
from vermeil.scoring.trees.scores import Sentences
from vermeil.tree import Bracket, Tree, assemble


@given(voices(may_fail=False, max_sentences=2))
def test_the_best_tree_is_a_tree_that_no_member_exceeds(batch: Forests) -> None:
    for candidates in candidates_of(batch):
        best = best_tree(candidates)
        chosen = [candidates.brackets[each] for each in bits(best.tree)]
        assert not any(naive.cross(a, b) for a, b in combinations(chosen, 2))
        value = naive_objective(candidates, best.tree)
        for rival in candidates.members:
            assert value >= naive_objective(candidates, rival) - 1e-9


@given(voices(may_fail=False, max_sentences=1))
def test_no_single_step_from_the_best_tree_leads_higher(batch: Forests) -> None:
    for candidates in candidates_of(batch):
        best = best_tree(candidates)
        value = naive_objective(candidates, best.tree)
        for other in steps(candidates, best.tree):
            assert naive_objective(candidates, other) <= value + 1e-8


@given(voices(may_fail=False, max_sentences=2))
def test_every_word_has_a_tag_that_some_member_gives_it(batch: Forests) -> None:
    for candidates in candidates_of(batch):
        tags = best_tree(candidates).tags
        assert len(tags) == candidates.n_words
        for tag, said in zip(tags, candidates.tags, strict=True):
            assert tag in {each for each, _ in said}


def candidates_of(batch: Forests) -> list[BracketSets]:
    """Every sentence with brackets worth what share of the members has them."""
    tables = batch.prepared(["clegg"])
    pool = Pool.of(tables)
    tags, grammar = given_tags(list(tables.values())), Grammar(used_rules(tables))
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
                n_words,
                pool.brackets(rows),
                worth[rows].tolist(),
                members,
                [1.0, 2.0, 4.0],
                gain=(worth[rows] - 0.4).tolist(),
                tags=tags[number],
                grammar=grammar,
            )
        )
    return found


def naive_objective(candidates: BracketSets, tree: int) -> float:
    """Expected leaf-ancestor scores, gains and costs, from a tree built of the brackets."""
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
    score /= sum(candidates.weights)
    made = assemble([("", "w")] * n_words, [candidates.brackets[each] for each in bits(tree)])
    return score + sum(candidates.gain[each] for each in bits(tree)) - naive_cost(candidates, made)


def naive_cost(candidates: BracketSets, made: Tree) -> float:
    """What the rules of a tree cost, from the top down; its root stands for the sentence."""
    words = iter(candidates.tags)
    assert candidates.grammar is not None

    def cost(node: Tree, label: str) -> float:
        assert candidates.grammar is not None
        daughters: list[str | Tags] = []
        below = 0.0
        for child in node.children:
            assert isinstance(child, Tree)
            if child.is_tag:
                daughters.append(next(words))
            else:
                daughters.append(child.label)
                below += cost(child, child.label)
        return below + candidates.grammar.tagging(label, daughters).cost

    return cost(made, "")


def test_no_step_of_the_search_lets_brackets_cross() -> None:
    brackets = [Bracket(0, 4, "S"), Bracket(0, 2, "A"), Bracket(1, 3, "B"), Bracket(2, 4, "C")]
    worth = [1.0, 0.6, 0.5, 0.6]
    candidates = BracketSets(4, brackets, worth, [0b1011, 0b0101], [0.5, 0.5], gain=worth)
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


def test_a_verb_phrase_takes_the_verb_that_some_parser_saw() -> None:
    batch = of_texts(
        anna="(S (NP (NNS platelets)) (VP (VBP tether)))",
        ben="(S (NP (NNS platelets)) (VP (NN tether)))",
        cleo="(NP (NNS platelets) (NN tether))",
    )
    ensemble = Ensemble("best")
    told = of_texts(anna="(S (NP (NNS cells)) (VP (VBP divide)))", ben="", cleo="")
    [tree] = ensemble.combine(batch, ensemble.learn([batch, *[told] * 5])).trees
    assert str(tree) == "(TOP (S (NP (NNS platelets)) (VP (VBP tether))))"


def test_a_constituent_without_a_daughter_that_its_label_lives_on_costs_more() -> None:
    sound = ["(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"] * 600
    odd = ["(S (NP (NN p53)) (VP (NP (NN DNA))))"]
    grammar = Grammar(used_rules({"a": TreeTable.parse(sound + odd)}))
    unheard = grammar.tagging("VP", ["VBZ", "PP"]).cost
    assert grammar.tagging("VP", ["NP", "PP"]).cost > unheard
    assert grammar.tagging("VP", ["NP"]).cost > grammar.tagging("VP", ["VBZ", "NP"]).cost
    assert grammar.tagging("NP", ["NN", "NN"]).cost == unheard


@pytest.mark.corpus
def test_best_beats_the_vote_on_f_and_levenshtein_on_lineages(corpora: Path) -> None:
    batch = genia_forests(corpora)
    for members in (PARSERS, PARSERS[:1] + PARSERS[2:]):
        best, trees = combined(batch, "best", members)
        vote, switched = (combined(batch, by, members)[0] for by in ("vote", "levenshtein"))
        assert best.counts.f1 > vote.counts.f1 + 0.002
        assert best.leaf_ancestor > switched.leaf_ancestor + 0.002
        assert headless(trees) < max(headless(batch.tables[name]) for name in members)
    assert best.counts.f1 > 0.7674, "the vote as recorded"
    assert best.leaf_ancestor > 0.8873, "Levenshtein switching as recorded"


def headless(parsed: TreeTable | list[Tree | None]) -> float:
    """The share of verb phrases with neither a verb nor a verb phrase."""
    table = parsed if isinstance(parsed, TreeTable) else TreeTable.of(parsed)
    listed = productions(prepare(table, ["clegg"]))
    rules = [listed.rules.names[code].split() for code in listed.rule.tolist()]
    phrases = [daughters for label, _, *daughters in rules if label == "VP"]
    verbal = ("VB", "VP", "MD", "TO")
    return sum(not any(each.startswith(verbal) for each in said) for said in phrases) / len(phrases)


def combined(
    batch: Forests, by: str, members: tuple[str, ...]
) -> tuple[Sentences, list[Tree | None]]:
    ensemble = Ensemble(by, members)
    trees = ensemble.combine(batch, ensemble.learn([batch])).trees
    return scored(batch, trees, "clegg").all, trees


def test_a_copy_of_a_parser_is_no_further_voice() -> None:
    """Also one that lacks some sentences: it only shares the weight of what it copies."""
    low = [
        f"(S (NP (NN a{n})) (VP (VBZ b) (NP (NP (NN d{n})) (PP (IN of) (NP (NN e))))))"
        for n in range(300)
    ]
    high = [
        f"(S (NP (NN a{n})) (VP (VBZ b) (NP (NN d{n})) (PP (IN of) (NP (NN e)))))"
        for n in range(300)
    ]
    some = [text if n % 3 else "" for n, text in enumerate(high)]
    ensemble = Ensemble("best")
    made, weights = [], []
    for texts in ({"anna": low, "ben": high}, {"anna": low, "ben": high, "copy": some}):
        batch = forests(
            {
                name: [Tree.parse(text) if text else None for text in lines]
                for name, lines in texts.items()
            }
        )
        learned = ensemble.learn([batch])
        made.append([str(tree) for tree in ensemble.combine(batch, learned).trees])
        weights.append(learned.weights.round(6).tolist())
    assert weights == [[0.5, 0.5], [0.5, 0.25, 0.25]]
    assert made[0] == made[1]
