"""The scores of names whose links were hidden: what thresholds by length are set on."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import BATCH
from vermeil.acquisition.links.hiding import hide
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.support.lengths import LengthScores, lengths_of
from vermeil.document import Document

SHARE, SEED = 0.2, 0
"""The share of the links to hide, and by which seed."""


def learned_by_length(
    lexicon: Lexicon, links: Links, documents: Iterable[Document], *, tokeniser: str
) -> Judgement:
    """Learn a judgement that knows the scores of names by length.

    It is learned twice: from all references, and from those that are left when some are hidden;
    the documents that have any are kept in memory.
    """
    referenced: list[Document] = []

    def passing() -> Iterator[Document]:
        for document in documents:
            if links.references.number_of(document.id) >= 0:
                referenced.append(document)
            yield document

    judgement = Judgement.learn(lexicon, links, passing(), tokeniser=tokeniser)
    return replace(judgement, lengths=length_scores(lexicon, links, referenced, tokeniser))


def length_scores(
    lexicon: Lexicon, links: Links, documents: Sequence[Document], tokeniser: str
) -> LengthScores:
    """Score the names of hidden links in the documents that references know."""
    stay, hidden = (Links.of(lexicon, each) for each in hide(links.references, SHARE, seed=SEED))
    judgement = Judgement.learn(lexicon, stay, documents, tokeniser=tokeniser)
    scores, lengths = [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        judged = judgement.judge(batch)
        is_hidden = hidden.support(judged.matches, batch) & ~judged.supported
        own = judged.matches.keep(is_hidden)
        scores.append(judged.score[is_hidden])
        lengths.append(lengths_of(own, batch, tokeniser=tokeniser))
    return LengthScores.of(np.concatenate(scores), np.concatenate(lengths))
