"""A dictionary as a recogniser: the longest matches of listed names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray
from vermeil.errors import UsageError
from vermeil.models.model_files import Arrays, Header
from vermeil.models.schema import told
from vermeil.recognise.placed_names import PlacedNames, are_right
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.words.knowledge import Resources
from vermeil.recognise.words.name_list import NameList
from vermeil.recognise.words.token_sets import folded
from vermeil.sequences.chains.candidates import THRESHOLD, in_reading_order
from vermeil.sequences.tokens.alphabet import hash_words


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
        cls, documents: Documents, recipe: Recipe, resources: Resources, *, watch: Say = silent
    ) -> "DictionaryTagger":
        """Take the names of the resources, and from documents how far to trust them."""
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
        annotated = recipe.annotated(documents)
        names = trusting.find(annotated)
        right = are_right(names, annotated, recipe.annotator)
        code = names.candidates.label
        confidence = {
            label: float(right[code == number].mean()) if (code == number).any() else 1.0
            for number, label in enumerate(recipe.labels)
            if label in lists
        }
        return cls(recipe, lists, confidence)

    def find(self, documents: Documents, *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every listed name of a batch of documents; those of two labels may overlap."""
        axis = self.recipe.tokens(documents)
        hashes = hash_words([folded(word) for word in axis.words])
        columns = [np.zeros((3, 0), dtype=np.int64)]
        for number, name in enumerate(self.recipe.labels):
            if self.confidence.get(name, -1.0) >= threshold:
                start, end = self.lists[name].find_hashed(hashes, axis.first_token)
                columns.append(np.stack((start, end, np.full_like(start, number))))
        start, end, label = np.concatenate(columns, axis=1)
        sure = np.array([self.confidence.get(name, 0.0) for name in self.recipe.labels])
        names = in_reading_order(
            self.recipe.labels, axis.first_token, start, end, label, confidence=sure[label]
        )
        return PlacedNames(axis, names)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return {
            f"names-{number}": self.lists[label].hashes
            for number, label in enumerate(self.recipe.labels)
            if label in self.lists
        }

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {
            **self.recipe.header(),
            "confidence": dict(self.confidence),
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "DictionaryTagger":
        """Make the tagger again that gave these."""
        recipe = Recipe.from_header(header)
        confidence = told(header, "confidence", dict[str, float])
        if not all(0 <= each <= 1 for each in confidence.values()):
            raise ValueError(f"a confidence lies between 0 and 1, got {confidence}")
        return cls(
            recipe,
            {
                label: NameList.from_arrays({"hashes": arrays[f"names-{number}"]})
                for number, label in enumerate(recipe.labels)
                if label in confidence
            },
            confidence,
            header.get("card", {}),
        )
