"""The consensus of documents in memory."""

from collections.abc import Sequence

from vermeil.consensus.methods import Options
from vermeil.consensus.stage import ConsensusStage
from vermeil.document import Document
from vermeil.runs.streaming import Held, Streaming
from vermeil.scope import CONSENSUS_NAME


def combine(
    documents: Sequence[Document],
    *,
    by: str = "people",
    name: str = CONSENSUS_NAME,
    annotators: Sequence[str] | None = None,
    options: Options | None = None,
) -> list[Document]:
    """Add the consensus of the annotators to each document, as a layer and as a standard.

    >>> from vermeil import Span
    >>> layers = {name: (Span(0, 5, "Gene"),) for name in ("anna", "ben", "llm")}
    >>> [document] = combine([Document(id="1", text="BRCA1 again", layers=layers)])
    >>> [(span.start, span.end) for span in document.layers["consensus"]]
    [(0, 5)]
    """
    stage = ConsensusStage(
        by=by,
        choices=options or Options(),
        chosen=None if annotators is None else tuple(annotators),
        layer=name,
        strict=False,
    )
    return list(Streaming(stage, Held(documents)).documents())
