"""Every heart of a document, also those that the consensus does not believe in."""

from collections.abc import Sequence
from dataclasses import replace

from vermeil.consensus.centroids import Settings, find_centroids
from vermeil.consensus.evidence import gather
from vermeil.consensus.hearts import chance_of_name
from vermeil.consensus.methods import tables, voting
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.evidence import gather as gather_people
from vermeil.consensus.people.judging import judge
from vermeil.consensus.reliability import Reliability
from vermeil.document import Document, Standard


def every_heart(
    documents: Sequence[Document],
    annotators: Sequence[str] | None = None,
    learned: Reliability | Crowd | None = None,
) -> list[Standard]:
    """Find all the hearts of each document, likely or not, so that what is contested is seen.

    The confidence is the chance that there is a name, as ``learned`` (by the method ``hearts`` or
    ``people``) has it; without it, the share of the votes.
    """
    standards: list[Standard] = []
    for table in tables(voting(document, annotators) for document in documents):
        if isinstance(learned, Crowd):
            crowd = learned.among(table.annotators, table.labels)
            judged = judge(gather_people(table, together=crowd.together), crowd)
            found = find_centroids(table, Settings(together=crowd.together))
            found = replace(found, label=judged.label)
            standards += found.standards(judged.chance.sum(axis=1))
            continue
        found = find_centroids(table)
        chance = None
        if learned is not None:
            chance = chance_of_name(gather(table), learned.among(table.annotators))
        standards += found.standards(chance)
    return standards
