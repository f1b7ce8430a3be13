"""What a recogniser knows of words beside their spelling: models, sets and lists.

Some of it is given (name lists, English words), some is learned from annotated documents (which
tokens and names were seen inside and outside). A model must not be trained on what its own
training documents told its lists, or it would trust them too much: see ``cross_fitted``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.document import Document
from vermeil.recognise.name_list import NameList
from vermeil.recognise.preclassifier import Preclassifier
from vermeil.recognise.token_sets import words_of


@dataclass(frozen=True, slots=True)
class Resources:
    """What the user gives: names by label, and English words."""

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    english: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is looked up for each token and name.

    ``lexicon`` are the names that were given, ``seen`` those of the training documents.
    """

    preclassifier: Preclassifier
    lexicon: NameList
    seen: NameList

    @classmethod
    def fit(
        cls,
        documents: Sequence[Document],
        labels: Sequence[str],
        resources: Resources,
        *,
        annotator: str,
        tokeniser: str,
        lexicon: NameList | None = None,
        lexicon_words: Mapping[str, Collection[str]] | None = None,
    ) -> "Knowledge":
        """Learn from documents; what only depends on the resources may be handed in."""
        if lexicon_words is None:
            lexicon_words = words_by_label(resources, tokeniser)
        preclassifier = Preclassifier.fit(
            documents,
            labels,
            annotator=annotator,
            lexicon=lexicon_words,
            english=resources.english,
            tokeniser=tokeniser,
        )
        names = {
            span.marked(document.text)
            for document in documents
            for span in document.layers.get(annotator, ())
            if span.label in labels
        }
        return cls(
            preclassifier,
            lexicon if lexicon is not None else name_list(resources, tokeniser),
            NameList.of(sorted(names), tokeniser=tokeniser),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        parts = {
            "preclassifier": self.preclassifier.arrays(),
            "lexicon": self.lexicon.arrays(),
            "seen": self.seen.arrays(),
        }
        return {f"{part}/{name}": a for part, own in parts.items() for name, a in own.items()}

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {"preclassifier": self.preclassifier.header()}

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "Knowledge":
        """Make again what gave these."""

        def part(name: str) -> dict[str, NDArray[Any]]:
            prefix = f"{name}/"
            return {
                key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)
            }

        return cls(
            Preclassifier.from_arrays(header["preclassifier"], part("preclassifier")),
            NameList.from_arrays(part("lexicon")),
            NameList.from_arrays(part("seen")),
        )


def name_list(resources: Resources, tokeniser: str) -> NameList:
    """Make one list of all names that were given."""
    every = {name for names in resources.names.values() for name in names}
    return NameList.of(sorted(every), tokeniser=tokeniser)


def words_by_label(resources: Resources, tokeniser: str) -> dict[str, frozenset[str]]:
    """Make of name lists the words the names are made of."""
    return {label: words_of(names, tokeniser=tokeniser) for label, names in resources.names.items()}


def folds_of(n: int, n_folds: int, *, seed: int = 0) -> NDArray[np.int64]:
    """Deal documents into folds of equal size, at random."""
    return np.random.default_rng(seed).permutation(np.arange(n) % n_folds)


def cross_fitted(
    documents: Sequence[Document],
    labels: Sequence[str],
    resources: Resources,
    *,
    annotator: str,
    tokeniser: str,
    n_folds: int,
    seed: int = 0,
) -> tuple[NDArray[np.int64], list[Knowledge], Knowledge]:
    """Learn for each fold from the other folds; and from all documents, for texts to come.

    Gives the fold of each document, what is known to each fold, and what is known of all.
    """
    shared: dict[str, Any] = {
        "annotator": annotator,
        "tokeniser": tokeniser,
        "lexicon": name_list(resources, tokeniser),
        "lexicon_words": words_by_label(resources, tokeniser),
    }
    fold = folds_of(len(documents), n_folds, seed=seed)
    known = [
        Knowledge.fit(
            [document for document, own in zip(documents, fold, strict=True) if own != number],
            labels,
            resources,
            **shared,
        )
        for number in range(n_folds)
    ]
    return fold, known, Knowledge.fit(documents, labels, resources, **shared)
