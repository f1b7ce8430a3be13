import io
import json
import zipfile
from pathlib import Path

import pytest

import vermeil as vm
from tests.cli import command_line
from tests.recognise.tiny import save_tiny, unseen, wide_cascade
from vermeil import Document
from vermeil.formats import read, write
from vermeil.recognise.recogniser import save


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_tiny(Path("tiny.zip"))
    write(unseen(), "texts.jsonl")


def run(*arguments: str, given: str | None = None) -> str:
    return command_line.run("tag", *arguments, given=given)


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "tag", *arguments)


def test_names_are_one_more_layer_called_like_the_model() -> None:
    shown = run("--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl")
    found = list(read("out.jsonl"))
    assert {"gold", "tiny"} <= set(found[0].layers)
    n_names = sum(len(each.layers["tiny"]) for each in found)
    assert shown == f"20 documents, {n_names} names in layer 'tiny'\n"
    for document in found:
        assert all((span.confidence or 0) >= 0.5 for span in document.layers["tiny"])


def test_a_lower_threshold_finds_more() -> None:
    counts = []
    for threshold in ("0.9", "0.5", "0.05"):
        options = ["--threshold", threshold, "--json"]
        report = json.loads(run("--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl", *options))
        counts.append(report["names"])
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_overlapping_names_are_kept_if_asked_for() -> None:
    options = ["--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl", "--threshold", "0.01"]
    plain, every = (json.loads(run(*options, "--json", *more)) for more in ([], ["--overlaps"]))
    assert every["names"] > plain["names"]


@pytest.mark.parametrize(
    "given",
    [
        '{"text":"We gave aspirin."}',
        '{"text":"We gave aspirin."}\n{"text":"No."}\n',
        '[{"pmid":1,"abstract":"We gave aspirin."}]',
        '[\n {\n  "pmid": 1,\n  "abstract": "We gave',
        '<?xml version="1.0"?>\n<paper><p>We gave aspirin.</p></paper>',
    ],
)
def test_data_of_no_format_are_no_prose(
    given: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    said = fail(capsys, "--model", "tiny.zip", "-", "-o", "out.jsonl")
    assert "-: cannot tell the format; name it with --from" in said


def test_plain_text_comes_in_and_goes_out_through_pipes() -> None:
    text = "Patients received cisplatin and EGFR was blocked."
    options = ["--threshold", "0.02", "--to", "jsonl", "-o", "-"]
    out = run("--model", "tiny.zip", "-", *options, given=text)
    found = json.loads(out)
    assert (found["id"], found["text"]) == ("stdin", text)
    assert "cisplatin" in {text[s["start"] : s["end"]] for s in found["layers"]["tiny"]}


def test_what_could_not_be_written_is_said_before_tagging(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ["--model", "no-such.zip", "texts.jsonl"]
    assert fail(capsys, *given, "--to", "jsonl", "-o", "-", "--json") == (
        "vermeil: --json and -o - both write to standard output; drop --json, or give -o FILE"
    )
    line = fail(capsys, *given, "-o", "no/out.jsonl")
    assert line == "vermeil: no/out.jsonl: there is no folder 'no'; make it first"


def test_standard_input_can_be_any_format() -> None:
    given = Path("texts.jsonl").read_text()
    options = ["--from", "jsonl", "--to", "jsonl", "-o", "-"]
    assert len(run("--model", "tiny.zip", "-", *options, given=given).splitlines()) == 20


def test_documents_stream_batch_by_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = []
    for size in (7, 200):
        monkeypatch.setattr("vermeil.recognise.placed_names.BATCH", size)
        run("--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl")
        found = [each.layers["tiny"] for each in read("out.jsonl")]
        layers.append([[(span.start, span.end) for span in layer] for layer in found])
    assert layers[0] == layers[1]


def test_a_format_for_one_layer_gets_what_was_found() -> None:
    run("--model", "tiny.zip", "texts.jsonl", "-o", "out.pubtator")
    assert sum(len(each.layers["out"]) for each in read("out.pubtator")) > 20


def test_boundary_distributions_are_written_as_a_standard() -> None:
    run("--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl", "--standard", "--name", "m")
    plain = [set(each.layers) for each in read("out.jsonl")]
    assert all("m" in names for names in plain)
    assert any(
        len(centroid.left) > 1 or len(centroid.right) > 1
        for each in read("out.jsonl")
        for centroid in each.standards["m"]
    )


def test_a_layer_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl", "--name", "gold")
    first = unseen()[0].id
    assert line == (
        f"vermeil: document {first!r} has a layer 'gold' already; choose another --name"
    )
    assert not Path("out.jsonl").exists()


def test_documents_without_text_have_no_names() -> None:
    write([Document(id="1", text=""), Document(id="2", text="\n \n")], "empty.jsonl")
    run("--model", "tiny.zip", "empty.jsonl", "-o", "out.jsonl")
    assert [each.layers["tiny"] for each in read("out.jsonl")] == [(), ()]


def test_a_model_nobody_has_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "--model", "chemm", "texts.jsonl", "-o", "out.jsonl")
    assert line.startswith("vermeil: no model named 'chemm'")


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "--model", "none.zip", "texts.jsonl", "-o", "out.jsonl")
    assert line == "vermeil: none.zip: cannot be read: No such file or directory"


def test_a_foreign_zip_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile("foreign.zip", "w") as archive:
        archive.writestr("readme.txt", "nothing")
    line = fail(capsys, "--model", "foreign.zip", "texts.jsonl", "-o", "out.jsonl")
    assert line == "vermeil: foreign.zip: is a zip file, but holds no model"


def test_a_text_is_no_model(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "--model", "texts.jsonl", "texts.jsonl", "-o", "out.jsonl")
    assert line.startswith("vermeil: texts.jsonl: is no model or is damaged: ")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_model_is_refused(share: float, capsys: pytest.CaptureFixture[str]) -> None:
    whole = Path("tiny.zip").read_bytes()
    Path("cut.zip").write_bytes(whole[: int(share * len(whole))])
    line = fail(capsys, "--model", "cut.zip", "texts.jsonl", "-o", "out.jsonl")
    assert line.startswith("vermeil: cut.zip: is no model or is damaged: ")


@pytest.mark.parametrize("place", [0.1, 0.25, 0.5, 0.75, 0.9])
def test_a_damaged_model_is_refused(place: float, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = bytearray(Path("tiny.zip").read_bytes())
    at = int(place * len(damaged))
    damaged[at : at + 64] = bytes(each ^ 0x55 for each in damaged[at : at + 64])
    Path("bad.zip").write_bytes(damaged)
    line = fail(capsys, "--model", "bad.zip", "texts.jsonl", "-o", "out.jsonl")
    assert line.startswith("vermeil: bad.zip: ")


def test_a_model_that_lacks_a_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile("tiny.zip") as whole, zipfile.ZipFile("part.zip", "w") as part:
        for name in whole.namelist():
            if "transition" not in name:
                part.writestr(name, whole.read(name))
    line = fail(capsys, "--model", "part.zip", "texts.jsonl", "-o", "out.jsonl")
    assert line.startswith("vermeil: part.zip: is damaged: it lacks ")


def test_the_best_readings_of_sentences_are_layers(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--model", "tiny.zip", "texts.jsonl", "-o", "out.jsonl", "--n-best", "2"]
    assert "names in layer 'tiny'" in run(*given)
    [first, *_] = read("out.jsonl")
    assert {"tiny", "tiny.2"} <= set(first.layers)
    assert first.meta["sequences"]["tiny"][0]["start"] == 0
    assert "so leave out --overlaps, --standard" in fail(capsys, *given, "--overlaps")
    again = ["--model", "tiny.zip", "out.jsonl", "-o", "twice.jsonl", "--n-best", "2"]
    assert "has a layer 'tiny' already" in fail(capsys, *again)


def test_a_model_without_sequences_has_no_best_ones(capsys: pytest.CaptureFixture[str]) -> None:
    Path("names.txt").write_text("cisplatin\n")
    lexicon = ["--by", "dictionary", "--lexicon", "Chemical=names.txt"]
    command_line.run("train", "texts.jsonl", "-o", "list.zip", "--layer", "gold", *lexicon)
    told = fail(capsys, "--model", "list.zip", "texts.jsonl", "-o", "x.jsonl", "--n-best", "1")
    assert "does not read sentences as one sequence of tags" in told


def test_other_texts_are_asked_in_a_second_pass() -> None:
    save(wide_cascade(), Path("wide.zip"))
    given = ["--model", "wide.zip", "texts.jsonl", "-o", "out.jsonl", "--threshold", "0.01"]
    outcomes = []
    for options in ([], ["--corpus-wide"]):
        run(*given, *options)
        outcomes.append(Path("out.jsonl").read_bytes())
    alone, together = outcomes
    assert alone != together
    run(*given, "--corpus-wide", "--engine", "process", "--shard-size", "0.001")
    assert Path("out.jsonl").read_bytes() == together
    told = vm.load("wide.zip").tag(vm.read("texts.jsonl"), threshold=0.01, corpus_wide=True)
    assert [each.layers["wide"] for each in told] == [
        each.layers["wide"] for each in read("out.jsonl")
    ]


def test_only_a_model_trained_so_asks_other_texts(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--model", "tiny.zip", "-o", "out.jsonl", "--corpus-wide"]
    assert "not trained to look at other documents" in fail(capsys, *given, "texts.jsonl")
    with pytest.raises(vm.VermeilError, match="give a list or files"):
        vm.load("chem").tag("We gave aspirin.", corpus_wide=True)
