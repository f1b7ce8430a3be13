from itertools import product

import numpy as np
import pytest

from vermeil import Document
from vermeil.recognise.rescoring.paper_features import describe_like_paper
from vermeil.sequences.chains.candidates import Candidates, blocked_by, in_reading_order
from vermeil.sequences.tokens.axis import TokenAxis

TEXTS = ["ethyl acetate and an ethyl group, ethyl.", "the ethyl group (EG)"]


def described() -> tuple[Candidates, list[str], list[int], dict[str, np.ndarray]]:
    """Describe all stretches of up to two words of two documents, of two labels."""
    documents = [Document(id=str(number), text=text) for number, text in enumerate(TEXTS)]
    axis = TokenAxis.of(documents)
    document = np.searchsorted(axis.first_of_document, np.arange(len(axis.words)), side="right") - 1
    places = [
        (start, end, label)
        for start, length, label in product(range(len(axis.words)), (1, 2), (0, 1))
        if (end := start + length) <= len(axis.words) and document[start] == document[end - 1]
    ]
    start, end, label = np.array(places).T
    confidence = np.random.default_rng(1).uniform(0.01, 0.99, len(start))
    names = in_reading_order(
        ("CM", "RN"), axis.first_token, start, end, label, confidence=confidence
    )
    found = describe_like_paper(names, axis, TEXTS)
    of = document[names.start].tolist()
    strings = [
        TEXTS[number][axis.start[first] : axis.end[last - 1]]
        for number, first, last in zip(of, names.start, names.end, strict=True)
    ]
    return names, strings, of, dict(zip(found.names, found.values.T, strict=True))


def test_same_strings_are_compared_as_by_naive_means() -> None:
    names, strings, of, told = described()
    free = blocked_by(names) < 0
    for row in range(len(names)):
        alike = [
            names.confidence[other]
            for other in range(len(names))
            if free[other]
            and (of[other], strings[other], names.label[other])
            == (of[row], strings[row], names.label[row])
        ]
        best, mean = (max(alike), np.mean(alike)) if alike else (np.nan, np.nan)
        own = names.confidence[row]
        wanted = {"same: best": best, "same: mean": mean}
        wanted |= {"p less best": own - best, "p less mean": own - mean}
        for name, value in wanted.items():
            assert told[name][row] == pytest.approx(value, nan_ok=True)
    assert np.isnan(told["same: best"]).any()
    assert not np.isnan(told["same: best"]).all()


def test_the_logit_and_short_forms_are_told() -> None:
    names, strings, _, told = described()
    assert told["logit"] == pytest.approx(np.log(names.confidence / (1 - names.confidence)))
    assert told["short form fits"][strings.index("EG")] > 0
