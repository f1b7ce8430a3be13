"""Which records a document is about, learned from the links that references have.

A logistic model of "a reference links this document to this record" on what can be said of the two
(``pairs``), learned from the documents that references know. They are not exhaustive, so a pair
without a link is no proof of anything: the score ranks, and as a probability it is of being linked
by the same curators, lower than that of being about the record.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import BATCH
from vermeil.acquisition.links.pairs import (
    EdgeCounts,
    Pairs,
    Uses,
    describe_pairs,
    pairs_of,
    uses_of,
)
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.support.model import SupportModel
from vermeil.arrays import Floats, Ints
from vermeil.document import Document
from vermeil.models.model_files import in_sections, section_of, widened
from vermeil.models.schema import ArraySpec, checked

PENALTY = 3e-5
"""Weight of half the squared weights for each pair; chosen, like the features, on hidden links of
the first 3,000 referenced abstracts of ``corpora/acquire``."""

MOST_PAIRS = 2_000_000
"""Pairs that a model learns from; what comes after is not used."""


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs:
    """What a batch of documents may be about: the pairs, their uses and the log odds of a link.

    ``of`` says to which pair each use belongs.
    """

    pairs: Pairs
    uses: Uses
    of: Ints
    odds: Floats


@dataclass(frozen=True, slots=True, eq=False)
class LinkModel:
    """What was learned of a lexicon, of its references, and of who is linked to whom."""

    judgement: Judgement
    counts: EdgeCounts
    model: SupportModel

    @classmethod
    def learn(
        cls,
        lexicon: Lexicon,
        links: Links,
        documents: Iterable[Document],
        *,
        tokeniser: str = "punctuation",
    ) -> "LinkModel":
        """Learn from documents some of which the references know; these are kept in memory."""
        referenced: list[Document] = []

        def passing() -> Iterator[Document]:
            for document in documents:
                if links.references.number_of(document.id) >= 0:
                    referenced.append(document)
                yield document

        judgement = Judgement.learn(lexicon, links, passing(), tokeniser=tokeniser)
        batches = [
            _paired(judgement, referenced[first : first + BATCH])
            for first in range(0, len(referenced), BATCH)
        ]
        counts = _counted(links, batches)
        columns, known, n_pairs = [], [], 0
        for uses, pairs, of in batches:
            every = np.ones(BATCH, dtype=bool)
            columns.append(describe_pairs(lexicon, counts, uses, pairs, of, every))
            known.append(pairs.is_known)
            n_pairs += len(pairs)
            if n_pairs >= MOST_PAIRS:
                break
        model = SupportModel.fit(np.concatenate(columns), np.concatenate(known), penalty=PENALTY)
        return cls(judgement, counts, model)

    def rank(self, documents: Sequence[Document]) -> RankedPairs:
        """Find what a batch of documents may be about, and how likely a link is."""
        uses, pairs, of = _paired(self.judgement, documents)
        links = self.judgement.links
        columns = describe_pairs(
            links.lexicon, self.counts, uses, pairs, of, links.are_referenced(documents)
        )
        odds = self.model.score(columns) if len(pairs) else np.zeros(0)
        return RankedPairs(pairs, uses, of, odds)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learned; lexicon and references have files of their own."""
        counts = {
            "linked": self.counts.n_linked.astype(np.int32),
            "documents": self.counts.n_documents.astype(np.int32),
            "links": self.counts.n_links.astype(np.int32),
        }
        parts = {
            "judgement": self.judgement.arrays(),
            "counts": counts,
            "model": self.model.arrays(),
        }
        return in_sections(parts)

    @classmethod
    def from_arrays(
        cls, lexicon: Lexicon, links: Links, tokeniser: str, arrays: Mapping[str, NDArray[Any]]
    ) -> "LinkModel":
        """Make the model again that gave these arrays."""
        counts = section_of(arrays, "counts")
        sizes = (len(lexicon.records), len(lexicon), len(lexicon.ids))
        names = ("linked", "documents", "links")
        schema = {
            name: ArraySpec("whole", (n,), least=0) for name, n in zip(names, sizes, strict=True)
        }
        columns = widened(checked(counts, schema), *schema)
        return cls(
            Judgement.from_arrays(lexicon, links, tokeniser, section_of(arrays, "judgement")),
            EdgeCounts(*columns),
            SupportModel.from_arrays(section_of(arrays, "model")),
        )


def _paired(judgement: Judgement, documents: Sequence[Document]) -> tuple[Uses, Pairs, Ints]:
    links = judgement.links
    uses = uses_of(links.lexicon, judgement.judge(documents))
    return uses, *pairs_of(uses, links, links.numbers_of(documents))


def _counted(links: Links, batches: Sequence[tuple[Uses, Pairs, Ints]]) -> EdgeCounts:
    """Count over the referenced documents."""
    lexicon = links.lexicon
    n_linked = np.zeros(len(lexicon.records), dtype=np.int64)
    n_documents = np.zeros(len(lexicon), dtype=np.int64)
    for uses, pairs, of in batches:
        n_linked += np.bincount(uses.edge[pairs.is_known[of]], minlength=len(n_linked))
        is_new = np.ones(len(uses), dtype=bool)
        is_new[1:] = (np.diff(uses.document) != 0) | (np.diff(uses.key) != 0)
        n_documents += np.bincount(uses.key[is_new], minlength=len(n_documents))
    n_ids = len(lexicon.ids)
    return EdgeCounts(n_linked, n_documents, np.bincount(links.pairs % n_ids, minlength=n_ids))
