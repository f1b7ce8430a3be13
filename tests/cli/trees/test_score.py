import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli import command_line
from tests.cli.trees.treebanks import rows, write_trees
from vermeil.cli import app, main
from vermeil.errors import FormatError, UnknownNameError, UsageError, VermeilError

GOLD = """\
(TOP (S (NP-SBJ (NN p53)) (VP (VBZ binds) (NP (NN DNA))) (. .)))
(TOP (NP (NN DNA) (NN strands)))
"""
ONE = """\
(S1 (S (NP (NN p53)) (VP (VBZ binds) (NN DNA)) (. .)))
(S1 (NP (JJ DNA) (NN strands)))
"""
OTHER = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))) (. .))\n(())\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_trees(gold=GOLD, one=ONE, other=OTHER)


run = partial(command_line.run, "trees", "score")


def test_the_tables_have_the_shape_of_the_paper() -> None:
    shown = run("gold.mrg", "one.mrg", "other.mrg").splitlines()
    assert shown[0] == "All 2 sentences, a failure counting as all wrong"
    assert shown[1] == "parser     LA  precision  recall      F  mean X  % perfect  % failure"
    assert shown[2] == "one     95.00     100.00   80.00  88.89    0.00      50.00       0.00"
    assert shown[3] == "other   60.00     100.00   80.00  88.89    0.00      50.00      50.00"
    assert "Parsed sentences only" in shown
    assert ["other", *["100.00"] * 4, "0.00", "100.00", "1"] in rows("\n".join(shown))


def test_json_has_every_figure() -> None:
    found = json.loads(run("gold.mrg", "one.mrg", "other.mrg", "--json", "--oracle"))
    assert list(found) == ["gold", "parsers", "oracle"]
    one = found["parsers"]["one"]
    assert set(one) == {
        *("sentences", "failed", "without_gold", "unequal", "all", "parsed", "labels", "words"),
        "by_sentence",
    }
    assert set(one["all"]) == {
        *(
            "sentences",
            "words",
            "la",
            "matched",
            "predicted",
            "wanted",
            "precision",
            "recall",
            "f1",
        ),
        *("unlabelled", "crossing", "no_crossing", "two_or_less_crossing", "perfect", "tagging"),
        "mean_over_sentences",
    }
    assert (one["all"]["matched"], one["all"]["predicted"], one["all"]["wanted"]) == (4, 4, 5)
    assert (one["all"]["tagging"], found["oracle"]["la"]) == (0.8, 1.0)
    assert one["labels"]["NP"] == {
        "matched": 2,
        "predicted": 2,
        "wanted": 3,
        "precision": 1.0,
        "recall": pytest.approx(2 / 3),
        "f1": 0.8,
    }
    assert [row["f1"] for row in one["by_sentence"]] == [pytest.approx(6 / 7), 1.0]


def test_labels_words_and_worst_sentences_are_shown_on_demand() -> None:
    shown = run("gold.mrg", "other.mrg", "--per-label", "--worst", "1", "--words", "1")
    assert ["NP", "other", "3", "2", "100.00", "66.67", "80.00"] in rows(shown)
    assert ["2", "2", "0.00", "0.00", "no", "parse"] in rows(shown)
    assert "other: the words that suffer most" in shown


def test_a_cascade_is_one_more_parser() -> None:
    shown = run("gold.mrg", "one.mrg", "other.mrg", "--cascade", "both=other,one", "--oracle")
    assert ["both", *["100.00"] * 4, "0.00", "100.00", "0.00"] in rows(shown)
    assert ["oracle", *["100.00"] * 4, "0.00", "100.00", "0.00"] in rows(shown)


def test_others_are_tested_against_one() -> None:
    shown = run("gold.mrg", "one.mrg", "other.mrg", "--against", "one", "--bootstrap", "100")
    assert "All sentences, compared with one" in shown
    assert ["other", "LA", "-35.00"] in [row[:3] for row in rows(shown)]
    same = json.loads(
        run("gold.mrg", "one.mrg", "other.mrg", "--against", "one", "--bootstrap", "100", "--json")
    )
    assert set(same["parsers"]["other"]["against"]["one"]) == {"la", "precision", "recall", "f1"}
    with pytest.raises(UnknownNameError, match="no parser named 'on'; did you mean 'one'"):
        run("gold.mrg", "one.mrg", "--against", "on")


def test_costs_change_lineages_only() -> None:
    usual, dear, none = (
        json.loads(run("one.mrg", "x=swapped.mrg", "--json", *more))["parsers"]["x"]["all"]
        for more in swapped((), ("--substitution", "2"), ("--pair", "VP:NP=0"))
    )
    assert dear["la"] < usual["la"] < none["la"] == 1
    assert usual["f1"] == dear["f1"] == none["f1"] < 1


def swapped(*options: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    Path("swapped.mrg").write_text(ONE.replace("VP", "NP"))
    return options


def test_costs_of_labels_that_never_occur_are_told() -> None:
    options = ["--pair", "NP:VP=0", "--pair", "XP:NP=0", "--pair", "NP-SBJ:S=2"]
    result = CliRunner().invoke(app, ["trees", "score", "gold.mrg", "one.mrg", *options])
    assert result.exit_code == 0
    assert result.stderr == (
        "vermeil: --pair XP:NP, NP-SBJ:S changes nothing: after preparation no tree has a label "
        "NP-SBJ or XP; parts of speech take part with --tags\n"
    )
    known = CliRunner().invoke(app, ["trees", "score", "gold.mrg", "one.mrg", "--pair", "NP:VP=0"])
    assert known.stderr == ""


def test_parts_of_speech_have_prices_where_they_take_part() -> None:
    Path("proper.mrg").write_text(ONE.replace("(NN ", "(NNP "))
    without, with_tags, cheap = (
        json.loads(run("one.mrg", "proper.mrg", "--json", *more))["parsers"]["proper"]["all"]["la"]
        for more in ((), ("--tags",), ("--tags", "--pair", "NN:NNP=0.5"))
    )
    assert without == 1 > cheap > with_tags
    command = ["trees", "score", "one.mrg", "proper.mrg", "--pair", "NN:NNP=0.5"]
    told = CliRunner().invoke(app, command).stderr
    assert told.endswith("no tree has a label NN or NNP; parts of speech take part with --tags\n")
    assert CliRunner().invoke(app, [*command, "--tags"]).stderr == ""


def test_trees_on_stdin_are_brackets_unless_said_otherwise() -> None:
    for command in (["score", "-", "one.mrg"], ["diagnose", "-", "one.mrg"], ["compare", "-"]):
        result = CliRunner().invoke(app, ["trees", *command], input=GOLD, catch_exceptions=False)
        assert result.exit_code == 0
    given = ["trees", "compare", "-", "--from", "jsonl"]
    with pytest.raises(FormatError, match="-:1: not a document"):
        CliRunner().invoke(app, given, input=GOLD, catch_exceptions=False)


@pytest.mark.parametrize("command", ["score", "diagnose", "compare", "show", "trust"])
def test_stdin_can_be_read_once(command: str) -> None:
    given = ["trees", command, "a=-", "-"]
    with pytest.raises(UsageError, match=r"standard input \(-\) can be read once; give files"):
        CliRunner().invoke(app, given, input=GOLD, catch_exceptions=False)


def test_a_log_in_a_missing_folder_is_refused_as_other_files_are() -> None:
    with pytest.raises(UsageError, match=r"no/l\.jsonl: there is no folder 'no'; make it first"):
        run("gold.mrg", "one.mrg", "--log", "no/l.jsonl")


def test_preparations_are_chosen_by_name_and_words_lost_are_told() -> None:
    Path("tagged.mrg").write_text(ONE.replace("(. .)", "(NN .)"))
    result = CliRunner().invoke(
        app, ["trees", "score", "gold.mrg", "one.mrg", "tagged.mrg", "--prepare", "evalb"]
    )
    assert result.exit_code == 0
    assert (
        "vermeil: tagged keeps other words than gold in 1 sentences after preparation; they are "
        "left out (sentence 1)" in result.stderr
    )
    with pytest.raises(UnknownNameError, match="no step named 'colins'"):
        run("gold.mrg", "one.mrg", "--prepare", "colins")


def test_an_oracle_needs_parsers_scored_on_the_same_sentences() -> None:
    """Also where as many, but other sentences are left out."""
    Path("gold3.mrg").write_text(GOLD.splitlines()[0] + "\n" + GOLD.splitlines()[0] + "\n")
    fine, odd = ONE.splitlines()[0], ONE.splitlines()[0].replace("(. .)", "(NN .)")
    Path("a.mrg").write_text(f"{fine}\n{odd}\n")
    Path("b.mrg").write_text(f"{odd}\n{fine}\n")
    with pytest.raises(UsageError, match="--oracle needs parsers scored on the same sentences"):
        run("gold3.mrg", "a.mrg", "b.mrg", "--prepare", "evalb", "--oracle")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--pair", "NP=1"], "--pair takes LABEL:LABEL=COST, got 'NP=1'"),
        (["--pair", "NP:VP=x"], "--pair takes LABEL:LABEL=COST, got 'NP:VP=x'"),
        (["--substitution", "-1"], "and not less than nothing"),
        (["--substitution", "nan"], "and not less than nothing"),
        (["-O", "foo=1"], "no input has an option 'foo'"),
        (["--against", "one"], "needs another parser"),
        (["--cascade", "x=one,gold"], "no parser named 'gold'"),
        (["--cascade", "both"], "--cascade takes NAME=PARSER,PARSER, got 'both'"),
    ],
)
def test_options_are_checked(options: list[str], complaint: str) -> None:
    with pytest.raises(VermeilError, match=complaint):
        run("gold.mrg", "one.mrg", *options)


def test_broken_trees_end_the_run_or_are_set_aside() -> None:
    Path("bad.mrg").write_text(ONE.replace("strands", "strand"))
    with pytest.raises(FormatError, match=r"bad\.mrg:2: sentence 2: word 2 is 'strand'"):
        run("gold.mrg", "bad.mrg")
    result = CliRunner().invoke(app, ["trees", "score", "gold.mrg", "bad.mrg", "--skip-bad"])
    assert (result.exit_code, "skipped 1 bad records" in result.stderr) == (0, True)
    [record] = map(json.loads, Path("vermeil.bad.jsonl").read_text().splitlines())
    assert (record["file"], record["line"]) == ("bad.mrg", 2)
    assert ["bad", "55.00"] in [row[:2] for row in rows(result.stdout)]


def test_foreseen_errors_are_one_line_and_exit_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("bad.mrg").write_text("(S (NN p53)\n")
    monkeypatch.setattr("sys.argv", ["vermeil", "trees", "score", "gold.mrg", "bad.mrg"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    assert capsys.readouterr().err == (
        "vermeil: bad.mrg:1: 1 bracket not closed; --skip-bad goes on without such records\n"
    )


def test_files_without_trees_are_refused_and_one_parser_is_the_least() -> None:
    Path("empty.mrg").write_text("")
    with pytest.raises(UsageError, match=r"empty\.mrg: holds no trees"):
        run("empty.mrg", "x=empty.mrg")
    assert CliRunner().invoke(app, ["trees", "score", "gold.mrg"]).exit_code == 2


def test_a_parser_that_failed_on_everything_has_no_precision() -> None:
    Path("none.mrg").write_text("(())\n\n")
    shown = run("gold.mrg", "none.mrg")
    assert ["none", "0.00", "–", "0.00", "0.00", "–", "0.00", "100.00"] in rows(shown)
