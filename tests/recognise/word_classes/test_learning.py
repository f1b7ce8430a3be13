from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from tests.recognise.word_classes.made_up import DRUGS, PEOPLE, learned, texts, words
from vermeil import Document
from vermeil.errors import UsageError
from vermeil.recognise.word_classes.clusters import SIZES, centres_of, nearest
from vermeil.recognise.word_classes.company import OFFSETS, CompanyStage, Vocabularies, without_rare
from vermeil.recognise.word_classes.factors import leading_factors, mutual_information
from vermeil.recognise.word_classes.forms import forms_of, runs_of, trimmed
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.word_classes.spellings import N_BUCKETS, bags_of, guessed, spelling_vectors
from vermeil.recognise.word_classes.vocabulary import FormCounts, Vocabulary, VocabularyStage
from vermeil.runs.results import taken_apart, write_result
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.verbs.corpus import Corpus

SOME = st.lists(
    st.text("ab .-β\U0001d6fc1A\n", max_size=30).map(lambda text: Document(id="1", text=text)),
    max_size=4,
)


def vectors_of(table: str, names: tuple[str, ...]) -> Any:
    made, is_seen = getattr(words(), table).vectors_of(names)
    assert is_seen.all()
    return made


def test_words_that_keep_the_same_company_have_vectors_that_point_the_same_way() -> None:
    drugs, people = vectors_of("runs", DRUGS[:5]), vectors_of("runs", PEOPLE[:5])
    assert (drugs @ drugs.T).mean() > 0.5 > 0.2 > (drugs @ people.T).mean()


def test_a_word_never_seen_gets_the_vector_of_those_spelled_like_it() -> None:
    made, is_seen = words().tokens.vectors_of(["heparins", "smoker"])
    assert not is_seen.any()
    drug, person = vectors_of("tokens", ("heparin", "smokers"))
    assert made[0] @ drug > made[0] @ person
    assert made[1] @ person > made[1] @ drug


def test_classes_of_each_size_put_drugs_with_drugs() -> None:
    classes, _ = words().runs.classes([*PEOPLE, *DRUGS, "unheard", "of"])
    assert classes.shape == (18, len(SIZES))
    coarse = classes[:, 0].tolist()
    assert not set(coarse[:8]) & set(coarse[8:16])


def test_case_and_digits_of_a_word_do_not_matter() -> None:
    several = ["Aspirin", "aspirin", "CPT-22", "CPT-11", "cpt-11"]
    classes, is_seen = words().runs.classes(several)
    assert is_seen.tolist() == [True, True, True, True, False]
    assert classes[0].tolist() == classes[1].tolist()
    assert classes[2].tolist() == classes[3].tolist()


def test_the_same_texts_give_the_same_words_whatever_their_order() -> None:
    again = learned(Corpus.of(reversed(texts())))
    for name, array in words().arrays().items():
        assert array.tobytes() == again.arrays()[name].tobytes(), name


def test_words_are_the_same_when_read_back(tmp_path: Path) -> None:
    path = tmp_path / "words.zip"
    words().save(path)
    again = LearnedWords.load(path)
    assert again.card == words().card
    some = ["aspirin", "never", "Seen"]
    for one, other in zip(words().tokens.classes(some), again.tokens.classes(some), strict=True):
        assert one.tolist() == other.tolist()


def test_no_word_can_be_read_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "words.zip"
    words().save(path)
    held = b"".join(array.tobytes() for array in words().arrays().values()) + path.read_bytes()
    assert not any(word.encode() in held for word in (*PEOPLE, "aspirin", "heparin"))


def test_too_little_is_refused() -> None:
    with pytest.raises(UsageError, match="too little to learn from: 1 documents with 0 words"):
        learned(Corpus.of([Document(id="1", text="one text")]))


@settings(max_examples=25)
@given(SOME)
def test_runs_are_what_stands_between_white_space(documents: list[Document]) -> None:
    axis = TokenAxis.of(documents)
    words, number, first = runs_of(axis)
    assert [words[each] for each in number.tolist()] == plain_runs(documents)
    assert first.tolist() == sorted(set(first.tolist()))


@settings(max_examples=40)
@given(SOME, SOME)
def test_counts_are_those_of_a_plain_loop_and_add(
    some: list[Document], more: list[Document]
) -> None:
    stage = VocabularyStage()
    both = stage.observe(iter([*some, *more]))
    parts = stage.observe(iter(some)) + stage.observe(iter(more))
    plain = Counter(forms_of(plain_runs([*some, *more])))
    for seen in (both, parts):
        assert dict(zip(seen.runs.words, seen.runs.counts.tolist(), strict=True)) == plain


@settings(max_examples=15)
@given(SOME, SOME)
def test_company_is_that_of_a_plain_loop_and_adds(
    tmp_path_factory: pytest.TempPathFactory, some: list[Document], more: list[Document]
) -> None:
    counted = VocabularyStage("words").observe(iter([*some, *more]))
    chosen = Vocabularies(
        *(Vocabulary.of(each, min_count=2, most=9) for each in (counted.tokens, counted.runs))
    )
    path = tmp_path_factory.mktemp("words") / "vocabularies.npz"
    write_result(taken_apart(chosen), path)
    stage = CompanyStage(str(path), "words")
    both = stage.observe(iter([*some, *more])).tokens.matrix.toarray()
    parts = (stage.observe(iter(some)) + stage.observe(iter(more))).tokens.matrix.toarray()
    assert both.tolist() == parts.tolist() == plain_company([*some, *more], chosen.tokens)


def plain_runs(documents: list[Document]) -> list[str]:
    return [trimmed(run) for document in documents for run in document.text.split()]


@given(st.text("a(b)[c],.'", min_size=1, max_size=12))
def test_a_trimmed_run_is_a_part_of_the_run_and_stays_as_it_is(run: str) -> None:
    bare = trimmed(run)
    assert bare
    assert bare in run
    assert trimmed(bare) == bare


def plain_company(documents: list[Document], known: Vocabulary) -> list[list[int]]:
    contexts = [known.words[row] for row in known.contexts.tolist()]
    counts = np.zeros((len(known.words), len(OFFSETS) * len(contexts)), dtype=int)
    for document in documents:
        axis = TokenAxis.of([document], tokeniser="words")
        for first, last in pairwise(axis.first_token.tolist()):
            forms = forms_of(axis.words[first:last])
            for place, form in enumerate(forms):
                for number, offset in enumerate(OFFSETS):
                    other = forms[place + offset] if 0 <= place + offset < len(forms) else None
                    if form in known.words and other in contexts:
                        column = number * len(contexts) + contexts.index(other)
                        counts[known.words.index(form), column] += 1
    return counts.tolist()


def test_of_too_many_words_the_commonest_are_kept() -> None:
    counted = FormCounts(("a", "b", "c", "d"), np.array([5, 1, 9, 5]))
    assert set(Vocabulary.of(counted, min_count=2, most=2).words) == {"a", "c"}
    assert set(Vocabulary.of(counted, min_count=2, most=9).words) == {"a", "c", "d"}


def test_of_too_many_pairs_the_rarest_are_forgotten() -> None:
    counts = csr_matrix(np.array([[1, 2, 0], [3, 1, 7]]))
    assert without_rare(counts, 3).toarray().tolist() == [[0, 2, 0], [3, 0, 7]]


def test_factors_are_those_of_an_exact_decomposition() -> None:
    chance = np.random.default_rng(0)
    dense = chance.poisson(0.4, size=(60, 40)) @ np.diag(0.7 ** np.arange(40))
    left, values = leading_factors(csr_matrix(dense.astype(np.float32)), 5)
    exact_left, exact, _ = np.linalg.svd(dense, full_matrices=False)
    assert_allclose(values, exact[:5], rtol=1e-3)
    assert_allclose(np.abs(left.T @ exact_left[:, :5]), np.eye(5), atol=0.02)


def test_mutual_information_is_that_of_its_formula() -> None:
    counts = np.array([[4, 1, 0], [1, 0, 2]])
    smooth = counts.sum(axis=0) ** 0.75
    chance = counts.sum(axis=1)[:, None] * smooth / smooth.sum()
    with np.errstate(divide="ignore"):
        wanted = np.maximum(np.log(counts / chance), 0)
    assert_allclose(mutual_information(csr_matrix(counts)).toarray(), wanted, rtol=1e-6)


def test_classes_find_clouds_that_lie_apart() -> None:
    chance = np.random.default_rng(0)
    middles = np.eye(6, 10)[np.arange(300) % 6]
    cloud = (middles + 0.1 * chance.standard_normal((300, 10))).astype(np.float32)
    cloud /= np.linalg.norm(cloud, axis=1, keepdims=True)
    fine = nearest(cloud, centres_of(cloud, 12))
    for own in range(12):
        assert len(set((np.flatnonzero(fine == own) % 6).tolist())) <= 1


def test_spelling_is_learned_as_by_the_normal_equations() -> None:
    some = [f"{one}{two}" for one in ("ox", "am", "eth") for two in ("ide", "ine", "ol")]
    chance = np.random.default_rng(0)
    vectors = chance.standard_normal((len(some), 3)).astype(np.float32)
    bags = bags_of(some).toarray().astype(np.float64)
    penalty = 0.02 * len(some) / bags.shape[1]
    exact = bags.T @ np.linalg.solve(bags @ bags.T + penalty * np.eye(len(some)), vectors)
    assert_allclose(guessed(some, spelling_vectors(some, vectors)), bags @ exact, atol=1e-3)
    assert_allclose(bags.sum(axis=1), 1, rtol=1e-6)


@given(st.lists(st.text("abβ\U0001d6fc1A-", max_size=30), max_size=6))
def test_vectors_are_guessed_as_the_sparse_product_has_them_to_the_last_bit(
    words: list[str],
) -> None:
    chance = np.random.default_rng(0)
    buckets = chance.standard_normal((N_BUCKETS, 7)).astype(np.float32)
    assert guessed(words, buckets).tobytes() == (bags_of(words) @ buckets).tobytes()
