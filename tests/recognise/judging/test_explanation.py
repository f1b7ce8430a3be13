from dataclasses import replace
from math import isnan, log, prod

import numpy as np
import pytest

from tests.recognise.tiny import tiny_cascade, unseen, worded_cascade
from vermeil import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.recognise.features.paper_features import PAPER, PAPER_FAMILIES
from vermeil.recognise.features.views import FAMILIES, view_tokens
from vermeil.recognise.judging.explanation import Explanation, explain
from vermeil.recognise.judging.feature_names import EDGE, named_features
from vermeil.sequences.chains.potentials import ChainPotentials
from vermeil.sequences.features.rows import encode
from vermeil.sequences.tokens.axis import TokenAxis

TEXT = "We gave NaCl-treated acetic acid (AA). AA and EGFR rose, α-amino."
DOCUMENT = Document(id="1", text=TEXT)


def explained(name: str, **options: str) -> Explanation:
    start = TEXT.index(name)
    return explain(tiny_cascade(), DOCUMENT, start, start + len(name), **options)


@pytest.mark.parametrize("left_out", [frozenset(), *(frozenset({each}) for each in FAMILIES)])
def test_every_feature_has_a_name(left_out: frozenset[str]) -> None:
    knowledge, axis = tiny_cascade().knowledge, TokenAxis.of([DOCUMENT])
    families = FAMILIES - left_out
    encoded = encode(view_tokens(axis, [knowledge], families=families))
    for token in range(len(axis.words)):
        named = named_features(encoded, axis, token, knowledge, families)
        assert not [each for each in named if each.name.startswith("#")]


def test_every_feature_of_learned_words_has_a_name() -> None:
    knowledge = worded_cascade().knowledge
    text = "We gave acetic acid (AA).Then 5-fluoro-uracil, to 12 mice-like"
    axis = TokenAxis.of([DOCUMENT, Document(id="2", text=text)])
    encoded = encode(view_tokens(axis, [knowledge]))
    views = set()
    for token in range(len(axis.words)):
        named = named_features(encoded, axis, token, knowledge, FAMILIES)
        assert not [each for each in named if each.name.startswith("#")]
        views |= {(each.view, each.name.split(" ")[0]) for each in named}
    assert {("word", "class"), ("2 after", "company"), ("run before", "class")} <= views


def test_words_are_shown_with_those_of_the_text_that_keep_the_same_company() -> None:
    model = worded_cascade()
    text = "Cisplatin and 5-fluoro-uracil; cisplatin (p53) was given."
    why = explain(model, Document(id="1", text=text), 0, len("Cisplatin and 5-fluoro-uracil"))
    assert [each.word for each in why.words] == ["Cisplatin", "and", "5", "fluoro", "uracil"]
    for each in why.words:
        assert each.word.lower() not in {other.lower() for other in each.alike}
        assert all(other in text for other in each.alike)
        assert bool(each.n_classes) == bool(each.alike)
    assert not explained("EGFR").words


@pytest.mark.parametrize("left_out", sorted(PAPER_FAMILIES - {PAPER}))
def test_every_feature_of_the_paper_has_a_name(left_out: str) -> None:
    knowledge, axis = tiny_cascade().knowledge, TokenAxis.of([DOCUMENT])
    families = PAPER_FAMILIES - {left_out}
    encoded = encode(view_tokens(axis, [knowledge], families=families))
    for token in range(len(axis.words)):
        named = named_features(encoded, axis, token, knowledge, families)
        assert not [each for each in named if each.name.startswith("#")]


def test_features_say_where_they_are_seen_from() -> None:
    token = explained("acetic acid").tokens[0]
    seen = {(each.view, each.name) for each in token.features}
    assert ("word", "ends=tic") in seen
    assert ("1 after", "l=acid") in seen
    assert ("1 before", "shape=a") in seen
    assert ("words", "acetic + acid") in seen
    assert ("lexicon", "1 of 2") in seen
    assert ("chunk", "l=acetic") in seen
    first = explained("We").tokens[0]
    assert ("1 before", EDGE) in {(each.view, each.name) for each in first.features}


def test_weights_add_up_to_the_score_of_the_token() -> None:
    model, axis = tiny_cascade(), TokenAxis.of([DOCUMENT])
    encoded = encode(view_tokens(axis, [model.knowledge], families=model.recipe.families))
    potentials = model.sequence.potentials(encoded, axis.first_token)
    assert isinstance(potentials, ChainPotentials)
    unary = potentials.unary
    [token] = explained("EGFR", label="Gene").tokens
    at, tags = axis.words.index("EGFR"), model.sequence.tags
    assert sum(each.outside for each in token.features) == pytest.approx(unary[at, 0])
    assert sum(each.begins for each in token.features) == pytest.approx(unary[at, tags.begin[1]])
    assert sum(each.inside for each in token.features) == pytest.approx(unary[at, tags.inner[1]])
    assert sum(token.views.values()) == pytest.approx(unary[at, tags.begin[1]] - unary[at, 0])


def test_the_confidence_is_the_one_the_model_gives() -> None:
    model = tiny_cascade()
    for document in unseen()[:2]:
        found = model.find([document])
        for span in found.spans(0, found.candidates)[::60]:
            why = explain(model, document, span.start, span.end, label=span.label)
            assert why.span.confidence == pytest.approx(span.confidence)
            assert why.is_candidate


def test_steps_multiply_to_what_the_lattice_gives() -> None:
    model = replace(tiny_cascade(), rescorers={})
    document = unseen()[0]
    found = model.find([document])
    for span in found.spans(0, found.candidates)[::40]:
        why = explain(model, document, span.start, span.end, label=span.label)
        assert prod(why.steps) == pytest.approx(span.confidence)
        assert len(why.steps) == len(why.tokens) + 1
        assert isnan(why.log_odds)


def test_what_a_feature_is_worth_is_what_the_log_odds_lose_without_it() -> None:
    model, why = tiny_cascade(), explained("acetic acid", label="Chemical")
    confidence = why.span.confidence or 0
    assert why.log_odds == pytest.approx(log(confidence / (1 - confidence)))
    values = np.array([[each.value for each in why.evidence]])
    axis, lattice, candidates = model.lattice_candidates([DOCUMENT])
    names = model.rescoring_features([DOCUMENT], axis, lattice, candidates).names
    order = [[each.name for each in why.evidence].index(name) for name in names]
    strongest = why.evidence[0]
    without = values[:, order].copy()
    without[0, names.index(strongest.name)] = np.nan
    odds = model.rescorers["Chemical"].log_odds(without)[0]
    assert strongest.worth == pytest.approx(why.log_odds - odds)
    assert all(each.worth == 0 for each in why.evidence if isnan(each.value))


def test_without_a_label_the_surest_is_explained() -> None:
    assert explained("EGFR").span.confidence == max(
        explained("EGFR", label=each).span.confidence or 0 for each in ("Chemical", "Gene")
    )


def test_rivals_share_a_token_with_the_span() -> None:
    why = explained("acetic acid")
    assert why.rivals
    for text, span in why.rivals:
        assert span.start < why.span.end
        assert span.end > why.span.start
        assert text == TEXT[span.start : span.end]


def test_what_is_no_candidate_is_explained_too() -> None:
    start = TEXT.index("We gave")
    why = explain(tiny_cascade(), DOCUMENT, start, len(TEXT) - 1)
    assert not why.is_candidate
    assert not why.evidence


@pytest.mark.parametrize(
    ("start", "end", "complaint"),
    [
        (0, 500, "the text has 65 characters; 0-500 is no span of it"),
        (4, 4, "4-4 is no span"),
        (2, 3, "there is no token at 2-3"),
        (21, 25, r"21-25 \('acet'\) does not begin .* reach over 21-27 \('acetic'\)"),
    ],
)
def test_a_span_that_is_none_is_refused(start: int, end: int, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        explain(tiny_cascade(), DOCUMENT, start, end)


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(UnknownNameError, match="no label named 'gene'; did you mean 'Gene'"):
        explained("EGFR", label="gene")
