"""Stages that load something first, on every engine: the bytes of the stream, whoever works."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.acquisition.bed import GENES, WORDS, abstracts, write_links
from tests.parsers.parsers import parser
from tests.recognise.tiny import save_tiny, unseen
from vermeil.cli import app
from vermeil.errors import UsageError
from vermeil.formats import write
from vermeil.parsers import stage as parse_stage
from vermeil.samples import FOLDER

pytest.importorskip("sklearn")

ENGINES = ["process", "pool", "dask"]
SHARDS = ("--shard-size", "0.01")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A Dask cluster for all tests, for its start takes seconds."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, a lexicon with references, and texts."""
    folder = tmp_path_factory.mktemp("world")
    save_tiny(folder / "tiny.zip")
    write(unseen(), folder / "texts.jsonl")
    write(abstracts(), folder / "abstracts.jsonl")
    rows = [f"{number}\t{name}\tGene" for number, name in enumerate([*GENES, *WORDS])]
    (folder / "genes.tsv").write_text("\n".join(["id\tname\tlabel", *rows, ""]))
    write_links(folder / "links.tsv")
    run("acquire", "lexicon", str(folder / "genes.tsv"), "-o", str(folder / "genes.zip"))
    sentences = [f"DIE {n}" if n % 7 == 3 else f"w{n} ( β )" for n in range(16)]
    (folder / "in.txt").write_text("\n".join(sentences) + "\n")
    return folder


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def engaged(engine: str, request: pytest.FixtureRequest) -> list[str]:
    """Give the options of an engine; of Dask only where it is wanted."""
    if engine == "dask":
        return ["--engine", "dask", "--address", request.getfixturevalue("address")]
    return ["--engine", engine, *(("-j", "1") if engine == "pool" else ())]


def label(world: Path, target: Path, *options: str) -> str:
    given = ["--lexicon", str(world / "genes.zip"), "--references", str(world / "links.tsv")]
    more = ["--gold", "gold", "--json", "-o", str(target), *options]
    return run("acquire", "label", str(world / "abstracts.jsonl"), *given, *more)


@pytest.mark.parametrize("engine", ENGINES)
def test_tagging_gives_the_same_on_every_engine(
    engine: str, world: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    said = []
    for options in ([], [*engaged(engine, request), "--shard-size", "0.001"]):
        target = tmp_path / "out.jsonl"
        tag = ["tag", "--model", str(world / "tiny.zip"), str(world / "texts.jsonl"), "--standard"]
        said.append((run(*tag, "-o", str(target), "--json", *options), target.read_bytes()))
    assert said[0] == said[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_labelling_gives_the_same_on_every_engine(
    engine: str, world: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    target = tmp_path / "out.jsonl"
    plain = label(world, target), target.read_bytes()
    options = ["-j", "2"] if engine == "pool" else engaged(engine, request)
    shards = label(world, target, *options, *SHARDS), target.read_bytes()
    assert shards == plain
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("engine", ENGINES)
def test_parsing_gives_the_same_on_every_engine(
    engine: str,
    world: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = shlex.join(parser().command)
    parse = ["trees", "parse", str(world / "in.txt"), "--cmd", command, "--startup", "0"]
    stream = run(*parse, "-o", "-")
    monkeypatch.setattr(parse_stage, "SHARD", 4)
    run(*parse, "-o", str(tmp_path / "out.mrg"), *engaged(engine, request))
    assert (tmp_path / "out.mrg").read_text() == stream
    table = (tmp_path / "out.mrg.failures.tsv").read_text().splitlines()
    assert [line.split("\t")[:2] for line in table[1:]] == [[str(n), "crashed"] for n in (4, 11)]
    if engine == "process":
        assert run(*parse, "-o", "-", "--engine", engine) == stream


def test_what_was_learned_is_kept_and_not_learned_again(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, kept = tmp_path / "out.jsonl", tmp_path / "kept"
    first = label(world, target, *SHARDS, "--resume", str(kept))
    written = target.read_bytes()
    for path in [*sorted((kept / "write").glob("*.npz"))[1:], target]:
        path.unlink()

    def learn_again(*_: object, **__: object) -> None:
        raise AssertionError("it was learned already")

    monkeypatch.setattr("vermeil.acquisition.support.judgement.Judgement.learn", learn_again)
    assert label(world, target, *SHARDS, "--resume", str(kept)) == first
    assert target.read_bytes() == written


def test_what_was_learned_in_shards_serves_a_stream(world: Path, tmp_path: Path) -> None:
    target, learned = tmp_path / "out.jsonl", tmp_path / "learned.zip"
    plain = label(world, target)
    options = [*SHARDS, "--learned", str(learned), "--resume", str(tmp_path / "kept")]
    assert label(world, target, *options) == plain
    assert label(world, target, *options) == plain
    assert label(world, target, "--learned", str(learned)) == plain


def test_bad_records_are_counted_once_though_texts_are_read_twice(
    world: Path, tmp_path: Path
) -> None:
    whole = (world / "abstracts.jsonl").read_bytes()
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(whole + b"{}\n")
    given = ["--lexicon", str(world / "genes.zip"), "--references", str(world / "links.tsv")]
    said = []
    for options in ((), SHARDS):
        target = str(tmp_path / "out.jsonl")
        arguments = ["acquire", "label", str(bad), *given, "-o", target, "--skip-bad", *options]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        said.append((result.stdout, result.stderr, Path(f"{target}.bad.jsonl").read_bytes()))
    assert said[0] == said[1]
    assert len(said[0][2].splitlines()) == 1


def test_a_changed_lexicon_is_refused_by_name(world: Path, tmp_path: Path) -> None:
    lexicon = tmp_path / "genes.zip"
    lexicon.write_bytes((world / "genes.zip").read_bytes())
    given = ["acquire", "label", str(world / "abstracts.jsonl"), "--lexicon", str(lexicon)]
    given += ["-o", str(tmp_path / "out.jsonl"), "--resume", str(tmp_path / "kept")]
    run(*given)
    (tmp_path / "few.tsv").write_text("id\tname\tlabel\n1\tABC1\tGene\n")
    run("acquire", "lexicon", str(tmp_path / "few.tsv"), "-o", str(lexicon))
    with pytest.raises(UsageError, match=r"an input has changed \(.*genes\.zip: "):
        run(*given)


@pytest.mark.parametrize("engine", ENGINES)
def test_trees_are_combined_alike_on_every_engine(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    said = []
    parsers = [str(FOLDER / f"{name}.mrg") for name in ("alpha", "beta", "gamma")]
    for options in ([], [*engaged(engine, request), "--shard-size", "0.001"]):
        target = tmp_path / "out.jsonl"
        told = run("trees", "combine", *parsers, "-o", str(target), "--json", *options)
        said.append((told, target.read_bytes()))
    assert said[0] == said[1]
