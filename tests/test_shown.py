"""What things look like where a person meets them: one short line, however much they hold."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from vermeil import Document, Span, Tree, columns, formats, text
from vermeil.columns import Lineages, SpanTable, TreeNames, TreeTable, lay_axis
from vermeil.columns.trees.brackets import Brackets
from vermeil.formats import FORMATS, Input, Ledger, read_corpus, take_inventory
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.files.source import Source
from vermeil.formats.forests import Forests
from vermeil.reports.notebook import show
from vermeil.reports.spans.findings import find_spans
from vermeil.reports.spans.text_data import text_data
from vermeil.reports.trees.findings import find_trees
from vermeil.samples import ANNOTATORS, GOLD
from vermeil.scoring.agreement import agree
from vermeil.scoring.gold.auditing import audit
from vermeil.scoring.ranked import calibrate
from vermeil.scoring.scores import score
from vermeil.scoring.silver import compare_standards
from vermeil.scoring.views.instances import instances, offenders
from vermeil.shown import LONGEST, Brief
from vermeil.vote_view.lanes import vote_view

PLACES = ("vermeil.columns", "vermeil.scoring", "vermeil.reports", "vermeil.vote_view")
TREES = ("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))", "(S (NP (NN p53)) (VP (VBZ is)))")


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return list(read_corpus(list(ANNOTATORS), text=GOLD))


def inside(thing: Any, seen: dict[type, int]) -> Iterator[Any]:
    """Walk through a thing and all it holds, a few of each type."""
    if isinstance(thing, Mapping):
        for value in [*thing.values()][:3]:
            yield from inside(value, seen)
    elif isinstance(thing, list | tuple):
        for value in thing[:3]:
            yield from inside(value, seen)
    elif is_dataclass(thing) and type(thing).__module__.startswith("vermeil"):
        seen[type(thing)] = seen.get(type(thing), 0) + 1
        if seen[type(thing)] <= 3:
            yield thing
            for field in fields(thing):
                yield from inside(getattr(thing, field.name), seen)


def test_results_of_many_documents_are_told_in_one_short_line(documents: list[Document]) -> None:
    scores = score(documents, standard="gold")
    tagger = scores["tagger"]
    findings = find_spans(documents, n_resamples=0)
    exact = tagger.views["exact"]
    results = [
        scores,
        agree(documents),
        audit(documents, "gold"),
        compare_standards(documents, gold="gold"),
        findings,
        findings.rankings,
        text_data(findings, max_bytes=100_000),
        [each.ranking for each in findings.rankings.values()],
        calibrate(exact.predicted.confidence, exact.right == 1),
        list(instances(tagger, "centroid"))[:3],
        offenders(tagger, "exact", 3),
        vote_view(documents[0]),
        show(documents[0]),
    ]
    told = check(results)
    assert {"Scores", "View", "Agreement", "Audit", "Comparison", "SpanFindings"} <= told
    assert repr(tagger).startswith("Scores(tagger against gold, 81 documents, exact F1 0.")
    assert len(repr(agree(documents)).split(", ")) == 5


def test_results_of_parsers_are_told_in_one_short_line() -> None:
    names = TreeNames()
    lines = {
        "gold": TREES * 500,
        "one": (TREES[0], "") * 500,
        "other": (TREES[0].replace("VP", "NP"), TREES[1]) * 500,
    }
    tables = {name: TreeTable.parse(list(each), names) for name, each in lines.items()}
    batch = Forests(1, tables)
    told = check([find_trees([batch], gold="gold", steps=())])
    assert {"TreeFindings", "TreeScores", "Sentences", "Diagnosis", "Usage", "Failures"} <= told


def test_documents_and_their_columns_are_told_in_one_short_line() -> None:
    layer = tuple(Span(at, at + 5, "Gene") for at in range(0, 5000, 10))
    layers = {f"annotator {n}": layer for n in range(60)}
    tree = Tree.parse(f"(S {'(NP (NN p53)) ' * 100})")
    document = Document(id="1", text="BRCA1 is a gene. " * 500, layers=layers, trees={"p": (tree,)})
    table = SpanTable.from_documents([document])
    batch = Forests(1, {f"parser {n}": TreeTable.of([tree] * 50) for n in range(40)})
    trees = batch.tables["parser 0"]
    ledger = Ledger()
    for n in range(1000):
        ledger.note("dropped", f"things {n}", "here")
    files = CorpusFiles([Input(Path(f"file {n}")) for n in range(1000)])
    found = take_inventory([document] * 50)
    things = [document, table, lay_axis(table, "-"), tree, batch, trees, trees.names, ledger, files]
    things += [Brackets.of(trees), Lineages.of(trees), found, found.layers["annotator 0"]]
    things += [FORMATS["bioc-xml"], Source(Path("a.jsonl"), "anna", ledger)]
    for thing in things:
        assert len(repr(thing)) <= LONGEST + 10, thing
        assert type(thing).__name__ in repr(thing)
    assert repr(table) == "SpanTable(30,000 spans, 1 documents, 60 annotators, 1 labels)"


@pytest.mark.parametrize("package", [columns, formats, text])
def test_what_holds_columns_or_lists_is_made_to_be_told_briefly(package: ModuleType) -> None:
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        for name, kind in vars(import_module(found.name)).items():
            if is_dataclass(kind) and not name.startswith("_"):
                holds_much = any(
                    word in str(field.type)
                    for field in fields(kind)
                    for word in (
                        "ndarray",
                        "Sequence",
                        "Mapping",
                        "dict",
                        "list",
                        "Counter",
                        "Table",
                    )
                )
                assert not holds_much or issubclass(kind, Brief), kind  # type: ignore[arg-type]


def check(results: list[Any]) -> set[str]:
    np.set_printoptions(threshold=sys.maxsize)
    try:
        told = {}
        for result in results:
            for thing in inside(result, {}):
                if type(thing).__module__.startswith(PLACES):
                    told[type(thing).__name__] = repr(thing)
    finally:
        np.set_printoptions(threshold=1000)
    for line in told.values():
        assert len(line) <= LONGEST + 40, line[:300]
        assert "\n" not in line
        assert "0x" not in line
    return set(told)
