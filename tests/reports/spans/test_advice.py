"""Findings in words: each says a figure, and a command that runs."""

import shlex
from pathlib import Path

import pytest

from tests.cli.command_line import run
from tests.reports.findings import corpus, without_gold
from vermeil import Document, Span, samples
from vermeil.formats import read_corpus
from vermeil.reports.drawing.advice import Advice
from vermeil.reports.drawing.elements import joined
from vermeil.reports.spans.advice import advice, expected_errors
from vermeil.reports.spans.findings import SpanFindings, find_spans


@pytest.fixture(scope="module")
def found() -> SpanFindings:
    """Find out about the samples."""
    read = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:25]
    return find_spans(read, n_resamples=0)


def told(findings: SpanFindings) -> dict[str, str]:
    return {each.about: str(joined(*each.said)) for each in advice(findings)}


def test_it_says_whom_to_trust_and_whom_to_drop(found: SpanFindings) -> None:
    said = told(found)
    assert said["Whom to trust"].startswith("<bdi>anna</bdi> most, <bdi>dictionary</bdi> least")
    best = found.scores["anna"].counts("exact").f1
    assert f"{best:.3f}" in said["Whom to trust"]
    assert f"{found.without[0].f1:.3f} without it" in said["Whom to drop"]


def test_nobody_of_a_crowd_is_trusted_most_for_a_name_or_two() -> None:
    text = "BRCA1 and TP53 were found in the brain."
    names = Span(0, 5, "Gene"), Span(10, 14, "Gene")
    documents = [
        Document(
            id=str(number),
            text=text,
            layers={
                "anna": names if number else names[:1],
                "ben": names[number % 2 :],
                f"once-{number:02}": names,
            },
        )
        for number in range(30)
    ]
    said = told(find_spans(documents, n_resamples=0))["Whom to trust"]
    assert said.startswith("<bdi>anna</bdi> most, <bdi>ben</bdi> least")
    assert "30 with fewer than 30 names to be judged by are left aside" in said


def test_it_says_how_many_decisions_are_left(found: SpanFindings) -> None:
    doubts = expected_errors(found)
    assert doubts.sum() == pytest.approx(sum(found.contested))
    assert (doubts[:-1] >= doubts[1:]).all()
    assert f"of {len(doubts):,} (" in told(found)["Decisions to gold"]


def test_agreement_is_put_into_words() -> None:
    same = (Span(0, 3, "Gene"),)
    documents = [
        Document(id=str(n), text="p53 is", layers=dict.fromkeys(("a", "b", "c"), same))
        for n in range(4)
    ]
    assert told(find_spans(documents, n_resamples=0))["Agreement"].startswith("Reliable")
    assert told(find_spans(corpus(), n_resamples=0))["Agreement"].startswith("Below what is usable")


def test_a_review_is_proposed_without_what_gold_says() -> None:
    findings = find_spans(without_gold(), n_resamples=0)
    *_, last = advice(findings, ["a b.jsonl"])
    assert last.command == "vermeil review review.db 'a b.jsonl'"
    *_, last = advice(find_spans(corpus(), n_resamples=0), ["a.jsonl"])
    assert last.command == "vermeil review review.db a.jsonl --without gold"


def test_one_annotator_is_not_compared_with_others() -> None:
    alone = [Document(id="1", text="p53", layers={"anna": (Span(0, 3, "Gene"),)})]
    assert list(told(find_spans(alone, n_resamples=0))) == ["Decisions to gold"]


@pytest.mark.parametrize("name", ["dev-gold", "GoldStandard", "gold_1", "GOLD"])
def test_a_file_called_gold_in_more_words_is_no_voter(name: str) -> None:
    documents = [
        each.replace(
            layers={(name if k == "gold" else k): v for k, v in each.layers.items() if "." not in k}
        )
        for each in corpus()
    ]
    assert find_spans(documents, n_resamples=0).gold == name


def test_marigold_is_an_annotator() -> None:
    documents = [
        each.replace(layers={**each.layers, "marigold": ()}, standards={})
        for each in without_gold()
    ]
    assert find_spans(documents, n_resamples=0).gold is None


def test_the_commands_run(
    found: SpanFindings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inputs = [str(samples.FOLDER / "gold.jsonl")]
    inputs += [f"{each.annotator}={each.path}" for each in samples.ANNOTATORS[:3]]
    for each in advice(found, inputs):
        if not each.command or "--bootstrap" in each.command:
            continue
        program, *words = shlex.split(each.command)
        assert program == "vermeil"
        more = {"consensus": ("-o", "out.jsonl"), "review": ("--no-serve",)}
        run(*words, *more.get(words[0], ()))


def test_an_advice_shows_itself() -> None:
    assert "Advice" in repr(Advice("Agreement", ("none",)))
