import json
from collections.abc import Sequence
from itertools import pairwise
from math import exp
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked, read_chemicals
from vermeil import Document
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.rivals.markov import LISTED_SHARE, ORDER, MarkovTagger
from vermeil.recognise.words.kneser_ney import CharacterModel
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.best_paths import best_paths
from vermeil.text.tags import decode

TEXTS = [
    "Patients received [C:morphine] or [C:acetic acid] before the operation.",
    "After [C:clonidine] the heart rate fell. Then [C:morphine] had no effect in [G:BRCA1] mice.",
    "The [G:kinase] was found in rats. [C:Acetic acid] too.",
]
DOCUMENTS = [marked(str(number), text) for number, text in enumerate(TEXTS)]


def found_by(model: MarkovTagger, documents: list[Document]) -> list[tuple[int, int, int, str]]:
    """List the first-best names: document, start, end and label."""
    axis, potentials = model.potentials(documents)
    tags = [model.recipe.tags.names[code] for code in best_paths(potentials).tag[0]]
    names: list[tuple[int, int, int, str]] = []
    for first, end in pairwise(axis.first_token.tolist()):
        document = int(np.searchsorted(axis.first_of_document, first, side="right")) - 1
        names += [
            (document, int(axis.start[first + start]), int(axis.end[first + stop - 1]), label)
            for start, stop, label in decode(tags[first:end], "iob2")
        ]
    return names


def learned(documents: Sequence[Document], *labels: str, **names: list[str]) -> MarkovTagger:
    return MarkovTagger.fit(documents, Recipe(labels), Resources(names))


def gold_of(documents: list[Document]) -> list[tuple[int, int, int, str]]:
    return [
        (number, span.start, span.end, span.label)
        for number, document in enumerate(documents)
        for span in document.layers["gold"]
    ]


def test_it_reads_back_what_it_learned() -> None:
    model = learned(DOCUMENTS, "C", "G")
    assert found_by(model, DOCUMENTS) == gold_of(DOCUMENTS)


def test_it_finds_a_name_it_never_saw_by_its_spelling() -> None:
    documents = [marked("1", "The rats received [C:morphinone] before the operation.")]
    assert found_by(learned(DOCUMENTS, "C"), documents) == gold_of(documents)


def test_tag_bigrams_are_counted_with_one_added() -> None:
    model = learned([marked("1", "[C:a b] c [C:d]")], "C")
    assert np.exp(model.start) == pytest.approx(np.array([1, 2, 1]) / 4)
    assert np.exp(model.transition) == pytest.approx(
        np.array([[1 / 5, 2 / 5, 1 / 5], [1 / 6, 1 / 6, 2 / 6], [2 / 5, 1 / 5, 1 / 5]])
    )
    assert np.exp(model.end) == pytest.approx([1 / 5, 2 / 6, 1 / 5])


def test_what_may_follow_a_tag_sums_to_one() -> None:
    model = learned(DOCUMENTS, "C", "G")
    assert np.exp(model.transition).sum(axis=1) + np.exp(model.end) == pytest.approx(1)
    assert np.exp(model.start).sum() == pytest.approx(1)


def test_a_tag_spells_tokens_as_the_tokens_it_was_seen_with() -> None:
    model = learned([marked("1", "[C:acetic acid] and [C:morphine]")], "C")
    asked = ["acetone", "and", "acetone"]
    for tag, words in enumerate([["and"], ["acetic", "morphine"], ["acid"]]):
        wanted = CharacterModel.fit(words, order=ORDER).log_probability(asked)
        assert model.emission(asked)[:, tag] == pytest.approx(wanted)


def test_a_listed_name_is_a_second_way_to_spell() -> None:
    plain = learned(DOCUMENTS, "C", "G")
    listed = learned(DOCUMENTS, "C", "G", C=["nitric acid", "morphine"])
    unseen = CharacterModel.fit(["nitric"], order=ORDER)
    for token in ("nitrous", "morphine"):
        before, after = plain.emission([token])[0], listed.emission([token])[0]
        wanted = (1 - LISTED_SHARE) * exp(before[1])
        wanted += LISTED_SHARE * exp(unseen.log_probability([token])[0])
        assert exp(after[1]) == pytest.approx(wanted, rel=1e-9, abs=0)
        assert after[[0, 3, 4]].tolist() == before[[0, 3, 4]].tolist()


def test_names_are_listed_for_the_tags_of_their_label() -> None:
    plain, listed = learned(DOCUMENTS, "C", "G"), learned(DOCUMENTS, "C", "G", C=["nitric acid"])
    assert set(listed.listed) - set(plain.listed) == {1, 2}


def test_documents_nobody_has_annotated_say_nothing() -> None:
    other = Document(id="9", text="Morphine is no name here.")
    models = [learned(batch, "C") for batch in (DOCUMENTS, [other, *DOCUMENTS])]
    one, two = (model.potentials(DOCUMENTS)[1].unary for model in models)
    assert np.array_equal(one, two)


def test_a_saved_model_is_the_same() -> None:
    saved = learned(DOCUMENTS, "C", "G", G=["protein kinase"])
    again = MarkovTagger.from_arrays(json.loads(json.dumps(saved.header())), saved.arrays())
    assert found_by(again, DOCUMENTS) == found_by(saved, DOCUMENTS)
    assert np.array_equal(
        saved.potentials(DOCUMENTS)[1].unary, again.potentials(DOCUMENTS)[1].unary
    )


def test_without_tokens_there_is_nothing_to_find() -> None:
    assert found_by(learned([], "C"), [Document(id="1", text=" ")]) == []


@pytest.mark.corpus
def test_it_finds_four_fifths_of_the_chemicals_of_real_abstracts(corpora: Path) -> None:
    documents = read_chemicals(corpora / "chem" / "bc5cdr_traindev.jsonl")
    train = [document for number, document in enumerate(documents) if number % 3 < 2]
    found = found_by(learned(train, "CM"), documents[2::3])
    gold = gold_of(documents[2::3])
    n_right = len(set(found) & set(gold))
    assert 2 * n_right / (len(found) + len(gold)) == pytest.approx(0.797, abs=0.003)
