"""Names that a standard seems to lack."""

from pathlib import Path

import pytest

from tests.consensus.test_centroids import GGTP, GGTP_NAMES, P75, P75_NAMES, TGF, TGF_NAMES
from vermeil import Document, Span
from vermeil.formats import read
from vermeil.scoring.gold.auditing import CentroidCheck, audit
from vermeil.scoring.gold.recombining import KIND


def proposed(text: str, names: tuple[str, ...]) -> dict[str, str]:
    spans = [Span(text.index(name), text.index(name) + len(name), "Gene") for name in names]
    layers = {"gold": (spans[0],), "gold.alternatives": tuple(spans[1:])}
    found = audit([Document(id="1", text=text, layers=layers)], "gold")
    return {each.text: each.detail for each in found.of_kind(KIND)}


def test_the_example_of_the_paper_is_proposed() -> None:
    found = proposed(P75, P75_NAMES)
    assert found["p75 nucleoprotein"] == "begins and ends as 'p75', 'human p75 nucleoprotein'"
    assert set(found) == {
        "p75 nucleoprotein",
        "Rel-related human p75 nucleoprotein",
    }


def test_where_all_combinations_are_listed_nothing_is_missing() -> None:
    assert proposed(TGF, TGF_NAMES) == {}


def test_brackets_are_not_torn_apart() -> None:
    assert proposed(GGTP, GGTP_NAMES) == {}


@pytest.mark.corpus
def test_figure_5_is_made_by_one_call(corpora: Path) -> None:
    from vermeil.consensus.asking import paper_settings

    folder = corpora / "bc2gm" / "train"
    stream = read(folder / "train.in")
    stream = read(folder / "GENE.eval", annotator="gold", documents=stream)
    stream = read(folder / "ALTGENE.eval", annotator="gold.alternatives", documents=stream)
    found = audit(stream, "gold", settings=paper_settings())
    assert found.n_cores == 18265
    assert found.centroids is not None
    assert found.centroids == CentroidCheck(
        n_centroids=18339,
        tp=18141,
        fp=134,
        fn=124,
        precision=found.centroids.precision,
        recall=found.centroids.recall,
        f1=found.centroids.f1,
    )
    assert round(found.centroids.f1, 3) == 0.993
