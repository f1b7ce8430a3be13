"""What ten thousand annotators cost beside five: five on each document, CPU seconds and memory.

python -m benchmarks.many_annotators
python -m benchmarks.many_annotators 100000
"""

import resource
import sys
from collections.abc import Iterator
from time import process_time

import numpy as np

from vermeil import Document, Span
from vermeil.consensus.stage import ConsensusStage
from vermeil.runs.streaming import Streaming

N_DOCUMENTS, N_NAMES, N_ON_EACH = 20_000, 8, 5
CROWDS = (5, 10_000)
WIDTH = 12


class Generated:
    """Documents made anew whenever they are read, so that nothing is kept."""

    def __init__(self, n_documents: int, n_annotators: int) -> None:
        self.n_documents, self.n_annotators = n_documents, n_annotators

    def read(self, ledger: object = None) -> Iterator[Document]:
        """Yield the same documents each time."""
        rng = np.random.default_rng(0)
        text = " ".join(["x" * (WIDTH - 1)] * N_NAMES)
        finds = rng.beta(6, 2, self.n_annotators)
        for number in range(self.n_documents):
            if self.n_annotators == N_ON_EACH:
                people = np.arange(N_ON_EACH)
            else:
                people = rng.choice(self.n_annotators, N_ON_EACH, replace=False)
            found = rng.random((N_ON_EACH, N_NAMES)) < finds[people][:, None]
            cut = rng.random((N_ON_EACH, N_NAMES)) < 0.1
            layers = {
                f"a{person:05}": tuple(
                    Span(place * WIDTH, (place + 1) * WIDTH - 1 - 2 * int(short), "Gene")
                    for place, (there, short) in enumerate(zip(row, cuts, strict=True))
                    if there
                )
                for person, row, cuts in zip(people.tolist(), found, cut, strict=True)
            }
            yield Document(id=str(number), text=text, layers=layers)


def main(n_documents: int) -> None:
    """Print a line for each crowd; the cost of making the documents is taken off."""
    for n_annotators in CROWDS:
        source = Generated(n_documents, n_annotators)
        begun = process_time()
        for _ in range(2):
            for _ in source.read():
                pass
        making = process_time() - begun
        begun = process_time()
        work = Streaming(ConsensusStage(n_contested=0), source)
        n_spans = sum(len(document.layers["consensus"]) for document in work.documents())
        seconds = process_time() - begun - making
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{n_documents:,} documents, {n_annotators:,} annotators: {n_spans:,} names, "
            f"{seconds:.1f} CPU s, {peak:,.0f} MB at most so far",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else N_DOCUMENTS)
