"""How likely each span is that could be made of the boundaries that were proposed."""

from collections.abc import Iterable

from vermeil.columns.levels import levels_of
from vermeil.consensus.centroids import Settings, find_centroids
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.evidence import gather
from vermeil.consensus.people.reading import judge_reading
from vermeil.consensus.voters import tables
from vermeil.document import Document

Extent = tuple[int, int, str]
"""Start, end and label."""


def likely_spans(documents: Iterable[Document], crowd: Crowd) -> list[dict[Extent, float]]:
    """Return for each document the chances of all spans with the likeliest label of their heart.

    The documents hold the layers that vote. The chance is that of a name, times that of each of
    its boundaries; of several hearts in a span the likeliest counts.
    """
    likely: list[dict[Extent, float]] = []
    for table in tables(iter(documents)):
        here = crowd.among(table.annotators, table.labels)
        evidence = gather(table, together=here.together, levels=levels_of(table))
        judged = judge_reading(table, evidence, here)
        settings = Settings(together=here.together)
        found = find_centroids(table, settings, levels=evidence.levels, votes=evidence.votes)
        found = judged.centroids(found, posterior=here.is_learned)
        for standard in found.standards(judged.there):
            spans: dict[Extent, float] = {}
            for heart in standard:
                n_left, n_right = (
                    sum(value for _, value in side) for side in (heart.left, heart.right)
                )
                for start, left in heart.left:
                    for end, right in heart.right:
                        chance = (heart.confidence or 0.0) * left / n_left * right / n_right
                        key = start, end, heart.label
                        spans[key] = max(spans.get(key, 0.0), chance)
            likely.append(spans)
    return likely
