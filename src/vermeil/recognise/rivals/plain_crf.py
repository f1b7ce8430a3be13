"""A CRF as one would have it without the cascade: usual features, trained by crfsuite.

The rival that the cascade has to beat. python-crfsuite trains it (with L1 and L2 penalties of .05
each); its weights are then read out, so that tagging needs NumPy only and confidences come from the
same lattice as all others. Sequences that no names can have (I after O) are ruled out there, which
crfsuite does not do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.errors import MissingExtraError
from vermeil.recognise.cascade import Recipe
from vermeil.recognise.features.rows import Encoded
from vermeil.recognise.model_files import part
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.rivals.plain_features import WordLists, encode_plain
from vermeil.recognise.sequence.candidates import THRESHOLD, find_candidates
from vermeil.recognise.sequence.crf import Crf
from vermeil.recognise.sequence.lattice import lattice_of
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.tokens.tag_set import TagSet
from vermeil.recognise.words.knowledge import Resources

PENALTIES = {"c1": 0.05, "c2": 0.05}
N_ROUNDS = 100


@dataclass(frozen=True, slots=True, eq=False)
class PlainCrf:
    """A trained CRF with what its features look up."""

    recipe: Recipe
    lists: WordLists
    sequence: Crf
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        documents: Sequence[Document],
        recipe: Recipe,
        resources: Resources,
        *,
        watch: Callable[[str], None] | None = None,
    ) -> "PlainCrf":
        """Train on the documents that the annotator of the recipe looked at."""
        if watch is not None:
            watch("sequence model")
        looked = [each for each in documents if recipe.annotator in each.layers]
        tags = TagSet(recipe.labels)
        names = (name for own in resources.names.values() for name in own)
        lists = WordLists.of(names, resources.english, tokeniser=recipe.tokeniser)
        axis = TokenAxis.of(looked, tokeniser=recipe.tokeniser)
        tag = axis.tags_of(looked, tags, annotator=recipe.annotator)
        encoded = encode_plain(axis, lists.names, lists.english, lists.parts)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            n_rounds = recipe.n_rounds or N_ROUNDS
            train_crfsuite(encoded, tag, axis.first_token, tags, path, n_rounds=n_rounds)
            return cls(recipe, lists, read_crfsuite(path, tags))

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        axis = TokenAxis.of(documents, tokeniser=self.recipe.tokeniser)
        encoded = encode_plain(axis, self.lists.names, self.lists.english, self.lists.parts)
        lattice = lattice_of(self.sequence.potentials(encoded, axis.first_token))
        return PlacedNames(axis, find_candidates(lattice, threshold=threshold))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        parts = {"lists": self.lists.arrays(), "sequence": self.sequence.arrays()}
        return {f"{part}/{name}": a for part, own in parts.items() for name, a in own.items()}

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {
            "labels": list(self.recipe.labels),
            "tokeniser": self.recipe.tokeniser,
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "PlainCrf":
        """Make the recogniser again that gave these."""
        labels = tuple(header["labels"])
        return cls(
            Recipe(labels, tokeniser=header["tokeniser"]),
            WordLists.from_arrays(part(arrays, "lists")),
            Crf.from_arrays(TagSet(labels), part(arrays, "sequence")),
            header.get("card", {}),
        )


def train_crfsuite(
    encoded: Encoded, tag: Ints, first_token: Ints, tags: TagSet, path: Path, *, n_rounds: int
) -> None:
    """Let crfsuite learn weights and store its model."""
    try:
        from pycrfsuite import Trainer
    except ImportError:
        raise MissingExtraError("the CRF of crfsuite", "crf") from None
    trainer = Trainer(verbose=False)
    trainer.select("lbfgs")
    trainer.set_params({**PENALTIES, "max_iterations": n_rounds})
    names = np.array(tags.names)[tag].tolist()
    bounds = pairwise(first_token.tolist())
    for (first, last), tokens in zip(bounds, sentences_of(encoded, first_token), strict=True):
        trainer.append(tokens, names[first:last])
    trainer.train(str(path))


def read_crfsuite(path: Path, tags: TagSet) -> Crf:
    """Read the weights of a model of crfsuite, with six decimal places, as it shows them."""
    from pycrfsuite import Tagger

    tagger = Tagger()
    tagger.open(str(path))
    shown = tagger.info()
    codes = {name: code for code, name in enumerate(tags.names)}
    transition = np.zeros((len(tags), len(tags)))
    for (before, after), weight in shown.transitions.items():
        transition[codes[before], codes[after]] = weight
    features = np.array(sorted({int(name) for name, _ in shown.state_features}), dtype=np.int64)
    place = {feature: number for number, feature in enumerate(features.tolist())}
    weights = np.zeros((len(features), len(tags)))
    for (name, label), weight in shown.state_features.items():
        weights[place[int(name)], codes[label]] = weight
    return Crf(tags, features, weights, transition)


def sentences_of(encoded: Encoded, first_token: Ints) -> list[list[list[str]]]:
    """Give the features of each token of each sentence as crfsuite wants them, as strings."""
    names = [str(feature) for feature in encoded.rows.features.tolist()]
    first = encoded.rows.first.tolist()
    rows = [names[low:high] for low, high in pairwise(first)]
    tokens = [[name for row in views for name in rows[row]] for views in encoded.row.tolist()]
    return [tokens[low:high] for low, high in pairwise(first_token.tolist())]
