"""Brackets in common: counted naively, and as EVALB counts them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.genia_trees import genia_forests, scored
from tests.scoring.trees import naive
from tests.scoring.trees.same_words import Pairs, forests, parsed_tables, tables, trees
from vermeil import Tree
from vermeil.columns.trees.brackets import comparable
from vermeil.errors import FormatError
from vermeil.formats import Ledger
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.constituents import compare
from vermeil.scoring.trees.scores import score_trees

SAMPLE = Path(__file__).parents[2] / "data" / "evalb"
# EVALB lets T be TT and This be this in its sample, and reads a line of four tags as four trees
# without any bracket.
BY_HAND = {
    8: "(TOP (P this) (Q is) (R a) (T test))",
    18: "(S (A (P this)) (B (Q is) (A (R a) (T test))))",
    19: "(S (A (P this)) (B (Q is) (A (R a) (T test))))",
}


@given(forests())
def test_counts_are_those_of_two_nested_loops(pairs: Pairs) -> None:
    gold, parsed = tables(pairs)
    counts = compare(gold, parsed)
    for number, (one, other) in enumerate(pairs):
        found = [
            int(column[number])
            for column in (
                *(counts.matched, counts.unlabelled, counts.predicted, counts.wanted),
                *(counts.crossing, counts.right_tags),
            )
        ]
        assert found == naive_counts(one, other)


def naive_counts(gold: Tree | None, parsed: Tree | None) -> list[int]:
    wanted = len(gold.brackets) if gold is not None else 0
    if gold is None or parsed is None:
        return [0, 0, 0, wanted, 0, 0]
    return [
        naive.matched(gold, parsed),
        naive.unlabelled(gold, parsed),
        len(parsed.brackets),
        wanted,
        naive.crossing(gold, parsed),
        sum(a == b for a, b in zip(gold.tags, parsed.tags, strict=True)),
    ]


@given(st.integers(1, 7).flatmap(trees))
def test_a_tree_has_all_of_itself_and_crosses_nothing(tree: Tree) -> None:
    counts = compare(*tables([(tree, tree)]))
    assert counts.matched == counts.predicted == counts.wanted == len(tree.brackets)
    assert (counts.crossing.item(), counts.right_tags.item()) == (0, len(tree.words))


@pytest.mark.parametrize(
    ("parsed", "n_crossing"),
    [
        ("(S (NN a) (X (NN b) (NN c)) (NN d))", 1),
        ("(S (NN a) (X (NN b) (NN c) (NN d)))", 1),
        ("(S (X (NN a) (NN b) (NN c)) (NN d))", 0),
        ("(S (NN a) (NN b) (X (NN c) (NN d)))", 0),
        ("(S (X (NN a)) (X (X (NN b)) (X (X (NN c)))) (NN d))", 1),
    ],
)
def test_a_bracket_crosses_where_it_takes_only_a_part_of_another(
    parsed: str, n_crossing: int
) -> None:
    counts = compare(*parsed_tables("(S (NP (NN a) (NN b)) (NN c) (NN d))", parsed))
    assert counts.crossing.tolist() == [n_crossing]


def test_counts_by_label_add_up_to_those_of_sentences() -> None:
    gold, parsed = parsed_tables(
        "(S (NP (NP (NN a)) (NN b)) (VP (VB c)))", "(S (NP (NP (NN a))) (NX (NN b) (VB c)))"
    )
    counts = compare(gold, parsed)
    rows = dict(zip(gold.names.labels.names, counts.by_label.tolist(), strict=True))
    assert rows["NP"] == [1, 2, 2]
    assert (rows["S"], rows["VP"], rows["NX"]) == ([1, 1, 1], [0, 0, 1], [0, 1, 0])
    totals = [counts.matched, counts.predicted, counts.wanted]
    assert counts.by_label.sum(axis=0).tolist() == [column.item() for column in totals]


def test_trees_over_other_numbers_of_words_cannot_be_compared() -> None:
    gold, parsed = parsed_tables("(S (NN a) (NN b))", "(S (NN a))")
    assert comparable(gold, parsed).tolist() == [False]
    assert compare(gold, parsed).by_label.sum() == 0


def test_the_sample_of_evalb_gives_the_figures_of_evalb(tmp_path: Path) -> None:
    ledger = Ledger(skip_bad=True)
    batch = sample(tmp_path, ledger)
    prepared = batch.prepared(["evalb"])
    sentences = score_trees(prepared["gold"], prepared["test"]).all
    columns = np.stack(
        [
            *(sentences.matched, sentences.wanted, sentences.predicted, sentences.crossing),
            *(sentences.n_words, sentences.right_tags),
        ],
        axis=1,
    ).tolist()
    n_fine = 0
    for number, status, figures in recorded():
        if status == 0:
            n_fine += 1
            assert columns[number - 1] == figures[2:]
            means = (sentences.means["recall"], sentences.means["precision"])
            ours = [round(100 * np.nan_to_num(each[number - 1]), 2) for each in means]
            assert ours == figures[:2]
        assert sentences.parsed[number - 1] == (status == 0)
    parsed = sentences.keep(sentences.parsed)
    assert n_fine == len(parsed) == 17
    assert round(100 * parsed.counts.recall, 2) == 87.76
    assert round(100 * parsed.counts.precision, 2) == 90.53
    assert round(100 * parsed.share_perfect, 2) == 52.94
    assert round(100 * parsed.tagging, 2) == 98.15
    assert round(parsed.mean_crossing, 2) == 0.06


def test_what_evalb_calls_an_error_is_one_that_shows_the_words(tmp_path: Path) -> None:
    ledger = Ledger(skip_bad=True)
    sample(tmp_path, ledger)
    errors = [number for number, status, _ in recorded() if status == 1]
    assert errors == [12, 13, 16, 17, 20]
    assert ledger.counts["skipped", "bad records"] == len(errors)
    with pytest.raises(
        FormatError, match=r"test.mrg:12: sentence 12: word 2 is 'was', and in .*is 'is'"
    ):
        sample(tmp_path, Ledger())


def test_quotes_tagged_otherwise_make_lengths_differ_as_in_evalb_before_its_repair() -> None:
    inputs = [
        Input.parse(f"{name}={SAMPLE / name}", format="penn") for name in ("bug.gld", "bug.tst")
    ]
    [batch] = read_forests(inputs)
    by_tag, by_word = (list(batch.prepared([steps]).values()) for steps in ("evalb", "clegg"))
    scores = score_trees(*by_tag)
    assert (scores.unequal.tolist(), len(scores.all)) == ([1, 2, 3, 4, 5], 0)
    assert scores.labels == {}
    assert scores.words == {}
    assert score_trees(*by_word).unequal.tolist() == []


def sample(folder: Path, ledger: Ledger) -> Forests:
    lines = (SAMPLE / "sample.tst").read_text().splitlines()
    lines = [BY_HAND.get(number, line) for number, line in enumerate(lines, start=1)]
    (folder / "gold.mrg").write_text((SAMPLE / "sample.gld").read_text())
    (folder / "test.mrg").write_text("\n".join(lines) + "\n")
    inputs = [Input.parse(str(folder / f"{name}.mrg")) for name in ("gold", "test")]
    [batch] = read_forests(inputs, ledger=ledger)
    return batch


def recorded() -> list[tuple[int, int, list[float]]]:
    """Number, status and recall, precision, matched, gold, test, crossing, words, tags."""
    rows = [line.split() for line in (SAMPLE / "sample.rsl").read_text().splitlines()]
    return [
        (int(row[0]), int(row[2]), [float(cell) for cell in row[3:11]])
        for row in rows
        if len(row) == 12 and row[0].isdigit()
    ]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("parser", "wanted"),
    [
        ("bikelold", [70.52, 79.06, 74.54, 4.84, 2.40, 34.65, 66.56, 94.91]),
        ("charniak", [68.98, 73.36, 71.11, 0.00, 2.63, 34.43, 64.91, 83.60]),
        ("stansmall", [65.19, 67.54, 66.34, 0.00, 3.42, 27.19, 55.59, 80.68]),
    ],
)
def test_evalb_says_the_same_of_real_parsers(
    corpora: Path, parser: str, wanted: list[float]
) -> None:
    """Recall, precision, F, complete, crossing, none, two or less, tags by EVALB, COLLINS.prm."""
    batch = genia_forests(corpora)
    parsed = scored(batch, batch.tables[parser], "evalb").parsed
    counts = parsed.counts
    shares = (counts.recall, counts.precision, counts.f1, parsed.share_perfect)
    crossing = (parsed.share_crossing_at_most(0), parsed.share_crossing_at_most(2))
    found = [
        *(round(100 * share, 2) for share in shares),
        round(parsed.mean_crossing, 2),
        *(round(100 * share, 2) for share in (*crossing, parsed.tagging)),
    ]
    assert found == wanted
