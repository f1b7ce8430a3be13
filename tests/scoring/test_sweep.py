"""Figures 7 and 8: systems and silver against gold."""

from pathlib import Path

import pytest

from vermeil import Document, Span, samples
from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import Settings
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import read
from vermeil.formats.corpus import read_corpus
from vermeil.scoring.scores import score
from vermeil.scoring.silver import by_view, compare_standards
from vermeil.scoring.sweep import Sweep, sweep_thresholds

SYSTEMS = ("anna", "ben", "dictionary", "llm", "tagger")


@pytest.fixture(scope="module")
def passages() -> list[Document]:
    return list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))


@pytest.fixture(scope="module")
def swept(passages: list[Document]) -> Sweep:
    return sweep_thresholds(passages, gold="gold", systems=SYSTEMS, thresholds=(1, 3, 9))


def test_every_kind_of_span_has_a_row_for_each_threshold_that_can_be_reached(swept: Sweep) -> None:
    assert [(row.name, row.votes) for row in swept.silver] == [
        ("centroids, heart", 1),
        ("centroids, heart", 3),
        ("centroids, modal", 1),
        ("centroids, modal", 3),
    ]


def test_rows_are_what_combining_and_scoring_give(passages: list[Document], swept: Sweep) -> None:
    options = Options(Settings(min_votes=3), "heart")
    silver = combine(passages, by="centroids", name="s", annotators=SYSTEMS, options=options)
    wanted = score(silver, standard="gold", systems=["s"])["s"].counts("biocreative")
    [row] = [each for each in swept.silver if (each.emit, each.votes) == ("heart", 3)]
    assert row.counts == wanted
    f1s = [counts.f1 for counts in swept.systems.values()]
    assert f1s == sorted(f1s, reverse=True)
    assert row.n_beaten == sum(row.counts.f1 > each for each in f1s)


def test_ranks_correlate_as_compared_standards_do(passages: list[Document], swept: Sweep) -> None:
    compared = compare_standards(
        passages,
        gold="gold",
        systems=SYSTEMS,
        gold_scorer=by_view("biocreative"),
        by="centroids",
        options=Options(Settings(min_votes=3)),
    )
    [row] = [each for each in swept.silver if (each.emit, each.votes) == ("modal", 3)]
    assert compared.silver is not None
    assert row.ranks.rho == pytest.approx(compared.silver.rho)
    assert row.others_ranks is None
    [left_out] = sweep_thresholds(
        passages,
        gold="gold",
        systems=SYSTEMS,
        thresholds=(3,),
        emits=("modal",),
        leave_one_out=True,
    ).silver
    assert left_out.others_ranks == compared.left_out


def test_what_a_method_has_no_use_for_is_not_varied(passages: list[Document]) -> None:
    methods = ("hearts", "majority")
    found = sweep_thresholds(
        passages[:20], gold="gold", systems=SYSTEMS, methods=methods, thresholds=(2, 3)
    )
    assert [(row.name, row.votes) for row in found.silver] == [
        ("hearts, heart", None),
        ("hearts, modal", None),
        ("majority", 2),
        ("majority", 3),
    ]


def test_what_is_not_there_is_refused(passages: list[Document]) -> None:
    some = passages[:3]
    with pytest.raises(UnknownNameError, match="no layer named 'glod'"):
        sweep_thresholds(some, gold="glod", systems=SYSTEMS)
    with pytest.raises(UnknownNameError, match="no view named 'fuzzy'"):
        sweep_thresholds(some, gold="gold", systems=SYSTEMS, view="fuzzy")
    with pytest.raises(UsageError, match="two systems"):
        sweep_thresholds(some, gold="gold", systems=["ben"])


def test_a_flat_gold_standard_is_taken_as_elsewhere() -> None:
    wide, narrow = Span(0, 12, "Gene"), Span(4, 12, "Gene")
    layers = {"gold": (wide, narrow), "a": (narrow,), "b": (narrow,), "c": (wide,)}
    document = Document(id="1", text="the p53 gene", layers=layers)
    found = sweep_thresholds([document], gold="gold", systems=["a", "b", "c"], thresholds=[2])
    assert {counts.recall for counts in found.systems.values()} == {1}


@pytest.mark.corpus
def test_hearts_lose_and_modal_spans_win_on_the_tagger_outputs(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "taggers-dev"
    stream = read(folder / "text.in")
    names = [path.stem for path in sorted(folder.glob("s*.eval"))]
    for name in names:
        stream = read(folder / f"{name}.eval", documents=stream)
    stream = read(folder / "GENE.eval", annotator="gold", documents=stream)
    stream = read(folder / "ALTGENE.eval", annotator="gold.alternatives", documents=stream)
    found = sweep_thresholds(list(stream), gold="gold", systems=names, thresholds=[5])
    heart, modal = found.silver
    assert round(heart.counts.f1, 3) == 0.536
    assert round(modal.counts.f1, 3) == 0.843
    assert modal.n_beaten == 12
    assert modal.ranks.rho > 0.9


def test_who_saw_nothing_of_gold_is_left_out_by_name(passages: list[Document]) -> None:
    beyond = passages[0].replace(id="beyond", layers={"zoe": passages[0].layers["anna"]})
    found = sweep_thresholds(
        [*passages, beyond], gold="gold", systems=(*SYSTEMS, "zoe"), thresholds=(1, 6)
    )
    assert found.unjudged == ("zoe",)
    assert found.systems.keys() == set(SYSTEMS)
    assert {row.votes for row in found.silver} == {1}


def test_silver_needs_two_systems_that_saw_gold(passages: list[Document]) -> None:
    bare = [each.replace(layers={"gold": each.layers["gold"]}) for each in passages]
    beyond = passages[0].replace(id="beyond", layers={"anna": (), "ben": ()})
    with pytest.raises(UsageError, match="looked at documents of gold; found: none"):
        sweep_thresholds([*bare, beyond], gold="gold", systems=("anna", "ben"))
