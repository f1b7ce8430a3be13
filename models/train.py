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

from vermeil import models
from vermeil.document import ALTERNATIVES, Document, Span
from vermeil.formats import read
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.judging.cross_validation import cross_validate, trainer
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import save
from vermeil.recognise.words.knowledge import Resources
from vermeil.recognise.words.preclassifier import english_words

CORPORA = Path(os.environ.get("VERMEIL_CORPORA", "../shared/corpora"))


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
        path = models.FOLDER / f"{name}.zip"
        save(model, path)
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
    """Measure precision, recall and F at a threshold of .5, and the average precision."""
    train = trainer("cascade", recipe, resources, watch=say)
    validation = cross_validate(train, documents, recipe.labels, n_folds=n_folds)
    counts = validation.at(0.5)
    return {
        "folds": n_folds,
        "precision": round(counts.precision, 4),
        "recall": round(counts.recall, 4),
        "f1": round(counts.f1, 4),
        "average precision": round(validation.ranking.average_precision, 4),
        "calibration error": round(validation.calibration().expected_error, 4),
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
