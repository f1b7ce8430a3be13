import os
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.generated import documents
from tests.cli.command_line import fail
from vermeil import Document
from vermeil.conversion import ConvertStage, Passed
from vermeil.errors import UsageError
from vermeil.formats import FORMATS, read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import open_sink
from vermeil.formats.inputs import Input
from vermeil.runs import crew
from vermeil.runs.engines import Engine, InProcess
from vermeil.runs.manifest import locked, refuse_foreign, remove
from vermeil.runs.progress import Progress, Watch
from vermeil.runs.results import read_result
from vermeil.runs.sharded import Run
from vermeil.runs.sharded import go as go_on
from vermeil.runs.shards import plan_shards
from vermeil.runs.stages import Stage, stage_at
from vermeil.runs.tasks import Output, Reading
from vermeil.scoring.stage import ScoreStage
from vermeil.stages import STAGES


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    every = list(documents(12))
    for number in range(6):
        write(every[number * 2 : number * 2 + 2], folder / f"{number}.jsonl")
    return folder


def go(run: Run, engine: Callable[[], Engine], *, watch: Watch = lambda _: None) -> list[Path]:
    with locked(run.folder):
        return go_on(run, engine, watch=watch)


def run_over(parts: Path, folder: Path, **changes: Any) -> Run:
    options: dict[str, Any] = {
        "stage": ConvertStage(),
        "shards": lambda: plan_shards([Input(parts)]),
        "reading": Reading(),
        "folder": folder,
        "output": Output(str(folder / "write")),
    }
    return Run(**{**options, **changes})


class Watched(InProcess):
    """Works in this process and remembers on what."""

    def __init__(self) -> None:
        self.tasks: list[int] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        self.tasks.append(arguments[0].number)
        return super().submit(function, *arguments)


class Deadly(InProcess):
    """A pool of two whose workers die of some shards, each so many times, and of all at hand."""

    n_workers = 2

    def __init__(self, deaths: dict[int, int]) -> None:
        self.tasks: list[int] = []
        self._deaths, self.n_renewed, self._is_broken = deaths, 0, False
        self._pending: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        if self._is_broken:
            raise BrokenProcessPool
        number = arguments[0].number
        self.tasks.append(number)
        future: Future[Any] = Future()
        self._pending.append((future, lambda: function(*arguments)))
        if self._deaths.get(number, 0):
            self._deaths[number] -= 1
            self._is_broken = True
        return future

    def check(self) -> None:
        """Do what has been waiting for a pulse."""
        for future, work in self._pending:
            if self._is_broken:
                future.set_exception(BrokenProcessPool())
            else:
                future.set_result(work())
        self._pending = []

    def renew(self) -> None:
        self._is_broken, self._pending = False, []
        self.n_renewed += 1


class Meddling(InProcess):
    """Has a file overwritten after the first shard, or touched."""

    def __init__(self, path: Path, content: bytes) -> None:
        self._path, self._content, self._n = path, content, 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        self._n += 1
        if self._n == 2:
            self._path.write_bytes(self._content)
            os.utime(self._path, ns=(1, 1))
        return super().submit(function, *arguments)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "PULSE", 0.0)


def test_every_shard_gives_a_result_and_its_documents(parts: Path, tmp_path: Path) -> None:
    results = go(run_over(parts, tmp_path / "run"), InProcess)
    assert [read_result(path).facts["n_documents"] for path in results] == [2] * 6
    written = sorted((tmp_path / "run" / "write").glob("*.jsonl"))
    assert [each.id for path in written for each in read(path)] == [str(n) for n in range(12)]


def test_what_is_done_is_not_done_again(parts: Path, tmp_path: Path) -> None:
    run, engine = run_over(parts, tmp_path / "run"), Watched()
    for path in go(run, lambda: engine)[2:4]:
        path.unlink()
    engine.tasks.clear()
    go(run, lambda: engine)
    assert engine.tasks == [2, 3]


def test_documents_without_a_result_are_half_done_and_done_again(
    parts: Path, tmp_path: Path
) -> None:
    run, engine = run_over(parts, tmp_path / "run"), Watched()
    go(run, lambda: engine)[4].unlink()
    broken = tmp_path / "run" / "write" / "000004.jsonl"
    whole = broken.read_bytes()
    broken.write_bytes(whole[:10])
    (broken.parent / ".000004.jsonl.x.partial").write_bytes(whole[:10])
    go(run, lambda: engine)
    assert broken.read_bytes() == whole
    assert not list(broken.parent.glob(".*"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reading": Reading(skip_bad=True)}, "an option has changed (skip_bad: False, now True)"),
        ({"notes": {"to": "brat"}}, "an option has changed (to: None, now 'brat')"),
        (
            {"stage": ScoreStage("gold")},
            "the command has changed (command: 'convert', now 'score')",
        ),
    ],
)
def test_a_run_asked_for_otherwise_is_refused(
    changes: dict[str, Any], said: str, parts: Path, tmp_path: Path
) -> None:
    go(run_over(parts, tmp_path / "run"), InProcess)
    with pytest.raises(UsageError) as error:
        go(run_over(parts, tmp_path / "run", **changes), InProcess)
    assert said in str(error.value)


def test_a_changed_input_is_refused_once_something_has_come_of_it(
    parts: Path, tmp_path: Path
) -> None:
    go(run_over(parts, tmp_path / "run"), InProcess)
    write(documents(1), parts / "3.jsonl")
    with pytest.raises(UsageError, match=r"an input has changed .*3\.jsonl"):
        go(run_over(parts, tmp_path / "run"), InProcess)


def test_a_file_that_was_merely_touched_goes_on(parts: Path, tmp_path: Path) -> None:
    run = run_over(parts, tmp_path / "run")
    go(run, InProcess)
    os.utime(parts / "3.jsonl", ns=(1, 1))
    go(run, InProcess)
    stored = msgspec.json.decode((tmp_path / "run" / "manifest.json").read_bytes())
    assert stored["inputs"][3]["changed"] == 1


def test_a_file_with_other_content_of_the_same_size_is_named(parts: Path, tmp_path: Path) -> None:
    go(run_over(parts, tmp_path / "run"), InProcess)
    whole = (parts / "3.jsonl").read_bytes()
    (parts / "3.jsonl").write_bytes(whole.replace(b'"id":"6"', b'"id":"9"'))
    with pytest.raises(UsageError, match=r"^[^\n]* an input has changed \(.*3\.jsonl: [^\n]*$"):
        go(run_over(parts, tmp_path / "run"), InProcess)


def test_a_file_that_changes_on_the_way_ends_the_run(tmp_path: Path) -> None:
    source, folder = tmp_path / "in.jsonl", tmp_path / "run"
    write(documents(12), source)
    whole = source.read_bytes()
    run = run_over(source, folder, shards=lambda: plan_shards([Input(source)], size=900))
    other = whole.replace(b'"id":"', b'"id":"x').replace(b"gene", b"gen")[: len(whole)]
    with pytest.raises(UsageError, match=r"in\.jsonl: was changed while it was read.* put it back"):
        go(run, lambda: Meddling(source, other.ljust(len(whole), b"\n")))
    assert len(list(folder.glob("write/*.npz"))) == 1
    source.write_bytes(whole)
    assert len(go(run, lambda: Meddling(source, whole))) > 3


def test_what_a_killed_run_was_writing_is_no_part_of_the_output(
    parts: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    output.mkdir()
    (output / ".part-000003.jsonl.0123abcd.partial").touch()
    (output / ".mine.partial").touch()
    run = run_over(parts, tmp_path / "run", output=Output(str(output), prefix="part-"))
    go(run, InProcess)
    assert sorted(each.name for each in output.iterdir()) == [
        ".mine.partial",
        *(f"part-{number:06}.jsonl" for number in range(6)),
    ]


def test_other_code_is_refused(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(run_over(parts, tmp_path / "run"), InProcess)
    monkeypatch.setattr("vermeil.runs.manifest.code_version", lambda: "2.0")
    with pytest.raises(UsageError, match="the version of vermeil has changed"):
        go(run_over(parts, tmp_path / "run"), InProcess)


def test_a_bad_shard_is_tried_three_times_and_the_others_are_done(
    parts: Path, tmp_path: Path
) -> None:
    whole = (parts / "2.jsonl").read_bytes()
    (parts / "2.jsonl").write_bytes(whole + b'{"id": 1}\n')
    engine = Watched()
    with pytest.raises(UsageError) as error:
        go(run_over(parts, tmp_path / "run"), lambda: engine)
    assert engine.tasks.count(2) == crew.TRIALS
    assert set(engine.tasks) == set(range(6))
    assert "1 of 6 shards failed 3 times" in str(error.value)
    assert "2.jsonl:3: not a document" in str(error.value)
    [failure] = (tmp_path / "run" / "failures.jsonl").read_bytes().splitlines()
    assert msgspec.json.decode(failure)["shard"].endswith("2.jsonl")


def test_a_mended_file_is_taken_up(parts: Path, tmp_path: Path) -> None:
    whole = (parts / "2.jsonl").read_bytes()
    (parts / "2.jsonl").write_bytes(whole + b'{"id": 1}\n')
    run, engine = run_over(parts, tmp_path / "run"), Watched()
    with pytest.raises(UsageError):
        go(run, lambda: engine)
    (parts / "2.jsonl").write_bytes(whole)
    engine.tasks.clear()
    go(run, lambda: engine)
    assert engine.tasks == [2]


def test_a_bug_comes_with_its_traceback(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def buggy(self: ConvertStage, documents: object, known: None, sums: Passed) -> None:
        raise ZeroDivisionError("one shard is one too many")

    monkeypatch.setattr(ConvertStage, "decide", buggy)
    with pytest.raises(UsageError, match="ZeroDivisionError"):
        go(run_over(parts, tmp_path / "run"), InProcess)
    assert "Traceback" in (tmp_path / "run" / "failures.jsonl").read_text()


@pytest.mark.usefixtures("quick")
def test_a_shard_that_kills_its_worker_is_found_and_no_other_is_blamed(
    parts: Path, tmp_path: Path
) -> None:
    engine = Deadly({1: 99})
    with pytest.raises(UsageError) as error:
        go(run_over(parts, tmp_path / "run"), lambda: engine)
    assert "1 of 6 shards failed 3 times" in str(error.value)
    assert "1.jsonl (its worker was killed" in str(error.value)
    assert max(engine.tasks.count(number) for number in (0, 2, 3, 4, 5)) == 2
    assert len(list((tmp_path / "run" / "write").glob("*.npz"))) == 5


@pytest.mark.usefixtures("quick")
def test_workers_that_die_now_and_then_do_not_matter(parts: Path, tmp_path: Path) -> None:
    engine = Deadly({0: 1, 3: 2, 5: 1})
    results = go(run_over(parts, tmp_path / "run"), lambda: engine)
    assert all(path.exists() for path in results)
    assert engine.n_renewed >= 3


def test_only_so_many_shards_are_under_way(parts: Path, tmp_path: Path) -> None:
    class Slow(Watched):
        n_workers = 2
        most = 0

        def __init__(self) -> None:
            super().__init__()
            self.pending: list[tuple[Future[Any], Any]] = []

        def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
            future: Future[Any] = Future()
            self.pending.append((future, lambda: function(*arguments)))
            self.most = max(self.most, len(self.pending))
            if len(self.pending) == 2 * crew.AHEAD or arguments[0].number == 5:
                for waiting, work in self.pending:
                    waiting.set_result(work())
                self.pending = []
            return future

    engine = Slow()
    go(run_over(parts, tmp_path / "run"), lambda: engine)
    assert engine.most == 2 * crew.AHEAD


@pytest.mark.parametrize("n_removed", [0, 1, 3, 5, 7, 9, 11, 13, 15, 25, 30, 35, 40, 43])
def test_a_run_killed_while_it_tidies_up_can_be_repeated(
    n_removed: int, parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        pass

    run, left = run_over(parts, tmp_path / "run"), [n_removed]

    def dying(unlink: Callable[..., None]) -> Callable[..., None]:
        def removed(*arguments: Any, **options: Any) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            unlink(*arguments, **options)

        return removed

    results = go(run, InProcess)
    for number in range(30):  # in whatever order a folder is listed, some come after the manifest
        (run.folder / f"{number}.zip").touch()
    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", dying(os.unlink))
        patched.setattr(os, "rmdir", dying(os.rmdir))
        with pytest.raises(KilledError):
            remove(run.folder)
    refuse_foreign(run.folder)
    assert go(run, InProcess) == results
    assert run.output is not None
    assert all(run.output.path(number).exists() for number in range(len(results)))
    remove(run.folder)
    assert not run.folder.exists()


def test_two_runs_do_not_share_a_folder(parts: Path, tmp_path: Path) -> None:
    class Nested(InProcess):
        def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
            with pytest.raises(UsageError, match="another run is working there"):
                go(run_over(parts, tmp_path / "run"), InProcess)
            return super().submit(function, *arguments)

    go(run_over(parts, tmp_path / "run"), Nested)


def test_progress_ends_with_all_shards_and_documents(parts: Path, tmp_path: Path) -> None:
    shown: list[Progress] = []
    go(run_over(parts, tmp_path / "run"), InProcess, watch=shown.append)
    last = shown[-1]
    assert (last.n_done, last.n_shards, last.n_items, last.n_failed) == (6, 6, 12, 0)
    assert last.size_done == last.size == sum(each.stat().st_size for each in parts.iterdir())
    assert [each.size_done for each in shown] == sorted(each.size_done for each in shown)


def test_no_engine_is_started_where_nothing_is_left(parts: Path, tmp_path: Path) -> None:
    run = run_over(parts, tmp_path / "run")
    go(run, InProcess)

    def refuse() -> Engine:
        raise AssertionError("there is nothing to do")

    go(run, refuse)


@pytest.mark.parametrize(("name", "place"), STAGES.items())
def test_every_stage_keeps_the_contract(name: str, place: str) -> None:
    stage = stage_at(place)
    assert (stage.name, f"{stage.__module__}:{stage.__name__}") == (name, place)
    assert stage.observes or stage.decides
    wanted = {
        "observe": stage.observes,
        "finish": stage.observes,
        "decide": stage.decides,
        "nothing": stage.decides,
        "prepare": stage.prepares,
        "known": stage.decides and not stage.observes,
    }
    for method, is_wanted in wanted.items():
        assert (getattr(stage, method) is not getattr(Stage, method)) == is_wanted, method


@pytest.mark.parametrize("format", ["jsonl", "parquet", "a folder"])
def test_one_id_in_two_shards_ends_the_run_and_leaves_nothing(
    format: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vermeil.formats.holdings.N_SEEN", 1)
    monkeypatch.setattr("vermeil.formats.holdings.LEAST_SEEN", 1)
    source = tmp_path / "in"
    n = 1100 if format == "parquet" else 60
    some = [Document(id=str(number), text="p53", layers={"anna": ()}) for number in range(n)]
    some[-1] = some[-1].replace(id="1")
    if format == "a folder":
        source.mkdir()
        for number in range(3):
            write(some[number::3], source / f"{number}.jsonl")
    else:
        writer = FORMATS[format].write
        assert writer is not None
        with open_sink(source, folder=False, ledger=Ledger(), options={}) as sink:
            writer(some, sink)
    for command, target in (("convert", "parts/"), ("consensus", "out.jsonl")):
        output = f"{tmp_path}/{target}"
        said = fail(capsys, command, str(source), "-o", output, "--shard-size", "0.001")
        assert "a document is called '1', as one in " in said
        assert said.endswith("; rename one and repeat the command")
    (tmp_path / "parts").rmdir()
    assert list(tmp_path.iterdir()) == [source]


def test_ids_that_only_look_alike_to_a_digest_are_two(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vermeil.runs.stages.digest", lambda id: 7)
    monkeypatch.setattr("vermeil.runs.shards.digest", lambda id: 7)
    assert len(go(run_over(parts, tmp_path / "run"), InProcess)) == 6
