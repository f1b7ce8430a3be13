"""What gamma costs beside alpha: pygamma-agreement on documents of six annotators.

Gamma (Mathet, Widlöcher and Métivier 2015) needs a best alignment of the names of all annotators,
and one more for each of the random continua that tell what disorder is expected by chance (30 of
them here, as pygamma-agreement does it by default). It is no dependency of ours: this script says
so where it is not installed, and it needs Python packages that we do not have.

    python -m benchmarks.gamma [N_DOCUMENTS]
"""

import sys
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain

from benchmarks.agreement import crowd
from benchmarks.measures import Measure, show
from benchmarks.timing import best
from vermeil import Document
from vermeil.scoring.kappa import character_pairs, krippendorff
from vermeil.scoring.pairing.names import ScoringBatch

N_ANNOTATORS, N_SAMPLES = 6, 30


def main(n_documents: int) -> None:
    """Print what both cost, a document."""
    documents = crowd(n_documents, N_ANNOTATORS)
    batch = ScoringBatch.of(crowd(600, N_ANNOTATORS))
    alpha = best(lambda: krippendorff(character_pairs(batch))) / 600
    n_names = sum(map(len, chain(*(each.layers.values() for each in documents)))) / n_documents
    note = f"{N_ANNOTATORS} annotators, {n_names:.0f} names a document"
    rows = [Measure("alpha, a document", alpha, note=note)]
    if find_spec("pygamma_agreement") is None:
        rows.append(
            Measure("gamma, a document", float("nan"), note="pip install pygamma-agreement")
        )
    else:
        gamma(documents[0])  # it compiles what it needs
        seconds = best(partial(list, map(gamma, documents)), 1) / n_documents
        rows.append(Measure("gamma, a document", seconds, floor=alpha, floor_name="alpha"))
    show(rows)


def gamma(document: Document) -> float:
    """Compute gamma as pygamma-agreement does, boundaries and labels weighing the same."""
    peer, core = import_module("pygamma_agreement"), import_module("pyannote.core")
    continuum = peer.Continuum()
    for annotator, layer in document.layers.items():
        for span in layer:
            continuum.add(annotator, core.Segment(span.start, span.end), span.label)
    found = continuum.compute_gamma(peer.CombinedCategoricalDissimilarity(), n_samples=N_SAMPLES)
    return float(found.gamma)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 3)
