"""Train the models that come with the package (``make models``).

``chem``, a cascade, from the chemicals of BC5CDR and ChemProt with the names of ChEBI; ``gene``, a
committee, from the genes of BioCreative II with its alternatives and the symbols of Entrez Gene.
They are read from the folder that VERMEIL_CORPORA names. Both know the words of WORDS, which
``vermeil learn-words`` makes of TEXTS there; without it they are learned first. With ``--folds N``
each is cross-validated first, over documents, and the figures go into its card; with ``--quick``
one fold is read only. ``gene`` is also scored on the sentences of ``taggers-dev``, on which it was
not trained.

Matrices are multiplied by one thread, as the Makefile asks: more change the last bits, and so the
file.

    python models/train.py [chem] [gene] [--folds N [--quick]] [--words WORDS]
"""

import argparse
import gzip
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, TypeAlias

from vermeil import models
from vermeil.document import ALTERNATIVES, Document, Span
from vermeil.formats import read
from vermeil.formats.corpus import read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.committee import Committee
from vermeil.recognise.judging.cross_validation import Train, cross_validate, trainer
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import Recogniser, load, save
from vermeil.recognise.rescoring.features import LONG_FORMS
from vermeil.recognise.tagging import tag
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.word_classes.learning import learn
from vermeil.recognise.words.knowledge import Resources
from vermeil.recognise.words.preclassifier import english_words
from vermeil.runs.driver import carry_out
from vermeil.scoring.scores import score
from vermeil.verbs.corpus import Corpus

CORPORA = Path(os.environ.get("VERMEIL_CORPORA", "../shared/corpora"))

TEXTS = (
    "acquire/abstracts.jsonl.gz",
    "chem/bc5cdr_traindev.jsonl",
    "chem/chemprot_training.jsonl",
    "chem/chemprot_development.jsonl",
    "bc2gm/train/train.in",
)
"""Texts whose words are learned, and nothing else of them: abstracts of PubMed, and what the models
are trained on. All of them may be shipped."""

LEARNED_FROM = "22,589 abstracts of PubMed, and the texts of the training data, without labels"

FOLDS = {
    "BC5CDR by itself, three folds": {"f1": 0.9342, "average precision": 0.969},
    "ChemProt by itself, three folds": {"f1": 0.8798, "average precision": 0.9278},
}
"""Figures of cascades that know words, on documents that they were not trained on, as ``python -m
benchmarks.recognisers --words WORDS --only words`` prints them; words of the abstracts only."""

Card: TypeAlias = dict[str, Any]

GENES = ("Homo_sapiens", "Mus_musculus")
"""Organisms whose symbols are the lexicon of ``gene``."""


def main(names: Sequence[str], n_folds: int, n_read: int | None, words: Path | None) -> None:
    """Train each, and say what came of it."""
    learned = LearnedWords.load(words) if words else learned_words()
    for name in names or MODELS:
        kind, read_all = MODELS[name]
        documents, recipe, resources, card = read_all()
        resources = replace(resources, learned=learned)
        train = trainer(kind, recipe, resources, watch=say)
        figures: Card = dict(card.pop("figures", {}))
        if n_folds:
            title = f"{n_read or n_folds} of {n_folds} folds of what it is trained on"
            figures[title] = cross_validated(train, documents, recipe, n_folds, n_read)
        begun = process_time()
        model = train(documents)
        assert isinstance(model, Cascade | Committee)
        seconds = process_time() - begun
        path = models.FOLDER / f"{name}.zip"
        save(model, path)
        if name == "gene":
            # Weights are stored in fewer bits, and what is stored is what users get.
            figures |= biocreative(load(path))
        card = {
            **card,
            "words": {"learned from": LEARNED_FROM} | dict(learned.card),
            "documents": len(documents),
            "names": sum(len(document.layers["gold"]) for document in documents),
            "figures": figures,
        }
        save(replace(model, card=card), path)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, {seconds:.0f} CPU s")


def learned_words() -> LearnedWords:
    """Learn the words of the abstracts."""
    sources = [Corpus(partial(_texts, CORPORA / name), name) for name in TEXTS]
    with TemporaryDirectory() as folder:
        return learn(sources, Path(folder), carry_out, ledger=Ledger(), watch=say)


def _texts(path: Path, ledger: Ledger) -> Iterator[Document]:
    return read(path, ledger=ledger)


def chemicals() -> tuple[list[Document], Recipe, Resources, Card]:
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
        "figures": FOLDS,
    }
    return (
        documents,
        Recipe(("Chemical",)),
        Resources({"Chemical": names}, sorted(english_words())),
        card,
    )


def genes() -> tuple[list[Document], Recipe, Resources, Card]:
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
        "lexicon": "symbols of Entrez Gene, human and mouse (public domain), stored as hashes",
        "licence": "Apache-2.0 for the weights; see the notice of the corpus for its terms",
    }
    resources = Resources({"Gene": symbols()}, sorted(english_words()))
    return documents, Recipe(("Gene",), evidence=(LONG_FORMS,)), resources, card


def symbols() -> list[str]:
    """Read the symbols and synonyms of genes that code proteins, of three characters or more."""
    found: set[str] = set()
    for organism in GENES:
        with gzip.open(CORPORA / "acquire" / f"{organism}.gene_info.gz", "rt") as lines:
            for line in lines:
                fields = line.split("\t")
                if fields[9] == "protein-coding":
                    found.update((fields[2], *fields[4].split("|")))
    return sorted(name for name in found if len(name) > 2)


def biocreative(model: Recogniser) -> dict[str, float]:
    """Score genes as BioCreative does, on sentences that the model was not trained on."""
    folder = CORPORA / "bc2gm" / "taggers-dev"
    stream = read(folder / "text.in")
    stream = read(folder / "GENE.eval", annotator="gold", documents=stream)
    stream = read(folder / "ALTGENE.eval", annotator="gold" + ALTERNATIVES, documents=stream)
    tagged = list(tag(model, stream, name="found"))
    counts = score(tagged, standard="gold", systems=["found"])["found"].counts("biocreative")
    say(f"BioCreative P {counts.precision:.4f} R {counts.recall:.4f} F {counts.f1:.4f}")
    return {"BioCreative F on other sentences": round(counts.f1, 4)}


MODELS: dict[str, tuple[str, Callable[[], tuple[list[Document], Recipe, Resources, Card]]]] = {
    "chem": ("cascade", chemicals),
    "gene": ("committee", genes),
}


def cross_validated(
    train: Train,
    documents: Sequence[Document],
    recipe: Recipe,
    n_folds: int,
    n_read: int | None,
) -> dict[str, float]:
    """Measure precision, recall and F at the threshold, and the average precision."""
    validation = cross_validate(train, documents, recipe.labels, n_folds=n_folds, n_read=n_read)
    counts = validation.at(recipe.threshold)
    return {
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
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="chem|gene")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="read one fold only")
    parser.add_argument("--words", type=Path)
    asked = parser.parse_args()
    main(asked.names, asked.folds, 1 if asked.quick else None, asked.words)
