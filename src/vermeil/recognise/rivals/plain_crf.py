"""A CRF as one would have it without the cascade: usual features, trained by crfsuite.

The rival that the cascade has to beat. python-crfsuite trains it (with L1 and L2 penalties of .05
each); its weights are then read out, so that tagging needs NumPy only and confidences come from the
same lattice as all others. Sequences that no names can have (I after O) are ruled out there, which
crfsuite does not do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Ints
from vermeil.errors import MissingExtraError
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.rivals.plain_features import WordLists, encode_plain
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import THRESHOLD, find_candidates
from vermeil.sequences.chains.crf import Crf
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.learning import TaggedTokens
from vermeil.sequences.chains.potentials import ChainPotentials
from vermeil.sequences.features.rows import Encoded
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet

PENALTIES = {"c1": 0.05, "c2": 0.05}
N_ROUNDS = 100


@dataclass(frozen=True, slots=True, eq=False)
class PlainCrf:
    """A trained CRF with the lists that its features ask."""

    recipe: Recipe
    lists: WordLists
    sequence: Crf
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls, documents: Documents, recipe: Recipe, resources: Resources, *, watch: Say = silent
    ) -> "PlainCrf":
        """Train on the documents that the annotator of the recipe has seen."""
        watch("sequence model")
        names = (name for own in resources.names.values() for name in own)
        lists = WordLists.of(names, resources.english, tokeniser=recipe.tokeniser)
        axis, tag = recipe.tagged_tokens(recipe.annotated(documents))
        tokens = TaggedTokens(encode_plain(axis, lists), tag, axis.first_token, recipe.tags)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            train_crfsuite(tokens, path, n_rounds=recipe.n_rounds or N_ROUNDS)
            return cls(recipe, lists, read_crfsuite(path, recipe.tags))

    def find(self, documents: Documents, *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        axis, potentials = self.potentials(documents)
        return PlacedNames(axis, find_candidates(lattice_of(potentials), threshold=threshold))

    def potentials(self, documents: Documents) -> tuple[TokenAxis, ChainPotentials]:
        """Lay documents out as tokens, with the log scores of their tags."""
        axis = self.recipe.tokens(documents)
        return axis, self.sequence.potentials(encode_plain(axis, self.lists), axis.first_token)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return in_sections({"lists": self.lists.arrays(), "sequence": self.sequence.arrays()})

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {**self.recipe.header(), "card": dict(self.card)}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "PlainCrf":
        """Make the recogniser again that gave these."""
        recipe = Recipe.from_header(header)
        lists = WordLists.from_arrays(section_of(arrays, "lists"))
        sequence = Crf.from_arrays(recipe.tags, section_of(arrays, "sequence"))
        return cls(recipe, lists, sequence, header.get("card", {}))


def train_crfsuite(tokens: TaggedTokens, path: Path, *, n_rounds: int) -> None:
    """Let crfsuite learn weights and store its model."""
    try:
        from pycrfsuite import Trainer
    except ImportError:
        raise MissingExtraError("the CRF of crfsuite", "python-crfsuite") from None
    trainer = Trainer(verbose=False)
    trainer.select("lbfgs")
    trainer.set_params({**PENALTIES, "max_iterations": n_rounds})
    names = np.array(tokens.tags.names)[tokens.tag].tolist()
    bounds = pairwise(tokens.first_token.tolist())
    sentences = sentences_of(tokens.encoded, tokens.first_token)
    for (first, last), sentence in zip(bounds, sentences, strict=True):
        trainer.append(sentence, names[first:last])
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
    """List the features of each token of each sentence as crfsuite wants them, as strings."""
    names = [str(feature) for feature in encoded.rows.features.tolist()]
    first = encoded.rows.first.tolist()
    rows = [names[low:high] for low, high in pairwise(first)]
    tokens = [[name for row in views for name in rows[row]] for views in encoded.row.tolist()]
    return [tokens[low:high] for low, high in pairwise(first_token.tolist())]
