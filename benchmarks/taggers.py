"""Consensus of real taggers, as Figures 7 and 8 of the centroids paper show it.

Every tagger, every consensus method at every threshold, scored as BioCreative does against gold and
its alternatives; crowd-kit's Dawid-Skene over the same tokens where it is installed; and how well
silver ranks the taggers. Reads VERMEIL_CORPORA.

    python -m benchmarks.taggers
"""

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import nan
from time import process_time

from benchmarks.measures import Measure
from benchmarks.perturbed import CORPORA
from vermeil import Document
from vermeil.consensus import Options, combine
from vermeil.consensus.asking import PAPER, paper_settings
from vermeil.consensus.centroids import Settings
from vermeil.formats import read
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import score
from vermeil.scoring.silver import by_view, compare_standards

FOLDER = CORPORA / "bc2gm" / "taggers-dev"
THRESHOLDS = range(1, 7)
PAPERS = paper_settings()
CENTROIDS = {
    "modal spans": ("modal", Settings()),
    "hearts": ("heart", Settings()),
    "hearts, tolerance 50%": ("heart", Settings(tolerance_share=0.5)),
    "like the paper": (PAPER["emit"], PAPERS),
}
"""What stands for a centroid, and how centroids are found."""


def main() -> None:
    """Print the tables."""
    if not FOLDER.is_dir():
        print(f"no taggers at {FOLDER}; set VERMEIL_CORPORA")
        return
    documents, names = load()
    print(f"{len(documents):,} sentences, {len(names)} taggers; BioCreative P, R, F")
    singles = {name: figures(documents, name) for name in names}
    for name, counts in sorted(singles.items(), key=lambda item: -item[1].f1):
        row(name, counts)
    print()
    for by in ("majority", "tokens", "harmony"):
        for votes in THRESHOLDS:
            options = Options(Settings(min_votes=votes))
            show(documents, names, by, f"{by}, {votes} votes", options)
    for title, (emit, settings) in CENTROIDS.items():
        for votes in THRESHOLDS:
            options = Options(replace(settings, min_votes=votes), emit)
            show(documents, names, "centroids", f"{title}, {votes} votes", options)
    compare_spans(documents, sorted(names, key=lambda name: -singles[name].f1))
    show(documents, names, "dawid-skene", "dawid-skene over tokens")
    peer(documents, names)
    show(documents, names, "hearts", "hearts")
    show(documents, names, "people", "people (the default)")
    print("\nSpearman's rho of F against silver and against gold")
    for view in ("biocreative", "centroid"):
        rank(documents, names, view)


def rows(size: int) -> list[Measure]:
    """Measure the combining of the real taggers, of which there are as many as there are."""
    if not FOLDER.is_dir():
        return []
    documents, names = load()
    peer, theirs = nan, ""
    if find_spec("crowdkit") is not None:
        from benchmarks.crowd import dawid_skene

        begun = process_time()
        combined = dawid_skene(documents, names)
        peer = process_time() - begun
        theirs = f"; of crowd-kit {figures(combined, 'crowd-kit').f1:.3f}"
    methods = {by: (by, Options()) for by in ("people", "hearts", "dawid-skene")}
    methods["harmony, 3 votes"] = ("harmony", Options(Settings(min_votes=3)))
    for title, (emit, settings) in CENTROIDS.items():
        options = Options(replace(settings, min_votes=5), emit)
        methods[f"centroids, {title}, 5 votes"] = ("centroids", options)
    measures = []
    for title, (by, options) in methods.items():
        begun = process_time()
        combined = combine(documents, by=by, annotators=names, options=options)
        seconds = process_time() - begun
        f1 = figures(combined, "consensus").f1
        measures.append(
            Measure(
                f"{title}, {len(names)} real taggers, {len(documents):,} sentences",
                seconds,
                peer=peer,
                peer_name="crowd-kit's Dawid-Skene",
                note=f"BioCreative F {f1:.3f}{theirs}",
            )
        )
    return measures


def load() -> tuple[list[Document], list[str]]:
    """Read the sentences with all taggers, gold and its alternatives."""
    stream = read(FOLDER / "text.in")
    paths = sorted(FOLDER.glob("s*.eval"))
    for path in paths:
        stream = read(path, documents=stream)
    stream = read(FOLDER / "GENE.eval", annotator="gold", documents=stream)
    stream = read(FOLDER / "ALTGENE.eval", annotator="gold.alternatives", documents=stream)
    return list(stream), [path.stem for path in paths]


def figures(documents: Sequence[Document], system: str) -> Counts:
    """Score one layer as BioCreative does."""
    return score(documents, standard="gold", systems=[system])[system].counts("biocreative")


def show(
    documents: list[Document], names: list[str], by: str, title: str, options: Options | None = None
) -> None:
    """Combine, score and print."""
    begun = process_time()
    combined = combine(documents, by=by, annotators=names, options=options)
    row(title, figures(combined, "consensus"), process_time() - begun)


def compare_spans(documents: list[Document], ranked: list[str]) -> None:
    """Print the best F over all thresholds of each kind of span, for some of the taggers."""
    print("\ncentroids at their best threshold")
    groups = {"all": ranked, "best seven": ranked[:7], "fifth to eighth": ranked[4:8]}
    for group, names in groups.items():
        for title, (emit, settings) in CENTROIDS.items():
            choices = [Options(replace(settings, min_votes=votes), emit) for votes in THRESHOLDS]
            combined = (
                combine(documents, by="centroids", annotators=names, options=each)
                for each in choices
            )
            best = max((figures(each, "consensus") for each in combined), key=lambda c: c.f1)
            row(f"{group}: {title}", best)
    print()


def peer(documents: list[Document], names: list[str]) -> None:
    """Let crowd-kit combine the same token tags."""
    try:
        from benchmarks.crowd import dawid_skene
    except ImportError:
        print("crowd-kit is not installed; pip install crowd-kit shows its Dawid-Skene here")
        return
    begun = process_time()
    combined = dawid_skene(documents, names)
    row("crowd-kit's Dawid-Skene", figures(combined, "crowd-kit"), process_time() - begun)


def rank(documents: list[Document], names: list[str], view: str) -> None:
    """Rank the taggers against silver by a view, and against gold as BioCreative does."""
    comparison = compare_standards(
        documents,
        systems=names,
        gold="gold",
        scorer=by_view(view),
        gold_scorer=by_view("biocreative"),
    )
    for title, found in (("silver", comparison.silver), ("leave-one-out", comparison.left_out)):
        if found is not None:
            print(f"  {view:<14}{title:<16}{found.rho:>6.3f}  p {found.p_value:.1e}")


def row(title: str, counts: Counts, seconds: float | None = None) -> None:
    """Print a line of the table."""
    took = f"{seconds:8.2f} CPU s" if seconds is not None else ""
    print(f"{title:<40}{counts.precision:7.3f}{counts.recall:7.3f}{counts.f1:7.4f}{took}")


if __name__ == "__main__":
    main()
