import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from tests.recognise.annotated import marked, read_chemicals
from vermeil import Document
from vermeil.recognise.words.preclassifier import CLIP, Preclassifier, english_words, tentative_type
from vermeil.recognise.words.token_sets import find_sides, is_word, words_of

TEXTS = [
    "Patients received [C:morphine] or [C:naloxone] before the operation.",
    "After [C:clonidine] the heart rate fell; [C:morphine hydrochloride] had no such effect.",
    "The [G:kinase] was found in rats, and lead in the water lead pipes.",
]
DOCUMENTS = [marked(str(number), text) for number, text in enumerate(TEXTS)]
WORDS = st.lists(st.text(alphabet="abehilmnorth- AN0", max_size=9), max_size=6)


def test_words_that_look_like_names_score_above_others() -> None:
    scores = Preclassifier.fit(DOCUMENTS, ["C"]).score(["heroine", "clonidone", "operate", "heat"])
    assert (scores[:2] > 0).all()
    assert (scores[2:] < 0).all()


def test_a_listed_word_counts_as_seen_inside_unless_it_was_seen_outside() -> None:
    plain = Preclassifier.fit(DOCUMENTS, ["C"])
    listed = Preclassifier.fit(DOCUMENTS, ["C"], lexicon={"C": {"zorubicin", "water"}})
    before, after = plain.score(["zorubicin", "water"]), listed.score(["zorubicin", "water"])
    assert after[0] > before[0] + 5
    assert after[1] < 0


def test_an_ambiguous_word_teaches_nothing() -> None:
    ambiguous = marked("9", "[C:bromide] bromide")
    one, other = (Preclassifier.fit(batch, ["C"]) for batch in (DOCUMENTS, [*DOCUMENTS, ambiguous]))
    words = ["bromide", "bromine", "bride"]
    assert np.array_equal(one.score(words), other.score(words))


def test_an_english_word_is_no_name_unless_it_was_seen_in_one() -> None:
    english = ["Morphine", "chlorine", "cornice", "lead"]
    listed = {"C": {"chlorine"}}
    scores = Preclassifier.fit(DOCUMENTS, ["C"], english=english, lexicon=listed).score(
        ["Cornice", "lead", "morphine", "chlorine"]
    )
    assert scores[:2].tolist() == [-CLIP, -CLIP]
    assert (scores[2:] > 0).all()


def test_non_words_score_nothing() -> None:
    assert Preclassifier.fit(DOCUMENTS, ["C"]).score(["NaCl", "7", "-", ""]).tolist() == [0.0] * 4


def test_several_labels_have_a_score_each_and_the_best_counts() -> None:
    preclassifier = Preclassifier.fit(DOCUMENTS, ["C", "G"])
    words = ["morphone", "kinases", "patient"]
    by_label = preclassifier.label_scores(words)
    assert by_label.argmax(axis=1)[:2].tolist() == [0, 1]
    assert np.array_equal(preclassifier.score(words), by_label.max(axis=1))


@given(WORDS)
def test_scores_are_clipped_and_do_not_depend_on_neighbours(words: list[str]) -> None:
    preclassifier = Preclassifier.fit(DOCUMENTS, ["C"], english={"ham", "lemon"})
    scores = preclassifier.score(words)
    assert (abs(scores) <= CLIP).all()
    assert scores.tolist() == [preclassifier.score([word])[0] for word in words]


@given(WORDS, st.permutations(DOCUMENTS))
def test_no_order_of_documents_changes_a_score(words: list[str], shuffled: list[Document]) -> None:
    one, other = (Preclassifier.fit(order, ["C", "G"]) for order in (DOCUMENTS, shuffled))
    assert np.array_equal(one.label_scores(words), other.label_scores(words))


@given(WORDS)
def test_a_saved_preclassifier_is_the_same(words: list[str]) -> None:
    saved = Preclassifier.fit(DOCUMENTS, ["C", "G"], english={"lemon", "melon"}, order=3)
    again = Preclassifier.from_arrays(json.loads(json.dumps(saved.header())), saved.arrays())
    asked = [*words, "melon", "morphine", "kinase"]
    assert np.array_equal(saved.label_scores(asked), again.label_scores(asked))
    assert np.array_equal(saved.tokens.sides_of(asked), again.tokens.sides_of(asked))


@pytest.mark.parametrize(
    ("word", "type"),
    [
        ("polymerase", "ASE"),
        ("Esterases", "ASE"),
        ("nicotinic", "CJ"),
        ("ethyl", "GROUP"),
        ("chloro", "GROUP"),
        ("hydroxy", "GROUP"),
        ("oxidation", "RN"),
        ("methylating", "RN"),
        ("crystallise", "RN"),
        ("hydrolysis", "RN"),
        ("aspirin", "CM"),
    ],
)
def test_the_suffix_tells_the_tentative_type(word: str, type: str) -> None:
    assert tentative_type(word) == type


def test_english_words_are_read_from_a_list(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("Apple\nrun\nA\nnaïvely\n", encoding="utf-8")
    assert english_words(path) == {"apple", "run", "naïvely"}


@pytest.mark.corpus
def test_words_never_seen_are_told_apart_in_real_abstracts(corpora: Path) -> None:
    documents = read_chemicals(corpora / "chem" / "bc5cdr_traindev.jsonl")
    train = [document for number, document in enumerate(documents) if number % 3 < 2]
    names = (corpora / "lexicons" / "chebi-names.txt").read_text(encoding="utf-8").splitlines()
    seen, asked = find_sides(train, ["CM"]), find_sides(documents[2::3], ["CM"])
    unseen = [word for word in asked if is_word(word) and word not in seen]
    is_inside = np.array([asked[word] > 1 for word in unseen])
    for lexicon, wanted in ((None, 0.966), ({"CM": words_of(names)}, 0.973)):
        scores = Preclassifier.fit(train, ["CM"], lexicon=lexicon).score(unseen)
        assert area_under_curve(scores, is_inside) == pytest.approx(wanted, abs=0.001)


def area_under_curve(scores: NDArray[np.float64], is_inside: NDArray[np.bool_]) -> float:
    """Estimate the probability that one inside scores above one outside, ties counting half."""
    inside, outside = scores[is_inside], np.sort(scores[~is_inside])
    below = np.searchsorted(outside, inside, side="left")
    not_above = np.searchsorted(outside, inside, side="right")
    return float((below + not_above).mean() / 2 / len(outside))


def like_paper(**given: Any) -> Preclassifier:
    return Preclassifier.fit(DOCUMENTS, ["C", "G"], like_paper=True, **given)


def test_like_the_paper_one_model_serves_all_labels() -> None:
    scores = like_paper().label_scores(["kinases", "operate"])
    assert scores.shape == (2, 2)
    assert scores[:, 0].tolist() == scores[:, 1].tolist()
    assert scores[0, 0] > 0 > scores[1, 0]


def test_like_the_paper_listed_words_and_elements_are_inside_though_seen_outside() -> None:
    ours = Preclassifier.fit(DOCUMENTS, ["C"], lexicon={"C": {"water"}})
    assert ours.score(["water"])[0] < 0
    listed = like_paper(lexicon={"C": {"water"}})
    assert listed.score(["water"])[0] > ours.score(["water"])[0]
    assert listed.is_listed(["Water", "rats"]).tolist() == [True, False]
    assert like_paper().score(["chlorine"])[0] > 0


def test_like_the_paper_english_words_are_examples_and_get_no_verdict() -> None:
    english = ["cornice", "morphine", "heat"]
    scores = like_paper(english=english).score(["heat", "morphine"])
    assert -CLIP < scores[0] < 0 < scores[1]
    assert like_paper(english=english).is_english(["Morphine", "rats"]).tolist() == [True, False]


@pytest.mark.parametrize("paper", [False, True])
def test_words_of_either_side_can_be_given(paper: bool) -> None:
    inside, outside = ["amylase", "lipase"], ["phase", "increase", "database"]
    word = ["lipases", "phases"]
    plain = Preclassifier.fit(DOCUMENTS, ["C"], like_paper=paper).score(word)
    taught = Preclassifier.fit(
        DOCUMENTS, ["C"], inside=inside, outside=outside, like_paper=paper
    ).score(word)
    assert taught[0] > plain[0]
    assert taught[1] < plain[1]


def test_like_the_paper_it_comes_back_from_its_arrays() -> None:
    saved = like_paper(lexicon={"C": {"water"}}, english=["heat"])
    header = json.loads(json.dumps(saved.header()))
    again = Preclassifier.from_arrays(header, saved.arrays())
    words = ["water", "heat", "clonidine", "NaCl"]
    assert again.label_scores(words).tolist() == saved.label_scores(words).tolist()
    assert again.is_listed(words).tolist() == saved.is_listed(words).tolist()
