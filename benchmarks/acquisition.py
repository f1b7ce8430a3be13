"""A recogniser without hand annotation: the paper's Table 3 for our data, and what goes beyond it.

Gene names of four organisms, 22,589 abstracts and gene2pubmed; scored on the proteins of BioNLP
2011 EPI (600 abstracts, strict spans). Threshold, cost and stop list were chosen on GE abstracts or
without gold; but EPI was scored several times on the way, and that matches are judged twice,
the kind of committee, the confidence .4, that company speaks only for strings and that words are
covered by families were chosen or kept after scores on it, so the last rows are not blind. Parts:

    paper       the ladder of ``acquire ladder --like-paper``, no stop list
    ladder      our ladder, with a stop list of words frequent in the abstracts
    acquired    normalised names: longest matches, case, punctuation and Greek letters aside;
                support: matches that look supported (no tagger); and the recogniser of ``vermeil
                acquire run``, for each seed
    gold        the linear tagger and the cascade trained on EPI itself, in folds
    worth       Figure 8: what the last tagger of our ladder is worth; a fifth of EPI is held out

Intervals are 95% of 1000 bootstrap resamples of documents, gains have permutation tests. With
``--folder`` the ladders are kept there, so that a run that was ended goes on, and Figures 7 to 9
are drawn there. ``--ge`` scores on GE abstracts instead, to choose by. Reads VERMEIL_CORPORA.

    python -m benchmarks.acquisition [--tokens N] [--rounds N] [--documents N] [--seeds N …]
        [--folds N] [--only PART …] [--folder FOLDER] [--ge]
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.perturbed import CORPORA
from vermeil import Document
from vermeil.acquisition.acquisition import AcquisitionPlan, acquire
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.databases.references import Links, References, read_references
from vermeil.acquisition.labelling import label
from vermeil.acquisition.ladder import climb
from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.unwanted import frequent_words
from vermeil.acquisition.manual_curve import worth
from vermeil.acquisition.support.judgement import Judgement
from vermeil.formats import read
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.folds import folds_of
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import load
from vermeil.recognise.tagging import tag
from vermeil.recognise.words.knowledge import Resources
from vermeil.reports.acquired import worth_page
from vermeil.scoring.significance import bootstrap
from vermeil.verbs.comparisons.ladder import ClimbedLadder, draw, ladder_plan
from vermeil.verbs.comparisons.worth import AnnotationWorth
from vermeil.verbs.trials import write_picture

FOLDER = CORPORA / "acquire"
LABEL, GOLD, FOUND = "Protein", "gold", "found"
TOKENISER = "punctuation"
PARTS = ("paper", "ladder", "acquired", "gold", "worth")


def main() -> None:
    """Print the tables and draw the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, help="that each tagger of a ladder learns from")
    parser.add_argument("--rounds", type=int, help="of self-training")
    parser.add_argument("--documents", type=int, default=8000, help="that the acquired one learns")
    parser.add_argument("--folds", type=int, default=5, help="of what learns from gold")
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2])
    parser.add_argument("--only", choices=PARTS, nargs="*", default=PARTS)
    parser.add_argument("--folder", type=Path, help="where ladders and figures are kept")
    parser.add_argument("--ge", action="store_true", help="score on GE abstracts")
    asked = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    kept = nullcontext(asked.folder) if asked.folder else TemporaryDirectory()
    with kept as folder:
        print_parts(asked, Path(folder))


def print_parts(asked: argparse.Namespace, folder: Path) -> None:
    """Print the parts that are asked for."""
    abstracts = list(read(FOLDER / "abstracts.jsonl.gz"))
    references = read_references(FOLDER / "gene2pubmed.tsv.gz")
    judges = proteins(FOLDER / ("ge-train" if asked.ge else "epi-train"))
    for part in ("paper", "ladder"):
        if part in asked.only:
            like_paper = part == "paper"
            stop_words = frozenset() if like_paper else frequent_words(abstracts)
            print(f"\n{part}, {len(stop_words):,} stop words")
            lexicon = genes("exact", stop_words)
            sizes = {"n_tokens": asked.tokens, "n_rounds": asked.rounds}
            climb_rows(
                lexicon, references, abstracts, judges, folder / part, sizes, like_paper=like_paper
            )
    if "acquired" in asked.only:
        print("\nbeyond the paper, no stop list")
        beyond_rows(genes("normalised"), references, abstracts, judges, asked)
    if "gold" in asked.only:
        print("\nwith hand annotation")
        gold_rows(judges, genes("normalised"), asked.folds)
    model = folder / "ladder" / "self-training.zip"
    if "worth" in asked.only and model.exists():
        worth_rows(judges, load(model), folder / "figure-8.html")


def climb_rows(
    lexicon: Lexicon,
    references: References,
    abstracts: Sequence[Document],
    judges: Sequence[Document],
    folder: Path,
    sizes: dict[str, int | None],
    *,
    like_paper: bool,
) -> None:
    """Print the rows of Table 3, the rounds of Figure 7 and the lengths of Figure 9."""
    begun = process_time()
    asked = {**sizes, "tokeniser": None, "conjunctions": None, "coordinate": None}
    plan = ladder_plan(
        asked,
        like_paper=like_paper,
        threshold=0.3,
        cost=0.02,
        all_sentences=False,
        tags=None,
        seed=0,
    )
    links = Links.of(lexicon, references)
    made = climb(
        lambda: iter(abstracts),
        judges,
        lexicon,
        links,
        plan,
        folder=folder,
        say=lambda step: print(f"{process_time() - begun:6.0f} CPU s  {step}", file=sys.stderr),
    )
    print(ClimbedLadder(made, folder))
    draw(made, folder.parent / f"{folder.name}.html")
    print(f"{process_time() - begun:.0f} CPU s")


def beyond_rows(
    lexicon: Lexicon,
    references: References,
    abstracts: Sequence[Document],
    judges: Sequence[Document],
    asked: argparse.Namespace,
) -> None:
    """Print what goes beyond the paper."""
    links = Links.of(lexicon, references)
    begun = process_time()
    judgement = Judgement.learn(lexicon, links, abstracts)
    labelled = list(label(judges, lexicon, links, judgement, tokeniser=judgement.tokeniser))
    for title, layer in (("normalised names", "dictionary"), ("support", "consensus")):
        row(title, (as_found(each, layer) for each in labelled))
    print(f"  {process_time() - begun:.0f} CPU s")
    figures = []
    for seed in asked.seeds:
        begun = process_time()
        with TemporaryDirectory() as folder:
            plan = AcquisitionPlan(n_documents=asked.documents, seed=seed)
            made = acquire(lambda: abstracts, lexicon, links, plan, folder=Path(folder))
            seconds = process_time() - begun
            enough = made.model.recipe.threshold
            title = f"acquired, seed {seed}"
            figures.append(tagger_row(title, made.model, judges, threshold=enough))
        print(f"  {seconds:.0f} CPU s")
    if not figures:
        return
    spread = max(figures) - min(figures)
    mean = sum(figures) / len(figures)
    print(f"{'acquired, mean':<20}{'':16}{100 * mean:8.1f}   spread {100 * spread:.1f}")


def gold_rows(judges: Sequence[Document], lexicon: Lexicon, n_folds: int) -> None:
    """Print what learns from gold, in folds: the linear tagger, and the real twin.

    The twin is a cascade with the names of the lexicon, as those that are acquired.
    """
    recipe = Recipe((LABEL,), annotator=GOLD, tokeniser=TOKENISER)
    names = Resources({LABEL: [lexicon.names.name(n) for n in range(len(lexicon.key_of_name))]})
    fit = partial(Cascade.fit, recipe=recipe, resources=names)
    gold_row("cascade, on gold", judges, fit, n_folds=n_folds, threshold=recipe.threshold)
    linear = partial(fit_linear, recipe=recipe)
    gold_row("linear, on gold", judges, linear, n_folds=n_folds, threshold=0.0)


def fit_linear(documents: Sequence[Document], recipe: Recipe) -> LinearTagger:
    """Train the linear tagger of the paper."""
    return LinearTagger.fit(documents, recipe, options=LinearOptions(n_folds=0))


def gold_row(
    title: str,
    judges: Sequence[Document],
    fit: Callable[[Sequence[Document]], Finder],
    *,
    n_folds: int,
    threshold: float,
) -> None:
    """Print what is found in each fold by what learned from the gold of the others."""
    begun = process_time()
    fold = folds_of(len(judges), n_folds, seed=0)
    found: list[Document] = []
    for number in range(n_folds):
        rest = [each for each, own in zip(judges, fold, strict=True) if own != number]
        held_out = [each for each, own in zip(judges, fold, strict=True) if own == number]
        found += tag(fit(rest), held_out, name=FOUND, threshold=threshold)
    row(title, found)
    print(f"  {process_time() - begun:.0f} CPU s")


def worth_rows(judges: Sequence[Document], model: Finder, page: Path) -> None:
    """Print Figure 8: taggers trained on ever more of four fifths of the gold."""
    fold = folds_of(len(judges), 5, seed=0)
    rest = [each for each, own in zip(judges, fold, strict=True) if own]
    held_out = [each for each, own in zip(judges, fold, strict=True) if not own]
    recipe = Recipe((LABEL,), annotator=GOLD, tokeniser=TOKENISER)
    found = worth(rest, held_out, model, recipe, name="+ self-training", threshold=0.0)
    print(f"\nwhat it is worth (Figure 8)\n{AnnotationWorth(found)}")
    write_picture(page, worth_page(found))


def tagger_row(
    title: str, tagger: Finder, judges: Sequence[Document], *, threshold: float = 0.0
) -> float:
    """Print a row for a tagger."""
    return row(title, tag(tagger, judges, name=FOUND, threshold=threshold))


def as_found(document: Document, layer: str) -> Document:
    """Score a layer as if a tagger had found it."""
    return document.with_layer(FOUND, document.layers[layer])


def row(title: str, documents: Iterable[Document]) -> float:
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


if __name__ == "__main__":
    main()
