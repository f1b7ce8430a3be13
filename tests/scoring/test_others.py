"""Each of a crowd against the others, beside a twin that judges one document after the other."""

import numpy as np
import pytest

from vermeil import Document, Span
from vermeil.consensus.stage import ConsensusStage
from vermeil.scope import Scope
from vermeil.scoring.counts import Counts
from vermeil.scoring.others import compare_crowd
from vermeil.scoring.scores import score
from vermeil.scoring.silver import Comparison, by_view, compare_standards

LABELS = ("Gene", "Disease")
PEOPLE = [f"p{number:02}" for number in range(15)]


def crowd(n_documents: int = 24) -> list[Document]:
    """Four of fifteen see each text; one never says Disease, one text is seen by one alone."""
    rng = np.random.default_rng(0)
    made = []
    for number in range(n_documents):
        names = [Span(6 * place, 6 * place + 5, LABELS[place % 2]) for place in range(6)]
        layers = {}
        for person in rng.choice(PEOPLE, 4 if number else 1, replace=False).tolist():
            found = [each for each in names if rng.random() < 0.8]
            if person == "p00":
                found = [each for each in found if each.label == "Gene"]
            layers[person] = tuple(found)
        layers |= {"gold": tuple(names)} if number % 6 else {}
        made.append(Document(id=str(number), text="abcde " * 6, layers=layers))
    return made


def judged(name: str, document: Document, standard: str, scope: Scope) -> Counts:
    kept = {each: document.layers[each] for each in (name, standard)}
    one = document.replace(layers=kept)
    [scores] = score([one], standard=standard, systems=[name], scope=scope).values()
    return scores.counts("exact")


def plain(documents: list[Document], scope: Scope) -> list[dict[str, Counts]]:
    stage = ConsensusStage(chosen=tuple(PEOPLE), layer="silver")
    known = stage.finish(stage.observe(iter(documents)))
    counts: list[dict[str, Counts]] = [dict.fromkeys(PEOPLE, Counts()) for _ in range(3)]
    for document in documents:
        [silver] = stage.decide(iter([document]), known, stage.nothing())
        here = [name for name in PEOPLE if name in document.layers]
        for name in here:
            counts[0][name] += judged(name, silver, "silver", scope)
            if len(here) > 1:
                others = {each: document.layers[each] for each in here if each != name}
                bare = document.replace(layers=others)
                [left] = stage.decide(iter([bare]), known, stage.nothing())
                beside = left.with_layer(name, document.layers[name])
                counts[1][name] += judged(name, beside, "silver", scope)
            if "gold" in document.layers:
                counts[2][name] += judged(name, document, "gold", scope)
    return counts


def test_a_crowd_is_judged_as_one_document_after_the_other_would_be() -> None:
    documents = crowd()
    scope = Scope.of(documents) + Scope({"silver": frozenset(LABELS)})
    found = compare_crowd(documents, PEOPLE, view="exact", scope=scope, gold="gold")
    for mine, theirs in zip(found, plain(documents, scope), strict=True):
        assert mine == {name: pytest.approx(each) for name, each in theirs.items()}


def shown(comparison: Comparison) -> object:
    rows = [(each.system, each.silver, each.left_out, each.gold) for each in comparison.standings]
    return rows, comparison.silver, comparison.left_out


def test_more_than_a_few_are_judged_where_they_looked() -> None:
    documents = crowd()
    comparison = compare_standards(documents, gold="gold", scorer=by_view("exact"))
    assert len(comparison.standings) == len(PEOPLE)
    for each in comparison.standings:
        assert each.gold is not None
        looked = sum(each.system in one.layers for one in documents if "gold" in one.layers)
        assert each.gold.wanted == looked * (3 if each.system == "p00" else 6)
        assert each.silver.f1 > 0.5
    again = compare_standards(documents[::-1], gold="gold", scorer=by_view("exact"))
    assert shown(again) == shown(comparison)
