"""What confidences are worth as votes: recognisers that say how sure they are, combined.

Six recognisers of different kinds learn each from its own 600 sentences of BioCreative's training
data, and tag the sentences of the taggers down to a low confidence. BioCreative F of each, and of
the consensus of some without their confidences, with them, with the same confidences dealt out
anew among the names of each recogniser, and turned upside down; and how many of the names said to
be 90% sure are right. Reads VERMEIL_CORPORA.

    python -m benchmarks.confident_taggers
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import vermeil as vm
from benchmarks.crowds import DECIDED, GOLD, sure_names, voters
from benchmarks.perturbed import CORPORA
from benchmarks.taggers import figures, load
from vermeil import Document, Span
from vermeil.consensus import Options, combine
from vermeil.formats import read

TRAIN = CORPORA / "bc2gm" / "train"
N_LEARNED, EVERY = 600, 25
LEAST = (0.1, 0.3, 0.5)
"""The confidences from which on names are taken for votes."""

KINDS: dict[str, dict[str, Any]] = {
    "crf": {"sequence": "crf", "rescorer": "none"},
    "memm": {"sequence": "memm", "rescorer": "none"},
    "rescored": {"sequence": "crf", "rescorer": "logistic"},
    "hmm": {"by": "hmm"},
    "linear": {"by": "linear"},
    "paper": {"sequence": "crf", "rescorer": "none", "features": "paper"},
}
GROUPS = (tuple(KINDS), ("crf", "memm", "rescored", "hmm"), ("crf", "memm", "paper"))
Said = Callable[[list[float | None]], list[float | None]]


def main() -> None:
    """Print a table."""
    if not TRAIN.is_dir():
        print(f"no sentences at {TRAIN}; set VERMEIL_CORPORA")
        return
    tagged = tag_all()
    rng = np.random.default_rng(0)
    ways: dict[str, Said] = {
        "without": lambda said: [None] * len(said),
        "with": lambda said: said,
        "shuffled": lambda said: [said[place] for place in rng.permutation(len(said))],
        "turned": lambda said: [None if each is None else 1 - each for each in said],
    }
    for least in LEAST:
        kept = [_from(document, least) for document in tagged]
        singles = {name: figures(kept, name).f1 for name in KINDS}
        print(f"\nnames from {least:.0%} on: ", end="")
        print("  ".join(f"{name} {f1:.3f}" for name, f1 in singles.items()))
        for group in GROUPS:
            line = []
            for title, said in ways.items():
                found = decided(kept, group, said)
                sure, real = sure_names(found)
                f1 = figures(found, DECIDED).f1
                line.append(f"{title} {f1:.4f} ({sure:.2f}, {real:.2f})")
            print(f"  {len(group)} taggers: {'  '.join(line)}", flush=True)


def tag_all() -> list[Document]:
    """Train the recognisers, and let each tag the sentences of the taggers."""
    stream = read(TRAIN / "train.in")
    learned_from = list(read(TRAIN / "GENE.eval", annotator=GOLD, documents=stream))
    documents = [
        each.replace(layers={name: own for name, own in each.layers.items() if name not in names})
        for loaded, names in (load(),)
        for each in loaded
    ]
    for place, (name, options) in enumerate(KINDS.items()):
        part = learned_from[place::EVERY][:N_LEARNED]
        model = vm.train(part, layer=GOLD, name=name, **options)
        documents = list(model.tag(documents, threshold=min(LEAST)))
    return documents


def decided(documents: list[Document], group: Sequence[str], said: Said) -> list[Document]:
    """Combine some taggers, with what ``said`` makes of all confidences of each."""
    changed: dict[str, list[tuple[Span, ...]]] = {}
    for name in group:
        every = [span for document in documents for span in document.layers[name]]
        sure = iter(said([span.confidence for span in every]))
        changed[name] = [
            tuple(Span(s.start, s.end, s.label, next(sure)) for s in document.layers[name])
            for document in documents
        ]
    batch = [
        document.replace(layers={name: own[number] for name, own in changed.items()})
        for number, document in enumerate(documents)
    ]
    found = combine(batch, options=Options(read=False))
    return [
        document.with_layer(DECIDED, each.layers[DECIDED])
        for document, each in zip(documents, found, strict=True)
    ]


def _from(document: Document, least: float) -> Document:
    """Leave out the names of recognisers that are less sure."""
    layers = dict(document.layers)
    for name, layer in voters(document).items():
        layers[name] = tuple(s for s in layer if s.confidence is None or s.confidence >= least)
    return document.replace(layers=layers)


if __name__ == "__main__":
    main()
