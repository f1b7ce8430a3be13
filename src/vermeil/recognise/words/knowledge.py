"""What a recogniser knows of words beside their spelling: models, sets and lists.

Some of it is given (name lists, English words), some is learned from annotated documents (which
tokens and names were seen inside and outside). A model must not be trained on what its own
training documents told its lists, or it would trust them too much: see ``cross_fitted``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Floats, Ints
from vermeil.document import Document
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import told
from vermeil.recognise.folds import folds_of, held_out
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.company_score import CompanyScore
from vermeil.recognise.words.name_list import NameList
from vermeil.recognise.words.name_rates import NameRates
from vermeil.recognise.words.preclassifier import Preclassifier
from vermeil.recognise.words.token_sets import find_run_sides, find_sides, words_of
from vermeil.recognise.words.word_facts import WordFacts, classes_and_company, run_records
from vermeil.sequences.features.word_memory import RowMemory
from vermeil.sequences.tokens.alphabet import hash_words
from vermeil.sequences.tokens.word_classes import WordClassifier


@dataclass(frozen=True, slots=True)
class Resources:
    """What the user gives: names by label, and English words.

    ``inside`` and ``outside`` are words that the preclassifier takes for examples of parts of names
    and of others, as the paper does with words in -ase that are enzymes and that are not.
    ``classifier`` finds parts of speech and chunks, for the linear tagger; ``learned`` are words
    learned from texts without annotation.
    """

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    english: Collection[str] = ()
    inside: Collection[str] = ()
    outside: Collection[str] = ()
    classifier: WordClassifier | None = None
    learned: LearnedWords | None = None


@dataclass(frozen=True, slots=True)
class Lists:
    """Resources made ready for a tokeniser, once for all trainings.

    ``names`` and ``words`` are those a training sees; ``every`` has all names that were given,
    ``classes`` what a model keeps of learned words.
    Words are learned as in the paper if ``like_paper`` (see ``Preclassifier.fit``).
    """

    names: NameList
    every: NameList
    words: Mapping[str, frozenset[str]]
    resources: Resources
    tokeniser: str
    like_paper: bool = False
    classes: LearnedWords | None = None

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
        classes = None if resources.learned is None else resources.learned.without_vectors()
        return cls(names, full, words, resources, tokeniser, like_paper=like_paper, classes=classes)


def _hidden(names: Sequence[str], share: float) -> frozenset[str]:
    """Choose a share of names by a hash of their letters and digits: spellings go together."""
    if not share:
        return frozenset()
    hashes = hash_words(["".join(filter(str.isalnum, name.lower())) for name in names])
    is_hidden = hashes < np.uint64(int(share * 2.0**64))
    return frozenset(name for name, own in zip(names, is_hidden.tolist(), strict=True) if own)


@dataclass(frozen=True, slots=True)
class Memories:
    """What a recogniser found out about words and runs.

    The last three are what the sequence model makes of words, chunks and runs.
    """

    words: RowMemory[np.void] = field(default_factory=RowMemory)
    runs: RowMemory[np.void] = field(default_factory=RowMemory)
    word_scores: RowMemory[np.float64] = field(default_factory=RowMemory)
    chunk_scores: RowMemory[np.float64] = field(default_factory=RowMemory)
    run_scores: RowMemory[np.float64] = field(default_factory=RowMemory)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of tokens and names.

    ``lexicon`` are the names that were given, ``seen`` those of the training documents. Where words
    were ``learned`` from other texts, ``company`` says which of them are like parts of names, and
    ``run_company`` which runs. ``rates`` are for rescorers that ask for them.
    """

    preclassifier: Preclassifier
    lexicon: NameList
    seen: NameList
    learned: LearnedWords | None = None
    company: CompanyScore | None = None
    run_company: CompanyScore | None = None
    rates: NameRates | None = None
    memory: Memories = field(init=False, default_factory=Memories, repr=False, compare=False)

    @classmethod
    def fit(
        cls, documents: Sequence[Document], labels: Sequence[str], lists: Lists, *, annotator: str
    ) -> "Knowledge":
        """Learn from documents and lists."""
        sides = find_sides(documents, labels, annotator=annotator, tokeniser=lists.tokeniser)
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
            sides=sides,
        )
        names = {
            span.marked(document.text)
            for document in documents
            for span in document.layers.get(annotator, ())
            if span.label in labels
        }
        seen = NameList.of(sorted(names), tokeniser=lists.tokeniser)
        learned = lists.resources.learned
        if learned is None:
            return cls(preclassifier, lists.names, seen)
        company = CompanyScore.fit(sides, learned.tokens)
        runs = find_run_sides(documents, labels, annotator=annotator)
        run_company = CompanyScore.fit(runs, learned.runs)
        return cls(preclassifier, lists.names, seen, lists.classes, company, run_company)

    def known(self, words: Sequence[str]) -> WordFacts:
        """Tell what is known of words."""
        company = None
        if self.learned is not None and self.company is not None:
            company = partial(classes_and_company, self.learned.tokens, self.company)

        def found(new: Sequence[str]) -> NDArray[np.void]:
            return WordFacts.found(new, self.preclassifier, company).records()

        return WordFacts.of_records(self.memory.words.of(words, found))

    def known_runs(self, runs: Sequence[str]) -> tuple[Ints, Floats]:
        """Tell the classes of runs, and score the company they keep; 0 where none were learned."""
        if self.learned is None or self.run_company is None:
            return np.zeros((len(runs), len(SIZES)), dtype=np.int64), np.zeros(len(runs))
        company = partial(classes_and_company, self.learned.runs, self.run_company)
        records = self.memory.runs.of(runs, lambda new: run_records(*company(new)))
        return records["classes"], records["company"]

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        sections: dict[str, Arrays] = {
            "preclassifier": self.preclassifier.arrays(),
            "lexicon": self.lexicon.arrays(),
            "seen": self.seen.arrays(),
        }
        if self.rates is not None:
            sections |= {"rates": self.rates.arrays()}
        if self.learned is not None:
            sections |= {"learned": self.learned.arrays()}
            scores = {"company": self.company, "run-company": self.run_company}
            sections |= {name: own.arrays() for name, own in scores.items() if own is not None}
        return in_sections(sections)

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        learned = {} if self.learned is None else {"learned": self.learned.header()}
        return {"preclassifier": self.preclassifier.header(), **learned}

    @classmethod
    def from_arrays(
        cls, header: Header, arrays: Arrays, shared: LearnedWords | None = None
    ) -> "Knowledge":
        """Make again what gave these; ``shared`` are learned words that are stored elsewhere."""
        preclassifier = Preclassifier.from_arrays(
            told(header, "preclassifier", dict[str, Any]), section_of(arrays, "preclassifier")
        )
        seen = NameList.from_arrays(section_of(arrays, "seen"))
        own = section_of(arrays, "rates")
        n_labels = len(preclassifier.labels)
        learned, company, run_company = _learned(header, arrays, shared)
        return cls(
            preclassifier,
            NameList.from_arrays(section_of(arrays, "lexicon")),
            seen,
            learned,
            company,
            run_company,
            NameRates.from_arrays(own, n_labels, preclassifier.tokens, seen) if own else None,
        )


def _learned(
    header: Header, arrays: Arrays, shared: LearnedWords | None
) -> tuple[LearnedWords, CompanyScore, CompanyScore] | tuple[None, None, None]:
    """Make again what was learned of words, where a model has that."""
    if "learned" not in header:
        return None, None, None
    own = section_of(arrays, "learned")
    card = told(header, "learned", dict[str, Any])
    learned = LearnedWords.from_arrays(card, own) if own or shared is None else shared
    return (
        learned,
        CompanyScore.from_arrays(section_of(arrays, "company"), learned.tokens),
        CompanyScore.from_arrays(section_of(arrays, "run-company"), learned.runs),
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
