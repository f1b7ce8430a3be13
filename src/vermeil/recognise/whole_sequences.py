"""First-best and n-best tagging: the likeliest readings of each sentence as a whole.

The other modes of operation that Corbett and Copestake name in their introduction. Where confidence
judges each name by itself, here a sentence is read as one sequence of tags; the best N sequences
come with their probabilities. They are those of the sequence model: a rescorer judges single names
and has no say.

The best sequence is the layer that ``tag`` adds, the next ones are layers called ``NAME.2``,
``NAME.3`` and so on. Each name has the probability of its whole sequence as its confidence.
``meta["sequences"][NAME]`` has for each sentence where it begins and ends and the probabilities of
its sequences, the best first; a short sentence may have fewer than N.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.document import Document, Span
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.recipe import Documents
from vermeil.sequences.chains.best_paths import best_paths
from vermeil.sequences.chains.candidates import Candidates, in_reading_order
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import Potentials
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.stretches import batches
from vermeil.sequences.tokens.tag_set import TagSet

META = "sequences"


@runtime_checkable
class SequenceTagger(Protocol):
    """A recogniser with one sequence model: a cascade, the HMM or the plain CRF."""

    def potentials(self, documents: Documents) -> tuple[TokenAxis, Potentials]:
        """Lay documents out as tokens, with what the sequence model says of their tags."""


def sequence_layers(name: str, n: int) -> list[str]:
    """Name the layers of the best sequences.

    >>> sequence_layers("chem", 3)
    ['chem', 'chem.2', 'chem.3']
    """
    return [name, *(f"{name}.{rank}" for rank in range(2, n + 1))]


def tag_sequences(
    tagger: SequenceTagger, documents: Iterable[Document], *, name: str, n: int = 1
) -> Iterator[Document]:
    """Add the names of the ``n`` best sequences of each sentence, a layer a rank. Streams."""
    layers = sequence_layers(name, n)
    spans: list[list[Span]] = [[] for _ in layers]
    sentences: list[dict[str, Any]] = []
    for batch in batches(documents):
        axis, potentials = tagger.potentials([stretch.own for stretch in batch])
        paths = best_paths(potentials, n=n)
        probability = np.exp(np.minimum(paths.score - lattice_of(potentials).log_total, 0.0))
        found = [
            PlacedNames(axis, names_in(potentials.tags, axis.first_token, *rank))
            for rank in zip(paths.tag, probability, strict=True)
        ]
        for number, stretch in enumerate(batch):
            for own, names in zip(spans, found, strict=True):
                own += names.spans(number, names.candidates, shift=stretch.start)
            sentences += _sentences(axis, number, probability, shift=stretch.start)
            if stretch.is_last:
                yield _with_sequences(
                    stretch.document, dict(zip(layers, spans, strict=True)), sentences
                )
                spans, sentences = [[] for _ in layers], []


def names_in(tags: TagSet, first_token: Ints, tag: Ints, probability: Floats) -> Candidates:
    """Read the names off a sequence of tags a sentence; each is as probable as its sentence."""
    goes_on = np.append(np.isin(tag, tags.inner), False)
    goes_on[first_token[:-1]] = False
    start = np.flatnonzero(np.isin(tag, tags.begin))
    stops = np.flatnonzero(~goes_on)
    end = stops[np.searchsorted(stops, start, side="right")]
    sentence = np.searchsorted(first_token, start, side="right") - 1
    return in_reading_order(
        tags.labels,
        first_token,
        start,
        end,
        (tag[start] - 1) // 2,
        confidence=probability[sentence],
    )


def _sentences(
    axis: TokenAxis, number: int, probability: Floats, *, shift: int
) -> list[dict[str, Any]]:
    """Tell where the sentences of a document are, and how probable their sequences."""
    tokens = axis.first_of_document[number : number + 2]
    first, last = np.searchsorted(axis.first_token, tokens).tolist()
    return [
        {
            "start": int(axis.start[axis.first_token[sentence]]) + shift,
            "end": int(axis.end[axis.first_token[sentence + 1] - 1]) + shift,
            "probabilities": [each for each in probability[:, sentence].tolist() if each == each],
        }
        for sentence in range(first, last)
        if axis.first_token[sentence] < axis.first_token[sentence + 1]
    ]


def _with_sequences(
    document: Document, layers: dict[str, list[Span]], sentences: list[dict[str, Any]]
) -> Document:
    for name, spans in layers.items():
        document = document.with_layer(name, tuple(spans))
    told = {**document.meta.get(META, {}), next(iter(layers)): sentences}
    return document.replace(meta={**document.meta, META: told})
