"""The same command on every engine writes the same bytes."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.generated import documents
from vermeil import Document
from vermeil.cli import app, main
from vermeil.consensus.stage import ConsensusStage
from vermeil.errors import FormatError, UnknownNameError, UsageError
from vermeil.formats import Ledger, read, write
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.inputs import Input
from vermeil.runs.driver import Job, carry_out
from vermeil.runs.engines import open_engine
from vermeil.runs.progress import Progress
from vermeil.runs.target import Target

ENGINES = [("process",), ("pool", "-j", "2"), ("dask", "-j", "1")]
N_DOCUMENTS = 60


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(_documents(), "in.jsonl")


def _documents() -> list[Document]:
    """Documents of which the last have other annotators than the first."""
    made = []
    for number, each in enumerate(documents(N_DOCUMENTS)):
        left = ("anna", "tagger") if number > 40 else ("llm",) if number < 5 else ()
        layers = {name: layer for name, layer in each.layers.items() if name not in left}
        made.append(each.replace(layers=layers))
    return made


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine[0])
def test_all_commands_write_the_same_on_every_engine(engine: tuple[str, ...]) -> None:
    shards = ["--engine", *engine, "--shard-size", "0.02"]
    run("convert", "in.jsonl", "-o", "plain.parquet")
    run("convert", "in.jsonl", "-o", "shards.parquet", *shards)
    assert Path("shards.parquet").read_bytes() == Path("plain.parquet").read_bytes()
    plain = run("consensus", "in.jsonl", "-o", "silver.jsonl", "--json")
    whole = Path("silver.jsonl").read_bytes()
    assert run("consensus", "in.jsonl", "-o", "silver.jsonl", "--json", *shards) == plain
    assert Path("silver.jsonl").read_bytes() == whole
    score = ["score", "silver.jsonl", "--standard", "consensus", "--json", "--show", "3"]
    score += ["--against", "ben", "--bootstrap", "50"]
    assert run(*score, *shards) == run(*score)


@pytest.mark.parametrize("command", ["consensus", "score"])
def test_workers_are_not_started_for_little_unless_it_is_insisted(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {
        "consensus": ["consensus", "in.jsonl", "-o", "out.jsonl"],
        "score": ["score", "in.jsonl", "--standard", "ben"],
    }[command]
    opened: list[str] = []

    def open_nothing(name: str, **_: object) -> None:
        opened.append(name)
        raise UsageError("no engine here")

    monkeypatch.setattr("vermeil.runs.driver.open_engine", open_nothing)
    result = CliRunner().invoke(app, [*asked, "-j", "2"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "worked in 1 process: for so little it is faster" in result.stderr
    assert opened == []
    for more in (["--engine", "pool"], ["--shard-size", "1"], ["--resume", "kept"]):
        with pytest.raises(UsageError, match="no engine here"):
            CliRunner().invoke(app, [*asked, "-j", "2", *more], catch_exceptions=False)
    assert opened == ["pool"] * 3


@pytest.mark.parametrize("method", ["hearts", "dawid-skene", "centroids", "tokens", "majority"])
@pytest.mark.parametrize("size", ["0.004", "0.03"])
def test_no_cut_changes_a_consensus(method: str, size: str) -> None:
    plain = run("consensus", "in.jsonl", "-o", "a.jsonl", "--by", method, "--json")
    shards = run(
        "consensus", "in.jsonl", "-o", "b.jsonl", "--by", method, "--json", "--shard-size", size
    )
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert shards.replace("b.jsonl", "a.jsonl") == plain


@pytest.mark.parametrize("suffix", ["jsonl.gz", "jsonl.zst", "xml", "conll"])
def test_shards_come_together_in_any_format(suffix: str) -> None:
    arguments = ["convert", "in.jsonl", "--layer", "ben", "-o"]
    if suffix == "xml":
        arguments += [f"a.{suffix}", "--to", "bioc-xml"]
    else:
        arguments += [f"a.{suffix}"]
    run(*arguments)
    plain = Path(f"a.{suffix}").read_bytes()
    run(*arguments, "--shard-size", "0.02")
    assert Path(f"a.{suffix}").read_bytes() == plain


def test_documents_can_stay_in_a_folder_of_shards() -> None:
    run("consensus", "in.jsonl", "-o", "whole.jsonl")
    run("consensus", "in.jsonl", "-o", "silver/", "--shard-size", "0.03")
    parts = sorted(Path("silver").glob("part-*"))
    assert len(parts) > 2
    assert b"".join(part.read_bytes() for part in parts) == Path("whole.jsonl").read_bytes()
    scored = run("score", "silver", "--standard", "consensus", "--json")
    assert scored == run("score", "whole.jsonl", "--standard", "consensus", "--json")


@pytest.mark.parametrize("step", ["observe", "write"])
def test_an_input_that_changes_under_a_stream_ends_it(step: str) -> None:
    source, before = CorpusFiles([Input(Path("in.jsonl"))]), Path("in.jsonl").read_bytes()

    def meddle(progress: Progress) -> None:
        if progress.step == step:
            Path("in.jsonl").write_bytes(before.replace(b"a", b"e"))

    job = Job(ConsensusStage(by="majority"), source, Ledger(), Target("out.jsonl"))
    with pytest.raises(FormatError, match=r"in\.jsonl: was changed while it was read"):
        carry_out(job, watch=meddle)
    assert not Path("out.jsonl").exists()


def test_a_folder_of_shards_that_is_finished_is_done() -> None:
    again = ["consensus", "in.jsonl", "-o", "silver/", "--shard-size", "0.03"]
    run(*again)
    before = {path: path.stat().st_mtime_ns for path in Path("silver").iterdir()}
    done = CliRunner().invoke(app, again)
    assert done.exit_code == 0
    assert done.stderr == (
        "vermeil: silver/: all is done already; remove it to have it done again\n"
    )
    assert {path: path.stat().st_mtime_ns for path in Path("silver").iterdir()} == before
    with pytest.raises(UsageError, match="an option has changed"):
        run(*again, "--by", "majority")
    min(Path("silver").glob("part-*")).unlink()
    with pytest.raises(UsageError, match="a file of it is missing; remove it to begin anew"):
        run(*again)


def test_a_folder_of_shards_is_not_mixed_with_what_is_there() -> None:
    Path("silver").mkdir()
    Path("silver/old.jsonl").write_text("")
    with pytest.raises(UsageError, match="is there already"):
        run("consensus", "in.jsonl", "-o", "silver", "--engine", "process")


def test_standards_and_systems_in_files_of_their_own_are_scored_in_shards() -> None:
    for name in ("ben", "llm"):
        some = [each for each in read("in.jsonl") if name in each.layers]
        write([each.replace(layers={name: each.layers[name]}) for each in some], f"{name}.jsonl")
    score = ["score", "ben.jsonl", "other=llm.jsonl", "--json"]
    assert run(*score, "--shard-size", "0.01") == run(*score)


def test_a_named_folder_keeps_what_was_done(tmp_path: Path) -> None:
    arguments = ["score", "in.jsonl", "--standard", "ben", "--resume", "kept", "--json"]
    first = run(*arguments)
    assert list(Path("kept/observe").glob("*.npz"))
    assert run(*arguments) == first
    with pytest.raises(UsageError, match="an option has changed"):
        run("score", "in.jsonl", "--standard", "llm", "--resume", "kept")


def test_bad_records_and_notes_are_those_of_the_whole() -> None:
    lines = Path("in.jsonl").read_bytes().splitlines(keepends=True)
    lines[7], lines[50] = b"{}\n", b"nothing\n"
    Path("bad.jsonl").write_bytes(b"".join(lines))
    said = []
    for options in ([], ["--shard-size", "0.02"]):
        arguments = ["convert", "bad.jsonl", "-o", "out.conll", "--layer", "ben", "--skip-bad"]
        summary = json.loads(run(*arguments, "--log", "log.jsonl", "--json", *options))
        side = Path("out.conll.bad.jsonl").read_bytes()
        said.append((summary, side, sorted(Path("log.jsonl").read_bytes().splitlines())))
    assert said[0] == said[1]
    assert b'"line":51' in said[0][1]


def test_trees_are_scored_folder_by_folder() -> None:
    tree = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"
    other = "(S (NP (NN p53)) (VP (VBZ binds) (NN DNA)))"
    for name, lines in (("gold", [tree] * 4), ("bikel", [tree, other, "(())", other])):
        Path(name).mkdir()
        Path(f"{name}.mrg").write_text("\n".join(lines) + "\n")
        for part in range(2):
            text = "\n".join(lines[part * 2 : part * 2 + 2]) + "\n"
            Path(f"{name}/{part}.mrg").write_text(text)
    plain = json.loads(run("trees", "score", "gold.mrg", "bikel.mrg", "--json"))
    shards = json.loads(run("trees", "score", "gold", "bikel/*.mrg", "--json"))
    assert shards == plain


def test_an_unknown_engine_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'pool'"):
        open_engine("pol", n_workers=1, address=None)
    with pytest.raises(UsageError, match="add --engine dask"):
        open_engine("pool", n_workers=1, address="tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--engine", "pol"], "no engine named 'pol'; did you mean 'pool'"),
        (["--engine", "pool", "--address", "tcp://a:1"], "--address is that of a Dask scheduler"),
        (["--workers", "0"], "-j takes the number of workers, 1 or more, not 0"),
        (["--engine", "dask", "-j", "-2"], "1 or more, not -2"),
        (["--engine", "process", "-j", "4"], "--engine process works alone, not with 4 workers"),
    ],
)
def test_what_contradicts_itself_is_refused_before_anything_is_begun(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sys.argv = ["vermeil", "convert", "in.jsonl", "-o", "out.jsonl", *options]
    with pytest.raises(SystemExit) as stop:
        main()
    [line] = capsys.readouterr().err.splitlines()
    assert stop.value.code == 1
    assert said in line
    assert {each.name for each in tmp_path.iterdir()} == {"in.jsonl"}


def test_standard_input_cannot_be_cut() -> None:
    with pytest.raises(UsageError, match="cannot be cut into shards"):
        run("convert", "-", "--from", "jsonl", "-o", "out.jsonl", "--engine", "process")


def test_a_run_that_cannot_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(UsageError, match="no file is called like this"):
        run("consensus", "nothing/*.jsonl", "-o", "silver.jsonl")
    assert not list(tmp_path.glob("silver*"))


def test_a_run_without_a_folder_says_where_it_can_go_on() -> None:
    Path("parts").mkdir()
    whole = Path("in.jsonl").read_bytes()
    Path("parts/a.jsonl").write_bytes(whole)
    Path("parts/b.jsonl").write_bytes(b'{"id": "new", "text": ""}\n{}\n')
    with pytest.raises(UsageError, match=r"b\.jsonl:2: .*; add --resume .*vermeil-run-") as error:
        run("score", "parts", "--standard", "ben", "--engine", "process")
    folder = str(error.value).split("--resume ")[1].split()[0]
    Path("parts/b.jsonl").write_bytes(b"")
    shown = run("score", "parts", "--standard", "ben", "--resume", folder)
    assert shown == run("score", "in.jsonl", "--standard", "ben")
    shutil.rmtree(folder)


def test_a_worker_killed_while_it_starts_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def fail(**options: object) -> None:
        raise RuntimeError("Cluster failed to start: Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fail)
    with pytest.raises(UsageError, match="the workers of a Dask cluster did not start: Cluster"):
        open_engine("dask", n_workers=1, address=None)
