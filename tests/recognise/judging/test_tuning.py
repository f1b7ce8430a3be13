import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recognise.tiny import LABELS, tiny_cascade, unseen
from vermeil import Span
from vermeil.errors import UsageError
from vermeil.recognise.judging.tuning import choose, shortest_between, try_out
from vermeil.recognise.tagging import tag
from vermeil.scoring.ranked import RankedPredictions, Ranking, rank
from vermeil.scoring.scores import score

SURE = st.lists(
    st.tuples(st.floats(0.001, 1), st.booleans()), min_size=1, max_size=30, unique_by=lambda p: p[0]
)


def ranking_of(judged: list[tuple[float, bool]]) -> Ranking:
    return rank([sure for sure, _ in judged], [right for _, right in judged], 40)


@given(SURE)
def test_what_is_chosen_gives_what_it_promises(judged: list[tuple[float, bool]]) -> None:
    ranking = ranking_of(judged)
    for wanted in ({}, {"precision": 0.5}, {"recall": 0.02}):
        try:
            choice = choose(ranking, **wanted)
        except UsageError:
            continue
        assert ranking.at(choice.threshold) == choice.counts
        assert choice.counts.precision >= wanted.get("precision", 0)
        assert choice.counts.recall >= wanted.get("recall", 0)


@given(SURE, st.floats(0.1, 1))
def test_no_threshold_does_better(judged: list[tuple[float, bool]], wanted: float) -> None:
    ranking = ranking_of(judged)
    every = [ranking.at(sure) for sure, _ in judged]
    good = [each.recall for each in every if each.precision >= wanted]
    if good:
        assert choose(ranking, precision=wanted).counts.recall == max(good)
    else:
        with pytest.raises(UsageError, match="no threshold gives a precision of"):
            choose(ranking, precision=wanted)
    assert choose(ranking).counts.f1 == max(each.f1 for each in every)


def test_a_target_out_of_reach_says_how_far_one_gets() -> None:
    ranking = rank([0.9, 0.8], [True, False], 4)
    with pytest.raises(UsageError, match=r"no threshold gives a recall of 0\.9; the best is 0\.25"):
        choose(ranking, recall=0.9)


def test_where_nothing_was_found_there_is_no_threshold() -> None:
    with pytest.raises(UsageError, match="nothing was found"):
        choose(rank([], [], 4))


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_short_number_lies_between(one: float, other: float) -> None:
    low, high = sorted((one, other))
    if low < high:
        assert low < shortest_between(low, high) <= high


def test_a_trial_judges_as_the_exact_view_does() -> None:
    model, documents = tiny_cascade(), unseen()
    trial = try_out(model, documents, LABELS, layer="gold")
    kept = [
        each.with_layer("gold", [s for s in each.layers["gold"] if s.label in LABELS])
        for each in documents
    ]
    tagged = list(tag(model, kept, name="m", threshold=0.0))
    judged = RankedPredictions.by(score(tagged, standard="gold")["m"].views["exact"])
    assert trial.n_wanted == len(judged.wanted_document)
    assert trial.ranking.average_precision == pytest.approx(judged.ranking.average_precision)


def test_every_threshold_gives_what_tagging_with_it_gives() -> None:
    model, documents = tiny_cascade(), unseen()
    ranking = try_out(model, documents, LABELS, layer="gold").ranking
    for threshold in (0.02, 0.3, 0.7):
        tagged = tag(model, documents, name="m", threshold=threshold)
        assert ranking.at(threshold).predicted == sum(len(each.layers["m"]) for each in tagged)


def test_documents_nobody_looked_at_and_other_labels_do_not_count() -> None:
    model, [first, second, *_] = tiny_cascade(), unseen()
    extra = first.with_layer("gold", [*first.layers["gold"], Span(0, 4, "Other")])
    skipped = second.replace(layers={})
    trials = [try_out(model, each, LABELS, layer="gold") for each in ([first], [extra, skipped])]
    assert trials[0].n_wanted == trials[1].n_wanted
    assert np.array_equal(trials[0].confidence, trials[1].confidence)


def test_a_name_in_pieces_is_wanted_but_never_found_whole() -> None:
    model, [first, *_] = tiny_cascade(), unseen()
    pieces = [
        Span(s.start, s.end, s.label, fragments=((s.start, s.start + 1), (s.end - 1, s.end)))
        for s in first.layers["gold"]
        if s.label in LABELS and s.end - s.start > 2
    ]
    trial = try_out(model, [first.with_layer("gold", pieces)], LABELS, layer="gold")
    assert trial.n_wanted == len(pieces)
    assert not trial.is_right.any()
