from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document
from vermeil.errors import UsageError
from vermeil.formats import read
from vermeil.models.model_files import read_model, write_model
from vermeil.recognise.asking import PAPER, choices
from vermeil.recognise.cascade import Cascade, unreachable
from vermeil.recognise.placed_names import are_right
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import load, save
from vermeil.recognise.rescoring.linear_logistic import LinearLogistic
from vermeil.recognise.tagging import tag
from vermeil.recognise.words.knowledge import Lists, Resources
from vermeil.recognise.words.token_sets import words_of
from vermeil.samples import GOLD
from vermeil.sequences.chains.candidates import blocked_by
from vermeil.sequences.chains.memm import SeparateMemm

pytest.importorskip("sklearn")

RECIPE = Recipe(("Gene", "Chemical"), n_rounds=15, n_deals=1)


def corpus() -> list[Document]:
    return list(read(GOLD.path))


@pytest.fixture(scope="module")
def model() -> Cascade:
    return Cascade.fit(corpus(), RECIPE, Resources({"Chemical": ["ethanol"]}))


def test_what_was_learned_is_found_with_confidence(model: Cascade) -> None:
    n_right = n_found = n_wanted = 0
    for document in tag(model, corpus(), name="model"):
        found = {(span.start, span.end, span.label) for span in document.layers["model"]}
        wanted = {
            (span.start, span.end, span.label)
            for span in document.layers["gold"]
            if span.label in RECIPE.labels
        }
        n_right += len(found & wanted)
        n_found, n_wanted = n_found + len(found), n_wanted + len(wanted)
        assert all(0.5 <= (span.confidence or 0) <= 1 for span in document.layers["model"])
    assert 2 * n_right / (n_found + n_wanted) > 0.7


def test_a_lower_threshold_never_loses_a_candidate(model: Cascade) -> None:
    low, high = (model.find(corpus(), threshold=each).candidates for each in (0.01, 0.6))
    assert len(high) < len(low)
    assert set(zip(high.start, high.end, strict=True)) <= set(zip(low.start, low.end, strict=True))


def test_overlapping_names_are_kept_only_if_asked_for(model: Cascade) -> None:
    every = [
        len(document.layers["m"])
        for document in tag(model, corpus(), name="m", threshold=0.001, overlaps=True)
    ]
    apart = list(tag(model, corpus(), name="m", threshold=0.001))
    assert sum(every) > sum(len(document.layers["m"]) for document in apart)
    for document in apart:
        for before, after in pairwise(document.layers["m"]):
            assert before.end <= after.start


def test_confidences_do_not_depend_on_the_batch(model: Cascade) -> None:
    documents = corpus()[:6]
    together = model.find(documents).candidates.confidence
    alone = [model.find([document]).candidates.confidence for document in documents]
    assert together == pytest.approx(np.concatenate(alone), abs=1e-9)


def test_the_saved_model_finds_the_same(model: Cascade, tmp_path: Path) -> None:
    write_model(tmp_path / "m.zip", "cascade", model.header(), model.arrays())
    _, header, arrays = read_model(tmp_path / "m.zip")
    again = Cascade.from_arrays(header, arrays)
    layers = [
        [document.layers["m"] for document in tag(each, corpus(), name="m")]
        for each in (model, again)
    ]
    spans = [{(s.start, s.end) for layer in of for s in layer} for of in layers]
    assert len(spans[0] ^ spans[1]) < 0.05 * len(spans[0])


def test_a_cascade_with_a_logistic_rescorer_learns_and_comes_back() -> None:
    recipe = replace(RECIPE, rescorer="logistic")
    learned = Cascade.fit(corpus(), recipe, Resources({}))
    again = Cascade.from_arrays(learned.header(), learned.arrays())
    assert again.recipe.rescorer == "logistic"
    for each in (learned, again):
        found = each.find(corpus(), threshold=0.5)
        assert are_right(found, corpus(), "gold").mean() > 0.8


@pytest.fixture(scope="module")
def papers() -> Cascade:
    recipe = replace(RECIPE, **choices(PAPER))
    return Cascade.fit(corpus(), recipe, Resources({"Chemical": ["ethanol"]}))


def test_a_cascade_like_the_papers_learns_and_comes_back(papers: Cascade, tmp_path: Path) -> None:
    save(papers, tmp_path / "m.zip")
    again = load(tmp_path / "m.zip")
    assert isinstance(again, Cascade)
    assert isinstance(again.sequence, SeparateMemm)
    assert all(isinstance(each, LinearLogistic) for each in again.rescorers.values())
    kept = ("labels", "tokeniser", "families", "filtered", "blocked_first", "threshold")
    for name in kept:
        assert getattr(again.recipe, name) == getattr(papers.recipe, name)
    for each in (papers, again):
        found = each.find(corpus(), threshold=0.5)
        assert are_right(found, corpus(), "gold").mean() > 0.8


def test_like_the_paper_half_of_the_features_are_kept(papers: Cascade) -> None:
    whole = replace(papers.recipe, kept=1.0, rescorer="none", n_rounds=1)
    every = Cascade.fit(corpus(), whole, Resources({"Chemical": ["ethanol"]})).sequence
    assert len(papers.sequence.features) == pytest.approx(len(every.features) / 2, abs=1)


def test_overlaps_may_be_settled_before_rescoring(papers: Cascade) -> None:
    found = papers.find(corpus(), threshold=0)
    before = replace(papers, rescorers={}).find(corpus(), threshold=0)
    assert found.is_blocked.tolist() == (blocked_by(before.candidates) >= 0).tolist()
    usual = replace(papers, recipe=replace(papers.recipe, blocked_first=False))
    after = usual.find(corpus(), threshold=0)
    assert after.is_blocked.tolist() != found.is_blocked.tolist()
    sure = found.candidates.confidence >= 0.01
    apart, less = found.apart(0.01), found.apart(0.5)
    assert (apart.end[:-1] <= apart.start[1:]).all()
    assert len(less) < len(apart) == (~found.is_blocked & sure).sum()


def test_absurd_candidates_are_filtered(papers: Cascade) -> None:
    loose = replace(papers, recipe=replace(papers.recipe, filtered=False))
    strict, free = (each.lattice_candidates(corpus())[2] for each in (papers, loose))
    assert 0 < len(strict) < len(free)


def test_training_twice_gives_the_same(model: Cascade) -> None:
    again = Cascade.fit(corpus(), RECIPE, Resources({"Chemical": ["ethanol"]}))
    documents = corpus()[:4]
    assert again.find(documents).candidates.confidence == pytest.approx(
        model.find(documents).candidates.confidence, abs=1e-6
    )


def test_without_rescoring_confidences_are_those_of_the_lattice(model: Cascade) -> None:
    plain = replace(model, rescorers={})
    documents = corpus()[:4]
    assert plain.find(documents).candidates.confidence.max() <= 1
    assert are_right(plain.find(documents), documents, "gold").any()


def test_alternatives_are_right_only_where_asked_for(model: Cascade) -> None:
    document = corpus()[0]
    names = document.layers["gold"]
    moved = document.replace(layers={"gold": (), "gold.alternatives": names})
    found = model.find([moved])
    right = are_right(found, [document], "gold").sum()
    assert right > 0
    assert are_right(found, [moved], "gold", alternatives=True).sum() == right
    assert are_right(found, [moved], "gold").sum() == 0


def test_names_that_no_token_boundary_reaches_are_counted() -> None:
    document = marked("1", "the [Gene:ethan]ol and [Chemical:toluene]")
    assert unreachable([document], RECIPE) == (1, 2)


def test_too_little_to_learn_from_is_said() -> None:
    with pytest.raises(UsageError, match="too little to learn from: 2 documents"):
        Cascade.fit(corpus()[:2], RECIPE, Resources())


def test_an_empty_document_has_no_names(model: Cascade) -> None:
    [found] = tag(model, [Document(id="1", text="")], name="m")
    assert found.layers["m"] == ()


def test_names_withheld_from_training_are_in_the_model() -> None:
    names = [f"compound-{number}" for number in range(400)]
    recipe = replace(RECIPE, rescorer="none", n_rounds=2)
    whole = Cascade.fit(corpus(), recipe, Resources({"Chemical": names}))
    gappy = Cascade.fit(corpus(), replace(recipe, withheld=0.5), Resources({"Chemical": names}))
    assert all(name in gappy.knowledge.lexicon for name in names)
    assert (gappy.knowledge.lexicon.hashes == whole.knowledge.lexicon.hashes).all()
    lists = Lists.of(Resources({"Chemical": names}), "fine", withheld=0.5)
    shown = [name for name in names if name in lists.names]
    assert 140 < len(shown) < 260
    assert lists.words["Chemical"] == words_of(shown, tokeniser="fine")


def test_spellings_of_a_name_are_withheld_together() -> None:
    names = [f"il{number}" for number in range(200)]
    spelled = Resources({"Gene": [*names, *(f"IL-{number}" for number in range(200))]})
    lists = Lists.of(spelled, "fine", withheld=0.3)
    assert [name in lists.names for name in names] == [
        f"IL-{number}" in lists.names for number in range(200)
    ]
