"""A bed of any size from the BioCreative training data: noisy annotators of the same gold names.

Each annotator misses some names, cuts others wider or narrower by a word, and invents a few. The
figures of the five are set so that their exact F1 lies between .4 and .8.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

from vermeil import Document, Span
from vermeil.formats import read
from vermeil.text.tokens import words

CORPORA = Path(os.environ.get("VERMEIL_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
NOISE = {  # chance to miss, to cut another boundary on a side, to invent a name per sentence
    "a1": (0.10, 0.06, 0.10),
    "a2": (0.15, 0.08, 0.15),
    "a3": (0.20, 0.10, 0.20),
    "a4": (0.30, 0.15, 0.20),
    "a5": (0.45, 0.20, 0.30),
}


def perturbed(n_tokens: int, *, seed: int = 0) -> Iterator[Document]:
    """Yield documents of about ``n_tokens`` words in all, with layers gold and a1 to a5."""
    folder = CORPORA / "bc2gm" / "train"
    gold = list(read(folder / "GENE.eval", annotator="gold", documents=read(folder / "train.in")))
    rng = random.Random(seed)
    n_seen = copy = 0
    while n_seen < n_tokens:
        for document in gold:
            tokens = words(document.text)
            n_seen += len(tokens)
            if n_seen > n_tokens:
                return
            layers = {
                name: tuple(_noisy(document.layers["gold"], tokens, rng, *noise))
                for name, noise in NOISE.items()
            }
            yield Document(
                id=f"{document.id}.{copy}",
                text=document.text,
                layers={**document.layers, **layers},
            )
        copy += 1


def _noisy(
    names: tuple[Span, ...],
    tokens: list[tuple[int, int]],
    rng: random.Random,
    miss: float,
    cut: float,
    invent: float,
) -> Iterator[Span]:
    taken: list[Span] = []
    for name in names:
        if rng.random() < miss:
            continue
        inside = [
            k for k, (start, end) in enumerate(tokens) if start < name.end and name.start < end
        ]
        start, end = name.start, name.end
        if inside and rng.random() < cut:
            start = tokens[min(len(tokens) - 1, max(0, inside[0] + rng.choice((-1, 1))))][0]
        if inside and rng.random() < cut:
            end = tokens[min(len(tokens) - 1, max(0, inside[-1] + rng.choice((-1, 1))))][1]
        if start < end:
            taken.append(Span(start, end, "Gene"))
    if tokens and rng.random() < invent:
        start, end = rng.choice(tokens)
        if all(end <= span.start or span.end <= start for span in taken):
            taken.append(Span(start, end, "Gene"))
    yield from taken
