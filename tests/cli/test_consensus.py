import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vermeil as vm
from tests.cli import command_line
from vermeil import Document, Span
from vermeil.cli import app
from vermeil.consensus.asking import PAPER
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import read, write

TEXT = "BRCA1 causes breast cancer."
GENE, WIDE, DISEASE = Span(0, 5, "Gene"), Span(0, 12, "Gene"), Span(13, 26, "Disease")
SAID = {"anna": (GENE, DISEASE), "ben": (GENE,), "carl": (WIDE, DISEASE), "gold": (DISEASE,)}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write([Document(id=str(n), text=TEXT, layers=SAID) for n in range(5)], "all.jsonl")


run = partial(command_line.run, "consensus")


def test_the_consensus_is_one_more_layer_and_a_standard() -> None:
    run("all.jsonl", "--without", "gold", "-o", "silver.jsonl")
    for document in read("silver.jsonl"):
        assert set(document.layers) == {*SAID, "consensus"}
        spans = [(span.start, span.end) for span in document.layers["consensus"]]
        assert spans == [(0, 5), (13, 26)]
        assert [c.votes for c in document.standards["consensus"]] == [3, 2]


def test_a_format_for_one_layer_gets_the_consensus() -> None:
    run("all.jsonl", "--without", "gold", "-o", "silver.eval")
    assert Path("silver.eval").read_text().splitlines()[0] == "0|0 4|BRCA1"


def test_annotators_are_shown_as_their_agreement_shows_them() -> None:
    shown = run("all.jsonl", "--layers", "anna,ben,carl", "-o", "silver.jsonl", "--show", "2")
    assert "Annotators, by agreement with the consensus" in shown
    assert "Most contested" in shown
    assert "gold" not in shown


def test_everything_is_in_the_json() -> None:
    report = json.loads(run("all.jsonl", "--without", "gold", "-o", "silver.jsonl", "--json"))
    assert [row["annotator"] for row in report["annotators"]] == ["anna", "ben", "carl"]
    assert (report["documents"], report["spans"]) == (5, 10)
    assert len(report["contested"]) == 5


@pytest.mark.parametrize(
    ("options", "spans"),
    [
        (["--min-votes", "3"], [(0, 5)]),
        (["--min-votes", "60%"], [(0, 5), (13, 26)]),
        (["--min-votes", "3", "--emit", "extent"], [(0, 12)]),
        (["--weight", "carl=5", "--min-votes", "5"], [(0, 12), (13, 26)]),
    ],
)
def test_votes_can_be_counted_as_in_the_paper(
    options: list[str], spans: list[tuple[int, int]]
) -> None:
    run("all.jsonl", "--by", "centroids", "--without", "gold", "-o", "silver.jsonl", *options)
    found = next(read("silver.jsonl")).layers["consensus"]
    assert [(span.start, span.end) for span in found] == spans


def test_like_paper_emits_hearts_and_what_else_was_asked_stays() -> None:
    run("all.jsonl", "--like-paper", "--without", "gold", "-o", "silver.jsonl")
    spelt = ["--by", "centroids", "--emit", "heart", "--no-singles", "--ignore", "\"'*+-]"]
    spelt += ["--boundaries", "changes", "--alternatives", "--no-levels"]
    run("all.jsonl", *spelt, "--without", "gold", "-o", "spelt.jsonl")
    assert Path("silver.jsonl").read_text() == Path("spelt.jsonl").read_text()
    asked = ["--like-paper", "--emit", "extent", "--min-votes", "3"]
    run("all.jsonl", *asked, "--without", "gold", "-o", "silver.jsonl")
    found = next(read("silver.jsonl")).layers["consensus"]
    assert [(span.start, span.end) for span in found] == [(0, 12)]


def test_the_help_says_what_like_paper_sets() -> None:
    said = " ".join(command_line.run("consensus", "--help").split())
    for option, value in PAPER.items():
        name = option.replace("ignored", "ignore")
        spelt = (
            f"--{name} {value}" if isinstance(value, str) else f"--{'' if value else 'no-'}{name}"
        )
        assert spelt in said


def test_hearts_that_are_only_a_general_term_can_be_left_out() -> None:
    Path("terms.txt").write_text("brca1\n\n")
    arguments = ["all.jsonl", "--by", "centroids", "--without", "gold", "-o", "silver.jsonl"]
    run(*arguments, "--general-terms", "terms.txt")
    found = next(read("silver.jsonl")).layers["consensus"]
    assert [(span.start, span.end) for span in found] == [(13, 26)]
    run(*arguments, "--general-terms", "default")
    assert len(next(read("silver.jsonl")).layers["consensus"]) == 2


@pytest.mark.parametrize("by", ["hearts", "centroids"])
def test_the_hearts_left_out_and_the_names_that_lose_by_it_are_counted(by: str) -> None:
    text = "the homeobox protein CHOP-10 binds"
    wide, narrow, tail = Span(4, 20, "Gene"), Span(13, 28, "Gene"), Span(21, 28, "Gene")
    layers = {"anna": (wide, tail), "ben": (narrow,), "carl": (wide,), "dora": (narrow,)}
    write([Document(id=str(n), text=text, layers=layers) for n in range(5)], "all.jsonl")
    arguments = ["all.jsonl", "--by", by, "-o", "silver.jsonl"]
    run(*arguments)
    assert "protein" in {
        text[c.start : c.end] for c in next(read("silver.jsonl")).standards["consensus"]
    }
    shown = run(*arguments, "--general-terms", "default")
    assert (
        "5 hearts left out that are only a general term (protein 5); 5 names hold no other heart"
    ) in shown
    for document in read("silver.jsonl"):
        hearts = {text[c.start : c.end] for c in document.standards["consensus"]}
        assert hearts == {"CHOP-10"}
    report = json.loads(run(*arguments, "--general-terms", "default", "--json"))
    assert report["general_terms"] == {"hearts": {"protein": 5}, "names": 5}


def test_the_names_most_in_doubt_are_named() -> None:
    report = json.loads(run("all.jsonl", "--without", "gold", "-o", "silver.jsonl", "--json"))
    doubts = [each["doubt"] for each in report["contested_names"]]
    assert {each["text"] for each in report["contested_names"]} == {"BRCA1", "breast cancer"}
    assert doubts == sorted(doubts, reverse=True)


@pytest.mark.parametrize(
    ("options", "complaint", "error"),
    [
        (["--by", "heart"], "did you mean 'hearts'", UnknownNameError),
        (["--min-votes", "many"], "takes a number or a percentage", UsageError),
        (["--tolerance", "x"], "^--tolerance takes a number or a percentage, not 'x'", UsageError),
        (["--min-votes", "0.5"], "^--min-votes .*, not '0.5'; for a share say '50%'", UsageError),
        (["--tolerance=-1"], "--tolerance takes .* that is not negative, not '-1'", UsageError),
        (["--min-votes=-5%"], "--min-votes takes .* that is not negative, not '-5%'", UsageError),
        (["--boundaries", "name"], "did you mean 'names'", UnknownNameError),
        (["--like-paper", "--by", "tokens"], "leave it out for --by tokens", UsageError),
        (["--weight", "anna=x"], "--weight takes NAME=NUMBER", UsageError),
        (["--emit", "middle"], "no kind of span named 'middle'", UnknownNameError),
        (["--min-votes", "2"], r"no use for --min-votes; try --by centroids or", UsageError),
        (["--layers", "anna,nobody"], "no annotator named 'nobody'", UnknownNameError),
        (["--without", "nobody"], "no annotator named 'nobody'", UnknownNameError),
        (["--without", "anna,ben,carl,gold"], "nobody is left to vote", UsageError),
        (["--name", "anna"], "an annotator 'anna' already", UsageError),
    ],
)
def test_what_is_wrong_or_would_be_ignored_or_lost_is_refused(
    options: list[str], complaint: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match=complaint):
        run("all.jsonl", "-o", "silver.jsonl", *options)
    assert not Path("silver.jsonl").exists()


def test_gold_that_votes_is_mentioned() -> None:
    arguments = ["consensus", "all.jsonl", "-o", "silver.jsonl"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert "gold standard as an annotator (use --without gold to judge)" in result.stderr


def test_alternatives_do_not_vote_unless_asked_and_that_is_said() -> None:
    layers = {"gold": (DISEASE,), "gold.alternatives": (WIDE,), "anna": (GENE,)}
    write([Document(id="1", text=TEXT, layers=layers)], "gold.jsonl")

    def hearts(*options: str) -> tuple[list[tuple[int, int]], str]:
        arguments = ["consensus", "gold.jsonl", "--by", "centroids", "-o", "silver.jsonl"]
        result = CliRunner().invoke(app, [*arguments, *options], catch_exceptions=False)
        [document] = read("silver.jsonl")
        return [(c.start, c.end) for c in document.standards["consensus"]], result.stderr

    found, said = hearts()
    assert found == [(0, 5), (13, 26)]
    assert "left out 1 layers of alternatives (gold.alternatives; --alternatives counts it)" in said
    for options in (["--alternatives"], ["--alternatives", "--layers", "anna,gold"]):
        found, said = hearts(*options)
        assert next(read("silver.jsonl")).standards["consensus"][0].votes == 2
        assert "alternatives" not in said
    found, said = hearts("--alternatives", "--without", "gold")
    assert found == [(0, 5)]
    assert next(read("silver.jsonl")).standards["consensus"][0].votes == 1
    assert "alternatives" not in said
    assert hearts("--layers", "gold.alternatives")[0] == [(0, 12)]
    assert hearts("--no-alternatives", "--like-paper")[0] == [(0, 5), (13, 26)]


def test_two_annotators_teach_nothing_and_that_is_said() -> None:
    shown = run("all.jsonl", "--layers", "anna,ben", "-o", "silver.jsonl")
    assert "nothing can be learned" in shown


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-o", "-", "--to", "jsonl", "--json"], "--json and -o - both write to standard output"),
        (["-o", "no/silver.jsonl"], r"no/silver\.jsonl: there is no folder 'no'; make it first"),
    ],
)
def test_output_that_cannot_be_is_refused_before_reading(
    options: list[str], complaint: str
) -> None:
    Path("broken.jsonl").write_text("{")
    with pytest.raises(UsageError, match=complaint):
        run("broken.jsonl", *options)


def test_a_settled_layer_is_the_consensus_where_it_is_and_does_not_vote() -> None:
    shown = run("all.jsonl", "--settled", "gold", "-o", "silver.jsonl")
    assert "gold" not in shown
    for document in read("silver.jsonl"):
        assert [(each.start, each.end) for each in document.layers["consensus"]] == [(13, 26)]


def test_only_methods_that_learn_from_it_take_a_settled_layer() -> None:
    with pytest.raises(UsageError, match="majority has no use for --settled; try --by people"):
        run("all.jsonl", "--settled", "gold", "--by", "majority", "-o", "silver.jsonl")
    with pytest.raises(UnknownNameError, match="no annotator named 'god'"):
        run("all.jsonl", "--settled", "god", "-o", "silver.jsonl")


def test_an_option_without_use_is_called_as_it_was_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = command_line.fail(
        capsys, "consensus", "all.jsonl", "-o", "x.jsonl", "--weight", "anna=2"
    )
    assert said == "vermeil: people has no use for --weight; try --by centroids"


@pytest.mark.parametrize("by", ["majority", "tokens"])
def test_where_nobody_is_outvoted_by_those_who_look_for_something_else(by: str) -> None:
    layers = {"anna": (GENE,), "ben": (DISEASE,), "carl": (Span(6, 12, "Verb"),)}
    write([Document(id=str(n), text=TEXT, layers=layers) for n in range(5)], "one-each.jsonl")
    said = run("one-each.jsonl", "--by", by, "-o", "x.jsonl")
    assert "nothing is kept of 15 names that were marked: none has the votes" in said
    assert "--by people learns who looks for what" in said
    shown = str(vm.combine(vm.read("one-each.jsonl"), by=by))
    assert "by='people' learns who looks for what" in shown
    assert "nothing is kept" not in run("all.jsonl", "--by", by, "-o", "y.jsonl")
    write([Document(id="1", text=TEXT, layers=dict.fromkeys(layers, ()))], "none.jsonl")
    assert "nothing is kept" not in run("none.jsonl", "--by", by, "-o", "z.jsonl")


def test_of_a_crowd_it_says_what_those_have_in_common_who_are_not_shown() -> None:
    names = Span(0, 5, "Gene"), Span(13, 26, "Disease")
    documents = [
        Document(
            id=f"{n}", text=TEXT, layers={f"worker-{(n + k) % 40:02}": names for k in (0, 9, 21)}
        )
        for n in range(40)
    ]
    write(documents, "crowd.jsonl")
    shown = run("crowd.jsonl", "-o", "silver.jsonl")
    assert "10 more annotators, with fewer names in what they saw; --json lists all" in shown
