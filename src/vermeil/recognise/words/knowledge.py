"""What a recogniser knows of words beside their spelling: models, sets and lists.

Some of it is given (name lists, English words), some is learned from annotated documents (which
tokens and names were seen inside and outside). A model must not be trained on what its own
training documents told its lists, or it would trust them too much: see ``cross_fitted``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Ints
from vermeil.document import Document
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import told
from vermeil.recognise.folds import folds_of, held_out
from vermeil.recognise.words.name_list import NameList
from vermeil.recognise.words.preclassifier import Preclassifier
from vermeil.recognise.words.token_sets import words_of
from vermeil.sequences.tokens.alphabet import hash_words
from vermeil.sequences.tokens.word_classes import WordClassifier


@dataclass(frozen=True, slots=True)
class Resources:
    """What the user gives: names by label, and English words.

    ``inside`` and ``outside`` are words that the preclassifier takes for examples of parts of names
    and of others, as the paper does with words in -ase that are enzymes and that are not.
    ``classifier`` finds parts of speech and chunks, for the linear tagger.
    """

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    english: Collection[str] = ()
    inside: Collection[str] = ()
    outside: Collection[str] = ()
    classifier: WordClassifier | None = None


@dataclass(frozen=True, slots=True)
class Lists:
    """Resources made ready for a tokeniser, once for all trainings.

    ``names`` and ``words`` are those a training sees; ``every`` has all names that were given.
    Words are learned as in the paper if ``like_paper`` (see ``Preclassifier.fit``).
    """

    names: NameList
    every: NameList
    words: Mapping[str, frozenset[str]]
    resources: Resources
    tokeniser: str
    like_paper: bool = False

    @classmethod
    def of(
        cls,
        resources: Resources,
        tokeniser: str,
        *,
        withheld: float = 0.0,
        like_paper: bool = False,
    ) -> "Lists":
        """Cut names into tokens and words; a share of them may be ``withheld`` from trainings."""
        every = sorted({name for names in resources.names.values() for name in names})
        hidden = _hidden(every, withheld)
        seen = {
            label: [name for name in names if name not in hidden]
            for label, names in resources.names.items()
        }
        words = {label: words_of(names, tokeniser=tokeniser) for label, names in seen.items()}
        full = NameList.of(every, tokeniser=tokeniser)
        shown = [name for name in every if name not in hidden]
        names = NameList.of(shown, tokeniser=tokeniser) if hidden else full
        return cls(names, full, words, resources, tokeniser, like_paper)


def _hidden(names: Sequence[str], share: float) -> frozenset[str]:
    """Choose a share of names by a hash of their letters and digits: spellings go together."""
    if not share:
        return frozenset()
    hashes = hash_words(["".join(filter(str.isalnum, name.lower())) for name in names])
    is_hidden = hashes < np.uint64(int(share * 2.0**64))
    return frozenset(name for name, own in zip(names, is_hidden.tolist(), strict=True) if own)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of tokens and names.

    ``lexicon`` are the names that were given, ``seen`` those of the training documents.
    """

    preclassifier: Preclassifier
    lexicon: NameList
    seen: NameList

    @classmethod
    def fit(
        cls, documents: Sequence[Document], labels: Sequence[str], lists: Lists, *, annotator: str
    ) -> "Knowledge":
        """Learn from documents and lists."""
        preclassifier = Preclassifier.fit(
            documents,
            labels,
            annotator=annotator,
            lexicon=lists.words,
            english=lists.resources.english,
            inside=lists.resources.inside,
            outside=lists.resources.outside,
            tokeniser=lists.tokeniser,
            like_paper=lists.like_paper,
        )
        names = {
            span.marked(document.text)
            for document in documents
            for span in document.layers.get(annotator, ())
            if span.label in labels
        }
        seen = NameList.of(sorted(names), tokeniser=lists.tokeniser)
        return cls(preclassifier, lists.names, seen)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return in_sections(
            {
                "preclassifier": self.preclassifier.arrays(),
                "lexicon": self.lexicon.arrays(),
                "seen": self.seen.arrays(),
            }
        )

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {"preclassifier": self.preclassifier.header()}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "Knowledge":
        """Make again what gave these."""
        return cls(
            Preclassifier.from_arrays(
                told(header, "preclassifier", dict[str, Any]), section_of(arrays, "preclassifier")
            ),
            NameList.from_arrays(section_of(arrays, "lexicon")),
            NameList.from_arrays(section_of(arrays, "seen")),
        )


def cross_fitted(
    documents: Sequence[Document],
    labels: Sequence[str],
    lists: Lists,
    *,
    annotator: str,
    n_folds: int,
    seed: int = 0,
) -> tuple[Ints, list[Knowledge], Knowledge]:
    """Learn for each fold from the other folds; and from all documents, for texts to come.

    Returns the fold of each document, what is known to each fold, and what is known of all.
    """
    fold = folds_of(len(documents), n_folds, seed=seed)
    known = [
        Knowledge.fit(held_out(documents, fold, number)[0], labels, lists, annotator=annotator)
        for number in range(n_folds)
    ]
    return fold, known, Knowledge.fit(documents, labels, lists, annotator=annotator)
