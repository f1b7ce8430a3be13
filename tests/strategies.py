"""Hypothesis strategies for the data model, shared by every property test."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import hypothesis.strategies as st

from vermeil import Centroid, Document, Layer, Span, Tree

# Text as corpora have it: Greek, letters beyond the BMP, combining marks, right-to-left letters,
# no-break and thin spaces, line breaks of several kinds, characters that formats use themselves.
AWKWARD = "ab1 αβ\U0001d6fc\U0001f9ecé\u0301שׁ\u00a0\u2009\u2028\n\r\t-,.()[]|<>&;'\"\\#/_%{}"
TEXTS = st.text(alphabet=AWKWARD, max_size=40)
WITH_CONTROL = st.text(alphabet=AWKWARD + "\x00\x01\x0b\x0c\x1c\x7f\x85\ufffe\ufeff", max_size=40)
LABELS = st.sampled_from(["Gene", "Disease", "Chemical", "cell line", "Ω/β", "B-cell", "a|b", "O"])
WORDS = st.text(alphabet="ab α\U0001d6fc:-|&<'\"", min_size=1, max_size=6)
CONFIDENCES = st.none() | st.sampled_from([0.0, 0.25, 1 / 3, 0.9999, 1.0])
IDS = st.just(()) | st.lists(WORDS.filter(str.strip).map(str.strip), max_size=2).map(tuple)
ATTRIBUTES = st.just(()) | st.lists(st.tuples(WORDS, WORDS), max_size=2).map(tuple)
VALUES = st.sampled_from([0.5, 1.0, 2.0, 7.0])

# Strategies are made once and not at each draw: making them took longer than drawing from them.


@cache
def _cuts(within: int) -> st.SearchStrategy[list[int]]:
    if within <= 1:
        return st.just([0, 1])
    return st.lists(st.integers(0, within), min_size=2, max_size=6, unique=True).map(sorted)


@cache
@st.composite
def spans(draw: st.DrawFn, *, within: int) -> Span:
    cuts = draw(_cuts(within))
    pieces = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return Span(
        pieces[0][0],
        pieces[-1][1],
        draw(LABELS),
        draw(CONFIDENCES),
        pieces if len(pieces) > 1 else (),
        draw(IDS),
        draw(ATTRIBUTES),
    )


@cache
def layers(*, within: int) -> st.SearchStrategy[Layer]:
    if not within:
        return st.just(())
    return st.lists(spans(within=within), max_size=5, unique=True).map(tuple)


@cache
@st.composite
def centroids(draw: st.DrawFn, *, within: int) -> Centroid:
    start = draw(st.integers(0, within - 1))
    end = draw(st.integers(start + 1, within))
    peak = draw(st.integers(start, end - 1))  # boundaries may lie inside a heart, around its peak
    lefts = sorted({start} | draw(st.sets(st.integers(0, peak), max_size=2)), reverse=True)
    rights = sorted({end} | draw(st.sets(st.integers(peak + 1, within), max_size=2)))
    return Centroid(
        start,
        end,
        draw(LABELS),
        draw(VALUES),
        tuple((at, draw(VALUES)) for at in lefts),
        tuple((at, draw(VALUES)) for at in rights),
        draw(st.none() | st.just(0.75)),
        draw(st.just(()) | st.just((("Gene", 2.0), ("Disease", 1.0)))),
        draw(st.just(()) | st.just(tuple((lefts[0], at, 0.5) for at in rights))),
        draw(IDS),
    )


@cache
def standards(*, within: int) -> st.SearchStrategy[Mapping[str, tuple[Centroid, ...]]]:
    some = st.lists(centroids(within=within), max_size=2).map(tuple)
    return st.just({}) | st.fixed_dictionaries({"silver": some})


TREES = st.recursive(
    st.builds(
        Tree, st.sampled_from(["NN", "DT"]), st.tuples(st.sampled_from(["p53", "α", "-LRB-"]))
    ),
    lambda inner: st.builds(
        Tree, st.sampled_from(["NP", "S"]), st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=6,
)
PARSED: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.fixed_dictionaries(
    {"parser": st.lists(st.none() | TREES, max_size=2).map(tuple)}
)
FIELDS: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.dictionaries(
    st.sampled_from(["year", "journal"]), WORDS | st.integers(0, 9)
)
SHAPES = st.sampled_from(["none", "title", "cut"])


@st.composite
def metas(draw: st.DrawFn, *, text: str) -> Mapping[str, Any]:
    meta: dict[str, Any] = {**draw(FIELDS)}
    spaces = [i for i in range(1, len(text) - 1) if text[i] == " "]
    shape = draw(SHAPES)
    if shape == "title" and spaces:
        end = draw(st.sampled_from(spaces))
        meta["sections"] = [
            {"start": 0, "end": end, "kind": "title"},
            {"start": end + 1, "end": len(text), "kind": "abstract"},
        ]
    if shape == "cut" and text:
        cut = draw(st.integers(0, len(text) - 1))
        meta["sections"] = [{"start": cut, "end": len(text), "kind": draw(WORDS)}]
    return meta


@cache
def _lookers(annotators: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(annotators), unique=True) if annotators else st.just([])


@cache
@st.composite
def documents(
    draw: st.DrawFn,
    *,
    id: str = "doc",
    texts: st.SearchStrategy[str] = TEXTS,
    annotators: tuple[str, ...] = ("anna", "ben"),
) -> Document:
    """A document with any of the annotators, each of whom may not have looked."""
    text = draw(texts)
    looked = draw(_lookers(annotators))
    return Document(
        id=id,
        text=text,
        layers={name: draw(layers(within=len(text))) for name in looked},
        standards=draw(standards(within=len(text))) if text else {},
        trees=draw(PARSED),
        meta=draw(metas(text=text)),
    )


def trimmed_pieces(text: str, span: Span) -> tuple[tuple[int, int], ...]:
    """The pieces of a span without white space at their edges; those of nothing else are gone."""
    found = []
    for start, end in span.pieces:
        marked = text[start:end]
        first = end - len(marked.lstrip())
        last = start + len(marked.rstrip())
        if first < last:
            found.append((first, last))
    return tuple(found)
