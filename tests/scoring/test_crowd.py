"""Crowds that are scored at once, beside each system scored on its own documents alone."""

import random
from itertools import pairwise
from math import isnan
from typing import Any

import msgspec
import pytest

from tests.in_full import in_full
from vermeil import Centroid, Document, Span
from vermeil.scope import Scope
from vermeil.scoring.arranged import arranged, only_layers
from vermeil.scoring.crowd import scored
from vermeil.scoring.crowd.scored import crowd_scores, score_looked
from vermeil.scoring.crowd.sums import crowd_sums
from vermeil.scoring.pairing.names import ScoringBatch
from vermeil.scoring.readings import ScoreSums
from vermeil.scoring.score_sums import SystemSums
from vermeil.scoring.scores import NOBODY, VIEWS, Scores, Way, score
from vermeil.scoring.stage import ScoreStage
from vermeil.scoring.views.annotations import annotations
from vermeil.scoring.views.instances import instances

LABELS = ["Cell", "Chemical", "Disease", "Gene"]
PEOPLE = [f"p{number:02}" for number in range(12)]
WAYS: list[dict[str, Any]] = [
    {},
    {"same_label": False},
    {"same_label": True},
    {"flat": True},
    {"referents": True, "flat": True},
]


def spans(text: str, labels: list[str], chance: random.Random) -> tuple[Span, ...]:
    """Make names that nest, overlap, are broken or have ids."""
    made = set()
    for _ in range(chance.randrange(5) if len(text) > 1 else 0):
        start = chance.randrange(len(text) - 1)
        end = min(len(text), start + 1 + chance.randrange(9))
        broken = chance.random() < 0.2 and end - start > 3
        made.add(
            Span(
                start,
                end,
                chance.choice(labels),
                fragments=((start, start + 1), (end - 1, end)) if broken else (),
                ids=(f"X:{chance.randrange(3)}",) if chance.random() < 0.2 else (),
            )
        )
    order = sorted(made, key=lambda each: (each.start, -each.end, each.label, repr(each)))
    return tuple(order)


def documents(seed: int) -> list[Document]:
    """Make documents of a crowd whose people look for some labels, three on each; ids repeat."""
    chance = random.Random(seed)
    looks = {name: chance.sample(LABELS, chance.choice((1, 2, 4))) for name in PEOPLE}
    made = []
    for number in range(24):
        words = chance.choices(["alpha", "IL-2", " ", "β-cat", "gamma beta"], k=chance.randrange(9))
        text = " ".join(words)
        layers = {name: spans(text, looks[name], chance) for name in chance.sample(PEOPLE, 3)}
        standards = {}
        if chance.random() < 0.9:
            layers["gold"] = spans(text, LABELS, chance)
        if chance.random() < 0.5:
            layers["gold.alternatives"] = spans(text, LABELS, chance)
        if chance.random() < 0.3:
            standards["gold"] = tuple(map(Centroid.of, spans(text, LABELS, chance)))
        meta = {"scope": {chance.choice(PEOPLE): ["Gene"]}} if chance.random() < 0.2 else {}
        made.append(
            Document(
                id=f"{number % 22:02}", text=text, layers=layers, standards=standards, meta=meta
            )
        )
    return made


def alone(whole: list[Document], name: str, scope: Scope, **way: Any) -> Scores | None:
    """Score a system on the documents it looked at, and nobody else."""
    kept = {"gold", "gold.alternatives", name}
    own = [
        only_layers(each, kept)
        for each in whole
        if name in each.layers and ("gold" in each.layers or "gold" in each.standards)
    ]
    if not own:
        return None
    return score(own, standard="gold", systems=[name], scope=scope, **way)[name]


def told(scores: Scores) -> object:
    """Tell everything there is about the scores of a system."""
    views = [
        (
            view.labels,
            view.counts,
            list(view.by_label.items()),
            view.outcomes,
            view.per_document().tolist(),
            list(instances(scores, name)),
        )
        for name, view in scores.views.items()
    ]
    marks = [_sorted_names(scores, each) for each in scores.whole]
    said = list(annotations(scores)) if "centroid" in scores.views else []
    rest = (scores.n_absent, scores.lens, scores.left_out, [each.id for each in scores.documents])
    cells = list(scores.confusion.cells.items()), scores.confusion.table.tolist()
    return in_full((scores.system, list(scores.views), views, marks, said, rest, cells))


def _sorted_names(scores: Scores, names: object) -> list[tuple[int, ...]]:
    columns = ("document", "start", "end", "label", "shape")
    origin = scores.batch.table.origin[names.document]  # type: ignore[attr-defined]
    rows = [getattr(names, name) for name in columns]
    rows[1], rows[2], rows[4] = rows[1] - origin, rows[2] - origin, rows[4] > 0
    return sorted(zip(*(row.tolist() for row in rows), strict=True))


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("at_once", [100, 10**6])
def test_systems_scored_at_once_fare_as_each_alone(
    way: dict[str, Any], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scored, "AT_ONCE", at_once)
    for seed in range(2):
        whole = documents(seed)
        scope = Scope.of(whole)
        found = dict(score_looked(whole, standard="gold", systems=PEOPLE, scope=scope, **way))
        assert list(found) == [name for name in PEOPLE if alone(whole, name, scope)]
        for name, scores in found.items():
            twin = alone(whole, name, scope, **way)
            assert twin is not None
            assert told(scores) == told(twin)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_sums_of_a_crowd_are_those_of_each_system(way: dict[str, Any]) -> None:
    stage = ScoreStage("gold")
    how = Way(way.get("same_label"), bool(way.get("referents")))
    for seed in range(2):
        whole = documents(seed)
        flat = bool(way.get("flat"))
        ordered = arranged(whole, "gold", flat=flat)
        crowds = crowd_scores(
            ordered,
            ScoringBatch.of(ordered),
            standard="gold",
            systems=PEOPLE,
            scope=Scope.of(whole),
            how=how,
            flat=flat,
        )
        for some in (each for group in crowds for each in group):
            twins = stage.sums_of(dict(some.each()))
            for name, sums in crowd_sums(some):
                twin = twins[name]
                assert (sums.n_documents, sums.n_absent) == (twin.n_documents, 0)
                for view in VIEWS:
                    mine, theirs = sums.views[view], twin.views[view]
                    assert mine.rows.rows.tolist() == theirs.rows.rows.tolist()
                    assert mine.rows.count.tolist() == theirs.rows.count.tolist()
                    assert list(mine.by_label.items()) == list(theirs.by_label.items())
                    assert mine.outcomes == theirs.outcomes
                assert (sums.left, sums.right) == (twin.left, twin.right)
                assert sums.supports == twin.supports
                assert list(sums.confused.items()) == list(twin.confused.items())
                assert sums.left_out == twin.left_out


def everywhere(seed: int) -> list[Document]:
    """Make documents of a crowd, some with a label of their own, and of two who looked at most."""
    chance = random.Random(seed)
    made = []
    for each in documents(seed):
        layers = {**each.layers}
        for name in layers.keys() & {*PEOPLE[4:8]}:
            layers[name] = spans(each.text, ["Drug", "Gene"], chance)
        if chance.random() < 0.9:
            layers["busy"] = spans(each.text, LABELS, chance)
        if chance.random() < 0.6:
            layers["chemist"] = spans(each.text, ["Chemical"], chance)
        some = {
            name: tuple(
                msgspec.structs.replace(span, confidence=chance.randrange(9) / 8) for span in layer
            )
            for name, layer in layers.items()
        }
        made.append(each.replace(layers=some))
    return made


def figures(sums: SystemSums) -> object:
    """Tell everything there is about the sums of a system."""
    assert sums.confidences is not None
    sure = sums.confidences.judged(sums.views["exact"])
    views = [
        (
            name,
            view.rows.rows.tolist(),
            view.rows.count.tolist(),
            list(view.by_label.items()),
            [list(each.items()) for each in view.outcomes],
        )
        for name, view in sums.views.items()
    ]
    ranked = sure.confidence.tolist(), sure.is_right.tolist(), sure.label.tolist()
    wanted = sure.wanted_label.tolist(), sums.confidences.over_documents
    left = [list(each.items()) for each in (sums.left_out.wanted, sums.left_out.regardless)]
    rest = (sums.n_documents, sums.n_absent, sums.left, sums.right, dict(sums.supports))
    cells = list(sums.confusion.items()), list(sums.left_out.predicted.items())
    return in_full((views, ranked, wanted, left, rest, cells))


SCOPES = [
    Scope(),
    Scope(told={"gold": frozenset(LABELS[:3])}),
    Scope(told={"p01": frozenset({"Gene"}), "busy": frozenset(LABELS[1:])}),
]


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("scope", SCOPES, ids=lambda each: "+".join(each.told))
@pytest.mark.parametrize("way", WAYS[:4], ids=str)
def test_a_crowd_counts_everywhere_as_if_each_were_scored_over_everything(
    way: dict[str, Any], scope: Scope, is_used: bool
) -> None:
    for seed in range(2):
        whole = everywhere(seed)
        cuts = [0, 0, 24] if seed or not is_used else [0, 5, 9, 24]
        scope = Scope(Scope.of(whole).used if is_used else {}, scope.told)
        stage = ScoreStage("gold", ranked=True, scope=scope, same_label=way.get("same_label"))
        names = sorted({name for each in whole for name in each.layers if "gold" not in name})
        flat = bool(way.get("flat"))
        total, twins = ScoreSums(), dict[str, SystemSums]()
        for first, last in pairwise(cuts):
            part = whole[first:last]
            ordered = arranged(part, "gold", flat=flat)
            own = stage._sum_all(ordered, ScoringBatch.of(ordered), flat=flat) if part else None
            total += ScoreSums(len(part), frozenset(("gold", *names)), (), own)
            if part:
                absent = {NOBODY, *(names if is_used else ())}
                scored = score(part, standard="gold", scope=scope, absent=absent, **way)
                sums = stage.sums_of(scored)
                found = {name: sums.get(name, sums[NOBODY]) for name in names}
                twins = {
                    name: twins[name] + found[name] if twins else found[name] for name in names
                }
        reading = total.of_systems("gold")
        assert list(reading) == names
        for name in names:
            assert figures(reading[name]) == figures(twins[name]), (seed, name)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_systems_that_share_a_standard_fare_as_with_one_of_their_own(way: dict[str, Any]) -> None:
    for seed in range(2):
        whole = everywhere(seed)
        scope = Scope.of(whole) if seed else Scope()
        for name, scores in score(whole, standard="gold", scope=scope, **way).items():
            [(_, alone)] = score(whole, standard="gold", systems=[name], scope=scope, **way).items()
            assert told(scores) == told(alone)


def test_only_views_that_are_asked_for_are_computed() -> None:
    whole = documents(0)
    full = score(whole, standard="gold")
    for view in VIEWS:
        found = score(whole, standard="gold", views=[view])
        for name, scores in found.items():
            assert list(scores.views) == [view]
            assert scores.counts(view) == full[name].counts(view)
            assert scores.confusion.cells == full[name].confusion.cells
            assert len(scores.boundaries.left) == (len(full[name].boundaries.left)) * (
                view == "centroid"
            )
            assert isnan(scores.boundaries.mean_left) or view == "centroid"
