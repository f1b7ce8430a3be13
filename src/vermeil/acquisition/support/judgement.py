"""What unlabelled text and references tell about a lexicon, and the judgement learned from it.

A first pass counts: in how many documents words stand, and how often references support the names
of the lexicon. From the matches of the referenced documents a support model is learned. Both make a
``Judgement``, which says of the matches in any text how much they look like supported ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import BATCH, Matches, match
from vermeil.acquisition.support.company import NameCompany
from vermeil.acquisition.support.counts import KeySupport, SupportRates, WordCounts
from vermeil.acquisition.support.coverage import Coverage
from vermeil.acquisition.support.doubt import NameDoubts
from vermeil.acquisition.support.lengths import LengthScores, lengths_of
from vermeil.acquisition.support.match_features import describe_matches
from vermeil.acquisition.support.model import SupportModel, shared_by_name
from vermeil.arrays import Flags, Floats, Ints
from vermeil.document import Document
from vermeil.errors import FormatError, UsageError
from vermeil.models.model_files import read_model, section_of, write_model
from vermeil.models.schema import one_of, usable
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.sequences.chains.descent import Watch
from vermeil.text.tokens import TOKENISERS

MOST_MATCHES = 1_200_000
"""Matches that a support model learns from; what comes after is not used."""

LEAST_SUPPORTED = 20
KIND = "judgement"


@dataclass(frozen=True, slots=True, eq=False)
class JudgedMatches:
    """All matches of some documents, overlapping ones too, with a score each.

    The score is a log odds of being supported, the same for all matches of a key in a document.
    ``supported`` tells which a reference supports.
    """

    matches: Matches
    score: Floats
    supported: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What was learned about a lexicon.

    ``coverage`` has a say in what is judged, not in what is learned, and so have ``doubts``. Where
    there is ``company``, it has one, too; it is not saved.
    """

    lexicon: Lexicon
    links: Links
    tokeniser: str
    counts: WordCounts
    rates: SupportRates
    model: SupportModel
    lengths: LengthScores | None = None
    coverage: Coverage | None = None
    company: NameCompany | None = None

    @property
    def doubts(self) -> NameDoubts:
        """What stands against matches whatever references say."""
        return NameDoubts.of(self.links)

    @classmethod
    def learn(
        cls,
        lexicon: Lexicon,
        links: Links,
        documents: Iterable[Document],
        *,
        tokeniser: str = "punctuation",
        watch: Watch | None = None,
    ) -> "Judgement":
        """Learn from documents some of which the references know; these are kept in memory."""
        referenced: list[Document] = []

        def passing() -> Iterator[Document]:
            for document in documents:
                if links.references.number_of(document.id) >= 0:
                    referenced.append(document)
                yield document

        counts = WordCounts.over(passing(), tokeniser=tokeniser)
        matches = match(lexicon, referenced, tokeniser=tokeniser, overlapping=True)
        supported = links.support(matches, referenced)
        _refuse_little(len(referenced), len(matches), int(supported.sum()))
        everywhere = np.ones(len(matches), dtype=bool)
        rates = SupportRates.of(len(lexicon), matches, everywhere, supported)
        some = _first_matches(matches)
        columns = np.concatenate(
            [
                describe_matches(lexicon, counts, own, support, batch, tokeniser=tokeniser)
                for batch, own, support in _batches(referenced, some, supported, rates)
            ]
        )
        model = SupportModel.fit(columns, supported[: len(some)], watch=watch)
        coverage = Coverage.of(links, matches, referenced)
        return cls(
            lexicon, links, tokeniser, counts=counts, rates=rates, model=model, coverage=coverage
        )

    def judge(self, documents: Sequence[Document]) -> JudgedMatches:
        """Score the matches of a batch of documents."""
        judged = scored_matches(self.model, *self.describe(documents))
        return weighed(judged, documents, self.doubts, self.company)

    def levelled(
        self, judged: JudgedMatches, documents: Sequence[Document], threshold: float
    ) -> JudgedMatches:
        """Move scores so that this threshold finds the same share of names of every length."""
        if self.lengths is None:
            raise UsageError(
                "what was learned tells nothing by length; learn again with --by-length"
            )
        length = lengths_of(judged.matches, documents, tokeniser=self.tokeniser)
        return replace(judged, score=self.lengths.levelled(judged.score, length, threshold))

    def describe(
        self, documents: Sequence[Document], *, to_learn: bool = False
    ) -> tuple[Matches, Flags, Ints]:
        """Find the matches of a batch, which of them are supported, and their features.

        In a referenced document a match is no witness for itself (see ``SupportRates``). What is
        described ``to_learn`` from does not know which names are covered (see ``Coverage``).
        """
        matches = match(self.lexicon, documents, tokeniser=self.tokeniser, overlapping=True)
        supported = self.links.support(matches, documents)
        known = self.links.are_referenced(documents)[matches.document]
        support = self.rates.of_matches(
            matches.key, is_referenced=known, supported=supported & known
        )
        if self.coverage is not None and not to_learn:
            support = self.coverage.apply(support, self.links, matches, documents)
        columns = describe_matches(
            self.lexicon, self.counts, matches, support, documents, tokeniser=self.tokeniser
        )
        return matches, supported, columns

    def save(self, path: Path) -> None:
        """Store what was learned; the file appears when it is complete."""
        write_model(path, KIND, {"tokeniser": self.tokeniser}, self.arrays())

    @classmethod
    def load(cls, path: Path, lexicon: Lexicon, links: Links) -> "Judgement":
        """Read what was learned about this lexicon."""
        kind, header, arrays = read_model(path)
        if kind != KIND:
            raise FormatError(path, None, f"holds a {kind}, not what was learned about a lexicon")
        with usable(path):
            tokeniser = one_of(header, "tokeniser", TOKENISERS)
            judgement = cls.from_arrays(lexicon, links, tokeniser, arrays)
            if judgement.coverage and len(judgement.coverage.n_linked) != len(judgement.rates):
                raise ValueError("coverage and rates are of different lexicons")
        if len(judgement.rates) != len(lexicon):
            raise FormatError(
                path,
                None,
                f"was learned about a lexicon of {len(judgement.rates):,} names, "
                f"and this one has {len(lexicon):,}; learn again",
            )
        return judgement

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learned; lexicon and references have files of their own."""
        parts = {
            "counts": self.counts.arrays(),
            "rates": self.rates.arrays(),
            "model": self.model.arrays(),
            "lengths": {} if self.lengths is None else {"quantiles": self.lengths.quantiles},
            "coverage": {} if self.coverage is None else self.coverage.arrays(),
        }
        return {f"{name}/{key}": a for name, own in parts.items() for key, a in own.items()}

    @classmethod
    def from_arrays(
        cls, lexicon: Lexicon, links: Links, tokeniser: str, arrays: Mapping[str, NDArray[Any]]
    ) -> "Judgement":
        """Make the judgement again that gave these arrays."""
        lengths, coverage = section_of(arrays, "lengths"), section_of(arrays, "coverage")
        return cls(
            lexicon,
            links,
            tokeniser,
            counts=WordCounts.from_arrays(section_of(arrays, "counts")),
            rates=SupportRates.from_arrays(section_of(arrays, "rates")),
            model=SupportModel.from_arrays(section_of(arrays, "model")),
            lengths=LengthScores.from_arrays(lengths) if lengths else None,
            coverage=Coverage.from_arrays(lexicon, links, coverage) if coverage else None,
        )


def scored_matches(
    model: SupportModel, matches: Matches, supported: Flags, columns: Ints
) -> JudgedMatches:
    """Score described matches; those of a key in a document share their score."""
    score = model.score(columns) if len(matches) else np.zeros(0)
    return JudgedMatches(matches, shared_by_name(score, matches.document, matches.key), supported)


def weighed(
    judged: JudgedMatches,
    documents: Sequence[Document],
    doubts: NameDoubts,
    company: NameCompany | None,
) -> JudgedMatches:
    """Take doubts from the scores, and add what company says of the strings."""
    strings = judged.matches.strings(documents)
    told = 0.0 if company is None else company.of(strings)
    return replace(judged, score=judged.score + told - doubts.about(strings, judged.matches.key))


def with_company(
    judgement: Judgement,
    documents: Sequence[Document],
    words: LearnedWords,
    *,
    threshold: float,
) -> Judgement:
    """Learn which company the names of documents keep, and give it a say in what is judged."""
    strings, scores = [], []
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        judged = judgement.judge(batch)
        strings += judged.matches.strings(batch)
        scores.append(judged.score)
    score = np.concatenate(scores) if scores else np.zeros(0)
    company = NameCompany.fit(strings, score, words, threshold=threshold)
    return replace(judgement, company=company)


def _first_matches(matches: Matches) -> Matches:
    """Keep the matches of the first documents, at most MOST_MATCHES."""
    if len(matches) <= MOST_MATCHES:
        return matches
    end = int(np.searchsorted(matches.document, matches.document[MOST_MATCHES]))
    return matches.keep(np.arange(end))


def _batches(
    documents: Sequence[Document], matches: Matches, supported: Flags, rates: SupportRates
) -> Iterator[tuple[Sequence[Document], Matches, KeySupport]]:
    """Yield batches of documents with their matches, numbered within the batch, and their support.

    All documents have references, so no match is a witness for itself.
    """
    for first in range(0, len(documents), BATCH):
        rows = slice(*np.searchsorted(matches.document, (first, first + BATCH)))
        own = matches.keep(np.arange(rows.start, rows.stop))
        if len(own):
            everywhere = np.ones(len(own), dtype=bool)
            support = rates.of_matches(own.key, is_referenced=everywhere, supported=supported[rows])
            yield (
                documents[first : first + BATCH],
                replace(own, document=own.document - first),
                support,
            )


def _refuse_little(n_documents: int, n_matches: int, n_supported: int) -> None:
    if n_supported < LEAST_SUPPORTED:
        raise UsageError(
            f"there is too little to learn from: {n_documents:,} documents with references hold "
            f"{n_matches:,} names of the lexicon, {n_supported:,} of them supported; "
            f"{LEAST_SUPPORTED} are the least"
        )
