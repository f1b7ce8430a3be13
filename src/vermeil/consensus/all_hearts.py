"""Every heart of a document, also those that the consensus does not believe in."""

from collections.abc import Sequence

from vermeil.consensus.centroids import find_centroids
from vermeil.consensus.evidence import gather
from vermeil.consensus.hearts import chance_of_name
from vermeil.consensus.methods import tables, voting
from vermeil.consensus.reliability import Reliability
from vermeil.document import Document, Standard


def every_heart(
    documents: Sequence[Document],
    annotators: Sequence[str] | None = None,
    learned: Reliability | None = None,
) -> list[Standard]:
    """Find all the hearts of each document, likely or not, so that what is contested is seen.

    The confidence is the chance that there is a name, as ``learned`` (what ``observe`` returns
    for the method ``hearts``) has it; without it, the share of the votes.
    """
    standards: list[Standard] = []
    for table in tables(voting(document, annotators) for document in documents):
        found = find_centroids(table)
        chance = None
        if learned is not None:
            chance = chance_of_name(gather(table), learned.among(table.annotators))
        standards += found.standards(chance)
    return standards
