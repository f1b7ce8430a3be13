import json
import os
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli import command_line
from vermeil.cli import app
from vermeil.consensus.trees import TREE_CONSENSUS
from vermeil.errors import FormatError, UnknownNameError, UsageError
from vermeil.formats import read

ONE = "(S1 (S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))) (. .)))\n\n(S1 (NP (NN x)))\n"
TWO = "(S1 (S (NP (NN p53)) (VP (VBZ binds) (NN DNA)) (. .)))\n(NP (NN y))\n(NP (NN x))\n"
THREE = "(S (NP (NN p53)) (VP (VB binds) (NP (NN DNA))) (. .))\n\n(NP (NN x))\n"
PARSERS = ("one.mrg", "two.mrg", "three.mrg")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in zip(PARSERS, (ONE, TWO, THREE), strict=True):
        Path(name).write_text(text)


run = partial(command_line.run, "trees", "combine")


def test_a_vote_is_written_one_tree_a_line() -> None:
    shown = run(*PARSERS, "--by", "vote", "-o", "out.mrg")
    assert Path("out.mrg").read_text().splitlines() == [
        "(TOP (S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA)))) (. .))",
        "(NP (NN y))",
        "(TOP (NP (NN x)))",
    ]
    assert shown.splitlines()[:2] == ["3 sentences combined by vote", "member"]
    assert shown.splitlines()[-1] == "written to out.mrg"


@pytest.mark.parametrize("by", TREE_CONSENSUS)
def test_every_method_writes_a_tree_for_every_sentence(by: str) -> None:
    found = json.loads(run(*PARSERS, "--by", by, "-o", "out.mrg", "--json"))
    assert list(found) == [
        *("by", "members", "sentences", "without_parse", "ties", "chosen", "weights", "mean_trust"),
    ]
    assert (found["by"], found["members"]) == (by, ["one", "two", "three"])
    assert (found["sentences"], found["without_parse"]) == (3, 0)
    assert len(Path("out.mrg").read_text().splitlines()) == 3


def test_the_choice_of_a_member_is_counted_and_its_tree_kept_as_it_was() -> None:
    shown = run(*PARSERS, "--by", "levenshtein", "-o", "out.mrg")
    assert Path("out.mrg").read_text().splitlines()[0] == ONE.splitlines()[0]
    assert [line.split() for line in shown.splitlines()[1:5]] == [
        *(["member", "chosen"], ["one", "2"], ["two", "1"], ["three", "0"]),
    ]
    assert "0 ties between different trees" in shown


def test_documents_with_trees_are_written_to_other_formats() -> None:
    run(*PARSERS, "--by", "vote", "-o", "out.jsonl", "--name", "mine")
    documents = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [document["text"] for document in documents] == ["p53 binds DNA .", "y", "x"]
    assert all(list(document["trees"]) == ["mine"] for document in documents)
    run("out.jsonl", "two.mrg", "--by", "fallback", "-o", "again.mrg")
    assert Path("again.mrg").read_text().startswith("(TOP (S (NP (NN p53))")


def test_trees_can_go_to_stdout_alone() -> None:
    shown = run(*PARSERS, "--by", "vote", "-o", "-", "--to", "penn")
    assert shown.splitlines()[1:] == ["(NP (NN y))", "(TOP (NP (NN x)))"]


def test_a_summary_and_trees_do_not_both_go_to_stdout() -> None:
    with pytest.raises(UsageError, match="--json and -o - both write to standard output; drop"):
        run(*PARSERS, "--by", "vote", "-o", "-", "--json")


def test_cascades_and_members_say_who_takes_part() -> None:
    found = json.loads(
        run(*PARSERS, "--cascade", "c=one,two", "--by", "vote", "-o", "out.mrg", "--json")
    )
    assert found["members"] == ["three", "c"]
    found = json.loads(
        run(*PARSERS, "--members", "two, one", "--by", "vote", "-o", "out.mrg", "--json")
    )
    assert found["members"] == ["two", "one"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--quorum", "0.3"], "best has no use for --quorum; try --by vote"),
        (["--weight", "one=2"], "best has no use for --weight; try --by vote"),
        (
            ["--ties", "measures"],
            "best has no use for --ties; try --by similarity or distance or levenshtein",
        ),
        (["--by", "similarity", "--ties", "luck"], "--ties takes order or measures, not 'luck'"),
        (["--by", "vote", "--weight", "one=x"], "--weight takes NAME=NUMBER, got one=x"),
        (["--cascade", "one"], "--cascade takes NAME=PARSER,PARSER, got 'one'"),
    ],
)
def test_options_without_effect_or_sense_are_refused(options: list[str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        run(*PARSERS, "-o", "out.mrg", *options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--by", "bets"], "no way to combine trees named 'bets'; did you mean 'best'"),
        (["--members", "one,tow"], "no parser named 'tow'; did you mean 'two'"),
        (["--cascade", "c=one,tow"], "no parser named 'tow'; did you mean 'two'"),
        (["--by", "vote", "--weight", "tow=2"], "no parser named 'tow'; did you mean 'two'"),
        (["--prepare", "cleg"], "no step named 'cleg'; did you mean 'clegg'"),
    ],
)
def test_unknown_names_are_refused_with_the_likely_one(options: list[str], complaint: str) -> None:
    with pytest.raises(UnknownNameError, match=complaint):
        run(*PARSERS, "-o", "out.mrg", *options)


@pytest.mark.parametrize("by", ["best", "vote"])
def test_stdin_is_read_as_often_as_files_are(by: str) -> None:
    options = ("--by", by, "-o", "-")
    result = CliRunner().invoke(
        app,
        ["trees", "combine", "x=-", "one.mrg", *options],
        input=ONE,
    )
    assert result.exit_code == 0
    assert result.stdout.splitlines()[2] == "(S1 (NP (NN x)))"


def test_a_missing_folder_is_named_before_anything_is_read() -> None:
    Path("bad.mrg").write_text("(S (NN x)")
    with pytest.raises(UsageError, match=r"no/o\.mrg: there is no folder 'no'; make it first"):
        run("bad.mrg", "one.mrg", "-o", "no/o.mrg")


def test_inputs_are_not_overwritten_and_trees_not_dropped() -> None:
    with pytest.raises(UsageError, match="is one of the inputs"):
        run("one.mrg", "two.mrg", "-o", "one.mrg")
    with pytest.raises(UsageError, match="conll holds no parse trees"):
        run("one.mrg", "two.mrg", "-o", "out.conll")


def test_a_run_that_fails_leaves_the_old_output_alone() -> None:
    Path("out.mrg").write_text("old\n")
    Path("bad.mrg").write_text(THREE.replace("x", "z"))
    for by in ("vote", "best"):
        with pytest.raises(FormatError, match=r"bad\.mrg:3: sentence 3: word 1 is 'z'"):
            run("one.mrg", "bad.mrg", "--by", by, "-o", "out.mrg")
    assert Path("out.mrg").read_text() == "old\n"
    assert sorted(path.name for path in Path().iterdir()) == sorted(
        [*PARSERS, "bad.mrg", "out.mrg"]
    )


def test_bad_trees_are_set_aside_on_demand_and_told_once() -> None:
    Path("bad.mrg").write_text(THREE.replace("x", "z"))
    result = CliRunner().invoke(
        app, ["trees", "combine", "one.mrg", "bad.mrg", "-o", "out.mrg", "--skip-bad"]
    )
    assert result.exit_code == 0
    assert "skipped 1 bad records (bad.mrg:3: sentence 3: word 1 is 'z'" in result.stderr
    assert len(Path("out.mrg.bad.jsonl").read_text().splitlines()) == 1
    assert Path("out.mrg").read_text().splitlines()[1:] == ["(())", "(S1 (NP (NN x)))"]


def test_trust_travels_with_the_trees() -> None:
    run(*PARSERS, "-o", "out.jsonl")
    documents = list(read(Path("out.jsonl")))
    assert 0 < documents[0].meta["trust"] < 1
    assert "trust" not in documents[1].meta, "only one parser has it"


SHARDS = ("--engine", "process", "--shard-size", "0.001")


@pytest.mark.parametrize("by", TREE_CONSENSUS)
def test_shards_give_the_bytes_of_the_stream(by: str) -> None:
    for name in PARSERS:
        Path(name).write_text(Path(name).read_text() * 12)
    for target in ("out.mrg", "out.jsonl"):
        said = []
        for options in ((), SHARDS):
            told = run(*PARSERS, "--by", by, "-o", target, "--json", *options)
            said.append((told, Path(target).read_bytes()))
        assert said[0] == said[1]


def test_the_order_of_sentences_changes_no_tree() -> None:
    for name in PARSERS:
        backwards = Path(name).read_text().splitlines()[::-1]
        Path(f"back-{name}").write_text("\n".join([*backwards, ""]))
    run(*PARSERS, "-o", "out.mrg")
    run(*(f"{name[:-4]}=back-{name}" for name in PARSERS), "-o", "back.mrg")
    trees = Path("out.mrg").read_text().splitlines()
    assert Path("back.mrg").read_text().splitlines() == trees[::-1]


def test_folders_are_combined_file_by_file_and_numbered_through() -> None:
    for name, text in zip(("a", "b"), (ONE, TWO), strict=True):
        Path(name).mkdir()
        lines = text.splitlines()
        Path(name, "1.mrg").write_text(lines[0] + "\n")
        Path(name, "2.mrg").write_text("\n".join([*lines[1:], ""]))
        Path(f"{name}.mrg").write_text(text)
    run("a", "b", "-o", "parts.jsonl")
    run("a.mrg", "b.mrg", "-o", "whole.jsonl")
    assert Path("parts.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    assert [each.id for each in read(Path("parts.jsonl"))] == ["1", "2", "3"]


def test_what_is_wrong_in_a_shard_is_told_by_file_and_line() -> None:
    Path("bad.mrg").write_text(THREE.replace("x", "z"))
    with pytest.raises(UsageError, match=r"bad\.mrg:3: sentence 3: word 1 is 'z'"):
        run("one.mrg", "bad.mrg", "-o", "out.mrg", *SHARDS)
    Path("short.mrg").write_text("\n".join(THREE.splitlines()[:2]) + "\n")
    with pytest.raises(FormatError, match=r"short\.mrg: ends after sentence 2, and one\.mrg goes"):
        run("one.mrg", "short.mrg", "-o", "out2.mrg", *SHARDS)


def test_right_trees_of_some_sentences_teach_whom_to_believe() -> None:
    """Two agree on a bracket that is wrong wherever the truth is known."""
    words = [f"w{n}" for n in range(12)]
    right = [f"(S (NP (NN {word})) (VP (VB sees) (NP (NN it))))\n" for word in words]
    wrong = [f"(S (NP (NN {word})) (VP (VB sees)) (NP (NN it)))\n" for word in words]
    Path("a.mrg").write_text("".join(wrong))
    Path("b.mrg").write_text("".join(wrong))
    Path("c.mrg").write_text("".join(right))
    Path("gold.mrg").write_text("".join(right[:0:-1]))
    parsers = ("a.mrg", "b.mrg", "c.mrg")
    run(*parsers, "-o", "vote.mrg", "--by", "vote")
    shown = run(*parsers, "-o", "taught.jsonl", "--learn", "gold.mrg")
    assert "chances learned from gold.mrg; each sentence judged by the others" in shown
    taught = [str(each.trees["consensus"][0]) for each in read(Path("taught.jsonl"))]
    assert taught == [f"(TOP {line.strip()})" for line in right]
    assert Path("vote.mrg").read_text().splitlines()[0] == f"(TOP {wrong[0].strip()})"
    run(*parsers, "-o", "again.jsonl", "--learn", "gold.mrg", *SHARDS)
    assert Path("again.jsonl").read_bytes() == Path("taught.jsonl").read_bytes()


def test_one_thread_multiplies_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, before in (("OPENBLAS_NUM_THREADS", "3"), ("OMP_NUM_THREADS", "")):
        monkeypatch.setenv(name, before)
        if not before:
            monkeypatch.delenv(name)
    run(*PARSERS, "-o", "out.mrg")
    assert [os.environ[f"{name}_NUM_THREADS"] for name in ("OPENBLAS", "OMP")] == ["3", "1"]


def test_gold_that_teaches_nothing_is_refused() -> None:
    Path("other.mrg").write_text("(NP (NN nothing))\n")
    with pytest.raises(UsageError, match=r"other\.mrg: has none of these sentences; they are fou"):
        run(*PARSERS, "-o", "out.mrg", "--learn", "other.mrg")
    with pytest.raises(UsageError, match="vote has no use for --learn; try --by best"):
        run(*PARSERS, "-o", "out.mrg", "--learn", "other.mrg", "--by", "vote")


def test_doubtful_stretches_travel_as_places_in_the_text() -> None:
    Path("d.mrg").write_text("(S (NP (NN p53)) (X (Y (Z (VBZ binds) (NN DNA)))) (. .))\n\n\n")
    Path("e.mrg").write_text("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))) (. .))\n\n\n")
    Path("f.mrg").write_text("(S (NP (NN p53)) (W (A (B (VBZ binds)) (NN DNA))) (. .))\n\n\n")
    for target in ("out.jsonl", "out.parquet"):
        run("d.mrg", "e.mrg", "f.mrg", "-o", target, "--by", "distance")
        first, *_ = read(Path(target))
        [[start, end, agreement]] = first.meta["doubtful"]
        assert first.text[int(start) : int(end)] == "binds"
        assert 0 < agreement < 0.75


@pytest.mark.parametrize(("start", "end", "kept"), [(0, 3, "a b"), (2, 5, "b c")])
def test_trees_had_better_not_cut_a_name_in_two(start: int, end: int, kept: str) -> None:
    Path("x.mrg").write_text("(S (NP (NN a) (, ,) (NN b)) (NN c))\n")
    Path("y.mrg").write_text("(S (NN a) (, ,) (NP (NN b) (NN c)))\n")
    span = {"start": start, "end": end, "label": "Gene", "confidence": 0.9}
    told = {"id": "1", "text": "a,b c", "layers": {"anna": [span]}}
    Path("names.jsonl").write_text(json.dumps(told) + "\n")
    run("x.mrg", "y.mrg", "-o", "out.mrg", "--names", "names.jsonl")
    [tree] = [each.trees["out"][0] for each in read(Path("out.mrg"))]
    assert tree is not None
    words = [" ".join(w for w in tree.words[b.start : b.end] if w != ",") for b in tree.brackets]
    assert kept in words
    with pytest.raises(UsageError, match="vote has no use for --names; try --by best"):
        run("x.mrg", "y.mrg", "-o", "out.mrg", "--names", "names.jsonl", "--by", "vote")
