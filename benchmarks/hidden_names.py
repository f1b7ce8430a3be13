"""Names that no database has: how many a recogniser finds, measured without gold.

A fifth of the lexicon's names is hidden: from the lexicon, and from the annotation to learn from.
The annotation of other documents keeps them, so what is found there of hidden names shows what
to expect of names that were never in the database. Compared are shares of the remaining names that
are withheld while the recogniser learns, and the confidence of a tagger from which a sentence is
doubtful and left out, without and with words learned from all abstracts; ``acquire run`` uses the
second row, ``--unlisted`` the last. The annotation is the layer
``consensus`` of ``acquire label`` on the abstracts with references. The cascades have no rescorer.
Reads VERMEIL_CORPORA.

    python -m benchmarks.hidden_names [DOCUMENTS]
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.acquisition import FOLDER, FOUND, GOLD, LABEL, TOKENISER, genes, row
from vermeil import Document, Span
from vermeil.acquisition.acquisition import WITHHELD
from vermeil.acquisition.databases.references import Links, read_references
from vermeil.acquisition.labelling import CONSENSUS, label
from vermeil.acquisition.lexicon.normal_form import normal_form
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.training_data import BELIEF, DOUBTFUL, without_doubt
from vermeil.acquisition.words_of_texts import words_of
from vermeil.formats import read
from vermeil.recognise.cascade import NO_RESCORER, Cascade
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.tagging import tag
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.tokens.alphabet import hash_words

HIDDEN = 0.2
NEVER = 1.1
ROWS = (
    (0.0, NEVER, False),
    (0.0, NEVER, True),
    (WITHHELD, NEVER, False),
    (0.0, BELIEF.doubtful, False),
    (0.5, BELIEF.doubtful, False),
    (WITHHELD, BELIEF.doubtful, False),
    (WITHHELD, BELIEF.doubtful, True),
)
"""Share of names withheld, confidence from which a sentence is doubtful, and whether words are
known that were learned from all abstracts."""


def main(n: int) -> None:
    """Print a row for each way to learn."""
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    documents, names = annotated(n)
    learned, rest = documents[: 2 * n // 3], documents[2 * n // 3 :]
    judges = [each.replace(layers={GOLD: each.layers[CONSENSUS]}) for each in rest]
    seen = [without_hidden(each) for each in learned]
    known = Resources({LABEL: [name for name in names if not is_hidden(name)]})
    halves = seen[::2], seen[1::2]
    taggers = [fitted(half, Resources({})) for half in halves]
    print(f"{len(seen):,} documents to learn from, {len(judges):,} to judge by")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "words.zip"
        words = words_of(
            lambda: read(FOLDER / "abstracts.jsonl.gz"), path, tokeniser=TOKENISER, say=print
        )
    for withheld, doubtful, with_words in ROWS:
        read_by_others = [
            each
            for half, tagger in zip(halves, reversed(taggers), strict=True)
            for each in in_doubt(half, tagger, doubtful)
        ]
        given = replace(known, learned=words if with_words else None)
        model = fitted(list(without_doubt(read_by_others)), given, withheld)
        found = list(tag(model, judges, name=FOUND, threshold=0.5))
        title = f"withheld {withheld:.2f}, doubt {doubtful:.1f}{', words' if with_words else ''}"
        row(f"{title:<32}", found)
        print(f"    of hidden names {100 * hidden_recall(found):.1f}%", flush=True)


def annotated(n: int) -> tuple[list[Document], list[str]]:
    """Label documents that have references; give them and all names of the lexicon."""
    lexicon = genes("normalised")
    links = Links.of(lexicon, read_references(FOLDER / "gene2pubmed.tsv.gz"))
    judgement = Judgement.learn(lexicon, links, read(FOLDER / "abstracts.jsonl.gz"))
    referenced = (
        each
        for each in read(FOLDER / "abstracts.jsonl.gz")
        if links.references.number_of(each.id) >= 0
    )
    some = islice(referenced, n)
    labelled = label(some, lexicon, links, judgement, tokeniser=judgement.tokeniser)
    names = [lexicon.names.name(number) for number in range(len(lexicon.key_of_name))]
    return list(labelled), names


def is_hidden(name: str) -> bool:
    """Choose names by a hash of their normal form, so that all spellings go together."""
    return bool(hash_words([f"hidden {normal_form(name)}"])[0] < HIDDEN * 2.0**64)


def without_hidden(document: Document) -> Document:
    """Drop the annotation of hidden names."""
    kept = [
        each for each in document.layers[CONSENSUS] if not is_hidden(each.marked(document.text))
    ]
    return document.replace(layers={CONSENSUS: tuple(kept)})


def in_doubt(documents: Sequence[Document], tagger: Finder, doubtful: float) -> Iterator[Document]:
    """Add what a tagger half believes where nothing is annotated."""
    for each in tag(tagger, documents, name=DOUBTFUL, threshold=min(doubtful, 1.0)):
        names = each.layers[CONSENSUS]
        beside = [span for span in each.layers[DOUBTFUL] if not overlaps(span, names)]
        yield each.with_layer(DOUBTFUL, beside)


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Tell whether a span shares a character with others."""
    return any(span.start < other.end and other.start < span.end for other in others)


def fitted(documents: Sequence[Document], resources: Resources, withheld: float = 0.0) -> Cascade:
    """Train a cascade without rescorer."""
    recipe = Recipe(
        (LABEL,),
        annotator=CONSENSUS,
        tokeniser=TOKENISER,
        rescorer=NO_RESCORER,
        n_rounds=50,
        withheld=withheld,
    )
    return Cascade.fit(documents, recipe, resources)


def hidden_recall(documents: Iterable[Document]) -> float:
    """Return the share of hidden names that were found."""
    n = n_found = 0
    for each in documents:
        found = {(span.start, span.end) for span in each.layers[FOUND]}
        hidden = [span for span in each.layers[GOLD] if is_hidden(span.marked(each.text))]
        n += len(hidden)
        n_found += sum((span.start, span.end) in found for span in hidden)
    return n_found / max(1, n)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 3000)
