import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.command_line import fail, run
from vermeil import Document, Span, __version__
from vermeil.cli import app
from vermeil.formats import read, write

TEXT = "BRCA1 causes breast cancer."
GENE, DISEASE = Span(0, 5, "Gene"), Span(13, 26, "Disease", 0.75)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write([Document(id="1", text=TEXT, layers={"anna": (GENE,)})], "anna.jsonl")
    write([Document(id="1", text=TEXT, layers={"ben": (GENE, DISEASE)})], "ben.jsonl")


def test_the_version_is_shown() -> None:
    assert run("--version") == f"vermeil {__version__}\n"


class TestConvert:
    def test_brings_several_inputs_together(self) -> None:
        run("convert", "anna.jsonl", "b=ben.jsonl", "-o", "all.jsonl")
        [document] = read("all.jsonl")
        assert document.layers == {"anna": (GENE,), "b": (GENE, DISEASE)}

    def test_writes_to_a_pipe(self) -> None:
        assert json.loads(run("convert", "anna.jsonl", "--to", "jsonl", "-o", "-"))["id"] == "1"

    def test_says_what_the_target_cannot_carry(self) -> None:
        arguments = ["convert", "anna.jsonl", "ben.jsonl", "-o", "all.conll"]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert result.stderr == "vermeil: all.conll: dropped 1 confidences (1)\n"

    def test_writes_each_layer_to_its_own_file(self) -> None:
        run("convert", "anna.jsonl", "ben.jsonl", "-o", "only-{layer}.pubtator")
        assert len(next(read("only-ben.pubtator")).layers["only-ben"]) == 2
        assert len(next(read("only-anna.pubtator")).layers["only-anna"]) == 1

    def test_refuses_to_choose_between_layers(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = fail(capsys, "convert", "anna.jsonl", "ben.jsonl", "-o", "all.pubtator")
        assert line == (
            "vermeil: all.pubtator: pubtator holds one layer, and there are 'anna' and 'ben'; "
            "choose one with --layer, or write each to its own file with {layer} in the name"
        )
        assert not Path("all.pubtator").exists()

    def test_writes_the_layer_that_was_chosen(self) -> None:
        run("convert", "anna.jsonl", "ben.jsonl", "--layer", "ben", "-o", "ben.pubtator")
        assert len(next(read("ben.pubtator")).layers["ben"]) == 2

    def test_an_unknown_layer_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = fail(capsys, "convert", "anna.jsonl", "--layer", "ana", "-o", "x.jsonl")
        assert line == "vermeil: no layer named 'ana'; did you mean 'anna'?"
        assert not Path("x.jsonl").exists()

    def test_layers_of_any_name_get_a_file_each(self) -> None:
        layers = {"a/b": (GENE,), "a_b": (DISEASE,)}
        write([Document(id="1", text=TEXT, layers=layers)], "odd.jsonl")
        run("convert", "odd.jsonl", "-o", "{layer}.pubtator")
        assert {path.name for path in Path().glob("*.pubtator")} == {
            "a%2Fb.pubtator",
            "a_b.pubtator",
        }

    def test_who_did_not_look_is_left_out_where_a_format_cannot_say_so(self) -> None:
        both = [
            Document(id="1", text=TEXT, layers={"ben": ()}),
            Document(id="2", text=TEXT, layers={"anna": ()}),
        ]
        write(both, "two.jsonl")
        arguments = ["convert", "two.jsonl", "--layer", "ben", "-o", "ben.pubtator"]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert result.stderr == (
            "vermeil: ben.pubtator: left out 1 documents ben did not look at (2)\n"
        )
        assert [document.id for document in read("ben.pubtator")] == ["1"]

    def test_stops_at_a_bad_record(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("bad.jsonl").write_text('{"id":"1","text":"a"}\n{"id":"2"}\n')
        line = fail(capsys, "convert", "bad.jsonl", "-o", "out.jsonl")
        assert line.startswith("vermeil: bad.jsonl:2: not a document: ")
        assert not Path("out.jsonl").exists()

    def test_sets_bad_records_aside_when_asked(self) -> None:
        Path("bad.jsonl").write_text('{"id":"1","text":"a"}\n{"id":"2"}\n')
        run("convert", "bad.jsonl", "-o", "out.jsonl", "--skip-bad")
        assert [document.id for document in read("out.jsonl")] == ["1"]
        [aside] = map(json.loads, Path("out.jsonl.bad.jsonl").read_text().splitlines())
        assert (aside["line"], aside["record"]) == (2, '{"id":"2"}\n')

    def test_makes_no_side_file_where_nothing_is_bad(self) -> None:
        run("convert", "anna.jsonl", "-o", "out.jsonl", "--skip-bad")
        assert not Path("out.jsonl.bad.jsonl").exists()

    def test_logs_every_loss(self) -> None:
        run("convert", "ben.jsonl", "-o", "out.conll", "--log", "losses.jsonl")
        [loss] = map(json.loads, Path("losses.jsonl").read_text().splitlines())
        assert (loss["deed"], loss["what"], loss["where"]) == ("dropped", "confidences", "1")

    def test_counts_in_json(self) -> None:
        summary = json.loads(run("convert", "ben.jsonl", "-o", "out.conll", "--json"))
        assert (summary["documents"], summary["spans"]) == (1, 2)
        assert summary["notes"] == [{"deed": "dropped", "what": "confidences", "n": 1}]

    def test_lists_the_formats(self) -> None:
        assert "biocreative" in run("convert", "--list")
        assert json.loads(run("convert", "--list", "--json"))["jsonl"]["writes"]

    def test_names_an_unknown_format(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = fail(capsys, "convert", "anna.jsonl", "--to", "bratt", "-o", "x")
        assert line == "vermeil: no format named 'bratt'; did you mean 'brat'?"

    def test_names_a_missing_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = fail(capsys, "convert", "nowhere.jsonl", "-o", "x.jsonl")
        assert line == "vermeil: nowhere.jsonl: no such file or folder"

    def test_a_summary_and_documents_do_not_both_go_to_stdout(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        line = fail(capsys, "convert", "anna.jsonl", "--to", "jsonl", "-o", "-", "--json")
        assert line == (
            "vermeil: --json and -o - both write to standard output; drop --json, or give -o FILE"
        )

    def test_reads_standard_input_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = fail(capsys, "convert", "a=-", "b=-", "--from", "jsonl", "-o", "x.jsonl")
        assert line == (
            "vermeil: standard input (-) can be read once; give files for the other inputs"
        )

    def test_without_an_output_is_wrong_usage(self) -> None:
        assert CliRunner().invoke(app, ["convert", "anna.jsonl"]).exit_code == 2

    @pytest.mark.parametrize("path", ["told.jsonl", "told.parquet"])
    def test_scope_is_written_and_kept(self, path: str) -> None:
        told = ["--scope", "anna=Gene,Disease", "--scope", "zoe=Gene"]
        result = CliRunner().invoke(app, ["convert", "anna.jsonl", "-o", path, *told])
        assert "passed over 1 scopes of nobody (no annotator named 'zoe'" in result.stderr
        run("convert", path, "-o", "again.jsonl")
        [document] = read("again.jsonl")
        assert document.meta["scope"] == {"anna": ["Disease", "Gene"]}
        run("convert", path, "-o", "more.jsonl", "--scope", "anna=*", "--engine", "process")
        [document] = read("more.jsonl")
        assert document.meta["scope"] == {"anna": ["*"]}


class TestInfo:
    def test_shows_what_is_there(self) -> None:
        shown = run("info", "anna.jsonl", "ben.jsonl")
        assert shown == (Path(__file__).parent.parent / "data" / "info.txt").read_text()

    def test_is_machine_readable(self) -> None:
        inventory = json.loads(run("info", "anna.jsonl", "ben.jsonl", "--json"))
        assert inventory["layers"]["ben"]["labels"] == {"Gene": 1, "Disease": 1}

    def test_shows_who_looks_for_what_and_many_alike_in_one_row(self) -> None:
        crowd = {f"w{number:03}": (Span(0, 1, "L"),) for number in range(300)}
        said = {"scope": {"lazy": ["L", "M"], "w000": ["M"]}}
        first = Document(id="1", text="ab", layers={**crowd, "lazy": (), "none": ()}, meta=said)
        second = Document(id="2", text="ab", layers={"w000": (), "some": (Span(0, 1, "M"),)})
        write([first, second], "crowd.jsonl")
        shown = run("info", "crowd.jsonl")
        rows = [row.split()[:3] for row in shown[shown.index("Scope") :].splitlines()[2:]]
        assert [row for row in rows if len(row) == 3][:4] == [
            ["L,", "M", "1"],
            ["L", "300", "w000,"],
            ["M", "1", "some"],
            ["everything", "1", "none"],
        ]
        assert "and 294" in shown
        scopes = json.loads(run("info", "crowd.jsonl", "--json"))["scopes"]
        assert scopes[0] == {"labels": ["L", "M"], "annotators": ["lazy"], "n_documents": 1}
        assert (scopes[3]["labels"], scopes[1]["n_documents"]) == (None, 1)

    def test_counts_oddities(self) -> None:
        odd = Document(id="1", text="a \r\n", layers={"x": (Span(0, 2, "L"), Span(0, 2, "L"))})
        write([odd, odd.replace(id="2")], "odd.jsonl")
        inventory = json.loads(run("info", "odd.jsonl", "--json"))
        assert inventory["oddities"] == {
            "texts with \\r\\n line ends": 2,
            "spans given twice by one annotator": 2,
            "spans with white space at an edge": 4,
        }


def test_the_demo_ends_with_the_path_of_a_report_and_the_command_for_a_review() -> None:
    *_, path, command = run("demo", "made").strip().splitlines()
    report = Path(path.removeprefix("report:").strip())
    assert "anna" in report.read_text(encoding="utf-8")
    *_, program, name, file, disputed = command.split()
    assert (Path(program).name, name) == ("vermeil", "review")
    run("review", file, disputed, "--no-serve")
    assert Path(file).is_file()
    assert len(list(read("made/corpus.jsonl"))) >= 60
