import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli import command_line
from tests.cli.trees.treebanks import write_trees
from vermeil.errors import UsageError

SAME = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"
ONE = f"{SAME}\n(S (NP (NN a) (NN b)) (VP (VB c)))\n\n"
TWO = f"{SAME}\n(S (NP (NN a)) (VP (NN b) (NP (VB c))))\n(NP (NN x))\n"
GOLD = f"{SAME}\n(S (NP (NN a) (NN b)) (VP (VB c)))\n(NP (NN x))\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_trees(one=ONE, two=TWO, gold=GOLD)


run = partial(command_line.run, "trees", "trust")


def test_the_least_trusted_come_first_and_those_of_unknown_trust_last() -> None:
    shown = run("one.mrg", "two.mrg", "--by", "similarity").splitlines()
    assert shown[0] == "The least trusted of 3 sentences, trees combined by similarity"
    assert shown[1].split()[:3] == ["sentence", "words", "trust"]
    assert [line.split()[:3] for line in shown[2:5]] == [
        *(["2", "3", "0.333"], ["1", "3", "1.000"], ["3", "1", "unknown"]),
    ]
    assert shown[5:] == ["1 of unknown trust, with nothing to compare, come last"]


def test_where_all_trust_is_known_nothing_is_said_of_unknown() -> None:
    assert "unknown" not in run("gold.mrg", "two.mrg", "--by", "similarity")


def test_doubtful_words_are_shown() -> None:
    found = json.loads(
        run("one.mrg", "two.mrg", "--by", "levenshtein", "--below", "0.95", "--json")
    )
    assert list(found) == ["by", "correlation", "sentences"]
    doubtful, sure, lone = found["sentences"]
    assert (lone["sentence"], lone["trust"], lone["doubtful"]) == (3, None, [])
    assert (sure["trust"], sure["doubtful"]) == (1, [])
    assert [(each["start"], each["end"], each["words"]) for each in doubtful["doubtful"]] == [
        (0, 3, "a b c")
    ]
    assert "a b c" in run("one.mrg", "two.mrg", "--by", "levenshtein", "--below", "0.95")


def test_with_a_standard_trust_is_set_beside_the_truth() -> None:
    found = json.loads(run("one.mrg", "two.mrg", "--gold", "gold.mrg", "--json"))
    assert set(found["correlation"]) == {"la", "f1"}
    assert {"la", "f1"} <= set(found["sentences"][0])
    shown = run("one.mrg", "two.mrg", "--gold", "gold.mrg", "--top", "1").splitlines()
    assert shown[-2].startswith("correlation of trust with true LA a sentence: r =")
    assert len(shown) == 6


def test_what_cannot_be_answered_is_refused() -> None:
    with pytest.raises(UsageError, match="fallback compares nothing"):
        run("one.mrg", "two.mrg", "--by", "fallback")
    with pytest.raises(UsageError, match="two inputs have the same name"):
        run("one.mrg", "one.mrg", "--by", "vote")
    Path("empty.mrg").write_text("")
    with pytest.raises(UsageError, match="there are no sentences"):
        run("empty.mrg", "--by", "vote")


def test_sentences_without_words_or_parses_do_no_harm() -> None:
    for name in ("one", "two"):
        Path(f"{name}.mrg").write_text("(S (. .))\n(S (NP (-NONE- *)))\n\n")
    for by in ("best", "vote", "similarity", "levenshtein"):
        assert len(json.loads(run("one.mrg", "two.mrg", "--by", by, "--json"))["sentences"]) == 3


def test_names_in_doubtful_stretches_are_listed() -> None:
    write_trees(three="(S (NP (NN p53)) (X (Y (VBZ binds) (NN DNA))))\n\n\n")
    spans = [{"start": 0, "end": 3, "label": "Gene"}, {"start": 11, "end": 14, "label": "DNA"}]
    told = {"id": "x", "text": "p53  binds DNA", "layers": {"anna": spans}}
    Path("names.jsonl").write_text(json.dumps(told) + "\n")
    options = ("--by", "distance", "--below", "0.9", "--names", "names.jsonl")
    shown = run("one.mrg", "two.mrg", "three.mrg", *options)
    assert "Names in doubtful stretches: 1, of 1 sentences met" in shown
    [found] = json.loads(run("one.mrg", "two.mrg", "three.mrg", *options, "--json"))["names"]
    assert (found["sentence"], found["annotator"], found["name"]) == (1, "anna", "DNA")


def test_trust_can_be_learned() -> None:
    found = json.loads(run("one.mrg", "two.mrg", "--learn", "gold.mrg", "--json"))
    assert [each["sentence"] for each in found["sentences"]][-1] == 3
    with pytest.raises(UsageError, match="vote has no use for --learn; try --by best"):
        run("one.mrg", "two.mrg", "--learn", "gold.mrg", "--by", "vote")
