"""Documents of any number, made up from a seed: five annotators, words of many kinds."""

import random
from collections.abc import Iterator

from vermeil import Document, Span

STEMS = ("inter", "gluco", "trans", "hydro", "cyto", "neuro", "beta", "alpha", "pro", "anti")
ENDINGS = ("kinase", "leukin", "ferase", "zole", "mycin", "itis", "oma", "globin", "amine", "α")
FILLERS = (
    *("the", "expression", "of", "in", "and", "was", "with", "patients", "cells", "treated"),
    *("increased", "levels", "after", "we", "found", "activity", "binding", "–", "naïve"),
)
LABELS = ("Gene", "Chemical", "Disease")
N_WORDS = 150
ANNOTATORS = ("anna", "ben", "dictionary", "llm", "tagger")


def documents(n: int, *, seed: int = 0) -> Iterator[Document]:
    """Yield ``n`` documents of about 150 words with about 8 names for each annotator."""
    rng = random.Random(seed)
    for number in range(n):
        yield document(str(number), rng)


def document(id: str, rng: random.Random) -> Document:
    """Make one document; annotators miss a fifth of the names and cut some wider."""
    words: list[str] = []
    names: list[tuple[int, int, str]] = []
    place = 0
    for _ in range(N_WORDS):
        if rng.random() < 0.06:
            word = rng.choice(STEMS) + rng.choice(ENDINGS) + "-" + str(rng.randint(1, 99))
            names.append((place, place + len(word), rng.choice(LABELS)))
        else:
            word = rng.choice(FILLERS)
        words.append(word)
        place += len(word) + 1
    text = " ".join(words)
    layers = {name: tuple(marked(name, names, len(text), rng)) for name in ANNOTATORS}
    return Document(id=id, text=text, layers=layers)


def marked(
    annotator: str, names: list[tuple[int, int, str]], length: int, rng: random.Random
) -> Iterator[Span]:
    """Let an annotator mark most of the names of a text, and some of them wider."""
    for start, end, label in names:
        if rng.random() < 0.8:
            wider = min(end + 4, length) if rng.random() < 0.1 else end
            confidence = round(rng.random(), 3) if annotator == "tagger" else None
            ids = (f"ID:{start}",) if annotator == "dictionary" else ()
            yield Span(start, wider, label, confidence, (), ids)
