"""What is lost before names are judged: first-best and n-best readings, and tokens that part names.

The first fold of BC5CDR (or another corpus of ``benchmarks.recognisers``) is read by a cascade
trained on the other two. Printed are F of the first-best reading of whole sentences, of the lattice
at a confidence of .5 and of the rescored names at .5; of the best of N readings, chosen by gold
(an upper bound for whatever chooses among them); and which share of the names each way to cut
tokens, or two of them together, can reach at all. Reads VERMEIL_CORPORA.

    python -m benchmarks.readings [bc5cdr|chemprot]
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from benchmarks.perturbed import CORPORA
from benchmarks.recognisers import LABEL, english, load, names
from vermeil import Document, Span
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.folds import folds_of, held_out
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.tagging import tag
from vermeil.recognise.whole_sequences import META, sequence_layers, tag_sequences
from vermeil.recognise.words.knowledge import Resources
from vermeil.scoring.counts import Counts
from vermeil.text.tokens import TOKENISERS, tokenise

N_BEST = 10
Name = tuple[int, int, str]


def main(corpus: str) -> None:
    """Print both tables."""
    if not (CORPORA / "chem").is_dir():
        print(f"no chemicals at {CORPORA / 'chem'}; set VERMEIL_CORPORA")
        return
    documents = load(corpus)
    print(f"{corpus}: names whose both ends are ends of tokens")
    for title, tokenisers in ceilings():
        print(f"  {title:<28}{reachable(documents, tokenisers):8.4f}", flush=True)
    rest, unseen = held_out(documents, folds_of(len(documents), 3), 0)
    model = Cascade.fit(rest, Recipe((LABEL,)), Resources({LABEL: names()}, english()))
    print(f"{corpus}, one fold: P, R and F")
    show("lattice at .5", unseen, tag(replace(model, rescorers={}), unseen, name="m"))
    show("rescored at .5", unseen, tag(model, unseen, name="m"))
    read = list(tag_sequences(model, unseen, name="m", n=N_BEST))
    show("first best", unseen, read)
    for n in (2, 5, N_BEST):
        show(f"the best of {n}, by gold", unseen, (best_of(each, n) for each in read))


def ceilings() -> Iterable[tuple[str, tuple[str, ...]]]:
    """List tokenisers, and those that a committee has together."""
    yield from ((name, (name,)) for name in TOKENISERS)
    yield "fine and punctuation", ("fine", "punctuation")
    yield "chemistry and fine", ("chemistry", "fine")


def reachable(documents: Sequence[Document], tokenisers: Sequence[str]) -> float:
    """Measure the share of names that start and end with tokens of one of the tokenisers."""
    n_reached = n = 0
    for document in documents:
        cuts = [tokenise(document.text, by=each) for each in tokenisers]
        edges = [({start for start, _ in own}, {end for _, end in own}) for own in cuts]
        for name in _names(document.layers["gold"]):
            n += 1
            n_reached += any(name[0] in starts and name[1] in ends for starts, ends in edges)
    return n_reached / n


def best_of(document: Document, n: int) -> Document:
    """Choose for each sentence the reading with the fewest wrong and missed names."""
    gold, layers = _names(document.layers["gold"]), sequence_layers("m", n)
    chosen: list[Span] = []
    for sentence in document.meta[META]["m"]:
        readings = [
            [span for span in document.layers[layer] if _within(span.start, sentence)]
            for layer in layers[: len(sentence["probabilities"])]
        ]
        wanted = {name for name in gold if _within(name[0], sentence)}
        chosen += min(readings, key=lambda each: len(_names(each) ^ wanted))
    return document.with_layer("m", chosen)


def show(title: str, unseen: Sequence[Document], tagged: Iterable[Document]) -> None:
    """Print how good the layer ``m`` is."""
    counts = Counts()
    for document, found in zip(unseen, tagged, strict=True):
        gold, mine = _names(document.layers["gold"]), _names(found.layers["m"])
        right = len(gold & mine)
        counts += Counts(right, len(mine), right, len(gold))
    figures = (counts.precision, counts.recall, counts.f1)
    print(f"  {title:<28}" + "".join(f"{figure:8.4f}" for figure in figures), flush=True)


def _names(spans: Iterable[Span]) -> set[Name]:
    return {(span.start, span.end, span.label) for span in spans}


def _within(place: int, sentence: dict[str, int]) -> bool:
    return sentence["start"] <= place < sentence["end"]


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "bc5cdr")
