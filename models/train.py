"""Train the models that come with the package (``make models``).

``chem`` from the chemicals of BC5CDR and ChemProt with the names of ChEBI, ``gene`` from the genes
of BioCreative II with its alternatives. They are read from the folder that VERMEIL_CORPORA names.
With ``--folds N`` each is cross-validated first, over documents, and the figures go into its card.

    python models/train.py [chem] [gene] [--folds N]
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from vermeil import samples
from vermeil.document import ALTERNATIVES, Document, Span
from vermeil.formats import read
from vermeil.formats.corpus import Input, read_corpus
from vermeil.recognise.candidates import blocked_by
from vermeil.recognise.cascade import Cascade, Recipe
from vermeil.recognise.found import are_right
from vermeil.recognise.knowledge import Resources, folds_of
from vermeil.recognise.model_files import write_model
from vermeil.recognise.preclassifier import english_words

CORPORA = Path(os.environ.get("VERMEIL_CORPORA", "../shared/corpora"))
TARGET = Path(samples.__file__).parent.parent / "models"


def main(names: Sequence[str], n_folds: int) -> None:
    """Train each, and say what came of it."""
    for name in names or MODELS:
        documents, recipe, resources, card = MODELS[name]()
        figures = cross_validated(documents, recipe, resources, n_folds) if n_folds else {}
        begun = process_time()
        model = Cascade.fit(documents, recipe, resources, watch=say)
        seconds = process_time() - begun
        n_names = sum(len(document.layers["gold"]) for document in documents)
        card = {**card, "documents": len(documents), "names": n_names, "figures": figures}
        model = replace(model, card=card)
        path = TARGET / f"{name}.zip"
        write_model(path, "cascade", model.header(), model.arrays())
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, {seconds:.0f} CPU s")


def chemicals() -> tuple[list[Document], Recipe, Resources, dict[str, Any]]:
    """Read two corpora of chemicals, all with the label Chemical."""
    documents = [
        _relabelled(document, "Chemical")
        for name in ("bc5cdr_traindev", "chemprot_training", "chemprot_development")
        for document in read(CORPORA / "chem" / f"{name}.jsonl", annotator="gold")
    ]
    lines = (CORPORA / "lexicons" / "chebi-names.txt").read_text(encoding="utf-8").splitlines()
    names = sorted({line.strip() for line in lines if line.strip() and not line.startswith("#")})
    card = {
        "title": "Names of chemicals in biomedical abstracts",
        "trained on": "BC5CDR training and development, ChemProt training and development",
        "lexicon": "ChEBI names (CC BY 4.0), stored as hashes",
        "licence": "Apache-2.0 for the weights; the corpora are under the Public Domain Mark",
    }
    return (
        documents,
        Recipe(("Chemical",)),
        Resources({"Chemical": names}, sorted(english_words())),
        card,
    )


def genes() -> tuple[list[Document], Recipe, Resources, dict[str, Any]]:
    """Read the training sentences of BioCreative II with both keys."""
    folder = CORPORA / "bc2gm" / "train"
    inputs = [
        Input(folder / "GENE.eval", "gold"),
        Input(folder / "ALTGENE.eval", "gold" + ALTERNATIVES),
    ]
    documents = [
        document if "gold" in document.layers else document.with_layer("gold", ())
        for document in read_corpus(
            inputs, text=Input(folder / "train.in"), options={"names": "note"}
        )
    ]
    card = {
        "title": "Names of genes and proteins in biomedical sentences",
        "trained on": "BioCreative II gene mention, training sentences with alternatives",
        "lexicon": "none",
        "licence": "Apache-2.0 for the weights; see the notice of the corpus for its terms",
    }
    return documents, Recipe(("Gene",)), Resources({}, sorted(english_words())), card


MODELS: dict[str, Callable[[], tuple[list[Document], Recipe, Resources, dict[str, Any]]]] = {
    "chem": chemicals,
    "gene": genes,
}


def cross_validated(
    documents: Sequence[Document], recipe: Recipe, resources: Resources, n_folds: int
) -> dict[str, float]:
    """Give precision, recall and F at a threshold of .5, and mean average precision."""
    fold = folds_of(len(documents), n_folds, seed=recipe.seed)
    n_right = n_kept = n_wanted = 0
    every: list[tuple[float, bool]] = []
    for number in range(n_folds):
        say(f"fold {number + 1} of {n_folds}")
        pairs = list(zip(documents, fold.tolist(), strict=True))
        model = Cascade.fit([each for each, own in pairs if own != number], recipe, resources)
        held_out = [each for each, own in pairs if own == number]
        found = model.find(held_out)
        right, sure = are_right(found, held_out, "gold"), found.candidates.confidence
        kept = (sure >= 0.5) & (blocked_by(found.candidates) < 0)
        n_right, n_kept = n_right + int(right[kept].sum()), n_kept + int(kept.sum())
        n_wanted += sum(len(each.layers["gold"]) for each in held_out)
        every.extend(zip(sure.tolist(), right.tolist(), strict=True))
    ranked = np.array([right for _, right in sorted(every, key=lambda pair: -pair[0])])
    precision_at = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    precision, recall = n_right / n_kept, n_right / n_wanted
    return {
        "folds": n_folds,
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / (precision + recall), 4),
        "mean average precision": round(float(precision_at[ranked].sum() / n_wanted), 4),
    }


def _relabelled(document: Document, label: str) -> Document:
    spans = tuple(Span(span.start, span.end, label) for span in document.layers["gold"])
    return document.with_layer("gold", spans)


def say(stage: str) -> None:
    """Show what is going on."""
    print(f"  {stage}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    folds = 0
    if "--folds" in arguments:
        at = arguments.index("--folds")
        folds = int(arguments[at + 1])
        arguments = [*arguments[:at], *arguments[at + 2 :]]
    main(arguments, folds)
