"""The figures of Lewin et al., "Centroids", and what follows from its definitions."""

from collections import Counter
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Centroid, Document, Span, SpanTable
from vermeil.consensus.centroids import (
    GENERAL_TERMS,
    GeneralHearts,
    Settings,
    are_general,
    find_centroids,
)
from vermeil.formats import read

TGF = "similar to that of the endogenous TGF-beta-specific complex observed in"
TGF_NAMES = (
    "endogenous TGF-beta-specific complex",
    "TGF-beta",
    "endogenous TGF-beta",
    "TGF-beta-specific complex",
)
P75 = "the Rel-related human p75 nucleoprotein complex is induced"
P75_NAMES = (
    "Rel-related human p75 nucleoprotein complex",
    "Rel",
    "Rel-related human p75",
    "Rel-related",
    "human p75 nucleoprotein",
    "human p75 nucleoprotein complex",
    "human p75",
    "p75 nucleoprotein complex",
    "p75",
)
GGTP = "Gamma glutamyl transpeptidase (GGTP) was measured"
GGTP_NAMES = ("Gamma glutamyl transpeptidase", "GGTP", "Gamma glutamyl transpeptidase (GGTP)")
POLYPS = "predispose carriers to multiple adenomatous polyps of the colon and rectum and to"
POLYPS_NAMES = (
    "multiple adenomatous polyps",
    "adenomatous polyps of the colon",
    "adenomatous polyps of the colon and rectum",
)


def marked(text: str, *names: str) -> Document:
    """A document in which each name was marked once, by an annotator of its own."""
    layers = {
        f"a{number}": (Span(text.index(name), text.index(name) + len(name), "Gene"),)
        for number, name in enumerate(names)
    }
    return Document(id="1", text=text, layers=layers)


def centroids(document: Document, **settings: object) -> tuple[Centroid, ...]:
    table = SpanTable.from_documents([document])
    [standard] = find_centroids(table, Settings(**settings)).standards()  # type: ignore[arg-type]
    return standard


def hearts(text: str, *names: str, **settings: object) -> list[str]:
    return [text[c.start : c.end] for c in centroids(marked(text, *names), **settings)]


def relative(centroid: Centroid, text: str) -> tuple[list[tuple[int, float]], ...]:
    """Boundaries as the paper writes them: non-space characters from the heart."""

    def length(start: int, end: int) -> int:
        return len("".join(text[start:end].split()))

    left = [(length(at, centroid.start), value) for at, value in centroid.left]
    right = [(length(centroid.end, at), value) for at, value in centroid.right]
    return left, right


def test_figure_1_and_3_the_heart_of_four_names_is_what_they_share() -> None:
    [centroid] = centroids(marked(TGF, *TGF_NAMES))
    assert TGF[centroid.start : centroid.end] == "TGF-beta"
    assert centroid.votes == 4


def test_figure_4_boundaries_of_tgf_beta() -> None:
    [centroid] = centroids(marked(TGF, *TGF_NAMES))
    assert relative(centroid, TGF) == ([(0, 2), (10, 2)], [(0, 2), (16, 2)])


def test_figure_4_boundaries_of_p75_with_its_misprint_mended() -> None:
    _, p75 = centroids(marked(P75, *P75_NAMES))
    assert relative(p75, P75) == ([(0, 2), (5, 3), (16, 2)], [(0, 3), (13, 1), (20, 3)])


def test_figure_4_comes_out_by_changes_of_votes_too() -> None:
    [tgf] = centroids(marked(TGF, *TGF_NAMES), boundaries="changes")
    assert relative(tgf, TGF) == ([(0, 2), (10, 2)], [(0, 2), (16, 2)])
    _, p75 = centroids(marked(P75, *P75_NAMES), boundaries="changes")
    assert relative(p75, P75) == ([(0, 2), (5, 3), (16, 2)], [(0, 3), (13, 1), (20, 3)])


def test_changes_of_votes_hide_a_boundary_where_another_name_fills_the_gap() -> None:
    text = "alpha beta gamma delta"
    names = ("beta", "beta", "beta gamma", "gamma delta")
    [by_names] = centroids(marked(text, *names))[:1]
    [by_changes] = centroids(marked(text, *names), boundaries="changes")[:1]
    assert relative(by_names, text)[1] == [(0, 2), (5, 1)]
    assert relative(by_changes, text)[1] == [(0, 2), (10, 1)]


@given(documents(), st.booleans(), st.sampled_from(["", "-"]))
def test_changes_of_votes_are_those_of_a_walk_from_the_heart(
    document: Document, together: bool, ignored: str
) -> None:
    text = document.text
    kept = [i for i, c in enumerate(text) if not c.isspace() and c not in ignored]
    for heart in centroids(document, boundaries="changes", together=together, ignored=ignored):
        votes: Counter[int] = Counter()  # by the number of the pair among the kept characters
        for layer in document.layers.values():
            for start, end in (
                piece for s in layer if together or s.label == heart.label for piece in s.pieces
            ):
                covered = [k for k, i in enumerate(kept) if start <= i < end]
                votes.update(covered[:-1])
        assert sum(v for _, v in heart.left) == sum(v for _, v in heart.right) == heart.votes
        first, last = kept.index(heart.start), kept.index(heart.end - 1)
        if first == last:
            assert (heart.left, heart.right) == (
                ((heart.start, heart.votes),),
                ((heart.end, heart.votes),),
            )
            continue
        for pair, step, found in ((first, -1, heart.left), (last - 1, 1, heart.right)):
            least, falls = votes[pair], []
            while least:
                if votes[pair + step] < least:
                    at = kept[pair] if step < 0 else kept[pair + 1] + 1
                    falls.append((at, float(least - votes[pair + step])))
                    least = votes[pair + step]
                pair += step
            assert tuple(falls) == found


def test_figure_6_disjoint_alternatives_have_a_heart_each() -> None:
    assert hearts(P75, *P75_NAMES) == ["Rel", "p75"]
    assert hearts(GGTP, *GGTP_NAMES) == ["Gamma glutamyl transpeptidase", "GGTP"]


def test_figure_2_the_heart_need_not_be_a_name_itself() -> None:
    assert hearts(POLYPS, *POLYPS_NAMES) == ["adenomatous polyps"]


def test_apposition_makes_a_heart_of_a_general_term_which_can_be_left_out() -> None:
    text = "the C/EBP homologous protein CHOP-10 binds"
    names = ("CHOP-10", "protein CHOP-10", "C/EBP homologous protein")
    assert "protein" in hearts(text, *names)
    assert "protein" not in hearts(text, *names, general_terms=GENERAL_TERMS)


def test_material_within_the_tolerance_joins_the_heart() -> None:
    assert hearts(TGF, *TGF_NAMES, tolerance=1) == ["TGF-beta"]
    assert hearts(TGF, *TGF_NAMES, tolerance=2) == ["endogenous TGF-beta-specific complex"]
    assert hearts(TGF, *TGF_NAMES, tolerance_share=0.5) == ["endogenous TGF-beta-specific complex"]


def test_tolerance_keeps_the_distribution_of_the_peak() -> None:
    for boundaries in ("names", "changes"):
        [wide] = centroids(marked(TGF, *TGF_NAMES), tolerance=2, boundaries=boundaries)
        [peak] = centroids(marked(TGF, *TGF_NAMES))
        assert TGF[wide.start : wide.end] == "endogenous TGF-beta-specific complex"
        assert (wide.votes, wide.left, wide.right) == (4, peak.left, peak.right)
        assert wide.extent == peak.extent


def test_a_peak_in_what_joins_a_higher_one_is_part_of_it() -> None:
    names = (*GGTP_NAMES, GGTP_NAMES[2], "GGTP")
    [joined] = centroids(marked(GGTP, *names), tolerance=2)
    assert GGTP[joined.start : joined.end] == "Gamma glutamyl transpeptidase (GGTP)"
    _, highest = centroids(marked(GGTP, *names))
    assert (joined.votes, joined.left, joined.right) == (4, highest.left, highest.right)
    assert len(centroids(marked(GGTP, *names), tolerance=1)) == 2


def test_a_small_heart_does_not_climb_a_large_one() -> None:
    text = "the abcdefghijklmnop"
    spans = [(5, 11)] * 8 + [(5, 14)] * 2 + [(13, 18)] * 3
    layers = {f"a{n:02}": (Span(start, end, "Gene"),) for n, (start, end) in enumerate(spans)}
    found = centroids(Document(id="1", text=text, layers=layers), tolerance=1)
    assert [(c.start, c.end, c.votes) for c in found] == [(5, 11, 10), (13, 18, 3)]


@given(documents(), st.integers(1, 3))
def test_a_wide_heart_holds_no_other_and_no_more_than_its_supporters(
    document: Document, tolerance: int
) -> None:
    table = SpanTable.from_documents([document])
    settings = Settings(tolerance=tolerance)
    wide, every = (
        find_centroids(table, settings),
        find_centroids(table, replace(settings, tolerance=0)),
    )
    peaks = {(each.start, each.end, each.votes) for each in every.standards()[0]}
    spans = [piece for layer in document.layers.values() for span in layer for piece in span.pieces]
    for each in wide.standards()[0]:
        held = [
            other
            for other in wide.standards()[0]
            if other.label == each.label and each.start <= other.start and other.end <= each.end
        ]
        assert held == [each]
        assert any(
            all(
                any(a <= start and end <= b and a <= at < b for a, b in [*spans, (start, end)])
                for at in range(each.start, each.end)
            )
            for start, end, votes in peaks
            if each.start <= start and end <= each.end and votes == each.votes
        )


@given(documents(), st.integers(1, 3), st.sampled_from(["names", "changes"]))
def test_tolerance_loses_no_vote_and_invents_no_boundary(
    document: Document, tolerance: int, boundaries: str
) -> None:
    peaks = {
        (c.label, c.votes, c.left, c.right, c.labels)
        for c in centroids(document, boundaries=boundaries)
    }
    for wide in centroids(document, tolerance=tolerance, boundaries=boundaries):
        assert (wide.label, wide.votes, wide.left, wide.right, wide.labels) in peaks


def test_too_few_votes_make_no_centroid() -> None:
    assert hearts(P75, *P75_NAMES, min_votes=5) == ["p75"]
    assert hearts(P75, *P75_NAMES, min_share=0.5) == ["p75"]


def test_votes_can_be_weighed_by_annotator_and_by_confidence() -> None:
    sure, unsure = Span(0, 3, "Gene", 0.75), Span(4, 7, "Gene", 0.25)
    document = Document(id="1", text="p53 p63", layers={"a": (sure, unsure), "b": (sure,)})
    table = SpanTable.from_documents([document])
    found = find_centroids(table, by_confidence=True, annotator_weight=np.array([2.0, 1.0]))
    assert found.votes.tolist() == [2.25, 0.5]
    assert found.looked.tolist() == [3.0, 3.0]


def test_labels_vote_apart_and_the_distribution_is_kept() -> None:
    gene, disease = Span(0, 6, "Gene"), Span(0, 6, "Disease")
    layers = {"a": (gene,), "b": (gene,), "c": (disease,)}
    document = Document(id="1", text="leptin", layers=layers)
    found = centroids(document)
    assert {(c.label, c.votes) for c in found} == {("Gene", 2.0), ("Disease", 1.0)}
    assert all(c.labels == (("Gene", 2.0), ("Disease", 1.0)) for c in found)
    [together] = centroids(document, together=True)
    assert (together.label, together.votes) == ("Gene", 3.0)


def test_a_discontinuous_name_votes_by_its_fragments() -> None:
    span = Span(0, 18, "Gene", fragments=((0, 6), (12, 18)))
    document = Document(id="1", text="alpha- or β-globin"[:18], layers={"a": (span,)})
    assert [(c.start, c.end) for c in centroids(document)] == [(0, 6), (12, 18)]


@given(st.tuples(documents(id="1"), documents(id="2")), st.booleans())
def test_no_order_of_documents_or_annotators_changes_anything(
    batch: tuple[Document, ...], together: bool
) -> None:
    settings = Settings(together=together)
    forth = find_centroids(SpanTable.from_documents(batch), settings).standards()
    turned = [
        each.replace(layers=dict(reversed(list(each.layers.items())))) for each in reversed(batch)
    ]
    back = find_centroids(SpanTable.from_documents(turned), settings).standards()
    assert forth == back[::-1]


@given(documents())
def test_every_boundary_is_a_boundary_of_some_name_that_contains_the_heart(
    document: Document,
) -> None:
    for centroid in centroids(document):
        values = [value for _, value in centroid.left], [value for _, value in centroid.right]
        assert sum(values[0]) == sum(values[1]) <= centroid.votes


@given(documents(), st.integers(1, 3))
def test_a_higher_threshold_never_adds_centroids(document: Document, votes: int) -> None:
    lax, strict = centroids(document, min_votes=votes), centroids(document, min_votes=votes + 1)
    assert set(strict) <= set(lax)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("ignored", "singles", "n_centroids", "found", "false"),
    [
        pytest.param("\"'*+-]", False, 18339, 18141, 134, id="the paper's row of Figure 5"),
        pytest.param("", False, 18347, 18176, 106, id="plain"),
        pytest.param("", True, 18359, 18188, 106, id="plain with names of one character"),
    ],
)
def test_figure_5_on_the_biocreative_training_data(
    corpora: Path, ignored: str, singles: bool, n_centroids: int, found: int, false: int
) -> None:
    folder = corpora / "bc2gm" / "train"
    gold = read(folder / "GENE.eval", annotator="gold", documents=read(folder / "train.in"))
    both = list(read(folder / "ALTGENE.eval", annotator="gold.alternatives", documents=gold))
    standards = find_centroids(
        SpanTable.from_documents(both), Settings(ignored=ignored, singles=singles)
    ).standards()
    assert sum(map(len, standards)) == n_centroids
    n_found = n_false = 0
    for document, standard in zip(both, standards, strict=True):
        core, others = document.layers["gold"], document.alternatives("gold")
        candidates = {(c.start, c.end) for c in standard}
        for name in core:
            rivals = [name, *(a for a in others if a.start < name.end and name.start < a.end)]
            n_found += any((span.start, span.end) in candidates for span in rivals)
        n_false += len(candidates - {(span.start, span.end) for span in core + others})
    assert (n_found, n_false) == (found, false)


@pytest.mark.corpus
def test_counting_changes_differs_for_some_centroids_of_the_training_data(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "train"
    stream = read(folder / "GENE.eval", documents=read(folder / "train.in"))
    table = SpanTable.from_documents(list(read(folder / "ALTGENE.eval", documents=stream)))
    by_names, by_changes = (
        find_centroids(table, Settings(singles=False, boundaries=way)).standards()
        for way in ("names", "changes")
    )
    pairs = list(zip(chain(*by_names), chain(*by_changes), strict=True))
    assert len(pairs) == 18347
    assert sum(one != other for one, other in pairs) == 1045


@pytest.mark.corpus
def test_general_terms_of_the_training_data_and_the_names_that_lose_by_it(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "train"
    stream = read(folder / "GENE.eval", documents=read(folder / "train.in"))
    table = SpanTable.from_documents(list(read(folder / "ALTGENE.eval", documents=stream)))
    found = find_centroids(table)
    general = are_general(found, GENERAL_TERMS)
    left_out = GeneralHearts.of(found, general, ~general, together=False)
    assert sum(left_out.terms.values()) == 27
    assert left_out.terms["protein"] == 12
    assert left_out.n_names == 5
