"""The figures of Lewin et al., "Centroids", and the counts of BioCreative II."""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.batches import batches, shuffled
from vermeil import Document, Span
from vermeil.formats import read
from vermeil.scoring.gold.auditing import Audit, audit
from vermeil.scoring.gold.cores import partition
from vermeil.scoring.gold.findings import KINDS
from vermeil.text.alignment import NonSpace

TGF = "similar to that of the endogenous TGF-beta-specific complex observed in"
POLYPS = "predispose carriers to multiple adenomatous polyps of the colon and rectum and to"
P75 = "the polypeptide component of the Rel-related human p75 nucleoprotein complex has revealed"
GGTP = "Gamma glutamyl transpeptidase (GGTP) activity in the seminal fluid"

BATCHES = batches(annotators=("gold", "gold.alternatives"))


def names(text: str, *strings: str) -> tuple[Span, ...]:
    return tuple(Span(text.index(s), text.index(s) + len(s), "Gene") for s in strings)


def standard(text: str, cores: list[str], others: list[str] | None = None) -> Document:
    layers = {"gold": names(text, *cores)}
    if others is not None:
        layers["gold.alternatives"] = names(text, *others)
    return Document(id="1", text=text, layers=layers)


def found(*batch: Document, core: str = "first") -> list[tuple[str, str]]:
    audited = audit(batch, "gold", core=core)
    return [(finding.kind, finding.text) for finding in audited.findings]


def test_the_names_of_figure_1_are_consistent() -> None:
    others = ["TGF-beta", "endogenous TGF-beta", "TGF-beta-specific complex"]
    assert found(standard(TGF, ["endogenous TGF-beta-specific complex"], others)) == []


@pytest.mark.parametrize("core", ["first", "modal"])
def test_the_common_heart_of_figure_2_is_no_name(core: str) -> None:
    flat = [
        "multiple adenomatous polyps",
        "adenomatous polyps of the colon",
        "adenomatous polyps of the colon and rectum",
    ]
    audited = audit([standard(POLYPS, flat)], "gold", core=core)
    finding, *missing = audited.findings
    assert (finding.kind, finding.text) == ("heart that is no name", "adenomatous polyps")
    assert [(each.kind, each.text) for each in missing] == [
        ("missing alternative", f"multiple {flat[2]}"),
        ("missing alternative", f"multiple {flat[1]}"),
    ]
    assert finding.detail == f"shared by {', '.join(map(repr, (flat[0], flat[2], flat[1])))}"
    assert (audited.partitioned, audited.n_cores, audited.n_alternatives) == (core, 1, 2)


def test_disjoint_alternatives_of_figure_6_are_found() -> None:
    others = [
        "Rel",
        "Rel-related human p75",
        "Rel-related",
        "human p75 nucleoprotein",
        "human p75 nucleoprotein complex",
        "human p75",
        "p75 nucleoprotein complex",
        "p75",
    ]
    core = "Rel-related human p75 nucleoprotein complex"
    finding, *missing = audit([standard(P75, [core], others)], "gold").findings
    assert (finding.kind, finding.text) == ("disjoint alternatives", core)
    assert {each.kind for each in missing} == {"missing alternative"}
    assert finding.detail == "overlaps 'Rel', 'p75'"


def test_an_alternative_of_two_core_names_of_figure_6_is_found() -> None:
    cores = ["Gamma glutamyl transpeptidase", "GGTP"]
    other = "Gamma glutamyl transpeptidase (GGTP)"
    [finding] = audit([standard(GGTP, cores, [other])], "gold").findings
    assert (finding.kind, finding.text) == ("alternative of several cores", other)


def test_an_alternative_without_a_core_is_found() -> None:
    assert found(standard(GGTP, ["Gamma glutamyl transpeptidase"], ["GGTP"])) == [
        ("alternative without a core", "GGTP")
    ]


def test_overlapping_cores_are_found() -> None:
    crossing = standard(POLYPS, ["multiple adenomatous", "adenomatous polyps"], [])
    assert ("crossing cores", "adenomatous polyps") in found(crossing)
    nested = standard(POLYPS, ["multiple adenomatous", "adenomatous"], [])
    assert ("nested cores", "adenomatous") in found(nested)


def test_names_of_different_labels_are_audited_apart() -> None:
    cores = (Span(0, 9, "Gene"), Span(4, 15, "Disease"))
    layers = {"gold": cores, "gold.alternatives": ()}
    assert found(Document(id="1", text=POLYPS, layers=layers)) == []


def test_names_that_meet_in_one_character_have_no_heart_of_their_own() -> None:
    meeting = standard("SCID V(D)J recombination", ["SCID V", "V(D)J"], [])
    [_, *heartless, nameless] = audit([meeting], "gold").findings
    assert [finding.kind for finding in heartless] == ["name without a heart"] * 2
    assert (nameless.text, nameless.detail) == ("SCID V(D)J", "no name contains it")


def test_a_name_given_twice_has_one_vote() -> None:
    meeting = standard("SCID V(D)J recombination", ["SCID V", "V(D)J"], ["SCID V"])
    assert audit([meeting], "gold").counts["name without a heart"] == 2


def test_names_that_touch_lie_apart() -> None:
    cores, others = ["Rel-related human p75"], ["Rel-related", " human p75"]
    assert [kind for kind, _ in found(standard(P75, cores, others))] == ["disjoint alternatives"]
    assert found(standard(P75, others, [])) == []


def test_a_name_given_twice_is_found() -> None:
    double = standard(GGTP, ["GGTP", "GGTP"], ["GGTP"])
    details = [finding.detail for finding in audit([double], "gold").findings]
    assert details == ["alternative, and core name", "core name, and core name"]


def test_a_string_annotated_elsewhere_is_found() -> None:
    one = standard("GGTP and GGTP", ["GGTP"], [])
    audited = audit([one], "gold")
    [finding] = audited.findings
    assert (finding.kind, finding.spans, finding.detail) == (
        "unannotated repeat",
        (Span(9, 13, "Gene"),),
        "1 annotated, 1 not",
    )
    assert [(each.text, each.n_unannotated) for each in audited.strings] == [("GGTP", 1)]


def test_documents_without_the_layer_are_left_out() -> None:
    audited = audit([Document(id="1", text="GGTP"), standard(GGTP, ["GGTP"])], "gold")
    assert (audited.n_documents, audited.n_cores, audited.findings) == (1, 1, ())


def test_nothing_is_wrong_with_nothing() -> None:
    assert audit([], "gold").counts == dict.fromkeys(KINDS, 0)


NESTED = [first + last for first in "([{" for last in ")]}"]  # any closes any


def overlap(one: Span, other: Span) -> bool:
    return one.label == other.label and one.start < other.end and other.start < one.end


def pieces(text: str, span: Span) -> list[tuple[int, int]]:
    """Find the stretches of a span, numbered by the characters that are no white space."""
    count = [0]
    for character in text:
        count.append(count[-1] + (not character.isspace()))
    return [(count[a], count[b]) for a, b in span.pieces if count[b] > count[a]]


def naive_hearts(text: str, layer: list[Span], label: str) -> list[tuple[int, int]]:
    own = [piece for span in layer if span.label == label for piece in pieces(text, span)]
    votes = [sum(a <= at and at + 2 <= b for a, b in own) for at in range(-1, len(text) + 1)]
    hearts, at = [], 1
    while at < len(votes) - 1:
        end = at
        while votes[end] == votes[at] and end < len(votes) - 1:
            end += 1
        if votes[at - 1] < votes[at] > votes[end]:
            hearts.append((at - 1, end))
        at = end
    singles = {piece for piece in own if piece[1] - piece[0] == 1}
    return hearts + [(a, b) for a, b in singles if not votes[a] and not votes[a + 1]]


def naive(document: Document) -> Iterator[tuple[str, Span | tuple[int, int]]]:
    """Look for everything but repeats, with a loop over all pairs of names."""
    text = document.text
    seen: set[object] = set()
    distinct: dict[str, list[Span]] = {"gold": [], "gold.alternatives": []}
    for key, kept in distinct.items():
        for span in document.layers.get(key, ()):
            if (span.pieces, span.label) in seen:
                yield "duplicate", span
            else:
                kept.append(span)
            seen.add((span.pieces, span.label))
    cores, others = distinct.values()
    for number, core in enumerate(cores):
        before = [each for each in cores[:number] if overlap(each, core)]
        if any(each.end < core.end for each in before):
            yield "crossing cores", core
        if any(each.end >= core.end for each in before):
            yield "nested cores", core
    for other in others:
        if not any(overlap(other, core) for core in cores):
            yield "alternative without a core", other
    for kind, these, those in (
        ("disjoint alternatives", cores, others),
        ("alternative of several cores", others, cores),
    ):
        for one in these:
            near = [each for each in those if overlap(one, each)]
            if any(not overlap(a, b) for a in near for b in near):
                yield kind, one
    both = cores + others
    for label in sorted({span.label for span in both}):
        hearts = naive_hearts(text, both, label)
        own = [span for span in both if span.label == label]
        for span in own:
            here = pieces(text, span)
            full = any(a <= c and d <= b for a, b in here for c, d in hearts)
            if not full and any(b - a > 1 for a, b in here):
                yield "name without a heart", span
        for heart in hearts:
            if not any(heart in pieces(text, span) for span in own):
                yield "heart that is no name", heart
        yield from naive_recombinations(text, own, hearts)


def naive_recombinations(
    text: str, own: list[Span], hearts: list[tuple[int, int]]
) -> Iterator[tuple[str, tuple[int, int]]]:
    named = {piece for span in own for piece in pieces(text, span)}
    solid = "".join(text.split())
    proposed = set()
    for heart in hearts:
        around = [(a, b) for a, b in named if a <= heart[0] and heart[1] <= b]
        for start, end in product({a for a, _ in around}, {b for _, b in around}):
            brackets = "".join(each for each in solid[start:end] if each in "([{)]}")
            while any(pair in brackets for pair in NESTED):
                for pair in NESTED:
                    brackets = brackets.replace(pair, "")
            if (start, end) not in named | {heart} and not brackets:
                proposed.add((start, end))
    for place in sorted(proposed):
        yield "missing alternative", place


@given(BATCHES)
def test_it_is_the_naive_audit(batch: list[Document]) -> None:
    audited = audit(batch, "gold")
    text_by_id = {document.id: document.text for document in batch}
    looked = [document for document in batch if "gold" in document.layers]
    if not any("gold.alternatives" in document.layers for document in looked):
        looked = [partition(document, "gold") for document in looked]
    expected = [
        (kind, document.id, about) for document in looked for kind, about in naive(document)
    ]
    actual: list[tuple[str, str, object]] = []
    for finding in audited.findings:
        [about, *_] = finding.spans
        if finding.kind in ("heart that is no name", "missing alternative"):
            [place] = pieces(text_by_id[finding.document], about)
            actual.append((finding.kind, finding.document, place))
        elif finding.kind != "unannotated repeat":
            actual.append((finding.kind, finding.document, about))
    assert sorted(map(repr, actual)) == sorted(map(repr, expected))


@given(BATCHES, st.randoms(use_true_random=False))
def test_no_order_changes_anything(batch: list[Document], chance: random.Random) -> None:
    assert audit(shuffled(batch, chance), "gold") == audit(batch, "gold")


@pytest.fixture(scope="module")
def bc2gm(corpora: Path) -> Audit:
    folder = corpora / "bc2gm" / "train"
    stream = read(folder / "train.in")
    stream = read(folder / "GENE.eval", annotator="gold", documents=stream)
    alternatives = folder / "ALTGENE.eval"
    return audit(read(alternatives, annotator="gold.alternatives", documents=stream), "gold")


@pytest.mark.corpus
class TestBioCreative:
    def test_the_names_are_counted(self, bc2gm: Audit) -> None:
        assert (bc2gm.n_documents, bc2gm.n_cores, bc2gm.n_alternatives) == (15000, 18265, 14499)
        assert bc2gm.n_hearts == 18359

    def test_the_findings_are_counted(self, bc2gm: Audit) -> None:
        assert bc2gm.counts == {
            "duplicate": 405,
            "crossing cores": 0,
            "nested cores": 7,
            "alternative without a core": 49,
            "name without a heart": 16,
            "heart that is no name": 106,
            "disjoint alternatives": 67,
            "alternative of several cores": 3509,
            "missing alternative": 1070,
            "unannotated repeat": 4091,
        }

    def test_the_alternatives_without_a_core_that_the_paper_names_are_there(
        self, bc2gm: Audit, corpora: Path
    ) -> None:
        text_by_id = {each.id: each.text for each in read(corpora / "bc2gm" / "train" / "train.in")}
        found = set()
        for finding in bc2gm.of_kind("alternative without a core"):
            [span] = finding.spans
            offsets = NonSpace(text_by_id[finding.document]).index(span.start, span.end)
            found.add((finding.document, finding.text, *offsets))
        assert found >= {("P01842498A0000", "PHA", 175, 177), ("P01310178A0876", "gp0.7", 30, 34)}

    def test_the_examples_of_figure_6_are_there(self, bc2gm: Audit) -> None:
        apart = {f.document: f.detail for f in bc2gm.of_kind("disjoint alternatives")}
        assert apart["P01542686A0000"] == "overlaps 'Rel', 'p75'"
        several = {f.document: f.text for f in bc2gm.of_kind("alternative of several cores")}
        assert several["P00033873T0001"] == "Gamma glutamyl transpeptidase (GGTP)"
