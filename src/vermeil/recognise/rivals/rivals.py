"""Simpler recognisers with the interface of the cascade: a dictionary, a hidden Markov model.

The third rival, a plain conditional random field, is in ``plain_crf``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.recognise.cascade import Recipe
from vermeil.recognise.placed_names import PlacedNames, are_right
from vermeil.recognise.rivals.hmm import HiddenMarkov
from vermeil.recognise.sequence.candidates import THRESHOLD, Candidates, find_candidates
from vermeil.recognise.sequence.lattice import lattice_of
from vermeil.recognise.tokens.alphabet import hash_words
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.words.knowledge import Resources
from vermeil.recognise.words.name_list import NameList
from vermeil.recognise.words.token_sets import folded


@dataclass(frozen=True, slots=True, eq=False)
class DictionaryTagger:
    """Finds the names of lists, the longest from left to right, one list for each label.

    All names of a label are equally sure: ``confidence`` is the share of its matches in the
    training documents that are right, or 1 where there are none.
    """

    recipe: Recipe
    lists: Mapping[str, NameList]
    confidence: Mapping[str, float]
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        documents: Sequence[Document],
        recipe: Recipe,
        resources: Resources,
        *,
        watch: Callable[[str], None] | None = None,
    ) -> "DictionaryTagger":
        """Take the names of the resources, and from documents how far to trust them."""
        if watch is not None:
            watch("name lists")
        lists = {
            label: NameList.of(resources.names[label], tokeniser=recipe.tokeniser)
            for label in recipe.labels
            if label in resources.names
        }
        if not lists:
            raise UsageError(
                f"a dictionary needs a list of names of {' or '.join(recipe.labels) or 'a label'}"
            )
        trusting = cls(recipe, lists, dict.fromkeys(lists, 1.0))
        looked = [each for each in documents if recipe.annotator in each.layers]
        found = trusting.find(looked)
        right = are_right(found, looked, recipe.annotator)
        code = found.candidates.label
        confidence = {
            label: float(right[code == number].mean()) if (code == number).any() else 1.0
            for number, label in enumerate(recipe.labels)
            if label in lists
        }
        return cls(recipe, lists, confidence)

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every listed name of a batch of documents; those of two labels may overlap."""
        axis = TokenAxis.of(documents, tokeniser=self.recipe.tokeniser)
        hashes = hash_words([folded(word) for word in axis.words])
        found = [np.zeros((3, 0), dtype=np.int64)]
        for number, name in enumerate(self.recipe.labels):
            if self.confidence.get(name, -1.0) >= threshold:
                start, end = self.lists[name].find_hashed(hashes, axis.first_token)
                found.append(np.stack((start, end, np.full_like(start, number))))
        start, end, label = np.concatenate(found, axis=1)
        sentence = np.searchsorted(axis.first_token, start, side="right") - 1
        sure = np.array([self.confidence.get(name, 0.0) for name in self.recipe.labels])
        names = Candidates(self.recipe.labels, sentence, start, end, label, sure[label])
        return PlacedNames(axis, names.keep(np.lexsort((label, -end, start))))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        return {
            f"names-{number}": self.lists[label].hashes
            for number, label in enumerate(self.recipe.labels)
            if label in self.lists
        }

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {
            "labels": list(self.recipe.labels),
            "tokeniser": self.recipe.tokeniser,
            "confidence": dict(self.confidence),
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "DictionaryTagger":
        """Make the tagger again that gave these."""
        labels = tuple(header["labels"])
        return cls(
            Recipe(labels, tokeniser=header["tokeniser"]),
            {
                label: NameList.from_arrays({"hashes": arrays[f"names-{number}"]})
                for number, label in enumerate(labels)
                if label in header["confidence"]
            },
            header["confidence"],
            header.get("card", {}),
        )


@dataclass(frozen=True, slots=True, eq=False)
class MarkovTagger:
    """A hidden Markov model that spells its tokens, with names listed by label (see ``hmm``)."""

    recipe: Recipe
    model: HiddenMarkov
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        documents: Sequence[Document],
        recipe: Recipe,
        resources: Resources,
        *,
        watch: Callable[[str], None] | None = None,
    ) -> "MarkovTagger":
        """Train on the documents that the annotator of the recipe looked at."""
        if watch is not None:
            watch("hidden Markov model")
        model = HiddenMarkov.fit(
            documents,
            recipe.labels,
            annotator=recipe.annotator,
            lexicon=resources.names,
            tokeniser=recipe.tokeniser,
        )
        return cls(recipe, model)

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        axis, potentials = self.model.potentials(documents)
        return PlacedNames(axis, find_candidates(lattice_of(potentials), threshold=threshold))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        return self.model.arrays()

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {**self.model.header(), "card": dict(self.card)}

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "MarkovTagger":
        """Make the tagger again that gave these."""
        recipe = Recipe(tuple(header["labels"]), tokeniser=header["tokeniser"])
        return cls(recipe, HiddenMarkov.from_arrays(header, arrays), header.get("card", {}))
