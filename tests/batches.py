"""Small batches whose names agree, touch, nest and come again, for properties of whole batches."""

import random
from functools import cache

import hypothesis.strategies as st

from vermeil import Document, Span

# Few words, so that strings and boundaries meet; a letter outside the BMP, a combining mark.
TEXTS = st.text(alphabet="aab1 -\n\U0001d6fce\u0301", max_size=16)
LABELS = st.sampled_from(["Gene", "Disease"])


@cache
@st.composite
def spans(draw: st.DrawFn, *, within: int) -> Span:
    start = draw(st.integers(0, within - 1))
    end = draw(st.integers(start + 1, within))
    cuts = sorted(
        draw(st.sets(st.integers(start + 1, end - 1), min_size=2, max_size=2))
        if end - start > 3 and draw(st.integers(0, 9)) == 0
        else ()
    )
    fragments = ((start, cuts[0]), (cuts[1], end)) if cuts else ()
    return Span(start, end, draw(LABELS), None, fragments)


@st.composite
def batches(draw: st.DrawFn, *, annotators: tuple[str, ...]) -> list[Document]:
    """Up to three documents; each annotator may not have looked at one."""
    batch = []
    for number in range(draw(st.integers(0, 3))):
        text = draw(TEXTS)
        looked = [name for name in annotators if draw(st.integers(0, 5))]
        layers = {name: tuple(draw(_layers(len(text)))) for name in looked}
        batch.append(Document(id=str(number), text=text, layers=layers))
    return batch


@cache
def _layers(within: int) -> st.SearchStrategy[list[Span]]:
    return st.lists(spans(within=within), max_size=4) if within else st.just([])


def shuffled(batch: list[Document], chance: random.Random) -> list[Document]:
    """Put documents, layers and spans into another order."""

    def reordered(document: Document) -> Document:
        layers = list(document.layers.items())
        chance.shuffle(layers)
        return document.replace(
            layers={name: tuple(chance.sample(layer, len(layer))) for name, layer in layers}
        )

    return [reordered(document) for document in chance.sample(batch, len(batch))]
