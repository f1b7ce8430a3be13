import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli import command_line
from tests.cli.trees.treebanks import rows, write_trees
from vermeil.errors import UnknownNameError, UsageError
from vermeil.verbs.trees.comparing import spelt

GOLD = """\
(TOP (S (NP-SBJ (NN T) (NN cells)) (VP (VBP divide)) (. .)))
(TOP (S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA) (NN strands)))))
(TOP (NP (NN Results) (PRN (-LRB- -LRB-) (NP (NN p53)) (-RRB- -RRB-))))
"""
ONE = """\
(S1 (S (NP (JJ T) (NN cells)) (VP (VBP divide)) (. .)))
(S1 (S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA) (NN strands)))))
(S1 (NP (NN Results) (PRN (-LRB- -LRB-) (NP (NNP p53)) (-RRB- -RRB-))))
"""
OTHER = """\
(TOP (S (NP (NN T) (NN cells)) (VP (VBP divide)) (. .)))
(())
(TOP (NP (NN Results) (PRN (-LRB- -LRB-) (NP (NN p53)) (-RRB- -RRB-))))
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_trees(gold=GOLD, one=ONE, other=OTHER)


run = partial(command_line.run, "trees", "diagnose")


def test_json_has_every_rule_and_what_is_written_instead() -> None:
    found = json.loads(run("gold.mrg", "one.mrg", "--json"))
    assert found["gold"] == "gold"
    one = found["parsers"]["one"]
    assert (one["sentences"], one["failed"], one["left_out"]) == (3, 0, 0)
    assert (one["productions"]["right"], one["productions"]["wanted"]) == (8, 10)
    assert one["outcomes"]["other daughters"] == 2
    assert one["outcomes"]["nothing"] == 0
    by_rule = {each["rule"]: each for each in one["rules"]}
    missed = by_rule["NP → NN NN"]
    assert (missed["precision"], missed["recall"]) == (1, 0.5)
    assert missed["instead"] == [
        {
            "written": "NP → JJ NN",
            "outcome": "other daughters",
            "n": 1,
            "share": 1,
            "sentences": [1],
        }
    ]
    assert by_rule["NP → JJ NN"]["recall"] is None


def test_tables_show_totals_outcomes_rules_and_substitutions() -> None:
    shown = run("gold.mrg", "charniak=one.mrg")
    for title in (
        "Productions against gold",
        "% of missed productions, by their closest match",
        "charniak: the commonest rules of gold",
        "charniak: what it writes instead of the rules it misses most",
    ):
        assert f"{title}\n" in shown
    assert "F of the commonest rules" not in shown
    assert ["charniak", "80.00", "80.00", "80.00", "8", "10", "10", "3", "0", "0"] in rows(shown)
    assert ["NP", "→", "NN", "NN", "1", "NP", "→", "JJ", "NN", "100.00"] in rows(shown)
    assert max(map(len, shown.splitlines())) <= 100


def test_several_parsers_stand_side_by_side() -> None:
    shown = run("gold.mrg", "one.mrg", "other.mrg", "--top", "1")
    assert "F of the commonest rules of gold" in shown
    assert ["NP", "→", "NN", "2", "66.67", "66.67"] in rows(shown)
    assert "one: what it writes" in shown
    assert "other: what it writes" in shown


def test_one_rule_is_shown_with_sentences_where_it_is_missed() -> None:
    shown = run("gold.mrg", "one.mrg", "--rule", "NP -> NN")
    assert "2 in gold, 1 in one, 1 missed; P 100.00, R 50.00, F 66.67" in shown
    assert ["NP", "→", "NNP", "other", "daughters", "1.00", "100.00", "3"] in rows(shown)
    found = json.loads(run("gold.mrg", "one.mrg", "--rule", "NP → NN", "--json"))
    assert [each["rule"] for each in found["parsers"]["one"]["rules"]] == ["NP → NN"]


def test_figures_stay_whole_beside_a_rule_that_is_too_long() -> None:
    words = [f"w{n}" for n in range(40)]
    for name, tag in (("gold", "NN"), ("one", "JJ")):
        Path(f"{name}.mrg").write_text(f"(NP {' '.join(f'({tag} {word})' for word in words)})\n")
    shown = run("gold.mrg", "one.mrg", "--rule", "NP -> " + "NN " * 40)
    assert ["other", "daughters", "1.00", "100.00", "1"] in [row[-5:] for row in rows(shown)]


def test_a_parse_failure_is_missed_or_left_out() -> None:
    all_of_it = json.loads(run("gold.mrg", "other.mrg", "--json"))["parsers"]["other"]
    parsed = json.loads(run("gold.mrg", "other.mrg", "--parsed-only", "--json"))
    assert all_of_it["productions"]["recall"] == 0.6
    assert all_of_it["failed"] == 1
    assert parsed["parsers"]["other"]["productions"]["recall"] == 1
    assert parsed["parsers"]["other"]["left_out"] == 1


def test_preparation_can_be_chosen() -> None:
    found = json.loads(run("gold.mrg", "one.mrg", "--prepare", "traces, prune", "--json"))
    rules = {each["rule"] for each in found["parsers"]["one"]["rules"]}
    assert {"TOP → S", "S1 → S", "S → NP-SBJ VP ."} <= rules
    with pytest.raises(UnknownNameError, match="did you mean 'clegg'"):
        run("gold.mrg", "one.mrg", "--prepare", "cleg")


def test_a_rule_nobody_uses_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'NP → NN NN'"):
        run("gold.mrg", "one.mrg", "--rule", "NP -> NN NM")
    with pytest.raises(UnknownNameError, match="known: "):
        run("gold.mrg", "one.mrg", "--rule", "FRAG -> X")
    with pytest.raises(UsageError, match="--rule takes 'PARENT -> DAUGHTERS'"):
        run("gold.mrg", "one.mrg", "--rule", "NP NN NN")


def test_brackets_in_a_rule_may_be_written_as_such() -> None:
    assert spelt("PRN -> ( NP )") == "PRN → -LRB- NP -RRB-"
    assert "PRN → -LRB- NP -RRB-: what" in run("gold.mrg", "one.mrg", "--rule", "PRN → ( NP )")


def test_help_fits_a_screen() -> None:
    assert len(run("--help").splitlines()) <= 50
