"""Corpora to score, for property tests: a standard, its alternatives, and two systems."""

from functools import cache

import hypothesis.strategies as st

from tests.strategies import centroids, documents, layers
from vermeil import Centroid, Document

ANNOTATORS = ("gold", "gold.alternatives", "ann", "ben")
# Few letters and much white space, so that edges and equal spans come up often.
CRAMPED = st.text(alphabet="ab α \n", min_size=1, max_size=12)


@cache
@st.composite
def corpora(draw: st.DrawFn, *, with_centroids: bool = False) -> list[Document]:
    """Draw a few documents, the first of which the standard and both systems looked at."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        document = draw(documents(id=str(number), texts=CRAMPED, annotators=ANNOTATORS))
        if number == 0:
            for name in ("gold", "ann", "ben"):
                layer = draw(layers(within=len(document.text)))
                document = document.with_layer(name, layer)
        if with_centroids and "gold" in document.layers and draw(st.booleans()):
            document = document.with_standard("gold", draw(_hearts(len(document.text))))
        made.append(document)
    return made


@cache
def _hearts(within: int) -> st.SearchStrategy[list[Centroid]]:
    return st.lists(centroids(within=within), max_size=3)
