from collections.abc import Sequence
from math import isnan

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document
from vermeil.recognise.judging.cross_validation import (
    Validation,
    cross_validate,
    paper_systems,
    trainer,
)
from vermeil.recognise.placed_names import Finder, PlacedNames
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import RECOGNISERS
from vermeil.recognise.rivals.dictionary import DictionaryTagger
from vermeil.recognise.rivals.markov import MarkovTagger
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import THRESHOLD

DOCUMENTS = [
    marked(str(number), f"He took [C:lead] {number} times, and lead to it.") for number in range(7)
]
RESOURCES = Resources({"C": ["lead"]})


class Spy:
    """Remembers what it was trained on and what it read."""

    def __init__(self, trained: Sequence[Document], log: list[tuple[set[str], set[str]]]) -> None:
        self.trained, self.log = {each.id for each in trained}, log
        self.inner = DictionaryTagger.fit(trained, Recipe(("C",)), RESOURCES)

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        self.log.append((self.trained, {each.id for each in documents}))
        return self.inner.find(documents, threshold=threshold)


def test_each_document_is_read_once_by_a_recogniser_that_has_not_seen_it() -> None:
    log: list[tuple[set[str], set[str]]] = []
    unread = Document(id="nobody looked", text="lead")

    def train(documents: Sequence[Document]) -> Finder:
        return Spy(documents, log)

    validation = cross_validate(train, [*DOCUMENTS, unread], ("C",))
    everything = {each.id for each in DOCUMENTS}
    assert [trained | read for trained, read in log] == [everything] * 3
    assert [trained & read for trained, read in log] == [set()] * 3
    assert sorted(each for _, read in log for each in read) == sorted(everything)
    assert sum(validation.n_wanted) == 7
    assert validation.is_right.sum() == 7
    assert len(validation.confidence) == 14


def test_one_fold_can_stand_for_all() -> None:
    train = trainer("dictionary", Recipe(("C",)), RESOURCES)
    one = cross_validate(train, DOCUMENTS, ("C",), n_read=1)
    every = cross_validate(train, DOCUMENTS, ("C",))
    mine = every.fold == 0
    assert one.confidence.tolist() == every.confidence[mine].tolist()
    assert one.n_wanted == every.n_wanted[:1]


def test_a_share_of_the_documents_is_learned_from_and_the_same_ones_are_read() -> None:
    log: list[tuple[set[str], set[str]]] = []

    def train(documents: Sequence[Document]) -> Finder:
        return Spy(documents, log)

    whole = cross_validate(train, DOCUMENTS, ("C",))
    half = cross_validate(train, DOCUMENTS, ("C",), share=0.5)
    assert (whole.n_trained, half.n_trained) == ((4, 5, 5), (2, 3, 3))
    for (all_learned, all_read), (learned, read) in zip(log[:3], log[3:], strict=True):
        assert learned < all_learned
        assert read == all_read


def test_folds_are_balanced_by_a_field_of_the_metadata() -> None:
    log: list[tuple[set[str], set[str]]] = []
    journals = {each.id: "Nature" if int(each.id) < 3 else "Cell" for each in DOCUMENTS[:6]}
    documents = [each.replace(meta={"journal": journals[each.id]}) for each in DOCUMENTS[:6]]

    def train(documents: Sequence[Document]) -> Finder:
        return Spy(documents, log)

    cross_validate(train, documents, ("C",), balance="journal", seed=5)
    assert [sorted(journals[id] for id in read) for _, read in log] == [["Cell", "Nature"]] * 3


def by_hand() -> Validation:
    return Validation(
        confidence=np.array([0.9, 0.8, 0.3, 0.9, 0.6, 0.6]),
        is_right=np.array([True, True, False, True, False, True]),
        is_blocked=np.array([False, False, False, False, False, True]),
        fold=np.array([0, 0, 0, 1, 1, 1]),
        n_wanted=(2, 2),
        n_tokens=100,
        train_seconds=2.0,
        tag_seconds=0.5,
    )


def test_the_threshold_of_a_fold_is_chosen_on_the_others() -> None:
    validation = by_hand()
    assert validation.thresholds == (0.9, 0.8)
    assert (validation.tuned.right, validation.tuned.predicted, validation.tuned.wanted) == (
        2,
        2,
        4,
    )


def test_a_fold_whose_confidences_are_a_little_lower_is_not_lost() -> None:
    uneven = [*DOCUMENTS, marked("8", "lead lead lead lead"), marked("9", "[C:Lead].")]
    train = trainer("dictionary", Recipe(("C",)), RESOURCES)
    validation = cross_validate(train, uneven, ("C",))
    assert len(set(validation.confidence)) > 1
    assert validation.tuned.predicted == len(validation.confidence)


def test_overlapped_names_count_in_the_ranking_but_not_in_what_is_found() -> None:
    validation = by_hand()
    assert (validation.at(0.5).right, validation.at(0.5).predicted) == (3, 4)
    assert validation.ranking.recall[-1] == 1
    assert validation.flat_ranking.recall[-1] == pytest.approx(3 / 4)
    assert validation.calibration().n.sum() == 6
    assert validation.calibration(overlaps=False).n.sum() == 5
    assert validation.tokens_per_second == 200


def test_with_one_fold_there_is_nothing_to_choose_a_threshold_on() -> None:
    train = trainer("dictionary", Recipe(("C",)), RESOURCES)
    one = cross_validate(train, DOCUMENTS, ("C",), n_read=1)
    assert isnan(one.thresholds[0])
    assert one.tuned.predicted == 0


def test_each_system_of_the_paper_has_less_than_the_one_before() -> None:
    systems = paper_systems(Recipe(("C",)))
    recipes = [recipe for kind, recipe in systems.values() if kind == "cascade"]
    assert [recipe.rescorer for recipe in recipes] == ["trees", "none", "none", "none"]
    assert recipes[0].families == recipes[1].families > recipes[2].families > recipes[3].families
    assert recipes[1].families - recipes[2].families == {"preclassifier"}
    assert recipes[2].families - recipes[3].families == {"n-grams"}
    assert {kind for kind, _ in systems.values()} == set(RECOGNISERS) - {"committee"}


def test_the_markov_model_is_customised_with_tokens_and_lists_or_pure() -> None:
    systems = paper_systems(Recipe(("C",)))
    customised, pure = (systems[name][1] for name in ("customised hmm", "pure hmm"))
    assert (customised.tokeniser, pure.tokeniser) == ("chemistry", "punctuation")
    models = [trainer("hmm", each, RESOURCES)(DOCUMENTS) for each in (customised, pure)]
    assert [bool(each.listed) for each in models if isinstance(each, MarkovTagger)] == [True, False]
