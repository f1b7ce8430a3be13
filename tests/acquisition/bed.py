"""A small world: a database of genes, some of them called like words, and abstracts about them."""

import random
from functools import cache
from pathlib import Path

import numpy as np

from vermeil import Document
from vermeil.acquisition.databases.references import Links, References
from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
from vermeil.document import Span

GENES = [f"{stem}{number}" for stem in ("ABC", "KIN", "TRF", "RAD") for number in range(1, 10)]
WORDS = ("mice", "was", "cell")
"""Names of genes that are nearly always words."""

UNLISTED = [f"RAD{number}" for number in range(20, 26)]
"""Genes that no database has."""


@cache
def lexicon() -> Lexicon:
    names = [*GENES, *WORDS]
    return compile_lexicon(
        [Entry(name, str(number), "Gene") for number, name in enumerate(names)],
        spelling="normalised",
        min_loose_length=2,
    )


@cache
def abstracts(n: int = 240) -> tuple[Document, ...]:
    """Make abstracts with the layer gold; two thirds of them have references."""
    chance = random.Random(7)
    return tuple(_abstract(str(1000 + number), chance) for number in range(n))


@cache
def links() -> Links:
    pairs = []
    for document in abstracts():
        if int(document.id) % 3:
            names = sorted({span.marked(document.text) for span in document.layers["gold"]})
            listed = [name for name in names if name in GENES]
            # Curators refer to the first gene of an abstract, and not to all.
            pairs += [(str(GENES.index(name)), document.id) for name in listed[:2]]
    return Links.of(lexicon(), References.of(pairs))


def pairs_of(references: References) -> list[tuple[str, str]]:
    """List references as pairs of a document and an id."""
    number = np.repeat(np.arange(len(references.documents)), np.diff(references.first))
    return [
        (references.documents[document], references.ids[id])
        for document, id in zip(number.tolist(), references.id.tolist(), strict=True)
    ]


def write_links(path: Path) -> None:
    """Write the references as a table of id and document."""
    pairs = [f"{id}\t{document}" for document, id in pairs_of(links().references)]
    path.write_text("\n".join(["id\tdocument", *pairs, ""]))


def _abstract(id: str, chance: random.Random) -> Document:
    one, two = chance.sample(GENES, 2)
    three = chance.choice([chance.choice(UNLISTED), chance.choice(GENES)])
    sentences = [
        ("Expression of ", one, " was higher in treated mice."),
        ("The kinase ", two, " and ", one, " bind each other in the cell."),
        ("Loss of ", three, " was seen in most mice of the study."),
        ("Nothing was found in the other group of mice.",),
    ]
    text, spans = "", []
    for parts in chance.sample(sentences, 4):
        for part in parts:
            if part in (one, two, three):
                spans.append(Span(len(text), len(text) + len(part), "Gene"))
            text += part
        text += " "
    return Document(id=id, text=text.strip(), layers={"gold": tuple(spans)})
