from collections import Counter

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources
from vermeil.recognise.words.name_rates import (
    AS_NAMES,
    AS_OTHERS,
    OF_TOKENS,
    UNIT,
    NameRates,
)
from vermeil.recognise.words.token_sets import folded
from vermeil.sequences.tokens.alphabet import hash_words

DOCUMENTS = [
    marked(
        "1", "We put [C:acetic acid] in [C:lead] pipes. They lead to [C:lead] and [G:lead ase]."
    ),
    marked("2", "Lead is bad. Then [C:Acetic acid] burned; acetic acid [C:ethanol] [C:acid] did."),
    marked("3", ""),
]
RECIPE = Recipe(("C", "G"))


def made() -> tuple[Knowledge, NameRates]:
    lists = Lists.of(Resources(), "fine")
    knowledge = Knowledge.fit(DOCUMENTS, RECIPE.labels, lists, annotator="gold")
    axis, tag = RECIPE.tagged_tokens(DOCUMENTS)
    sets = knowledge.preclassifier.tokens
    return knowledge, NameRates.of(axis, tag, RECIPE.tags, sets, knowledge.seen)


def odds(n_as_names: int, n: int) -> float:
    return float(np.log((n_as_names + AS_NAMES) / (n - n_as_names + AS_OTHERS)))


def test_tokens_are_counted_as_a_plain_loop_counts_them() -> None:
    knowledge, rates = made()
    axis, tag = RECIPE.tagged_tokens(DOCUMENTS)
    words, tags = [folded(word) for word in axis.words], RECIPE.tags.names
    named = [tags[code] for code in tag.tolist()]
    edges = set(axis.first_token.tolist())
    n = Counter(words)
    for label, name in enumerate(RECIPE.labels):
        counts = {what: Counter[str]() for what in OF_TOKENS}
        for at, word in enumerate(words):
            begins, ends = named[at] == f"B-{name}", False
            if named[at].endswith(f"-{name}"):
                counts["inside"][word] += 1
                ends = at + 1 == len(words) or named[at + 1] != f"I-{name}"
            counts["first"][word] += begins
            counts["last"][word] += ends
            if begins and at not in edges:
                counts["before"][words[at - 1]] += 1
            if ends and at + 1 not in edges:
                counts["after"][words[at + 1]] += 1
        for word in n:
            [row] = knowledge.preclassifier.tokens.rows_of(hash_words([word])).tolist()
            assert rates.n_tokens[row] == round(np.log1p(n[word]) * UNIT)
            for what, kind in enumerate(OF_TOKENS):
                wanted = odds(counts[kind][word], n[word])
                assert rates.tokens[label, what, row] / UNIT == pytest.approx(wanted, abs=0.051)


def test_of_a_string_its_uses_as_a_name_are_counted_and_all_others() -> None:
    knowledge, rates = made()

    def row_of(*tokens: str) -> int:
        hashes = hash_words(list(tokens))
        [row] = knowledge.seen.rows_of_spans(hashes, np.array([0]), np.array([len(tokens)]))
        return int(row)

    for tokens, n_as_names, n in (
        (("acetic", "acid"), 2, 3),
        (("lead",), 2, 5),
        (("ethanol",), 1, 1),
        (("acid",), 1, 4),
    ):
        row = row_of(*tokens)
        assert rates.names[0, row] / UNIT == pytest.approx(odds(n_as_names, n), abs=0.051)
        assert rates.n_names[row] == round(np.log1p(n) * UNIT)
    assert rates.names[1, row_of("lead", "ase")] / UNIT == pytest.approx(odds(1, 1), abs=0.051)
    assert row_of("bad") == -1


def test_rates_are_stored_and_made_again() -> None:
    knowledge, rates = made()
    sets, seen = knowledge.preclassifier.tokens, knowledge.seen
    again = NameRates.from_arrays(rates.arrays(), 2, sets, seen)
    for name, array in rates.arrays().items():
        assert np.array_equal(again.arrays()[name], array)
    with pytest.raises(ValueError, match="has the shape"):
        NameRates.from_arrays(rates.arrays(), 1, sets, seen)
