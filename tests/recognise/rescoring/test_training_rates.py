import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.recognise.tiny import samples, tiny_cascade, unseen
from vermeil.recognise.rescoring.training_rates import training_rates
from vermeil.recognise.words.name_rates import AS_NAMES, AS_OTHERS, OF_TOKENS, UNIT
from vermeil.recognise.words.token_sets import folded
from vermeil.sequences.tokens.alphabet import hash_words

pytest.importorskip("sklearn")


def test_rates_of_candidates_are_those_of_a_plain_loop() -> None:
    cascade, documents = tiny_cascade(), [*samples()[:2], *unseen()[:3]]
    knowledge, rates = cascade.knowledge, cascade.knowledge.rates
    assert rates is not None
    axis, _, candidates = cascade.lattice_candidates(documents)
    made = training_rates(candidates, axis, knowledge.known(axis.vocabulary.words), knowledge)
    hashes = hash_words([folded(word) for word in axis.words])
    rows = knowledge.preclassifier.tokens.rows_of(hashes)

    def of(what: str, at: int, label: int) -> float:
        row = rows[at]
        return rates.tokens[label, OF_TOKENS.index(what), row] / UNIT if row >= 0 else np.nan

    n_alone = n_known = 0
    for number in range(len(candidates)):
        start, end = int(candidates.start[number]), int(candidates.end[number])
        label = int(candidates.label[number])
        first, last = axis.first_token[candidates.sentence[number] :][:2]
        [name] = knowledge.seen.rows_of_spans(hashes, np.array([start]), np.array([end]))
        string = often = np.nan
        often_first = rates.n_tokens[rows[start]] / UNIT if rows[start] >= 0 else np.nan
        if name >= 0:
            string, often = rates.names[label, name] / UNIT, rates.n_names[name] / UNIT
        elif end - start == 1:
            string = np.log(AS_NAMES / (np.expm1(often_first) + AS_OTHERS))
            often = often_first
        n_alone, n_known = n_alone + (name < 0 and end - start == 1), n_known + (name >= 0)
        inside = [of("inside", at, label) for at in range(start, end) if rows[at] >= 0]
        wanted = {
            "training: a name": string,
            "training: how often": often,
            "training: mean inside": np.mean(inside) if inside else np.nan,
            "training: first inside": of("inside", start, label),
            "training: last inside": of("inside", end - 1, label),
            "training: before inside": of("inside", start - 1, label) if start > first else np.nan,
            "training: after inside": of("inside", end, label) if end < last else np.nan,
            "training: how often first": often_first,
            "training: begins names": of("first", start, label),
            "training: ends names": of("last", end - 1, label),
            "training: before names": of("before", start - 1, label) if start > first else np.nan,
            "training: after names": of("after", end, label) if end < last else np.nan,
        }
        assert made.keys() == wanted.keys()
        for title, value in wanted.items():
            assert_allclose(made[title][number], value, atol=1e-9, err_msg=title)
    assert n_alone
    assert n_known
