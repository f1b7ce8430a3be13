from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import assume, given, settings

from tests.batches import batches
from tests.reports.findings import corpus, without_gold
from vermeil import Document, Span
from vermeil.reports.spans.boundary_offsets import boundary_offsets
from vermeil.reports.spans.findings import SpanFindings, find_spans
from vermeil.reports.spans.text_data import NOT_COMPARED, document_data, text_data
from vermeil.scoring.views.confusion import NOTHING
from vermeil.scoring.views.outcomes import NEAR, RIGHT, TOTAL

ANNOTATORS = ("anna", "ben", "gold")


def laid_out(findings: SpanFindings) -> Any:
    return msgspec.to_builtins(text_data(findings, max_bytes=10**9))


def spans_of(data: Any, system: str) -> list[Any]:
    number = data["annotators"].index(system)
    lanes = [lane for text in data["texts"] for lane in text["a"] if lane[0] == number]
    return [span for _, *spans in lanes for span in spans]


def matches_of(data: Any, system: str) -> Iterator[tuple[Any, Any]]:
    """Yield each name of the standard that is matched with the span it is matched with."""
    number = data["annotators"].index(system)
    for text in data["texts"]:
        for lane, *spans in text["a"]:
            if lane == number:
                yield from (
                    (text["g"][(span[3] >> 4) - 1], span) for span in spans if span[3] >= 16
                )


@settings(max_examples=15)
@given(batches(annotators=ANNOTATORS).filter(lambda batch: any("gold" in d.layers for d in batch)))
def test_instances_add_up_to_the_counts_of_the_scores(batch: list[Document]) -> None:
    assume(any(name in each.layers for each in batch for name in ("anna", "ben")))
    findings = find_spans(batch, n_resamples=0)
    data = laid_out(findings)
    for place, (system, scores) in enumerate(findings.scores.items()):
        told = [span[3] for span in spans_of(data, system) if span[3] >= 0]
        for view, shift in (("exact", 0), ("centroid", 2)):
            predicted, wanted = scores.views[view].outcomes
            outcomes = [(fate >> shift) & 3 for fate in told]
            names = [
                int(name[3][place])
                for text in data["texts"]
                for name in text.get("g" if view == "exact" else "h", ())
                if name[3][place] != NOT_COMPARED
            ]
            for outcome, code in (("right", RIGHT), ("near", NEAR), ("total", TOTAL)):
                assert outcomes.count(code) == predicted[outcome]
                assert names.count(code) == wanted[outcome]
        labels = data["labels"]
        matched = list(matches_of(data, system))
        pairs = [(labels[name[2]], labels[span[2]]) for name, span in matched]
        cells = {pair: n for pair, n in scores.confusion.cells.items() if NOTHING not in pair}
        assert Counter(pairs) == cells
        for edge, counts in enumerate(boundary_offsets(scores)):
            assert sum(span[edge] != name[edge] for name, span in matched) == sum(counts)


def test_the_wave_is_stored_as_the_places_where_votes_change() -> None:
    data = laid_out(find_spans(corpus(), n_resamples=0))
    [text] = [each for each in data["texts"] if each["i"] == "doc/3"]
    place = text["t"].index("p53")
    assert text["n"] == 3
    assert text["w"][-4:] == [place, 1, place + 2, 0]


def test_a_discontinuous_name_keeps_its_pieces() -> None:
    data = laid_out(find_spans(corpus(), n_resamples=0))
    [text] = [each for each in data["texts"] if each["i"] == "doc/2"]
    [ben] = [lane for lane in text["a"] if data["annotators"][lane[0]] == "ben"]
    assert ben[1][5] == ((0, 8), (13, 21))


def test_a_document_by_itself_is_compared_with_nothing() -> None:
    data = document_data(corpus()[0], ["anna", "ben"], None)
    assert data.standard is None
    assert data.annotators == ["anna", "ben"]
    said: Any = data.texts[0]
    assert all(span[3] == -1 for _, *spans in said["a"] for span in spans)


def test_a_name_is_nothing_to_a_system_that_does_not_look_for_its_label() -> None:
    text = "aspirin in asthma"
    drug, illness = Span(0, 7, "Chemical"), Span(11, 17, "Disease")
    layers = {"gold": (drug, illness), "anna": (drug, illness), "chem": (drug,)}
    findings = find_spans([Document(id="1", text=text, layers=layers)], n_resamples=0)
    assert findings.scores["chem"].counts("centroid").recall == 1
    [told] = laid_out(findings)["texts"]
    chem = laid_out(findings)["annotators"].index("chem")
    assert [name[3][chem] for name in told["g"]] == ["0", NOT_COMPARED]
    assert [name[3][chem] for name in told["h"]] == ["0", NOT_COMPARED]
    assert [heart[8] for heart in told["v"]] == [0, 0], "nobody who looks for it disagrees"
    charged = find_spans(
        [Document(id="1", text=text, layers=layers)],
        told={"chem": frozenset({"*"}), "anna": frozenset({"Disease"})},
        n_resamples=0,
    )
    assert charged.scores["chem"].counts("centroid").recall == 0.5
    anna = laid_out(charged)["annotators"].index("anna")
    [told] = laid_out(charged)["texts"]
    assert [name[3][anna] for name in told["g"]] == [NOT_COMPARED, "0"]
    assert [span[3] < 0 for span in spans_of(laid_out(charged), "anna")] == [True, False]


def test_a_long_text_does_not_hide_shorter_ones() -> None:
    short = without_gold()
    long = Document(
        id="long",
        text="p53 " * 3000,
        layers={"anna": (Span(0, 3, "Gene"), Span(4, 7, "Gene")), "ben": (), "tagger": ()},
    )
    findings = find_spans([*short, long], n_resamples=0)
    data = text_data(findings, max_bytes=8000)
    assert {text["i"] for text in data.texts} == {each.id for each in short}
    assert data.n_left_out == 1


def crowd() -> list[Document]:
    """Four of fourteen see each of twelve texts, and miss or move a name now and then."""
    made = []
    for number in range(12):
        names = [Span(6 * place, 6 * place + 5, "Gene") for place in range(5)]
        people = [(5 * number + step) % 14 for step in (0, 3, 4, 9)]
        layers = {
            f"p{person:02}": tuple(
                Span(each.start, each.end - ((person + place) % 4 == 0), "Gene")
                for place, each in enumerate(names)
                if (number + person + place) % 5
            )
            for person in people
        }
        made.append(Document(id=f"{number:02}", text="abcde " * 5, layers=layers))
        if number % 4:
            made[-1] = made[-1].with_layer("gold", tuple(names))
    return made


def test_texts_of_a_crowd_tell_of_those_who_looked_at_them() -> None:
    findings = find_spans(crowd(), n_resamples=0)
    assert not findings.is_dense
    data = laid_out(findings)
    for text in data["texts"]:
        here = [lane[0] for lane in text["a"]]
        assert len(here) == 4 + 1
        assert text.get("s", here) == here
        assert ("g" in text) == (int(text["i"]) % 4 > 0)
        assert all(len(name[3]) == len(here) for name in text.get("g", ()))
    for system, scores in findings.scores.items():
        place = data["annotators"].index(system)
        told = [span[3] for span in spans_of(data, system) if span[3] >= 0]
        for view, shift in (("exact", 0), ("centroid", 2)):
            predicted, wanted = scores.views[view].outcomes
            outcomes = [(fate >> shift) & 3 for fate in told]
            names = [
                int(name[3][text["s"].index(place)])
                for text in data["texts"]
                for name in text.get("g" if view == "exact" else "h", ())
                if place in text["s"]
            ]
            for outcome, code in (("right", RIGHT), ("near", NEAR), ("total", TOTAL)):
                assert outcomes.count(code) == predicted[outcome]
                assert names.count(code) == wanted[outcome]


def test_nobody_of_a_crowd_is_charged_for_texts_that_they_did_not_look_at() -> None:
    documents = crowd()
    findings = find_spans(documents, n_resamples=0)
    for name in findings.annotators:
        n_seen = sum(name in each.layers and "gold" in each.layers for each in documents)
        assert len(findings.scores[name].documents) == n_seen
        assert findings.scores[name].counts("exact").wanted == 5 * n_seen
