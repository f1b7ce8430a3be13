import json
from pathlib import Path

import msgspec
import pytest

import vermeil as vm
from tests.acquisition.bed import GENES, WORDS, abstracts, write_links
from tests.verbs.test_judging import command
from vermeil import VermeilError
from vermeil.verbs.acquired import CompiledLexicon
from vermeil.verbs.comparisons.ladder import ClimbedLadder

pytest.importorskip("sklearn")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{number}\t{name}\tGene" for number, name in enumerate([*GENES, *WORDS])]
    Path("genes.tsv").write_text("\n".join(["id\tname\tlabel", *rows, "99\t7\tGene", ""]))
    write_links(Path("links.tsv"))


def genes() -> CompiledLexicon:
    return vm.acquire.lexicon("genes.tsv", "genes.zip")


def test_a_lexicon_is_compiled_as_by_the_command() -> None:
    compiled = genes()
    assert compiled.compilation.removed == {"without a letter": 1}
    given = json.loads(command("acquire", "lexicon", "genes.tsv", "-o", "again.zip", "--json"))
    assert compiled.to_dict() | {"output": "again.zip"} == {
        key: value for key, value in given.items() if key not in ("bytes", "seconds")
    }
    assert Path("genes.zip").read_bytes() == Path("again.zip").read_bytes()
    assert repr(compiled).startswith("<CompiledLexicon: ")
    assert "removed: without a letter" in str(compiled)


def test_stop_words_may_be_a_list_or_a_file() -> None:
    Path("stop.txt").write_text("mice\ncell\n")
    for given in (["mice", "cell"], "stop.txt", Path("stop.txt")):
        made = vm.acquire.lexicon(["genes.tsv"], Path("few.zip"), stop_words=given)
        assert made.compilation.n_names < genes().compilation.n_names


def test_labelling_is_that_of_the_command() -> None:
    vm.write(abstracts(), "abstracts.jsonl")
    labelled = vm.acquire.label(abstracts(), genes(), references="links.tsv", gold="gold")
    arguments = ["--lexicon", "genes.zip", "--references", "links.tsv", "--gold", "gold"]
    shown = command("acquire", "label", "abstracts.jsonl", *arguments, "-o", "out.jsonl")
    assert str(labelled).split() == shown.split()
    assert list(labelled) == list(vm.read("out.jsonl"))
    assert labelled.to_dict()["layers"]["reference"]["precision"] == 1.0
    assert list(labelled.to_pandas()["layer"]) == list(labelled.to_dict()["layers"])
    assert vm.score(labelled)["consensus"].counts("exact").f1 > 0.5


def test_files_are_labelled_as_a_stream() -> None:
    vm.write(abstracts(), "abstracts.jsonl")
    labelled = vm.acquire.label(vm.read("abstracts.jsonl"), genes())
    assert not labelled.documents.is_held
    assert "dictionary" in labelled.documents[0].layers
    assert labelled.counts.n_names.keys() == {"dictionary"}


def test_self_training_keeps_what_was_annotated() -> None:
    labelled = vm.acquire.label(abstracts(), genes(), references="links.tsv")
    told = []
    mended = vm.acquire.selftrain(
        labelled,
        rounds=2,
        seed_tokens=1500,
        sample_tokens=1500,
        learner="online",
        development=abstracts(20),
        watch=lambda each: told.append(each.number),
    )
    assert told == [0, 1, 2]
    assert list(mended.to_pandas()["round"]) == [0, 1, 2]
    for document in mended:
        kept = {(span.start, span.end) for span in document.layers["coordination"]}
        assert kept <= {(span.start, span.end) for span in document.layers["self-training"]}
    assert "2 rounds" in repr(mended)
    assert "4 or more" in str(mended)


def test_all_steps_make_a_model_and_go_on_where_they_were() -> None:
    said: list[str] = []
    model = vm.acquire(
        abstracts(),
        genes(),
        "links.tsv",
        "made",
        by="linear",
        n_documents=60,
        say=lambda step: said.append(step),
    )
    assert said[0] == "references"
    assert model.tag("aspirin", name="x").layers == {"x": ()}
    again = vm.acquire.run(
        abstracts(), "genes.zip", Path("links.tsv"), Path("made"), by="linear", n_documents=60
    )
    assert msgspec.to_builtins(again.card) == msgspec.to_builtins(model.card)
    assert repr(model).startswith("<Model made: ")


def test_the_ladder_is_that_of_the_command_and_goes_on() -> None:
    texts = [each.replace(layers={}) for each in abstracts()]
    judges = abstracts(260)[240:]
    said: list[str] = []

    def climbed() -> ClimbedLadder:
        return vm.acquire.ladder(
            texts,
            genes(),
            "links.tsv",
            judges,
            "steps",
            say=lambda each: said.append(each),
            tokens=1500,
            rounds=1,
            page="page.html",
        )

    made = climbed()
    assert list(made.to_pandas()["step"])[3:5] == ["+ reference", "+ coordination"]
    assert str(climbed()) == str(made)
    assert said.count("reference") == 1
    assert "Figure 9" in Path("page.html").read_text()
    assert repr(made).startswith("<ClimbedLadder: 7 steps, F1 ")
    vm.write(texts, "texts.jsonl")
    vm.write(judges, "judges.jsonl")
    given = [
        "texts.jsonl",
        "--lexicon",
        "genes.zip",
        "--references",
        "links.tsv",
        "--tokens",
        "1500",
    ]
    given += ["--rounds", "1", "--development", "judges.jsonl", "-o", "again", "--json"]
    told = json.loads(command("acquire", "ladder", *given))
    assert told["rows"][3:] == made.to_dict()["rows"][3:]
    with pytest.raises(VermeilError, match="cost= takes a number above 0"):
        vm.acquire.ladder(texts, genes(), "links.tsv", judges, "other", cost=0)


def test_what_annotation_is_worth_is_told_as_by_the_command() -> None:
    model = vm.train(abstracts(30), by="linear")
    found = vm.acquire.worth(abstracts(40), abstracts(260)[240:], model, pieces=2)
    assert [each["documents"] for each in found.rows()] == [20, 40]
    assert found.to_dict()["f1"] > 0.9
    assert "Trained on hand annotation" in str(found)
    with pytest.raises(VermeilError, match="no document to score on has a layer 'gold'"):
        vm.acquire.worth(abstracts(40), [vm.Document(id="1", text="x")], model)


def test_a_folder_is_not_gone_on_with_for_other_texts() -> None:
    options = {"by": "linear", "n_documents": 60}
    vm.acquire(abstracts(), genes(), "links.tsv", "made", **options)  # type: ignore[arg-type]
    other = [each.replace(text=each.text + " ") for each in abstracts()]
    with pytest.raises(VermeilError, match="an option has changed"):
        vm.acquire(other, "genes.zip", "links.tsv", "made", **options)  # type: ignore[arg-type]


def test_what_cannot_be_acquired_is_said() -> None:
    with pytest.raises(VermeilError, match=r"missing\.tsv: no such file"):
        vm.acquire.lexicon("missing.tsv", "x.zip")
    with pytest.raises(VermeilError, match="no spelling named 'fuzzy'"):
        vm.acquire.lexicon("genes.tsv", "x.zip", spelling="fuzzy")
    with pytest.raises(VermeilError, match="a path was wanted, not 3"):
        vm.acquire.label(abstracts(), 3)  # type: ignore[arg-type]
    with pytest.raises(VermeilError, match="learned= is of a lexicon and its references"):
        vm.acquire.label(abstracts(), genes(), learned="learned.zip")
    with pytest.raises(VermeilError, match="no document has a layer 'x'; choose one with layer="):
        vm.acquire.selftrain(abstracts(), layer="x")
    with pytest.raises(VermeilError, match="no recogniser named 'comittee'"):
        vm.acquire(abstracts(), genes(), "links.tsv", "made", by="comittee")
    assert (
        repr(vm.acquire) == "<acquire: run, lexicon, label, selftrain, links, audit, ladder, worth>"
    )
