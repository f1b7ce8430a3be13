"""Long forms against a naive twin that looks at each short form by itself."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from vermeil import Document
from vermeil.recognise.rescoring.abbreviations import NO_NAME, WIDEST, is_short_for, long_forms
from vermeil.recognise.rescoring.features import log_odds
from vermeil.sequences.chains.candidates import Candidates, in_reading_order
from vermeil.sequences.tokens.axis import TokenAxis

WORDS = ("acetic", "acid", "AA", "( AA )", "( a", "the", "a", "Acid )", ".")


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=20), st.integers(0, 1 << 30))
def test_long_forms_are_those_of_a_search_by_hand(words: list[str], seed: int) -> None:
    axis = TokenAxis.of([Document(id="1", text=" ".join(words))])
    every = [
        (start, start + length, label)
        for start in range(len(axis.words))
        for length in (1, 2, 3)
        for label in (0, 1)
        if start + length <= len(axis.words)
        and axis.sentence[start] == axis.sentence[start + length - 1]
    ]
    random = np.random.default_rng(seed)
    chosen = np.array(every)[random.random(len(every)) < 0.6]
    candidates = in_reading_order(
        ("C", "G"), axis.first_token, *chosen.T, confidence=random.random(len(chosen))
    )
    strings = [
        " ".join(axis.words[first:last])
        for first, last in zip(candidates.start, candidates.end, strict=True)
    ]
    logit = log_odds(candidates.confidence)
    group = np.arange(len(candidates))
    columns = long_forms(candidates, axis, strings, logit, group)
    for row in range(len(candidates)):
        wanted = by_hand(candidates, axis, strings, row)
        for title, values in columns.items():
            np.testing.assert_allclose(values[row], wanted[title], err_msg=title)


def by_hand(
    candidates: Candidates, axis: TokenAxis, strings: list[str], row: int
) -> dict[str, float]:
    titles = ("name before bracket", "long form: log odds", "long form: best", "long form: fit")
    found = dict.fromkeys(titles, np.nan)
    bracket, after = int(candidates.start[row]) - 1, int(candidates.end[row])
    if bracket < 0 or after >= len(axis.words):
        return found
    if (axis.words[bracket], axis.words[after]) != ("(", ")"):
        return found
    before = [
        other
        for other in range(len(candidates))
        if candidates.end[other] == bracket and candidates.label[other] == candidates.label[row]
    ]
    found["name before bracket"] = sum(candidates.confidence[before])
    reach = max(int(axis.first_token[candidates.sentence[row]]), bracket - WIDEST)
    begins = [
        first
        for first in range(reach, bracket)
        if is_short_for(strings[row], axis.words[first:bracket])
    ]
    if not begins:
        return found
    long = set(range(begins[-1], bracket))
    found |= {"long form: log odds": NO_NAME, "long form: best": 0.0, "long form: fit": 0.0}
    for other in before:
        name = set(range(int(candidates.start[other]), bracket))
        fit = 2 * len(name & long) / (len(name) + len(long)) * candidates.confidence[other]
        found["long form: fit"] += fit
        found["long form: best"] = max(found["long form: best"], fit)
        if name == long:
            found["long form: log odds"] = log_odds(candidates.confidence)[other]
    return found
