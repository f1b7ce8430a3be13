"""What is said of parsers in words: each finding has its figure, and its command runs."""

import shlex
from pathlib import Path

import pytest

from tests.cli.command_line import run
from vermeil import samples
from vermeil.reports.drawing.elements import joined
from vermeil.reports.trees.advice import tree_advice
from vermeil.reports.trees.findings import TreeFindings, find_trees
from vermeil.verbs.trees.reading import parser_source

FILES = [str(samples.FOLDER / f"{each}.mrg") for each in ("treebank", "alpha", "beta", "gamma")]


def of(*files: str) -> TreeFindings:
    source = parser_source(files)
    return find_trees(source.batches(), gold=source.names[0], n_resamples=50)


@pytest.fixture(scope="module")
def found() -> TreeFindings:
    return of(*FILES)


def told(findings: TreeFindings) -> dict[str, str]:
    return {each.about: str(joined(*each.said)) for each in tree_advice(findings)}


def test_it_says_which_parser_to_trust_with_an_interval(found: TreeFindings) -> None:
    said = told(found)["Which parser to trust"]
    assert said.startswith("<bdi>alpha</bdi> most, <bdi>gamma</bdi> least")
    assert f"{found.scores['alpha'].all.leaf_ancestor:.3f} (95%: " in said
    assert found.trust is not None
    assert f"has {found.trust.scores.all.leaf_ancestor:.3f}, more than the best" in said


def test_who_can_be_dropped_is_the_one_without_whom_the_rest_is_best(found: TreeFindings) -> None:
    assert set(found.without) == {"alpha", "beta", "gamma"}
    alone = of(*(each for each in FILES if "gamma" not in each))
    assert alone.trust is not None
    assert found.without["gamma"] == alone.trust.scores.all.leaf_ancestor
    best = max(found.without.values())
    assert f"{best:.3f} without it" in told(found)["Which parser to drop"]


def test_failures_and_what_is_missed_are_counted(found: TreeFindings) -> None:
    said = told(found)
    assert said["No parse"].startswith("<bdi>gamma</bdi> in 1 of 8 sentences")
    pooled = {
        rule: sum(each.by_rule[rule].missed for each in found.diagnoses.values())
        for rule in found.diagnoses["alpha"].by_rule
        if all(rule in each.by_rule for each in found.diagnoses.values())
    }
    assert f"they miss {max(pooled.values())} of " in said["What is missed most"]


def test_one_parser_is_not_compared_with_others() -> None:
    assert list(told(of(*FILES[:2]))) == ["What is missed most"]


def test_the_commands_run(
    found: TreeFindings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [each.command for each in tree_advice(found, FILES)]
    assert len(commands) == 5
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "vermeil"
        run(*words)
