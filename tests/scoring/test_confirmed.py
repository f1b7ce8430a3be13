"""What a consensus says of those who are left out, beside loops and where the truth is known."""

import numpy as np
import pytest

from vermeil import Document, Span, SpanTable
from vermeil.consensus import Options
from vermeil.consensus.methods import judged_people
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.stage import ConsensusStage
from vermeil.scoring import confirmed as module
from vermeil.scoring.confirmed import confirmed
from vermeil.scoring.ranked import calibrate

WIDTH = 8


def crowd(n_documents: int, *, labels: tuple[str, ...] = ("Gene",)) -> list[Document]:
    """Four of ten see each text of twelve places; half of these are names, marked by most."""
    rng = np.random.default_rng(0)
    finds, invents = rng.uniform(0.5, 0.9, 10), rng.uniform(0.02, 0.2, 10)
    made = []
    for number in range(n_documents):
        true = rng.random(12) < 0.5
        layers = {}
        for person in rng.choice(10, 4, replace=False).tolist():
            chance = np.where(true, finds[person], invents[person])
            layers[f"p{person}"] = tuple(
                Span(WIDTH * place, WIDTH * place + 6, labels[(number + place) % len(labels)])
                for place in np.flatnonzero(rng.random(12) < chance).tolist()
            )
        made.append(Document(id=str(number), text="abcdef  " * 12, layers=layers))
    return made


def learned(documents: list[Document]) -> Crowd:
    stage = ConsensusStage(choices=Options(read=False))
    model = stage.finish(stage.observe(iter(documents))).model
    assert isinstance(model, Crowd)
    return model


def test_each_heart_is_held_against_everybody_left_out() -> None:
    documents = crowd(12, labels=("Gene", "Disease"))
    crowds = learned(documents)
    wanted = []
    for document in documents:
        for name, own in document.layers.items():
            others = {each: layer for each, layer in document.layers.items() if each != name}
            table = SpanTable.from_documents([document.replace(layers=others)])
            judged, _ = judged_people(table, Options(), crowds)
            who = crowds.annotators.index(name)
            hearts = judged.evidence.hearts
            starts, ends = judged.evidence.axis.bounds(hearts.first, hearts.end)
            for start, end, sure in zip(starts, ends, judged.existence, strict=True):
                chance = sure * crowds.hit[who] + (1 - sure) * crowds.alarm[who]
                marked = any(span.start < end and start < span.end for span in own)
                wanted.append((pytest.approx(chance), marked))
    found = confirmed(documents, list(crowds.annotators), crowds)
    assert list(zip(found.chance.tolist(), found.is_marked.tolist(), strict=True)) == wanted


def test_people_who_err_alone_are_predicted_as_often_as_they_mark() -> None:
    documents = crowd(400)
    crowds = learned(documents)
    found = confirmed(documents, list(crowds.annotators), crowds)
    calibration = calibrate(found.chance, found.is_marked)
    assert len(calibration.n) > 4
    assert calibration.expected_error < 0.08


def test_of_many_documents_some_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = crowd(30)
    crowds = learned(documents)
    monkeypatch.setattr(module, "MOST_READINGS", 40)
    some = confirmed(documents, list(crowds.annotators), crowds)
    assert len(some.chance) == len(
        confirmed(documents[::3], list(crowds.annotators), crowds).chance
    )


def test_where_nothing_is_learned_nothing_is_said() -> None:
    two = [each.replace(layers=dict(list(each.layers.items())[:2])) for each in crowd(1)]
    crowds = learned(two)
    assert len(confirmed(two, list(crowds.annotators), crowds).chance) == 0
