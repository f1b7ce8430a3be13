from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.tiny import N_TRAINED, samples, tiny_cascade, unseen, worded_cascade
from vermeil import Document
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.judging.explanation import explain
from vermeil.recognise.placed_names import PlacedNames, are_right
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import load, save
from vermeil.recognise.rescoring import judges
from vermeil.recognise.rescoring.features import log_odds
from vermeil.recognise.rescoring.judges import (
    LEAST_POOLED,
    LEAST_SURE,
    MOST_SURE,
    Case,
    Deal,
    Judges,
    fitted,
    fitted_poolers,
    fitting_factor,
    judged,
    judged_twice,
    likely,
)
from vermeil.recognise.word_classes.learned_words import WordTable
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import Candidates

pytest.importorskip("sklearn")


def by_place(names: PlacedNames) -> dict[tuple[int, ...], float]:
    found = names.candidates
    columns = (found.start, found.end, found.label)
    places = zip(*(column.tolist() for column in columns), strict=True)
    return dict(zip(places, found.confidence.tolist(), strict=True))


def test_poolers_judge_what_has_a_chance_and_leave_the_rest() -> None:
    cascade = worded_cascade()
    assert cascade.poolers
    documents = unseen()
    alone = by_place(replace(cascade, poolers={}).find(documents, threshold=0))
    pooled = by_place(replace(cascade, sureness=1.0).find(documents, threshold=0))
    assert pooled.keys() == alone.keys()
    moved = {place for place, sure in alone.items() if abs(pooled[place] - sure) > 1e-9}
    assert moved
    assert all(alone[place] >= LEAST_POOLED for place in moved)


def test_of_rescorer_and_pooler_the_mean_counts() -> None:
    cascade, documents = worded_cascade(), unseen()[:4]
    case = cascade.case(documents, *cascade.lattice_candidates(documents))
    first = judged(cascade.rescorers, case)
    rows, again = likely(case, first)
    odds = log_odds(first.confidence[rows]) + log_odds(judged(cascade.poolers, again).confidence)
    found = judged_twice(cascade.rescorers, cascade.poolers, case, sureness=0.5)
    assert np.allclose(found.confidence[rows], 1 / (1 + np.exp(-odds / 4)))
    assert cascade.find(documents).candidates.confidence.max() < 1
    assert LEAST_SURE <= cascade.sureness <= MOST_SURE


def test_a_factor_makes_log_odds_as_sure_as_they_are_right() -> None:
    rng = np.random.default_rng(0)
    odds = rng.normal(scale=3, size=20_000)
    right = rng.random(len(odds)) < 1 / (1 + np.exp(-0.8 * odds))
    assert fitting_factor(odds, right) == pytest.approx(0.8, abs=0.03)
    assert fitting_factor(odds, odds > 0) == MOST_SURE
    assert fitting_factor(odds, odds < 0) == LEAST_SURE
    assert fitting_factor(np.zeros(3), np.array([True, False, True])) == 1


def test_every_use_of_a_string_is_told_of_the_others() -> None:
    cascade = worded_cascade()
    text = "We gave cisplatin. Then cisplatin was given; no cisplatin was left. Cisplatin helps."
    documents = [Document(id="1", text=text)]
    case = cascade.case(documents, *cascade.lattice_candidates(documents))
    rows, again = likely(case, judged(cascade.rescorers, case))
    names = again.described.names
    often = again.described.values[:, names.index("first, folded: how often")]
    place = case.axis.start[case.candidates.start[rows]]
    uses = [text.lower().index("cisplatin", at) for at in (0, 10, 30, 60)]
    of_uses = often[np.isin(place, uses)]
    assert len(of_uses) >= 3
    assert of_uses.max() >= 2
    assert names[-len(case.described.names) :] == case.described.names


def test_a_model_with_words_is_the_same_when_read_back(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    save(worded_cascade(), path)
    again, some = load(path), unseen()[:6]
    assert isinstance(again, Cascade)
    assert again.poolers.keys() == worded_cascade().poolers.keys()
    words = [word for document in some for word in document.text.split()]
    for one, other in zip(_tables(worded_cascade()), _tables(again), strict=True):
        assert one.classes(words)[0].tolist() == other.classes(words)[0].tolist()
    # Weights are stored in fewer bits.
    made, read = (each.lattice_candidates(some)[1].marginal for each in (worded_cascade(), again))
    assert np.allclose(made, read, atol=0.05)


def _tables(cascade: Cascade) -> tuple[WordTable, WordTable]:
    learned = cascade.knowledge.learned
    assert learned is not None
    return learned.tokens, learned.runs


def test_what_is_explained_is_what_is_found() -> None:
    cascade, document = worded_cascade(), unseen()[0]
    found = cascade.find([document])
    sure = int(found.candidates.confidence.argmax())
    start = int(found.axis.start[found.candidates.start[sure]])
    end = int(found.axis.end[found.candidates.end[sure] - 1])
    said = explain(cascade, document, start, end)
    assert said.span.confidence == pytest.approx(found.candidates.confidence[sure])
    assert any(each.name.startswith("first") for each in said.evidence)


def test_without_words_nothing_is_pooled() -> None:
    assert not tiny_cascade().poolers


def test_a_model_without_the_rates_that_it_asks_for_or_with_odd_sureness_is_refused() -> None:
    header, arrays = tiny_cascade().header(), tiny_cascade().arrays()
    assert Cascade.from_arrays(header, arrays).knowledge.rates is not None
    without = {name: array for name, array in arrays.items() if "/rates/" not in name}
    with pytest.raises(ValueError, match="rates"):
        Cascade.from_arrays(header, without)
    for odd in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="sure"):
            Cascade.from_arrays({**header, "sureness": odd}, arrays)


def dealt(cascade: Cascade, n_parts: int, *, turned: int) -> Deal:
    """Describe each part of the samples; what it is described by does not matter here."""
    documents = samples()[turned:N_TRAINED] + samples()[:turned]
    cases, right = [], []
    for part in range(n_parts):
        own = documents[part::n_parts]
        axis, lattice, candidates = cascade.lattice_candidates(own)
        cases.append(cascade.case(own, axis, lattice, candidates))
        right.append(are_right(PlacedNames(axis, candidates), own, "gold", alternatives=True))
    return Deal(cases, right)


def test_nobody_decides_on_documents_that_they_learned_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learned_from: dict[int, set[str]] = {}
    decided_on: list[set[str]] = []
    kept: list[Judges] = []

    def watched_fit(kind: str, deal: Deal, labels: list[str], *, seed: int) -> Judges:
        kept.append(fitted(kind, deal, labels, seed=seed))
        learned_from[id(kept[-1])] = {each.id for case in deal.cases for each in case.documents}
        return kept[-1]

    def watched_judging(by: Judges, case: Case) -> Candidates:
        own = {each.id for each in case.documents}
        assert not own & learned_from[id(by)]
        decided_on.append(own)
        return judged(by, case)

    monkeypatch.setattr(judges, "fitted", watched_fit)
    monkeypatch.setattr(judges, "judged", watched_judging)
    cascade = worded_cascade()
    deals = [dealt(cascade, 3, turned=turned) for turned in (0, 5)]
    poolers, _ = fitted_poolers("logistic", deals, cascade.recipe.labels, seed=0)
    assert len(decided_on) == 12
    assert set.union(*decided_on) == {each.id for each in samples()[:N_TRAINED]}
    assert learned_from[id(poolers)] == set.union(*decided_on)


def test_a_rescorer_learns_from_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[tuple[str, ...]]] = []

    def watched(kind: str, deal: Deal, labels: list[str], *, seed: int) -> Judges:
        seen.append([tuple(each.id for each in case.documents) for case in deal.cases])
        return fitted(kind, deal, labels, seed=seed)

    monkeypatch.setattr("vermeil.recognise.cascade.fitted", watched)
    recipe = Recipe(("Chemical",), n_rounds=3, rescorer="logistic", n_deals=2)
    Cascade.fit(samples()[:12], recipe, Resources({}))
    [parts] = seen
    everything = sorted(each.id for each in samples()[:12])
    first, second = parts[:3], parts[3:]
    assert [sorted(sum(deal, ())) for deal in (first, second)] == [everything] * 2
    assert first != second
