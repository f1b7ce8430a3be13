import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vermeil as vm
from tests.cli.command_line import fail
from tests.strategies import documents
from vermeil import Centroid, Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.runs.results import put_together, taken_apart
from vermeil.scope import Scope, checked_scope, parse_scopes, scope_in

CHEMICAL, GENE = Span(0, 3, "Chemical"), Span(4, 7, "Gene")


def document(**fields: object) -> Document:
    return Document(**{"id": "1", "text": "CO2 p53", **fields})  # type: ignore[arg-type]


def test_who_never_uses_a_label_does_not_look_for_it() -> None:
    scope = Scope.of([document(layers={"chem": (CHEMICAL,), "gene": (GENE,), "none": ()})])
    assert scope.labels_of("chem") == frozenset({"Chemical"})
    assert not scope.looks_for("chem", "Gene")
    assert scope.looks_for("gene", "Gene")
    assert scope.labels == frozenset({"Chemical", "Gene"})


def test_who_used_no_label_and_who_is_unknown_look_for_everything() -> None:
    scope = Scope.of([document(layers={"none": ()})])
    assert scope.labels_of("none") is None
    assert scope.labels_of("stranger") is None
    assert scope.looks_for("none", "Gene")


def test_the_document_wins_over_what_was_told_and_that_over_use() -> None:
    said = document(meta={"scope": {"anna": ["Disease"], "eve": []}})
    scope = Scope.of([document(layers={"anna": (GENE,)})], parse_scopes(["anna=Gene,Chemical"]))
    assert scope.labels_of("anna") == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("anna", document()) == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("anna", said) == frozenset({"Disease"})
    assert scope.labels_of("eve", said) == frozenset()
    assert not scope.looks_for("eve", "Gene", said)


def test_a_star_is_everything() -> None:
    scope = Scope.of([document(layers={"anna": (GENE,)})], parse_scopes(["anna=*"]))
    assert scope.looks_for("anna", "Disease")


def test_standards_and_alternatives_count_as_use() -> None:
    layers = {"gold": (GENE,), "gold.alternatives": (CHEMICAL,)}
    scope = Scope.of([document(layers=layers, standards={"both": (Centroid.of(CHEMICAL),)})])
    assert scope.labels_of("gold") == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("gold.alternatives") == frozenset({"Gene", "Chemical"})
    assert scope.labels_of("both") == frozenset({"Chemical"})


@given(st.lists(documents(), max_size=4), st.integers(0, 4))
def test_scopes_of_parts_add_to_that_of_the_whole(corpus: list[Document], cut: int) -> None:
    parts = corpus[:cut], corpus[cut:]
    whole = Scope.of(corpus)
    assert Scope.of(parts[0]) + Scope.of(parts[1]) == whole
    assert put_together(Scope, taken_apart(whole)) == whole


@pytest.mark.parametrize("given", ["anna", "anna=", "=Gene", "anna= , ", ""])
def test_a_scope_that_cannot_be_read_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"NAME=LABEL,LABEL, got {given!r}")):
        parse_scopes([given])


def test_a_scope_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice for 'anna'"):
        parse_scopes(["anna=Gene", "anna=Disease"])


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("full text", "maps annotators to labels"),
        ({"anna": "Gene"}, "'anna' needs a list of labels, got 'Gene'"),
        ({"anna": ["Gene", 3]}, "'anna' needs a list of labels"),
        ({"anna": {"Gene": 1}}, "'anna' needs a list of labels"),
        ({"anna": None}, "'anna' needs a list of labels, got None"),
        ({"": ["Gene"]}, "names annotators by strings"),
    ],
)
def test_metadata_that_are_no_scope_are_refused_in_one_line(given: object, complaint: str) -> None:
    with pytest.raises(UsageError, match=f"document '1'.*{complaint}"):
        scope_in(document(meta={"scope": given}))
    with pytest.raises(UsageError, match=f"^scope.*{complaint}"):
        checked_scope(given)


def test_what_is_told_of_nobody_is_refused_when_all_is_seen() -> None:
    scope = Scope.of([document(layers={"anna": (GENE,)})], parse_scopes(["ann=Gene"]))
    with pytest.raises(UnknownNameError, match="did you mean 'anna'"):
        scope.checked()


ASKED = {"anna": ["Gen"]}
TYPO = "no label named 'Gen'; did you mean 'Gene'"


def quarrel() -> list[Document]:
    layers = {"anna": (GENE,), "ben": (GENE, CHEMICAL), "gold": (GENE,)}
    return [document(layers=layers)]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: vm.combine(quarrel(), scope=ASKED),
        lambda: vm.score(quarrel(), standard="gold", scope=ASKED),
        lambda: vm.agree(quarrel(), scope=ASKED),
        lambda: vm.report(quarrel(), None, scope=ASKED, bootstrap=0),
    ],
)
def test_a_label_that_nobody_uses_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(UnknownNameError, match=TYPO):
        ask()


def test_a_label_that_only_others_use_is_known() -> None:
    told = {"anna": ["Gene", "Chemical"]}
    assert vm.combine(quarrel(), scope=told)
    assert vm.agree(quarrel(), layers=["anna", "gold"], scope=told)
    # Nobody found anything, so nothing tells a label from a slip.
    nothing = [document(layers={"anna": (), "ben": ()})]
    assert vm.combine(nothing, scope={"anna": ["Gene"]})


@pytest.mark.parametrize(
    "command",
    [
        ["consensus", "in.jsonl", "-o", "out.jsonl"],
        ["consensus", "in.jsonl", "-o", "out.jsonl", "--engine", "process", "--workers", "1"],
        ["score", "in.jsonl", "--standard", "gold"],
        ["agree", "in.jsonl"],
        ["report", "in.jsonl"],
        ["review", "fresh.db", "in.jsonl", "--no-serve"],
        ["convert", "in.jsonl", "-o", "out.jsonl", "--strict"],
    ],
    ids=" ".join,
)
def test_commands_refuse_it_too(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    vm.write(quarrel(), "in.jsonl")
    said = fail(capsys, *command, "--scope", "anna=Gen")
    assert "Gen" in said or "passed over 1 labels of --scope that nobody uses" in said
    assert not Path("out.jsonl").exists()


def test_a_stream_is_converted_with_a_note(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    vm.write(quarrel(), tmp_path / "in.jsonl")
    vm.convert(tmp_path / "in.jsonl", tmp_path / "out.jsonl", scope=ASKED)
    assert TYPO in caplog.text
    assert vm.read(tmp_path / "out.jsonl")[0].meta["scope"] == ASKED
