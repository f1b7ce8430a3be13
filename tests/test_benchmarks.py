"""The benchmark house, and that the documentation shows what it found."""

import doctest
import os
import re
from math import isnan
from pathlib import Path

import pytest

import benchmarks.growth
import benchmarks.measures
from benchmarks.growth import GROWN
from benchmarks.house import (
    AREAS,
    MARKS,
    SHOWN,
    Results,
    machine,
    main,
    markdown,
    results_of,
    with_results,
)
from benchmarks.measures import Measure
from benchmarks.tree_pairs import tree_pairs
from vermeil.tree import Tree

ROOT = Path(__file__).parent.parent
FOUND = ROOT / "benchmarks" / "results.md"


def test_the_documentation_shows_the_last_run() -> None:
    assert MARKS.search(shown := SHOWN.read_text(encoding="utf-8"))
    assert with_results(shown, FOUND.read_text(encoding="utf-8")) == shown


def test_the_table_is_that_of_the_figures() -> None:
    results = results_of(FOUND.with_suffix(".json").read_bytes())
    assert markdown(results) == FOUND.read_text(encoding="utf-8")


def test_a_small_run_writes_both_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    source = os.pathsep.join(str(ROOT / each) for each in ("", "src"))
    monkeypatch.setenv("PYTHONPATH", source)
    main(["--size", "10", "--only", "read_write", "--output", str(tmp_path), "--before", str(ROOT)])
    results = results_of((tmp_path / "results.json").read_bytes())
    assert capsys.readouterr().out.strip() == markdown(results).strip()
    assert [curve.sizes for curve in results.curves] == [(5, 10, 20, 40)]
    [measures] = results.areas.values()
    assert {measure.what for measure in measures} >= {"read JSON Lines", "write Parquet"}
    assert all(measure.ours > 0 for measure in measures)
    assert isnan(measures[0].peer)
    assert results.machine["cores"]
    assert "numpy" in results.versions
    assert [row.what for row in results.before["Reading and writing"]] == [
        row.what for row in measures
    ]


def test_rows_that_both_trees_have_stand_beside_each_other() -> None:
    results = Results(
        *("command", dict.fromkeys(machine(), ""), {}, 1),
        *({"Area": [Measure("a", 1.0, floor=3.0), Measure("new", 1.0)]}, []),
        before={"Area": [Measure("a", 4.0, floor=2.0), Measure("old", 1.0)]},
    )
    assert markdown(results).splitlines()[-3:] == [
        "| --- | --- | --- | --- | --- |",
        "| **Area** |  |  |  |  |",
        "| a | 4 CPU s | 1 CPU s | 0.25 | 1.5 |",
    ]


def test_areas_and_curves_name_scripts_and_functions_of_theirs() -> None:
    scripts = {path.stem: path.read_text() for path in (ROOT / "benchmarks").glob("*.py")}
    for area in {*AREAS} & {*scripts} - {"engine"}:
        assert "def rows(size: int)" in scripts[area]
    for work in GROWN.values():
        if work.script != "engine":
            assert re.search(
                rf"^def {work.prepare}\(size: int\)", scripts[work.script], re.MULTILINE
            )


def test_ratios_are_multiples_and_nothing_where_nothing_was_measured() -> None:
    measure = Measure("a", 2.0, peer=5.0, floor=0.5)
    assert (measure.of_ours, measure.of_floor) == (2.5, 4.0)
    assert Measure("a", 2.0).cells() == ["a", "2 CPU s", "", "", "", "", ""]


def test_examples_in_the_docstrings_hold() -> None:
    for module in (benchmarks.measures, benchmarks.growth):
        found = doctest.testmod(module)
        assert found.attempted
        assert not found.failed


def test_made_up_trees_have_the_same_words_on_both_sides() -> None:
    for gold, parsed in tree_pairs(200):
        if parsed:
            sides = [[word for _, word in Tree.parse(each).leaves()] for each in (gold, parsed)]
            assert sides[0] == sides[1]


def test_figures_written_as_json_come_back() -> None:
    empty = b'{"command":"c","machine":{},"versions":{},"size":1,"areas":{"A":[{"what":"w",'
    measure = b'"ours":1.5,"unit":"CPU s","peer":null}]},"curves":[]}'
    [measure_back] = results_of(empty + measure).areas["A"]
    assert measure_back.ours == 1.5
    assert isnan(measure_back.peer)


def test_what_a_coarse_clock_does_not_see_is_no_number() -> None:
    unseen = Measure("nothing", 0.0, peer=1.0, floor=0.0)
    assert isnan(unseen.of_ours)
    assert isnan(unseen.of_floor)
