"""Findings in words: each says a figure, and a command that runs."""

import re
import shlex
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import run
from tests.reports.findings import corpus, without_gold
from vermeil import Document, Span, samples
from vermeil.consensus.combining import combine
from vermeil.consensus.people import reading
from vermeil.formats import read_corpus, write
from vermeil.reports.drawing.advice import Advice
from vermeil.reports.drawing.elements import joined
from vermeil.reports.page import make_page
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


def test_nobody_is_trusted_least_for_having_seen_nothing_of_gold() -> None:
    findings = find_spans(crowd_beyond_gold(), n_resamples=0)
    assert isnan(findings.scores["zoe"].counts("exact").f1)
    said = told(findings)["Whom to trust"]
    assert "<bdi>zoe</bdi>" not in said
    assert "1 with nothing to be judged by is left aside" in said


def test_a_consensus_as_good_as_the_best_is_not_called_worse() -> None:
    layers = dict.fromkeys(("anna", "ben", "cleo", "gold"), (Span(0, 5, "Gene"),))
    alike = [Document(id=str(n), text="BRCA1", layers=layers) for n in range(5)]
    page = make_page("A page", spans=find_spans(alike, n_resamples=0))
    assert "Their consensus has 1.000, as good as the best of them." in page
    assert "p nan" not in page


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


def of_files(folder: Path, documents: list[Document], **options: Any) -> dict[str, Advice]:
    """Write documents, and find out about them what a page of their file says."""
    write(documents, folder / "in.jsonl")
    found = find_spans(documents, **options)
    return {each.about: each for each in advice(found, [str(folder / "in.jsonl")])}


def output_of(advice: Advice, *more: str) -> str:
    """Run what stands under a finding, as a shell would; ``more`` is for the last command."""
    given = None
    *first, last = advice.command.split(" | ")
    for command in [*first, shlex.join([*shlex.split(last), *more])]:
        program, *words = shlex.split(command)
        assert program == "vermeil"
        given = run(*words, given=given)
    assert given is not None
    return given


def figures_in(said: tuple[object, ...]) -> list[str]:
    return re.findall(r"\d\.\d{3}", str(joined(*said)))


def is_told(advice: Advice, *more: str) -> None:
    """See that the command under a finding prints every figure of it."""
    printed = output_of(advice, *more)
    for figure in figures_in(advice.said):
        assert figure in printed, (figure, advice.command)


@pytest.mark.parametrize("case", ["gold", "no gold", "former consensus", "some", "scope"])
def test_commands_give_the_figures_that_stand_above_them(case: str, tmp_path: Path) -> None:
    documents = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:10]
    options: dict[str, Any] = {"n_resamples": 50, "seed": 3}
    if case not in ("gold", "some"):
        documents = [without_layer(each, "gold") for each in documents]
    if case == "former consensus":
        former = combine(documents, by="majority")
        documents = [each.replace(standards={}) for each in former]
    if case == "some":
        options["annotators"] = ["anna", "ben", "llm", "tagger"]
    if case == "scope":
        options["told"] = {"ben": frozenset({"Gene", "Disease"})}
    said = of_files(tmp_path, documents, **options)
    is_told(said["Whom to trust"])
    dropped = said["Whom to drop"]
    # The first figure is that of all, which stands under whom to trust.
    last = figures_in(dropped.said)[-1]
    assert last in output_of(dropped)
    agreed = said["Agreement"]
    figures = [each for each in figures_in(agreed.said) if each != "0.667"]
    printed = output_of(agreed)
    assert all(figure in printed for figure in figures)
    assert figures_in(said["Unclear labels"].said)[-1] in output_of(said["Unclear labels"])


@pytest.mark.parametrize("is_judged", [True, False])
def test_whom_to_drop_is_asked_of_votes_where_the_consensus_reads(
    is_judged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LEAST_FOR_CUTS", 300)
    documents = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:40]
    if not is_judged:
        documents = [without_layer(each, "gold") for each in documents]
    said = of_files(tmp_path, documents, n_resamples=0)
    read = find_spans(documents, n_resamples=0).learned.reading
    assert read.startswith("texts read for the cuts alone")
    is_told(said["Whom to trust"])
    dropped = said["Whom to drop"]
    assert str(joined(*dropped.said)).endswith("Texts were not read for this.")
    *_, last = figures_in(dropped.said)
    assert last in output_of(dropped)
    assert last not in output_of(replace(dropped, command=dropped.command.replace("--no-read", "")))
    if is_judged:
        with_all, _ = figures_in(dropped.said)
        trusted = said["Whom to trust"].command.replace(" -o -", " --no-read -o -")
        assert with_all in output_of(replace(dropped, command=trusted))


def test_commands_give_the_figures_of_a_crowd(tmp_path: Path) -> None:
    said = of_files(tmp_path, crowd(), n_resamples=20)
    assert "--looked" in said["Whom to trust"].command
    is_told(said["Whom to trust"])
    alpha, _, exact = figures_in(said["Agreement"].said)
    printed = output_of(said["Agreement"])
    assert alpha in printed
    assert exact in printed


def test_a_review_is_proposed_without_those_who_are_not_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    documents = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:5]
    said = of_files(tmp_path, documents, n_resamples=0, annotators=["anna", "ben"])
    decisions = said["Decisions to gold"]
    assert decisions.command.endswith("--without gold,dictionary,llm,tagger")
    output_of(decisions, "--no-serve")


def test_a_page_shows_who_of_a_crowd_saw_nothing_of_gold_last_and_with_dashes() -> None:
    page = make_page("A page", spans=find_spans(crowd_beyond_gold(), n_resamples=20))
    [table] = re.findall(r'<table id="scores".*?</table>', page, re.DOTALL)
    rows = re.findall(r'<tr><th scope="row"><bdi>(.*?)</bdi></th>(.*?)</tr>', table)
    names = [name for name, _ in rows]
    assert len(names) == 22
    assert names[-1] == "zoe"
    cells = [re.sub("<[^>]*>", "", each) for each in re.findall("<td>(.*?)</td>", rows[-1][1])]
    assert cells[:8] == ["–"] * 8
    assert not re.search(r"\bnan\b", page)


def without_layer(document: Document, name: str) -> Document:
    return document.replace(layers={k: v for k, v in document.layers.items() if k != name})


def crowd() -> list[Document]:
    """Twenty people, each of whom saw three of twenty texts, and gold."""
    text = "BRCA1 and TP53 were found in the brain."
    names = Span(0, 5, "Gene"), Span(10, 14, "Gene"), Span(33, 38, "Place")
    return [
        Document(
            id=f"{number:02}",
            text=text,
            layers={
                "gold": names,
                **{
                    f"worker-{(number + step) % 20:02}": names[: 1 + (number * step) % 3]
                    for step in (0, 3, 7)
                },
            },
        )
        for number in range(20)
    ]


def crowd_beyond_gold() -> list[Document]:
    """The same crowd, and a text without gold that nobody saw but one of them and zoe."""
    first = crowd()[0]
    names = first.layers["gold"]
    return [*crowd(), first.replace(id="20", layers={"worker-00": names, "zoe": names})]


def test_an_advice_shows_itself() -> None:
    assert "Advice" in repr(Advice("Agreement", ("none",)))
