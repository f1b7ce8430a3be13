"""``acquire label`` and ``trees parse`` killed with kill -9: the same command ends in the bytes."""

import json
import shlex
import signal
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from tests.acquisition.bed import abstracts, lexicon, write_links
from tests.parsers.parsers import flat, parser
from tests.runs.faulty_runs import run, start, wait_until_begun
from vermeil.acquisition.lexicon.files import save_lexicon
from vermeil.cli import app
from vermeil.formats import write

pytestmark = pytest.mark.faults


def test_labelling_that_was_killed_goes_on_without_learning_again(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    save_lexicon(lexicon(), tmp_path / "genes.zip")
    write(abstracts(), tmp_path / "abstracts.jsonl")
    write_links(tmp_path / "links.tsv")
    label = ["acquire", "label", str(tmp_path / "abstracts.jsonl")]
    label += ["--lexicon", str(tmp_path / "genes.zip"), "--references", str(tmp_path / "links.tsv")]
    target, kept = tmp_path / "out.jsonl", tmp_path / "out.jsonl.run"
    shards = [*label, "-o", str(target), "--shard-size", "0.003", "--resume", str(kept)]
    process = start(*shards)
    wait_until_begun(target, process, 5)
    process.kill()
    process.communicate()
    assert not target.exists()
    learned = (kept / "judgement.zip").stat().st_mtime_ns
    n_before = len(list(kept.glob("write/*.npz")))
    assert n_before >= 5
    assert run(*shards) == (0, "")
    assert (kept / "judgement.zip").stat().st_mtime_ns == learned
    CliRunner().invoke(app, [*label, "-o", str(tmp_path / "whole.jsonl")], catch_exceptions=False)
    assert target.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_parsing_that_was_ended_takes_its_parsers_along_and_goes_on(
    number: signal.Signals, tmp_path: Path
) -> None:
    sentences = [("HANG" if n == 20 else "SLOW", str(n)) for n in range(45)]
    (tmp_path / "in.txt").write_text("".join(" ".join(words) + "\n" for words in sentences))
    target = tmp_path / "out.mrg"
    command = ["--cmd", shlex.join(parser().command), "--startup", "0", "--json"]
    parse = ["trees", "parse", str(tmp_path / "in.txt"), *command, "-o", str(target)]
    process = start(*parse, "--engine", "pool", "-j", "1")
    wait_until_begun(target, process)
    below = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    process.communicate()
    assert not psutil.wait_procs(below, timeout=10)[1], "parsers outlive the command"
    assert not target.exists()
    process = start(*parse, "--timeout", "3")
    told, _ = process.communicate(timeout=60)
    assert json.loads(told)["done_before"] == 20
    wanted = ["(())" if words[0] == "HANG" else flat(words) for words in sentences]
    assert target.read_text().splitlines() == wanted
    assert not Path(f"{target}.run").exists()
