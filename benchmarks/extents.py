"""How far a silver standard reaches, and how well it judges: votes or chances, pruned by mass.

Each silver judges the annotations of all taggers in the centroid view, and its verdicts are
compared with those of gold: F over annotations that are right. A tagger who cuts every name a
word too wide on both sides is added to four good ones: by plain votes he stretches every extent.
Beside it, BioCreative F of the extents themselves. Reads VERMEIL_CORPORA.

    python -m benchmarks.extents
"""

import re
from collections.abc import Sequence

from benchmarks.taggers import FOLDER, figures, load
from vermeil import Document, Span
from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import EXTENTS, Settings
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import score

GOOD = ("s01_crf_rich", "s02_crf_word", "s03_svm", "s08_crf_shape")
SLOPPY = "sloppy"
MASSES = (1.0, 0.999, 0.99, 0.95, 0.9, 0.8)


def main() -> None:
    """Print both tables."""
    if not FOLDER.is_dir():
        print(f"no taggers at {FOLDER}; set VERMEIL_CORPORA")
        return
    documents, names = load()
    table("twelve taggers", documents, names)
    table("four good ones and a sloppy one", [sloppily(each) for each in documents], SLOPPED)


SLOPPED = [*GOOD, SLOPPY]


def table(title: str, documents: Sequence[Document], names: Sequence[str]) -> None:
    """Print a row for each way to value boundaries and each mass."""
    print(f"{title}: F of verdicts, BioCreative F of extents")
    for extents in EXTENTS:
        for mass in MASSES:
            settings = Settings(extents=extents, mass=mass)
            judged = verdicts(documents, names, settings)
            reach = combine(documents, annotators=names, options=Options(settings, "extent"))
            f1 = figures(reach, "consensus").f1
            print(f"  {extents:<10} mass {mass:<6g}{judged.f1:7.3f}{f1:7.3f}", flush=True)


def verdicts(documents: Sequence[Document], names: Sequence[str], settings: Settings) -> Counts:
    """Count annotations that are right by silver, by gold, and by both."""
    silver = combine(documents, annotators=names, options=Options(settings))
    ours = score(silver, standard="consensus", systems=names)
    theirs = score(documents, standard="gold", systems=names)
    counts = Counts()
    for name in names:
        mine, right = (each[name].views["centroid"].right == 1 for each in (ours, theirs))
        both = float((mine & right).sum())
        counts += Counts(both, float(mine.sum()), both, float(right.sum()))
    return counts


def sloppily(document: Document) -> Document:
    """Add somebody who marks what the best tagger does, a word wider on both sides."""
    wide = set()
    for span in document.layers[GOOD[0]]:
        before = re.search(r"\S+\s*$", document.text[: span.start])
        after = re.match(r"\s*\S+", document.text[span.end :])
        start = before.start() if before else span.start
        wide.add((start, span.end + (after.end() if after else 0)))
    return document.with_layer(SLOPPY, [Span(start, end, "Gene") for start, end in sorted(wide)])


if __name__ == "__main__":
    main()
