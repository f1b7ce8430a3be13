"""Links that references lack: how many hidden ones are found again, without gold.

A fifth of the links of gene2pubmed is hidden; what is left of them teaches which abstracts are
about which gene (names of four organisms). Compared with simpler rankings of the same pairs:

    links        the model of ``vermeil acquire links``
    best name    the score of the surest name of the record in the document (layer ``consensus``)
    well known   how many other documents are linked to the record
    frequent     how often names of the record stand in the document

Precision counts links as wrong that nobody hid and the references lack. Features and penalty were
chosen on the first 3,000 documents with seed 0. Reads VERMEIL_CORPORA.

    python -m benchmarks.missing_links [--documents N] [--share PART] [--seeds N …]
"""

import argparse
from functools import reduce
from operator import add
from time import process_time

import numpy as np

from benchmarks.acquisition import FOLDER, genes
from vermeil import Document
from vermeil.acquisition.databases.references import Links, read_references
from vermeil.acquisition.lexicon.matching import BATCH
from vermeil.acquisition.links.hiding import LinkTrial, hide
from vermeil.acquisition.links.model import LinkModel
from vermeil.arrays import Floats
from vermeil.formats import read

ROWS = ("links", "best name", "well known", "frequent")


def main() -> None:
    """Print a row for each ranking and seed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, help="referenced ones to learn from and judge by")
    parser.add_argument("--share", type=float, default=0.2, help="of the links to hide")
    parser.add_argument("--seeds", type=int, nargs="*", default=[0])
    asked = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    references = read_references(FOLDER / "gene2pubmed.tsv.gz")
    every = read(FOLDER / "abstracts.jsonl.gz")
    documents = [each for each in every if references.number_of(each.id) >= 0]
    lexicon = genes("normalised")
    for seed in asked.seeds:
        stay, hidden = hide(references, asked.share, seed=seed)
        begun = process_time()
        some = documents[: asked.documents]
        model = LinkModel.learn(lexicon, Links.of(lexicon, stay), some)
        trials = tried(model, Links.of(lexicon, hidden), some)
        seconds = process_time() - begun
        first = trials["links"]
        print(
            f"seed {seed}: {first.n_hidden:,} links hidden in {first.n_documents:,} documents, "
            f"a likely name of {first.n_findable:,}; {seconds:.0f} CPU s"
        )
        for name, trial in trials.items():
            row(name, trial)


def tried(model: LinkModel, hidden: Links, documents: list[Document]) -> dict[str, LinkTrial]:
    """Rank the same pairs in every way."""
    parts: dict[str, list[LinkTrial]] = {name: [] for name in ROWS}
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        ranked = model.rank(batch)
        pairs, uses = ranked.pairs, ranked.uses
        numbers = hidden.numbers_of(batch)
        is_right = hidden.have(numbers[pairs.document], pairs.record)
        n_hidden = int(hidden.n_records(numbers[numbers >= 0]).sum())
        new = ~pairs.is_known
        by: dict[str, Floats] = {
            "links": ranked.odds,
            "best name": uses.score[pairs.best],
            "well known": np.log(model.counts.n_links[pairs.record] + 0.5),
            "frequent": np.log(np.bincount(ranked.of, uses.n, len(pairs)) + 0.5),
        }
        for name, odds in by.items():
            parts[name].append(LinkTrial.of(len(batch), n_hidden, odds[new], is_right[new]))
    return {name: reduce(add, own) for name, own in parts.items()}


def row(name: str, trial: LinkTrial) -> None:
    """Print the figures of a ranking."""
    ranking = trial.ranking
    best = ranking.best[1]
    print(
        f"{name:<12}AP {ranking.average_precision:.3f}   recall at precision .5 "
        f"{ranking.recall_at(0.5):.3f}, at .9 {ranking.recall_at(0.9):.3f}   best F1 "
        f"{best.f1:.3f} (P {best.precision:.3f}, R {best.recall:.3f})",
        flush=True,
    )


if __name__ == "__main__":
    main()
