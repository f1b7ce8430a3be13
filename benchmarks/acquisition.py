"""A recogniser without hand annotation: the paper's Table 3 for our data, and what goes beyond it.

Gene names of four organisms, 22,589 abstracts and gene2pubmed; scored on the proteins of BioNLP
2011 EPI (600 abstracts, strict spans). Threshold, cost and stop list were chosen on GE abstracts or
without gold; but EPI was scored several times on the way, and that matches are judged twice and
the kind of committee were chosen after scores on it, so the last rows are not blind. Rows:

    dictionary        longest matches of exact names
    svm               a linear tagger trained on such matches in the abstracts
    + reference       trained on matches that gene2pubmed supports
    + coordination    and what is coordinated with them
    + self-training   mended in rounds (Figure 6)
    normalised names  longest matches, case, punctuation and Greek letters aside
    support           matches that look supported (no tagger)
    acquired          the recogniser of ``vermeil acquire run``, for each seed
    on gold           the linear tagger trained on EPI itself, five folds

Each of the paper's rows without and with a stop list of words frequent in the abstracts. Intervals
are 95% of 1000 bootstrap resamples of documents. Draws Figures 7, 8 and 9 to a page. Label quality
of the layers on the documents themselves is the row of the layer; no evaluation document has a
reference here, so those of the references' layers cannot be given. Reads VERMEIL_CORPORA.

    python -m benchmarks.acquisition [--words N] [--documents N] [--seeds N …] [--only PART …]
        [--page FILE]
"""

import argparse
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.acquisition_page import draw_page
from benchmarks.perturbed import CORPORA
from vermeil import Document
from vermeil.acquisition.acquisition import AcquisitionPlan, acquire
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.databases.references import Links, References, read_references
from vermeil.acquisition.labelling import label
from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.unwanted import frequent_words
from vermeil.acquisition.rounds import Round
from vermeil.acquisition.self_training import SHY, SelfTrainingPlan, self_train
from vermeil.acquisition.support.judgement import Judgement
from vermeil.formats import read
from vermeil.recognise.folds import folds_of
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.tagging import tag
from vermeil.scoring.significance import bootstrap
from vermeil.text.sentences import split_sentences

FOLDER = CORPORA / "acquire"
LABEL, GOLD, FOUND = "Protein", "gold", "found"
TOKENISER = "separators"
TAGGER = LinearOptions(n_folds=0, named_sentences=True, cost=0.02)
N_SELF_ROUNDS = 5
PARTS = ("paper", "acquired", "gold")


def main() -> None:
    """Print the table and draw the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", type=int, default=700_000, help="that a linear tagger learns")
    parser.add_argument("--documents", type=int, default=8000, help="that the acquired one learns")
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2])
    parser.add_argument("--only", choices=PARTS, nargs="*", default=PARTS)
    parser.add_argument("--page", type=Path, default=Path("acquisition.html"))
    asked = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    abstracts = list(read(FOLDER / "abstracts.jsonl.gz"))
    references = read_references(FOLDER / "gene2pubmed.tsv.gz")
    judges = proteins(FOLDER / "epi-train")
    rounds: tuple[Round, ...] = ()
    if "paper" in asked.only:
        for title, stop_words in (
            ("no stop list", frozenset()),
            ("stop list", frequent_words(abstracts)),
        ):
            print(f"\n{title} ({len(stop_words):,} words)")
            lexicon = genes("exact", stop_words)
            rounds = paper_rows(lexicon, references, abstracts, judges, asked.words)
    best = nan
    if "acquired" in asked.only:
        print("\nbeyond the paper, no stop list")
        best = beyond_rows(genes("normalised"), references, abstracts, judges, asked)
    by_size: list[tuple[float, float]] = []
    if "gold" in asked.only:
        print("\nwith hand annotation")
        by_size = gold_rows(judges)
    if rounds and by_size:
        draw_page(asked.page, rounds, by_size, best)
        print(f"figures: {asked.page}")


def paper_rows(
    lexicon: Lexicon,
    references: References,
    abstracts: Sequence[Document],
    judges: Sequence[Document],
    n_words: int,
) -> tuple[Round, ...]:
    """Print the rows of Table 3."""
    matched = label(judges, lexicon, None, None, tokeniser=TOKENISER)
    row("dictionary", (as_found(each, "dictionary") for each in matched), judges)
    links = Links.of(lexicon, references)
    known = [
        each
        for each, is_known in zip(abstracts, links.are_referenced(abstracts), strict=True)
        if is_known
    ]
    labelled = list(label(known, lexicon, links, None, tokeniser=TOKENISER))
    for title, layer in (
        ("svm", "dictionary"),
        ("+ reference", "reference"),
        ("+ coordination", "coordination"),
    ):
        some = list(first_words(labelled, layer, n_words))
        tagger_row(title, linear(some, layer), judges)
    plan = SelfTrainingPlan(
        (LABEL,),
        "coordination",
        n_seed_tokens=n_words // 2,
        n_sample_tokens=n_words // 2 // N_SELF_ROUNDS,
        n_rounds=N_SELF_ROUNDS,
        options=replace(SHY, n_folds=0),
    )
    mended = self_train(labelled, plan, development=judges, gold=GOLD)
    tagger_row("+ self-training", linear(mended.documents, plan.name), judges)
    return mended.rounds


def beyond_rows(
    lexicon: Lexicon,
    references: References,
    abstracts: Sequence[Document],
    judges: Sequence[Document],
    asked: argparse.Namespace,
) -> float:
    """Print what goes beyond the paper; give the mean F1 of the recognisers."""
    links = Links.of(lexicon, references)
    begun = process_time()
    judgement = Judgement.learn(lexicon, links, abstracts)
    labelled = list(label(judges, lexicon, links, judgement, tokeniser=judgement.tokeniser))
    for title, layer in (("normalised names", "dictionary"), ("support", "consensus")):
        row(title, (as_found(each, layer) for each in labelled), judges)
    print(f"  {process_time() - begun:.0f} CPU s")
    figures = []
    for seed in asked.seeds:
        begun = process_time()
        with TemporaryDirectory() as folder:
            plan = AcquisitionPlan(n_documents=asked.documents, seed=seed)
            made = acquire(lambda: abstracts, lexicon, links, plan, folder=Path(folder))
            seconds = process_time() - begun
            figures.append(tagger_row(f"acquired, seed {seed}", made.model, judges, threshold=0.5))
        print(f"  {seconds:.0f} CPU s")
    if not figures:
        return nan
    spread = max(figures) - min(figures)
    mean = sum(figures) / len(figures)
    print(f"{'acquired, mean':<20}{'':16}{100 * mean:8.1f}   spread {100 * spread:.1f}")
    return mean


def gold_rows(judges: Sequence[Document]) -> list[tuple[float, float]]:
    """Print the linear tagger on gold, and give its F1 for parts of the training data."""
    fold = folds_of(len(judges), 5, seed=0)
    by_size = []
    for share in (0.1, 0.2, 0.4, 0.7, 1.0):
        found: list[Document] = []
        for number in range(5):
            rest = [each for each, own in zip(judges, fold, strict=True) if own != number]
            held_out = [each for each, own in zip(judges, fold, strict=True) if own == number]
            recipe = Recipe((LABEL,), annotator=GOLD, tokeniser=TOKENISER)
            part = rest[: round(share * len(rest))]
            tagger = LinearTagger.fit(part, recipe, options=LinearOptions(n_folds=0))
            found += tag(tagger, held_out, name=FOUND, threshold=0.0)
        by_size.append((share, row(f"on gold, {share:.0%}", found, found)))
    return by_size


def linear(documents: Sequence[Document], layer: str) -> LinearTagger:
    """Train the paper's tagger on a layer."""
    recipe = Recipe((LABEL,), annotator=layer, tokeniser=TOKENISER)
    return LinearTagger.fit(documents, recipe, options=TAGGER)


def tagger_row(
    title: str, tagger: Finder, judges: Sequence[Document], *, threshold: float = 0.0
) -> float:
    """Print a row for a tagger."""
    return row(title, tag(tagger, judges, name=FOUND, threshold=threshold), judges)


def as_found(document: Document, layer: str) -> Document:
    """Score a layer as if a tagger had found it."""
    return document.with_layer(FOUND, document.layers[layer])


def row(title: str, documents: Iterable[Document], judges: Sequence[Document]) -> float:
    """Print precision, recall and F1 of the layer FOUND, and give F1."""
    counts = []
    for document in documents:
        found = {(span.start, span.end) for span in document.layers[FOUND]}
        wanted = {(span.start, span.end) for span in document.layers[GOLD]}
        right = len(found & wanted)
        counts.append((right, len(found), right, len(wanted)))
    right, predicted, _, wanted_all = (sum(column) for column in zip(*counts, strict=True))
    f1 = bootstrap(counts)
    print(
        f"{title:<20}{100 * right / max(1, predicted):8.1f}{100 * right / wanted_all:8.1f}"
        f"{100 * f1.value:8.1f}   {100 * f1.low:.1f} to {100 * f1.high:.1f}",
        flush=True,
    )
    return f1.value


def genes(spelling: str, stop_words: frozenset[str] = frozenset()) -> Lexicon:
    """Compile the names of four organisms."""

    def entries() -> Iterator[Entry]:
        for path in sorted(FOLDER.glob("*.gene_info.gz")):
            yield from read_entries(path, label=LABEL)

    return compile_lexicon(entries(), spelling=spelling, stop_words=stop_words, min_loose_length=2)


def proteins(folder: Path) -> list[Document]:
    """Read annotated documents, with their proteins only."""
    return [
        Document(
            id=each.id,
            text=each.text,
            layers={GOLD: tuple(span for span in each.layers[GOLD] if span.label == LABEL)},
        )
        for each in read(folder, annotator=GOLD)
    ]


def first_words(documents: Iterable[Document], layer: str, n_words: int) -> Iterator[Document]:
    """Yield documents until their sentences with names have so many words: a tagger learns these.

    Words are counted by white space.
    """
    n = 0
    for document in documents:
        if n >= n_words:
            return
        starts = [span.start for span in document.layers[layer]]
        n += sum(
            len(document.text[start:end].split())
            for start, end in split_sentences(document.text)
            if bisect_left(starts, start) < bisect_left(starts, end)
        )
        yield document


if __name__ == "__main__":
    main()
