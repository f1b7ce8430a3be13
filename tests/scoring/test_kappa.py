from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from math import isnan

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.scoring.annotated import annotated
from vermeil import Document, Span
from vermeil.scoring.kappa import (
    NO_NAME,
    NOT_LOOKED,
    Units,
    character_pairs,
    cohen,
    fleiss,
    krippendorff,
)
from vermeil.scoring.pairing.names import ScoringBatch

RATINGS = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(NOT_LOOKED, 3), min_size=width, max_size=width),
        min_size=1,
        max_size=8,
    )
)


def naive_pairs(batch: list[Document], annotators: tuple[str, ...]) -> list[tuple[object, ...]]:
    """Say of every character pair what every annotator says of it, one by one."""
    rows: list[tuple[object, ...]] = []
    for document in batch:
        kept = [place for place, character in enumerate(document.text) if not character.isspace()]
        for one, two in pairwise(kept):
            row: list[object] = []
            for name in annotators:
                if name not in document.layers:
                    row.append(None)
                    continue
                over = [
                    (
                        -sum(start <= k < end for k in kept),
                        min(k for k in kept if k >= start),
                        span.label,
                    )
                    for span in document.layers[name]
                    for start, end in span.pieces
                    if start <= one and two < end
                ]
                row.append(min(over)[2] if over else "")
            rows.append(tuple(row))
    return rows


def naive_alpha(rows: list[list[int]]) -> float:
    """The coincidence matrix of Krippendorff (2011), value by value."""
    coincidences: Counter[tuple[int, int]] = Counter()
    weights: dict[tuple[int, int], Fraction] = {}
    for row in rows:
        values = [value for value in row if value != NOT_LOOKED]
        for a, one in enumerate(values):
            for b, other in enumerate(values):
                if a != b:
                    coincidences[one, other] += 1
                    weights[one, other] = weights.get((one, other), Fraction(0)) + Fraction(
                        1, len(values) - 1
                    )
    used: dict[int, Fraction] = {}
    for (one, _), weight in weights.items():
        used[one] = used.get(one, Fraction(0)) + weight
    n = sum(used.values(), Fraction(0))
    observed = sum((w for (a, b), w in weights.items() if a != b), Fraction(0))
    expected = sum((used[a] * used[b] for a in used for b in used if a != b), Fraction(0))
    return float(1 - (n - 1) * observed / expected) if expected else float("nan")


def naive_kappa(pairs: list[tuple[int, int]]) -> float:
    n = len(pairs)
    agreed = Fraction(sum(a == b for a, b in pairs), n) if n else Fraction(0)
    values = {value for pair in pairs for value in pair}
    chance = sum(
        (
            Fraction(sum(a == v for a, _ in pairs), n) * Fraction(sum(b == v for _, b in pairs), n)
            for v in values
        ),
        Fraction(0),
    )
    return float((agreed - chance) / (1 - chance)) if n and chance != 1 else float("nan")


def naive_fleiss(rows: list[list[int]]) -> float:
    rows = [row for row in rows if NOT_LOOKED not in row]
    if not rows:
        return float("nan")
    m = len(rows[0])
    values = {value for row in rows for value in row}
    agreed = sum(
        (Fraction(sum(row.count(v) ** 2 for v in values) - m, m * (m - 1)) for row in rows),
        Fraction(0),
    ) / len(rows)
    chance = sum(
        (Fraction(sum(row.count(v) for row in rows), m * len(rows)) ** 2 for v in values),
        Fraction(0),
    )
    return float((agreed - chance) / (1 - chance)) if chance != 1 else float("nan")


def same(found: object, wanted: float) -> bool:
    return bool(found == pytest.approx(wanted, abs=1e-9, nan_ok=True))


def units_of(batch: list[Document]) -> tuple[Units, ScoringBatch]:
    laid = ScoringBatch.of(batch)
    return character_pairs(laid), laid


@given(annotated())
def test_runs_count_what_a_look_at_every_pair_counts(batch: list[Document]) -> None:
    units, laid = units_of(batch)
    names = {NOT_LOOKED: None, NO_NAME: "", **dict(enumerate(laid.labels, start=1))}
    found: Counter[tuple[object, ...]] = Counter()
    for row, weight in zip(units.category.tolist(), units.weight.tolist(), strict=True):
        found[tuple(names[code] for code in row)] += weight
    assert len(set(map(tuple, units.category.tolist()))) == len(units.category)
    assert found == Counter(naive_pairs(batch, laid.table.annotators))


@given(annotated(), st.randoms(use_true_random=False))
def test_no_order_of_documents_changes_a_figure(batch: list[Document], random: object) -> None:
    shuffled = list(batch)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = units_of(batch)[0], units_of(shuffled)[0]
    figures = [[repr(fleiss(units)), repr(krippendorff(units))] for units in (one, other)]
    assert figures[0] == figures[1]


@given(RATINGS)
def test_the_coefficients_are_their_definitions(rows: list[list[int]]) -> None:
    units = Units.of(np.array(rows))
    assert same(krippendorff(units), naive_alpha(rows))
    assert same(fleiss(units), naive_fleiss(rows))
    for a, b in combinations(range(len(rows[0])), 2):
        both = [(r[a], r[b]) for r in rows if NOT_LOOKED not in (r[a], r[b])]
        assert same(cohen(units, a, b), naive_kappa(both))


@given(RATINGS)
def test_several_weights_at_once_are_each_alone(rows: list[list[int]]) -> None:
    units = Units.of(np.array(rows))
    weights = np.stack([np.ones(len(rows)), np.arange(len(rows)) + 1.0])
    for function in (krippendorff, fleiss):
        together = function(units, weight=weights)
        for row, weight in zip(together.tolist(), weights, strict=True):
            assert same(function(units, weight=weight), row)


def test_krippendorffs_own_example_with_missing_data() -> None:
    # Computing Krippendorff's Alpha-Reliability (2011), section C: alpha = 0.743.
    rows = """1 2 3 3 2 1 4 1 2 . . .
              1 2 3 3 2 2 4 1 2 5 . 3
              . 3 3 3 2 3 4 2 2 5 1 .
              1 2 3 3 2 4 4 1 2 5 1 ."""
    assert krippendorff(_read(rows)).item() == pytest.approx(0.743, abs=5e-4)


def test_the_example_of_the_encyclopaedia() -> None:
    rows = """. . . . . 3 4 1 2 1 1 3 3 . 3
              1 . 2 1 3 3 4 3 . . . . . . .
              . . 2 1 3 4 4 . 2 1 1 3 3 . 4"""
    assert krippendorff(_read(rows)).item() == pytest.approx(0.691, abs=5e-4)


def test_fleiss_own_kind_of_example() -> None:
    # Ten subjects, fourteen raters, five categories: kappa = 0.210.
    table = """0 0 0 0 14 / 0 2 6 4 2 / 0 0 3 5 6 / 0 3 9 2 0 / 2 2 8 1 1
               / 7 7 0 0 0 / 3 2 6 3 0 / 2 5 3 2 2 / 6 5 2 1 0 / 0 2 2 3 7"""
    counts = [[int(n) for n in row.split()] for row in table.split("/")]
    rows = np.array([np.repeat(np.arange(5), row) for row in counts])
    assert fleiss(Units.of(rows)).item() == pytest.approx(0.210, abs=5e-4)


def test_cohens_kappa_of_fifty_proposals() -> None:
    rows = [[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 10 + [[0, 0]] * 15
    assert cohen(Units.of(np.array(rows)), 0, 1).item() == pytest.approx(0.4)


def test_only_one_category_leaves_kappa_undefined() -> None:
    units = Units.of(np.zeros((1000, 3), dtype=np.int64))
    assert all(map(isnan, (krippendorff(units), fleiss(units), cohen(units, 0, 1))))


def test_of_overlapping_names_the_longest_decides() -> None:
    spans = (Span(0, 9, "Disease"), Span(0, 4, "Gene"), Span(5, 12, "Gene"))
    units, laid = units_of([Document(id="1", text="abcd efgh ijk", layers={"anna": spans})])
    assert laid.labels == ("Disease", "Gene")
    # abcd and efgh are one name of 7 pairs; of the gene "efgh ij" only h-i and i-j remain.
    found = dict(zip(units.category[:, 0].tolist(), units.weight.tolist(), strict=True))
    assert found == {NO_NAME: 1, 1: 7, 2: 2}


def test_many_nested_names_cost_little() -> None:
    text = "x" * 20_000
    nested = tuple(Span(n, 20_000 - n, "Gene") for n in range(9_000))
    units, _ = units_of([Document(id="1", text=text, layers={"anna": nested})])
    assert units.weight.tolist() == [19_999]


def test_no_documents_have_no_units() -> None:
    assert len(units_of([])[0].category) == 0


def _read(rows: str) -> Units:
    values = [
        [NOT_LOOKED if cell == "." else int(cell) for cell in row.split()]
        for row in rows.splitlines()
    ]
    return Units.of(np.array(values).T)
