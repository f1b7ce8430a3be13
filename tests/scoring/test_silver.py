from collections.abc import Sequence
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from tests.in_full import in_full
from vermeil import Document, Span
from vermeil.errors import UsageError
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input
from vermeil.scoring.counts import Counts
from vermeil.scoring.silver import (
    SILVER,
    Correlation,
    by_view,
    compare_standards,
    spearman,
)

GENES = (Span(0, 5, "Gene"), Span(10, 13, "Gene"), Span(18, 22, "Gene"))
TEXT = "BRCA1 and p53 and TP63 rise"


def corpus() -> list[Document]:
    """Three systems of falling quality; the last looks at every other document only."""
    return [
        Document(
            id=str(n),
            text=TEXT,
            layers={
                "gold": GENES,
                "best": GENES if n % 4 else GENES[:2],
                "fair": GENES[:2] if n % 3 else GENES,
                **({"poor": GENES[:1]} if n % 2 else {}),
            },
        )
        for n in range(24)
    ]


def test_ranks_are_correlated_as_scipy_does() -> None:
    random = np.random.default_rng(0)
    first = random.integers(0, 6, 20) / 6
    second = random.normal(size=20) + first
    wanted = spearmanr(first, second)
    found = spearman(first, second)
    assert found.rho == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.pvalue)
    for _ in range(20):
        order = random.permutation(20)
        assert spearman(first[order], second[order]) == found


def test_p_values_of_many_are_those_of_scipy() -> None:
    random = np.random.default_rng(1)
    for n in (9, 12, 40):
        first = random.integers(0, 6, n) / 6
        second = random.normal(size=n) + first
        wanted = spearmanr(first, second)
        assert spearman(first, second).p_value == pytest.approx(wanted.pvalue, rel=1e-12)
    rising = np.arange(12.0)
    assert spearman(rising, -rising) == Correlation(-1.0, 0.0, 12)


def test_the_paper_s_rho_of_seventeen_systems_is_significant() -> None:
    # Section 5.2.1: rho = 0.745 with seventeen systems, p < 0.001.
    random = np.random.default_rng(5)
    first = np.arange(17.0)
    second = next(
        ranks
        for ranks in (random.permutation(17) * 0.6 + first for _ in range(10_000))
        if abs(spearman(first, ranks).rho - 0.745) < 0.001
    )
    assert spearman(first, second).p_value < 0.001


def test_a_correlation_of_too_little_is_undefined() -> None:
    assert isnan(spearman([0.1, 0.2], [0.1, 0.2]).rho)
    assert isnan(spearman([0.1, 0.1, 0.1], [0.1, 0.2, 0.3]).rho)
    assert spearman([0.1, 0.2, 0.3, np.nan], [0.1, 0.2, 0.3, 0.4]).n == 3
    assert spearman([1, 2, 3, 4], [1, 2, 3, 4]).rho == pytest.approx(1)


def test_systems_are_ranked_against_silver_and_gold() -> None:
    comparison = compare_standards(corpus(), gold="gold", scorer=by_view("exact"))
    assert [standing.system for standing in comparison.standings] == ["best", "fair", "poor"]
    for standing in comparison.standings:
        assert standing.gold is not None
        assert standing.gold.wanted == 72  # who did not look has found nothing
    golden = [standing.gold.f1 for standing in comparison.standings if standing.gold]
    for name in ("silver", "left_out"):
        f1 = [getattr(standing, name).f1 for standing in comparison.standings]
        assert getattr(comparison, name) == spearman(f1, golden)
        assert f1 != golden


def test_no_order_changes_a_comparison() -> None:
    batch = corpus()
    turned = [
        document.replace(layers=dict(reversed(list(document.layers.items()))))
        for document in reversed(batch)
    ]
    found = [
        compare_standards(each, gold="gold", scorer=by_view("exact")) for each in (batch, turned)
    ]
    assert in_full(found[0]) == in_full(found[1])


def test_without_gold_there_is_no_correlation() -> None:
    comparison = compare_standards(corpus(), systems=["fair", "best"])
    assert comparison.silver is comparison.left_out is None
    assert {standing.gold for standing in comparison.standings} == {None}


def test_a_system_has_no_part_in_the_silver_that_judges_it_alone() -> None:
    lonely = Span(23, 27, "Gene")
    batch = [
        Document(id="1", text=TEXT, layers={"a": GENES, "b": GENES, "c": (*GENES, lonely)}),
        Document(id="2", text=TEXT, layers={"c": GENES}),
    ]
    seen: list[tuple[int, set[str]]] = []

    def scorer(
        documents: Sequence[Document], standard: str, systems: Sequence[str]
    ) -> dict[str, Counts]:
        assert standard == SILVER
        seen.append((len(documents), {name for each in documents for name in each.layers}))
        return by_view("exact")(documents, standard, systems)

    found = compare_standards(batch, systems=["a", "b", "c"], scorer=scorer)
    by_name = {each.system: each for each in found.standings}
    assert by_name["c"].left_out == Counts(3, 4, 3, 3)
    assert seen[-1] == (1, {"a", "b", "c", SILVER})  # nobody else looked at the second
    assert by_name["a"].silver.wanted >= 6


def test_a_system_that_shares_no_document_is_judged_by_nobody() -> None:
    apart = Document(id="apart", text=TEXT, layers={"lonely": GENES})
    found = compare_standards([*corpus(), apart], gold="gold")
    by_name = {each.system: each for each in found.standings}
    assert by_name["lonely"].left_out == Counts()
    assert by_name["lonely"].silver.wanted
    assert by_name["best"].left_out.wanted


def test_one_system_makes_no_silver() -> None:
    with pytest.raises(UsageError, match="found: best"):
        compare_standards(corpus(), systems=["best"])


def test_a_system_cannot_be_called_silver() -> None:
    batch = [document.with_layer(SILVER, ()) for document in corpus()]
    with pytest.raises(UsageError, match="rename"):
        compare_standards(batch, systems=["best", SILVER])


@pytest.mark.corpus
def test_silver_stands_in_for_gold_on_real_taggers(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "taggers-dev"
    inputs = [Input(path) for path in sorted(folder.glob("s*.eval"))]
    inputs += [
        Input(folder / "GENE.eval", "gold"),
        Input(folder / "ALTGENE.eval", "gold.alternatives"),
    ]
    # A third of the sentences tells as much, in a third of the time.
    batch = list(read_corpus(inputs, text=Input(folder / "text.in")))[::3]
    comparison = compare_standards(batch, gold="gold", gold_scorer=by_view("biocreative"))
    assert comparison.standings[0].system == "s05_ap_cng"
    assert comparison.silver is not None
    assert comparison.left_out is not None
    assert comparison.silver.rho > 0.9
    assert comparison.left_out.rho > 0.9
    assert comparison.left_out.p_value < 0.001


def test_few_systems_get_an_exact_p_value() -> None:
    assert spearman([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]).p_value == pytest.approx(2 / 120)
    assert spearman([1, 2, 3], [3, 1, 2]).p_value == pytest.approx(1.0)


def test_what_documents_say_of_who_looked_for_what_holds_for_silver() -> None:
    told = {"scope": {"fair": ["Disease"]}}
    batch = [each.replace(meta=told) for each in corpus()]
    comparison = compare_standards(batch, gold="gold", scorer=by_view("exact"))
    [fair] = (each for each in comparison.standings if each.system == "fair")
    assert fair.left_out.wanted == 0
    assert fair.gold is not None
    assert fair.gold.wanted == 0
