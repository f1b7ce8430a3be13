import json
import zipfile
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from tests.cli import command_line
from tests.recognise.tiny import sample_words, samples
from vermeil import Document, Span
from vermeil.cli import app
from vermeil.errors import FormatError, UnknownNameError, UsageError, VermeilError
from vermeil.formats import read, write
from vermeil.recognise.asking import FEATURES, PAPER

LIST = ["--by", "dictionary", "--label", "Chemical", "--lexicon", "names.txt"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(samples()[:18], "gold.jsonl")
    Path("names.txt").write_text("# chemicals\ncisplatin\n\n  acetic acid\n")


run = partial(command_line.run, "train")


def header(model: str) -> dict[str, Any]:
    with zipfile.ZipFile(model) as archive:
        found: dict[str, Any] = json.loads(archive.read("header.json"))
    return found


def test_a_trained_cascade_tags() -> None:
    pytest.importorskip("sklearn")
    shown = run(
        *("gold.jsonl", "-o", "m.zip", "--label", "Chemical", "--english", "none"),
        *("--deals", "1"),
    )
    n_names = sum(s.label == "Chemical" for each in samples()[:18] for s in each.layers["gold"])
    assert f"18 documents, {n_names} names; 0 (0.00%) begin or end where no token does" in shown
    assert f"m.zip: {Path('m.zip').stat().st_size:,} bytes, trained in" in shown
    assert header("m.zip")["kind"] == "cascade"
    tagging = ["tag", "--model", "m.zip", "gold.jsonl", "-o", "out.jsonl"]
    CliRunner().invoke(app, tagging, catch_exceptions=False)
    found = [span for each in read("out.jsonl") for span in each.layers["m"]]
    assert {span.label for span in found} == {"Chemical"}
    assert len(found) > n_names / 2


def test_a_model_trained_with_words_keeps_their_classes_and_its_card_tells_of_them() -> None:
    pytest.importorskip("sklearn")
    sample_words().save(Path("words.zip"))
    run(
        "gold.jsonl",
        "-o",
        "m.zip",
        "--label",
        "Chemical",
        "--english",
        "none",
        "--words",
        "words.zip",
    )
    made = header("m.zip")
    assert made["card"]["words"] == dict(sample_words().card)
    assert {"words", "pooled"} <= set(made["evidence"])
    with zipfile.ZipFile("m.zip") as archive:
        held = archive.namelist()
    assert "arrays/knowledge/learned/runs/centres-1024.npy" in held
    assert not [each for each in held if "vectors" in each]
    again = [*command_line.run("tag", "gold.jsonl", "--model", "m.zip", "-o", "-").splitlines()]
    assert len(again) == 18


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--words", "names.txt"], "names.txt: is no file of learned words, which vermeil learn-"),
        (["--words", "none"], "a list of English words is given as --english none"),
        (["--words", "nowhere.zip"], "nowhere.zip: cannot be read"),
        (["--words", "w.zip", "--by", "hmm"], "--words are for cascades with the usual features"),
        (["--words", "w.zip", "--like-paper"], "the paper does not look at them"),
    ],
)
def test_what_are_no_learned_words_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    line = command_line.fail(capsys, "train", "gold.jsonl", "-o", "m.zip", *arguments)
    assert said in line


def test_like_the_paper_the_samples_are_learned_tagged_and_explained() -> None:
    Path("ase.txt").write_text("kinase\namylase\n")
    Path("not-ase.txt").write_text("phase\nincrease\n")
    options = ["--label", "Chemical", "--english", "none", "--lexicon", "names.txt", "--like-paper"]
    run("gold.jsonl", "-o", "m.zip", *options, "--inside", "ase.txt", "--outside", "not-ase.txt")
    made = header("m.zip")
    assert (made["sequence"], made["rescorer"], made["tokeniser"]) == (
        PAPER["sequence"],
        PAPER["rescorer"],
        PAPER["tokeniser"],
    )
    assert made["families"] == sorted(FEATURES[PAPER["features"]])
    assert (made["filtered"], made["blocked_first"], made["threshold"]) == (True, True, 0.3)
    tagging = ["tag", "--model", "m.zip", "gold.jsonl", "-o", "out.jsonl", "--json"]
    told = json.loads(CliRunner().invoke(app, tagging, catch_exceptions=False).stdout)
    assert told["threshold"] == 0.3
    found = [span for each in read("out.jsonl") for span in each.layers["m"]]
    sure = [span.confidence or 0 for span in found]
    assert 0.3 <= min(sure) < 0.5
    asking = ["explain", "--model", "m.zip", "--name", "cisplatin", "--sentence", "Take cisplatin."]
    said = CliRunner().invoke(app, asking, catch_exceptions=False).stdout
    assert "p less best" in said


def test_the_help_says_what_like_paper_sets() -> None:
    shown = " ".join(run("--help").split())
    for name, value in PAPER.items():
        flag = f"--{name.replace('_', '-')}"
        assert (flag if value is True else f"{flag} {value}") in shown


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--like-paper", "--by", "hmm"], "--like-paper trains a cascade; .* --by hmm"),
        (["--features", "papers"], "no features named 'papers'; did you mean 'paper'"),
        (["--resolve", "never"], "no way to settle overlaps named 'never'"),
        (["--keep-features", "0"], "takes a share above 0"),
    ],
)
def test_a_way_that_there_is_not_is_refused(options: list[str], complaint: str) -> None:
    with pytest.raises(VermeilError, match=complaint):
        run("gold.jsonl", "-o", "m.zip", *options)


def test_the_card_says_what_the_model_is() -> None:
    options = ["--name", "list of two", "--licence", "CC0", "--json"]
    report = json.loads(run("gold.jsonl", "-o", "m.zip", *LIST, *options))
    card = header("m.zip")["card"]
    assert card == report["card"]
    assert (card["name"], card["licence"]) == ("list of two", "CC0")
    assert (card["trained_on"], card["lexicons"]) == (["gold.jsonl"], ["names.txt"])
    assert (card["documents"], card["figures"]) == (18, {})
    assert report["bytes"] == Path("m.zip").stat().st_size


def test_the_same_command_makes_the_same_file_and_no_path_gets_into_it(tmp_path: Path) -> None:
    run(str(tmp_path / "gold.jsonl"), "-o", "one.zip", *LIST, "--name", "m")
    run(str(tmp_path / "gold.jsonl"), "-o", "two.zip", *LIST, "--name", "m")
    assert Path("one.zip").read_bytes() == Path("two.zip").read_bytes()
    assert str(tmp_path) not in json.dumps(header("one.zip"))


def test_all_labels_of_the_layer_are_learned_unless_some_are_named() -> None:
    run("gold.jsonl", "-o", "m.zip", "--by", "hmm")
    assert header("m.zip")["labels"] == ["Chemical", "Disease", "Gene"]


def test_cross_validation_gives_a_table_and_curves() -> None:
    options = ["--by", "hmm", "--label", "Gene", "--folds", "2", "--curves", "c.svg"]
    shown = run("gold.jsonl", "-o", "m.zip", *options)
    assert "Cross-validated in 2 folds; AP: average precision of all candidates pooled" in shown
    figures = header("m.zip")["card"]["figures"]["hmm"]
    assert 0 < figures["f1"] < 1
    assert 0 < figures["average_precision"] < 1
    assert ElementTree.parse("c.svg").getroot().tag.endswith("svg")


def test_table_2_has_the_figures_of_the_paper() -> None:
    options = ["--by", "hmm", "--label", "Gene", "--folds", "2", "--json"]
    figures = json.loads(run("gold.jsonl", "-o", "m.zip", *options))["card"]["figures"]["hmm"]
    assert 0 < figures["f1_at_0.3"] < 1
    assert figures["recall"] <= figures["greatest_recall"] <= 1
    shown = run("gold.jsonl", "-o", "m.zip", *options[:-1])
    assert "F1 at .3" in shown
    assert "max R" in shown


def test_a_learning_curve_is_a_table_and_a_picture() -> None:
    options = ["--by", "hmm", "--label", "Gene", "--folds", "2", "--learning-curve", "l.svg"]
    shown = run("gold.jsonl", "-o", "m.zip", *options, "--shares", "0.5,0.2")
    assert "Learned from less, in 2 folds" in shown
    steps = header("m.zip")["card"]["learning"]
    assert [(step["share"], step["documents"]) for step in steps] == [(0.2, 2), (0.5, 5), (1, 9)]
    last = {key: steps[-1][key] for key in ("f1", "average_precision")}
    assert last.items() <= header("m.zip")["card"]["figures"]["hmm"].items()
    picture = ElementTree.parse("l.svg").getroot()
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}circle"))) == 9


def test_folds_are_balanced_by_a_field_that_documents_have() -> None:
    hmm = ["--by", "hmm", "--label", "Gene", "--folds", "2"]
    balanced = [
        each.replace(meta={"journal": f"J{number % 3}"})
        for number, each in enumerate(samples()[:18])
    ]
    write(balanced, "balanced.jsonl")
    run("balanced.jsonl", "-o", "m.zip", *hmm, "--balance", "journal")
    assert header("m.zip")["card"]["balanced_by"] == "journal"
    with pytest.raises(UnknownNameError, match="no field of the metadata named 'year'"):
        run("balanced.jsonl", "-o", "m.zip", *hmm, "--balance", "year")
    with pytest.raises(UsageError, match="--folds 2 or more"):
        run("balanced.jsonl", "-o", "m.zip", *LIST, "--balance", "journal")
    with pytest.raises(UsageError, match="between 0 and 1, got 2"):
        run("gold.jsonl", "-o", "m.zip", *hmm, "--learning-curve", "l.svg", "--shares", "2")


def test_only_a_cascade_asks_other_documents() -> None:
    pytest.importorskip("sklearn")
    options = ["--label", "Chemical", "--english", "none", "--corpus-wide"]
    run("gold.jsonl", "-o", "m.zip", *options)
    assert header("m.zip")["evidence"] == ["long forms", "rates", "corpus"]
    with pytest.raises(UsageError, match="for a cascade with a rescorer"):
        run("gold.jsonl", "-o", "m.zip", *LIST, "--corpus-wide")


def test_names_that_no_token_reaches_are_counted() -> None:
    documents = [
        Document(id=str(n), text="ethanol burns", layers={"gold": (Span(0, 4, "Chemical"),)})
        for n in range(3)
    ]
    write(documents, "odd.jsonl")
    assert "3 (100.00%) begin or end" in run("odd.jsonl", "-o", "m.zip", *LIST)


def test_each_label_has_its_own_names() -> None:
    Path("genes.txt").write_text("BRCA1\n")
    lists = ["--lexicon", "Chemical=names.txt", "--lexicon", "Gene=genes.txt"]
    labels = ["--label", "Chemical", "--label", "Gene"]
    run("gold.jsonl", "-o", "m.zip", "--by", "dictionary", *labels, *lists)
    CliRunner().invoke(app, ["tag", "--model", "m.zip", "gold.jsonl", "-o", "out.jsonl"])
    found = {
        (span.marked(each.text), span.label)
        for each in read("out.jsonl")
        for span in each.layers["m"]
    }
    assert ("BRCA1", "Gene") in found
    assert ("cisplatin", "Chemical") in found


@pytest.mark.parametrize(
    ("arguments", "complaint", "error"),
    [
        (["--by", "casade"], "no recogniser named 'casade'; did you mean", UnknownNameError),
        (["--sequence", "rnn"], "no sequence model named 'rnn'", UnknownNameError),
        (["--tokeniser", "fin"], "did you mean 'fine'", UnknownNameError),
        (["--label", "gene"], "no label named 'gene'; did you mean 'Gene'", UnknownNameError),
        (["--layer", "anna"], "no layer named 'anna'", UnknownNameError),
        (["--lexicon", "names.txt"], "of which label are these names", UsageError),
        (["--lexicon", "Gen=names.txt"], "did you mean 'Gene'", UnknownNameError),
        (["--lexicon", "Gene=none.txt"], r"none\.txt: cannot be read", FormatError),
        (["--english", "none.txt"], r"none\.txt: cannot be read", FormatError),
        (["--folds", "1"], "give --folds 2 or more", UsageError),
        (["--curves", "c.svg"], "give --folds 2 or more", UsageError),
    ],
)
def test_what_cannot_be_trained_is_said(
    arguments: list[str], complaint: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match=complaint):
        run("gold.jsonl", "-o", "m.zip", *arguments)
    assert not Path("m.zip").exists()


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("-", "cannot be written to standard output"),
        ("m.gz", r"m\.gz: a model is compressed already"),
        ("nowhere/m.zip", "there is no folder 'nowhere'; make it first"),
        (".", "is a folder"),
    ],
)
def test_what_could_not_be_written_is_said_before_training(output: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        run("gold.jsonl", "-o", output)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--lexicon", "Gene=none.txt"], r"none\.txt: cannot be read"),
        (["--english", "none.txt"], r"none\.txt: cannot be read"),
        (["--folds", "2", "--curves", "no/c.svg"], r"no/c\.svg: there is no folder 'no'"),
        (["--log", "no/l.jsonl"], r"no/l\.jsonl: there is no folder 'no'"),
        (["--text", "none.txt"], r"none\.txt: no such file"),
        (["none.jsonl", "--from", "jsonl"], r"none\.jsonl: no such file"),
    ],
)
def test_every_file_is_looked_for_before_the_corpus_is_read(
    options: list[str], complaint: str
) -> None:
    Path("broken.jsonl").write_text("{")
    with pytest.raises(VermeilError, match=complaint):
        run("broken.jsonl", "-o", "m.zip", *options)


def test_one_of_several_layers_must_be_chosen() -> None:
    both = [each.replace(layers={"a": (), "b": ()}) for each in samples()[:3]]
    write(both, "both.jsonl")
    with pytest.raises(UsageError, match="there are the layers a, b; choose one with --layer"):
        run("both.jsonl", "-o", "m.zip")


def test_without_a_layer_there_is_nothing_to_learn() -> None:
    write([Document(id="1", text="ethanol")], "bare.jsonl")
    with pytest.raises(UsageError, match="no document has a layer of names"):
        run("bare.jsonl", "-o", "m.zip")


def test_too_few_documents_are_too_little() -> None:
    write(samples()[:3], "few.jsonl")
    with pytest.raises(UsageError, match="there is too little to learn from: 3 documents"):
        run("few.jsonl", "-o", "m.zip")
