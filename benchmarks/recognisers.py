"""The cascade, its parts taken away, and its rivals: the paper's Table 2, our way and as printed.

Three folds of documents, each read by systems trained on the other two.
Chemicals of BC5CDR and ChemProt, with the names of ChEBI, and English words where there is a list.
Documents are dealt into folds by a fixed seed. P, R and F are of names without overlaps, at the
threshold that is best on the other folds (with --quick: at .5); F .3 is of all candidates from .3
on, as the paper has it. AP (average precision, which the paper calls MAP), maximal recall, recall
at 95% precision and precision at 90% recall are of all candidates pooled. ECE is the expected
calibration error of all candidates, and of those without overlaps. Training is in CPU seconds a
fold, and MB is the size of the last fold's model. Rows of the paper are what ``train --like-paper``
makes; with WORDS, a file of ``vermeil learn-words``, there are rows of cascades that know them.
Nothing is kept on disk. Reads VERMEIL_CORPORA.

    python -m benchmarks.recognisers [--quick] [--rounds N] [--words WORDS] [--only SYSTEM]…
        [bc5cdr|chemprot]…
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from benchmarks.perturbed import CORPORA
from vermeil import Document
from vermeil.formats import read
from vermeil.recognise.asking import PAPER, choices
from vermeil.recognise.judging.cross_validation import (
    Train,
    Validation,
    cross_validate,
    paper_systems,
    trainer,
)
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import Recogniser, save
from vermeil.recognise.rescoring.features import CORPUS, WORDS
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.knowledge import Resources
from vermeil.scoring.ranked import Ranking

FILES = {
    "bc5cdr": ("bc5cdr_traindev.jsonl",),
    "chemprot": ("chemprot_training.jsonl", "chemprot_development.jsonl"),
}
LABEL = "CM"
ENGLISH = Path("/usr/share/dict/words")
COLUMNS = (
    *("P", "R", "F", "F .3", "AP", "max R", "R@P95", "P@R90", "ECE", "ECE flat"),
    *("train", "tokens/s", "MB"),
)


def main() -> None:
    """Print a table for each corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="*", default=list(FILES), metavar="bc5cdr|chemprot")
    parser.add_argument("--quick", action="store_true", help="read one fold of three only")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--words", type=Path, help="words of learn-words: adds rows with them")
    parser.add_argument("--only", action="append", metavar="SYSTEM", help="a row of the table")
    asked = parser.parse_args()
    if not (CORPORA / "chem").is_dir():
        print(f"no chemicals at {CORPORA / 'chem'}; set VERMEIL_CORPORA")
        return
    resources = Resources({LABEL: names()}, english())
    learned = LearnedWords.load(asked.words) if asked.words else None
    recipe = Recipe((LABEL,), n_rounds=asked.rounds)
    for corpus in asked.corpora:
        documents = load(corpus)
        print(f"\n{corpus}: {len(documents):,} documents{', one fold' if asked.quick else ''}")
        print(f"{'':<26}" + "".join(f"{column:>9}" for column in COLUMNS))
        chosen = systems_of(recipe) | (worded_systems(recipe) if learned else {})
        if asked.only:
            chosen = {title: chosen[title] for title in asked.only}
        for title, (kind, own) in chosen.items():
            given = (
                replace(resources, learned=learned)
                if title in worded_systems(recipe)
                else resources
            )
            train = Keeping(trainer(kind, own, given))
            n_read = 1 if asked.quick else None
            validation = cross_validate(train, documents, own.labels, n_read=n_read)
            show(title, validation, train.size, quick=asked.quick)


def systems_of(recipe: Recipe) -> dict[str, tuple[str, Recipe]]:
    """Give all rows of the table."""
    memm = replace(recipe, sequence="memm")
    printed = paper_systems(replace(recipe, **choices(PAPER)))
    return {
        **paper_systems(recipe),
        **{f"paper: {title}": row for title, row in printed.items() if row[0] == "cascade"},
        "committee": ("committee", recipe),
        "corpus-wide": ("cascade", replace(recipe, evidence=(*recipe.evidence, CORPUS))),
        "no long forms": ("cascade", replace(recipe, evidence=())),
        "logistic rescorer": ("cascade", replace(recipe, rescorer="logistic")),
        "memm": ("cascade", memm),
        "memm, no rescorer": ("cascade", replace(memm, rescorer="none")),
    }


def worded_systems(recipe: Recipe) -> dict[str, tuple[str, Recipe]]:
    """Give the rows of recognisers that know words."""
    once = replace(recipe, evidence=(*recipe.evidence, WORDS))
    return {
        "words": ("cascade", recipe),
        "words, not pooled": ("cascade", once),
        "words, no rescorer": ("cascade", replace(recipe, rescorer="none")),
        "words, committee": ("committee", recipe),
    }


class Keeping:
    """Trains, and keeps what was trained last."""

    def __init__(self, train: Train) -> None:
        """Train by ``train``."""
        self._train = train

    def __call__(self, documents: Sequence[Document]) -> Finder:
        """Train, and keep what comes of it."""
        self._last = self._train(documents)
        return self._last

    @property
    def size(self) -> float:
        """The size of the last model as a file, in MB."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.zip"
            save(cast(Recogniser, self._last), path)
            return path.stat().st_size / 1e6


def show(title: str, validation: Validation, size: float, *, quick: bool) -> None:
    """Print a line of the table; after the full system one for that without overlaps."""
    counts = validation.at(0.5) if quick else validation.tuned
    errors = [validation.calibration(overlaps=each).expected_error for each in (True, False)]
    seconds = validation.train_seconds / len(validation.n_wanted)
    figures = [counts.precision, counts.recall, counts.f1, validation.ranking.at(0.3).f1]
    row(title, [*figures, *curve(validation.ranking), *errors])
    print(f"{seconds:9.1f}{validation.tokens_per_second:9,.0f}{size:9.2f}", flush=True)
    if title.endswith("full"):
        flat = [*figures[:3], validation.at(0.3).f1, *curve(validation.flat_ranking)]
        row(title.replace("full", "no overlaps"), flat)
        print(flush=True)


def curve(ranking: Ranking) -> list[float]:
    """Give what is read off a ranking."""
    return [
        ranking.average_precision,
        ranking.greatest_recall,
        ranking.recall_at(0.95),
        ranking.precision_at(0.9),
    ]


def row(title: str, figures: list[float]) -> None:
    """Begin a line of the table."""
    print(f"{title:<26}" + "".join(f"{figure:9.4f}" for figure in figures), end="")


def load(corpus: str) -> list[Document]:
    """Read the documents of a corpus."""
    paths = [CORPORA / "chem" / name for name in FILES[corpus]]
    return [document for path in paths for document in read(path, annotator="gold")]


def names() -> list[str]:
    """Read the names of ChEBI."""
    return (CORPORA / "lexicons" / "chebi-names.txt").read_text(encoding="utf-8").splitlines()


def english() -> frozenset[str]:
    """Read English words, where there is a list of them."""
    return (
        frozenset(ENGLISH.read_text(encoding="utf-8").split()) if ENGLISH.exists() else frozenset()
    )


if __name__ == "__main__":
    main()
