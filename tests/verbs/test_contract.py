"""Every command is a verb, with the same options under the same names, and the same defaults."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import vermeil as vm
from tests.verbs.samples import passages
from vermeil import Document, samples
from vermeil.cli import app
from vermeil.cli.options.on_demand import OnDemand

VERBS: dict[str, Callable[..., Any]] = {
    "convert": vm.convert,
    "info": vm.info,
    "consensus": vm.combine,
    "score": vm.score,
    "agree": vm.agree,
    "silver": vm.silver,
    "audit": vm.audit,
    "annotate": vm.annotate,
    "learn-words": vm.learn_words,
    "train": vm.train,
    "tag": vm.tag,
    "tune": vm.tune,
    "explain": vm.explain,
    "report": vm.report,
    "acquire run": vm.acquire.run,
    "acquire lexicon": vm.acquire.lexicon,
    "acquire label": vm.acquire.label,
    "acquire selftrain": vm.acquire.selftrain,
    "acquire links": vm.acquire.links,
    "acquire audit": vm.acquire.audit,
    "acquire ladder": vm.acquire.ladder,
    "acquire worth": vm.acquire.worth,
    "trees score": vm.trees.score,
    "trees combine": vm.trees.combine,
    "trees diagnose": vm.trees.diagnose,
    "trees portability": vm.trees.portability,
    "trees compare": vm.trees.compare,
    "trees rank": vm.trees.rank,
    "trees trust": vm.trees.trust,
    "trees show": vm.trees.show,
    "trees tagger": vm.trees.tagger,
}
NO_VERBS = {"demo", "review", "trees parse"}
"""Commands that show, serve or run other programs."""

OF_READING = {"from", "text", "align", "option", "skip_bad", "log", "strict"}
OF_READING |= {"map", "map_file", "fold_labels"}
"""Options that say how files are read: those of ``vm.read``."""

OF_RUNNING = {"engine", "address", "workers", "resume", "shard_size", "output", "to", "json"}
"""Where results go and who works: Python gets them back, and ``vm.write`` writes them."""

ELSEWHERE = {
    ("convert", "list"),
    ("explain", "document"),
    ("explain", "sentence"),  # the text or document itself
    ("score", "documents"),  # of ``to_dict``
    ("acquire run", "documents"),  # n_documents
    ("acquire audit", "marked"),
    ("acquire links", "marked"),  # the documents of the result
}
SAME = [("", None), ("", ()), ("0", 0), ("1", 1), (None, ())]
"""Defaults that mean the same: of names listed after commas, numbers or shares."""


def commands() -> dict[str, Any]:
    root = get_command(app)
    assert isinstance(root, OnDemand)
    root.load_all()
    found: dict[str, Any] = {}
    for name, command in root.commands.items():
        if isinstance(command, OnDemand):
            command.load_all()
            found |= {f"{name} {inner}": each for inner, each in command.commands.items()}
        else:
            found[name] = command
    return found


def test_every_command_is_a_verb() -> None:
    assert set(commands()) - NO_VERBS == set(VERBS)


@pytest.mark.parametrize("name", VERBS)
def test_every_option_is_an_argument_of_the_same_name_and_default(name: str) -> None:
    arguments = inspect.signature(VERBS[name]).parameters
    for each in commands()[name].params:
        flags = {flag[2:].replace("-", "_") for flag in each.opts if flag.startswith("--")}
        if not flags or flags & (OF_READING | OF_RUNNING) - set(arguments):
            continue
        if any((name, flag) in ELSEWHERE for flag in flags):
            continue
        known = [flag for flag in flags if flag in arguments]
        assert known, f"{name}: {flags}"
        default = arguments[known[0]].default
        if default is not inspect.Parameter.empty:
            pair = (each.default, default)
            assert each.default == default or pair in SAME, f"{name} {flags}: {pair}"


def test_the_calls_that_were_promised_work_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for each in samples.FOLDER.glob("*.*"):
        (tmp_path / each.name).write_bytes(each.read_bytes())
    vm.write(passages(), "all.jsonl")
    gold = ["(S (NP (NN p53)) (VP (VBZ binds)))"]
    parsers = {"a": gold, "b": ["(S (NN p53) (VP (VBZ binds)))"]}

    documents = vm.read("all.jsonl")
    assert set(vm.read({"anna": "anna.xml", "ben": "ben.pubtator"})[0].layers) == {"anna", "ben"}
    silver = vm.combine(documents)
    assert silver.documents[0]
    assert silver.annotators
    assert silver.contested
    scores = vm.score(silver, standard="gold")
    assert len(scores.to_pandas())
    assert scores.to_dict()["standard"] == "gold"
    assert scores.mistakes("ben")
    assert "Against names" in str(scores)
    assert vm.agree(documents)
    assert vm.audit(documents, layer="gold")
    model = vm.train(documents, layer="gold", by="hmm")
    model.save("mine.zip")
    assert vm.load("mine.zip").labels
    assert vm.load("chem").tag("We gave aspirin.").layers["chem"]
    vm.write(documents, "out.bioc.xml")
    vm.report(documents, "report.html")
    assert Path("report.html").stat().st_size > 100_000
    assert vm.trees.score(gold, parsers)["a"].all.counts.f1 == 1
    assert len(vm.trees.combine(parsers)) == 1
    assert callable(vm.acquire)
    frame = vm.to_pandas(documents)
    texts = {document.id: document.text for document in documents}
    assert vm.from_pandas(frame, texts)[0].layers["ben"] == documents[0].layers["ben"]


def test_results_as_data_are_json_for_anybody() -> None:
    documents = passages()[:20]
    nothing = [Document(id="1", text="p53", layers={"gold": (), "a": (), "b": ()})]
    gold = ["(S (NP (NN p53)) (VP (VBZ binds)))", "(S (NN p53))"]
    parsers = {"a": [gold[0], "()"], "b": ["(S (NN p53) (VP (VBZ binds)))", gold[1]]}
    results: list[Any] = [
        vm.score(documents, standard="gold", bootstrap=5, against="anna", show=1),
        vm.score(nothing, standard="gold"),
        vm.agree(documents, gold="gold"),
        vm.agree(nothing),
        vm.combine(documents),
        vm.audit(documents, layer="gold"),
        vm.info(documents),
        vm.report(nothing, None, bootstrap=5),
        vm.report(documents, None, bootstrap=5),
        vm.trees.score(gold, parsers),
        vm.trees.diagnose(gold, parsers),
        vm.trees.compare({"gold": gold, "b": parsers["b"]}),
        vm.trees.combine(parsers),
        vm.trees.trust(parsers, gold=gold),
    ]
    for each in results:
        json.dumps(each.to_dict(), allow_nan=False)
