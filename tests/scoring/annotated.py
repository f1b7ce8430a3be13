"""Small corpora that several annotators looked at, for property tests of agreement."""

from functools import cache

import hypothesis.strategies as st

from vermeil import Document, Span

ANNOTATORS = ("anna", "ben", "cleo")
# Little but letters and white space, so that names meet, nest and repeat often.
TEXTS = st.text(alphabet="ab α \U0001d6fc\n", min_size=2, max_size=16)


@cache
@st.composite
def spans(draw: st.DrawFn, *, within: int) -> Span:
    cuts = sorted(draw(st.sets(st.integers(0, within), min_size=2, max_size=4)))
    pieces = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return Span(
        pieces[0][0],
        pieces[-1][1],
        draw(st.sampled_from(["Gene", "Disease"])),
        draw(st.sampled_from([None, 0.5])),
        pieces if len(pieces) > 1 else (),
    )


@st.composite
def annotated(draw: st.DrawFn) -> list[Document]:
    """Draw a document everybody looked at and up to two that some of them did."""
    corpus = []
    for number in range(draw(st.integers(1, 3))):
        text = draw(TEXTS)
        looked = [name for name in ANNOTATORS if number == 0 or draw(st.booleans())]
        layers = {name: draw(_layers(len(text))) for name in looked}
        corpus.append(Document(id=str(number), text=text, layers=layers))
    return corpus


@cache
def _layers(within: int) -> st.SearchStrategy[tuple[Span, ...]]:
    return st.lists(spans(within=within), max_size=3, unique=True).map(tuple)
