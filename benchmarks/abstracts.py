"""Real abstracts as documents of any number, with five annotators made up from a seed.

The texts are those of ``acquire/abstracts`` of the corpora, over and over, each time under another
id and with another number before them, so that no two are the same. What looks like a name (a word
with a capital or a digit inside) is one; annotators miss a fifth and cut some wider, one gives ids
and another confidences, as in ``generated``. Reads VERMEIL_CORPORA.

    python -m benchmarks.abstracts N_DOCUMENTS OUT.parquet
"""

import gzip
import random
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from benchmarks.generated import ANNOTATORS, LABELS, marked
from benchmarks.perturbed import CORPORA
from vermeil import Document
from vermeil.formats import write

NAME = re.compile(r"\b\w*(?:[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d|[A-Z]{2})[\w-]*")


@cache
def texts() -> list[str]:
    """List the abstracts."""
    with gzip.open(CORPORA / "acquire" / "abstracts.jsonl.gz") as lines:
        return [msgspec.json.decode(line)["text"] for line in lines]


def documents(n: int, *, seed: int = 0, first: int = 0) -> Iterator[Document]:
    """Yield ``n`` documents, numbered from ``first`` on."""
    rng = random.Random(seed)
    every = texts()
    for number in range(first, first + n):
        own = numbered(number, every[number % len(every)])
        yield document(str(number), own, rng)


def numbered(number: int, text: str) -> str:
    """Put the number of a copy before a text, as long as every other."""
    return f"Abstract {number:08}. {text}"


def document(id: str, text: str, rng: random.Random) -> Document:
    """Let annotators mark a text."""
    names = [
        (found.start(), found.end(), LABELS[len(found[0]) % len(LABELS)])
        for found in NAME.finditer(text)
    ]
    layers = {name: tuple(marked(name, names, len(text), rng)) for name in ANNOTATORS}
    return Document(id=id, text=text, layers=layers)


if __name__ == "__main__":
    write(documents(int(sys.argv[1])), Path(sys.argv[2]))
