"""Hypothesis strategies for the data model, shared by every property test."""

from collections.abc import Mapping
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


@st.composite
def spans(draw: st.DrawFn, *, within: int) -> Span:
    cuts = sorted(
        draw(st.lists(st.integers(0, within), min_size=2, max_size=6, unique=True))
        if within > 1
        else [0, 1]
    )
    pieces = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return Span(
        pieces[0][0],
        pieces[-1][1],
        draw(LABELS),
        draw(st.none() | st.sampled_from([0.0, 0.25, 1 / 3, 0.9999, 1.0])),
        pieces if len(pieces) > 1 else (),
        draw(st.just(()) | st.lists(WORDS.filter(str.strip).map(str.strip), max_size=2).map(tuple)),
        draw(st.just(()) | st.lists(st.tuples(WORDS, WORDS), max_size=2).map(tuple)),
    )


def layers(*, within: int) -> st.SearchStrategy[Layer]:
    if not within:
        return st.just(())
    return st.lists(spans(within=within), max_size=5, unique=True).map(tuple)


@st.composite
def centroids(draw: st.DrawFn, *, within: int) -> Centroid:
    start = draw(st.integers(0, within - 1))
    end = draw(st.integers(start + 1, within))
    peak = draw(st.integers(start, end - 1))  # boundaries may lie inside a heart, around its peak
    lefts = sorted({start} | draw(st.sets(st.integers(0, peak), max_size=2)), reverse=True)
    rights = sorted({end} | draw(st.sets(st.integers(peak + 1, within), max_size=2)))
    values = st.sampled_from([0.5, 1.0, 2.0, 7.0])
    return Centroid(
        start,
        end,
        draw(LABELS),
        draw(values),
        tuple((at, draw(values)) for at in lefts),
        tuple((at, draw(values)) for at in rights),
        draw(st.none() | st.just(0.75)),
        draw(st.just(()) | st.just((("Gene", 2.0), ("Disease", 1.0)))),
        draw(st.just(()) | st.just(tuple((lefts[0], at, 0.5) for at in rights))),
        draw(st.just(()) | st.lists(WORDS.filter(str.strip).map(str.strip), max_size=2).map(tuple)),
    )


TREES = st.recursive(
    st.builds(
        Tree, st.sampled_from(["NN", "DT"]), st.tuples(st.sampled_from(["p53", "α", "-LRB-"]))
    ),
    lambda inner: st.builds(
        Tree, st.sampled_from(["NP", "S"]), st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


@st.composite
def metas(draw: st.DrawFn, *, text: str) -> Mapping[str, Any]:
    meta: dict[str, Any] = draw(
        st.just({})
        | st.dictionaries(st.sampled_from(["year", "journal"]), WORDS | st.integers(0, 9))
    )
    spaces = [i for i in range(1, len(text) - 1) if text[i] == " "]
    shape = draw(st.sampled_from(["none", "title", "cut"]))
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
    looked = draw(st.lists(st.sampled_from(annotators), unique=True)) if annotators else []
    standard = st.lists(centroids(within=len(text)), max_size=2).map(tuple)
    return Document(
        id=id,
        text=text,
        layers={name: draw(layers(within=len(text))) for name in looked},
        standards=draw(st.just({}) | st.fixed_dictionaries({"silver": standard})) if text else {},
        trees=draw(
            st.just({})
            | st.fixed_dictionaries({"parser": st.lists(st.none() | TREES, max_size=2).map(tuple)})
        ),
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
