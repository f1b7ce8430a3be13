import json
from functools import partial
from os import mkfifo
from pathlib import Path
from threading import Thread

import pytest

from tests.cli import command_line
from tests.cli.trees.treebanks import rows
from vermeil.errors import UsageError

GOLD = """\
(TOP (S (NP-SBJ (NN T) (NN cells)) (VP (VBP divide)) (. .)))
(TOP (S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA) (NN strands)))))
"""
PARSED = """\
(S1 (S (NP (JJ T) (NN cells)) (VP (VBP divide)) (. .)))
(())
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.mrg").write_text(GOLD)
    Path("parsed.mrg").write_text(PARSED)
    Path("long.mrg").write_text(f"(NP {'(NN a) ' * 33})\n")


run = partial(command_line.run, "trees", "compare")


def test_json_has_every_figure_and_count() -> None:
    found = json.loads(run("gold.mrg", "--json"))
    assert "failures" not in found
    gold = found["treebanks"]["gold"]
    assert (gold["sentences"], gold["failed"], gold["words"]) == (2, 0, 7)
    assert (gold["productions"], gold["productions_and_tags"]) == (7, 14)
    assert (gold["distinct_rules"], gold["distinct_rules_per_sentence"]) == (5, 3.5)
    assert gold["distinct_labels_per_sentence"] == 3
    assert gold["lengths"] == [[3, 1], [4, 1]]
    assert gold["labels"] == {"NP": 3, "S": 2, "VP": 2}
    assert list(gold["rules"])[:2] == ["NP → NN NN", "S → NP VP"]


def test_treebanks_of_different_sentences_stand_side_by_side() -> None:
    shown = run("gold.mrg", "long.mrg")
    for title in (
        "Sizes",
        "Commonest rules, in % of productions",
        "% of constituents by label",
        "% of sentences by length",
        "% of sentences by complexity",
    ):
        assert f"{title}\n" in shown
    assert ["words", "7", "33"] in rows(shown)
    assert ["30–34", "0.0", "100.0"] in [row[:3] for row in rows(shown)]
    assert "without a parse by" not in shown


def test_two_treebanks_share_a_table_of_rules_with_ranks_in_the_other() -> None:
    shown = run("gold.mrg", "parsed.mrg", "--top", "2")
    first = ["28.57", "NP", "→", "NN", "NN", "–", "1", "33.33", "NP", "→", "JJ", "NN", "–"]
    assert first in rows(shown)


def test_three_treebanks_share_one_with_shares_and_ranks() -> None:
    shown = run("gold.mrg", "parsed.mrg", "third=parsed.mrg", "--top", "1")
    assert ["rule", "gold", "rank", "parsed", "rank", "third", "rank"] in rows(shown)
    assert ["NP", "→", "NN", "NN", "28.57", "1", "0.00", "–", "0.00", "–"] in rows(shown)


def test_many_treebanks_are_shown_in_several_parts() -> None:
    names = [f"treebank-{n}=gold.mrg" for n in range(5)]
    shown = run(*names)
    assert shown.count("% of sentences by length") == 2
    assert max(map(len, shown.splitlines())) <= 100


def test_failures_are_shown_against_length_and_complexity() -> None:
    shown = run("parsed.mrg", "--failures", "gold.mrg")
    assert "Sentences without a parse by length" in shown
    assert ["0–4", "2", "1"] in [row[:3] for row in rows(shown)]
    found = json.loads(run("parsed.mrg", "--failures", "gold.mrg", "--json"))
    assert list(found["treebanks"]) == ["gold", "parsed"]
    assert found["failures"]["parsed"] == {
        "failed": 1,
        "by_length": [
            {"value": 3, "sentences": 1, "failed": 0},
            {"value": 4, "sentences": 1, "failed": 1},
        ],
        "by_complexity": [
            {"value": 3, "sentences": 1, "failed": 0},
            {"value": 4, "sentences": 1, "failed": 1},
        ],
    }


def test_namesakes_have_to_be_told_apart() -> None:
    with pytest.raises(UsageError, match="two inputs are called 'gold'; tell them apart with NAME"):
        run("gold.mrg", "gold.mrg")


def test_a_file_without_trees_is_refused() -> None:
    Path("empty.mrg").write_text("")
    with pytest.raises(UsageError, match=r"empty\.mrg: holds no trees"):
        run("gold.mrg", "empty.mrg")


def test_help_fits_a_screen() -> None:
    assert len(run("--help").splitlines()) <= 50


def test_treebanks_come_through_pipes(tmp_path: Path) -> None:
    """As from ``<(cat gold.mrg)``: what is read cannot be read again."""
    pipe = tmp_path / "pipe.mrg"
    mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("(S (NP (NN p53)) (VP (VBZ binds)))\n",))
    writer.start()
    found = json.loads(run(f"gold={pipe}", "--json"))
    writer.join()
    assert found["treebanks"]["gold"]["sentences"] == 1
