"""Consensus of crowds: hundreds of people who each saw a little, taggers, and made-up people.

Exact typed F, and the relaxed and character F of Nguyen et al. 2017, each with a 95% interval over
documents; said and real of the names that are 90% sure or more; CPU seconds. Ours, with each of its
parts taken away, beside votes and Dawid-Skene; of ours also F on the even and on the odd documents
with gold, to see how far a choice may be one of chance. With ``--quick`` ours alone. Reads
VERMEIL_CORPORA.

    python -m benchmarks.crowds
    python -m benchmarks.crowds pico-sentences taggers
    python -m benchmarks.crowds --quick made-up
    python -m benchmarks.crowds subsets copies
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import combinations, islice
from math import nan
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

import vermeil as vm
from benchmarks.made_crowd import made_crowd
from benchmarks.perturbed import CORPORA
from vermeil import Document, Span, samples
from vermeil.arrays import Flags, Floats
from vermeil.consensus import ConsensusStage, Options, combine
from vermeil.consensus.people import model
from vermeil.consensus.people.answers import Answers
from vermeil.consensus.people.sureness import no_worth
from vermeil.document import ALTERNATIVES

FOLDER = CORPORA / "crowd"
GOLD, DECIDED, RIVAL = "gold", "consensus", "crowd-kit"
N_RESAMPLES, SURE = 1000, 0.9
N_SUBSETS, N_RELATED, N_SEEDS = 48, 8, 3
MOST_DENSE = 40
"""Annotators that methods which are dense in them are tried with."""

PARTS: dict[str, dict[str, Any]] = {
    "leaning on the crowd": {"LEAN": 0.01},
    "dependence": {"DEPENDENCE": 0.0, "DEPENDENCE_WITH_TEXT": 0.0},
    "confidences": {"worth_of_steps": lambda *names: no_worth(names[-1])},
    "scope": {"scope_of": lambda answers, told: _everything(answers)},
    "labels together": {"share_a_choice": lambda answers, looks_for: False},
}
"""What can be taken away from ``people``, and how."""

WIDTHS = (9, 14, 9, 7, 12, 8)
QUICK, N_QUICK = "--quick", 2
Set = set[tuple[int, int, str]]


def main(asked: Sequence[str]) -> None:
    """Print a table for each set of documents."""
    chosen = [name for name in asked if name != QUICK]
    n_rows = N_QUICK if QUICK in asked else None
    for title, documents in beds(chosen):
        n = len({name for document in documents for name in voters(document)})
        gold = sum(GOLD in document.layers for document in documents)
        print(f"\n{title}: {len(documents):,} documents, {n} annotators, gold on {gold:,}")
        heads = ("exact F", "95%", "relaxed", "chars", "said-real", "CPU s")
        print(
            " " * 30
            + "".join(f"{head:>{width}}" for head, width in zip(heads, WIDTHS, strict=True))
        )
        for place, (name, combined) in enumerate(islice(methods(documents, n), n_rows)):
            begun = process_time()
            found = combined()
            row(name, found, process_time() - begun)
            if not place:
                halves(found)
        print(choice(documents), flush=True)
    if (not chosen or "subsets" in chosen) and (CORPORA / "bc2gm" / "taggers-dev").is_dir():
        subsets()
    if (not chosen or "copies" in chosen) and (CORPORA / "bc2gm" / "taggers-dev").is_dir():
        copies()


def copies(*, n_copies: int = 3, share_dropped: float = 0.05) -> None:
    """Print what copies of a tagger do to the consensus of some: BioCreative F."""
    from benchmarks.taggers import figures, load

    documents, names = load()
    best = sorted(names, key=lambda name: -figures(documents, name).f1)
    for group, copied in ((sorted(best[:3]), 0), (names, -1)):
        line = []
        for title, n, dropped in (
            ("alone", 0, 0.0),
            ("with copies", n_copies, 0.0),
            ("with changed copies", n_copies, share_dropped),
        ):
            rng = np.random.default_rng(0)
            batch = []
            for document in documents:
                layers = {name: document.layers[name] for name in group}
                for copy in range(n):
                    own = layers[group[copied]]
                    layers[f"copy{copy}"] = tuple(s for s in own if rng.random() >= dropped)
                batch.append(document.replace(layers=layers))
            found = combine(batch, options=Options(read=False))
            decided = [
                document.with_layer(DECIDED, each.layers[DECIDED])
                for document, each in zip(documents, found, strict=True)
            ]
            line.append(f"{title} {figures(decided, DECIDED).f1:.4f}")
        print(f"\n{len(group)} taggers, {n_copies} copies of {group[copied]}: {'  '.join(line)}")


def choice(documents: list[Document]) -> str:
    """Say in a line whether texts were read, and why."""
    stage = ConsensusStage()
    votes = (document.replace(layers=voters(document)) for document in documents)
    chosen: str = stage.finish(stage.observe(votes)).model.reading
    return chosen


def subsets() -> None:
    """Print how few taggers fare, by chance and of those most alike: means of BioCreative F."""
    from benchmarks.taggers import figures, load

    documents, names = load()
    single = {name: figures(documents, name).f1 for name in names}
    groups: dict[str, list[tuple[str, ...]]] = {}
    for seed in range(N_SEEDS):
        rng = np.random.default_rng(seed)
        groups[f"{N_SUBSETS} at random, seed {seed}"] = [
            tuple(sorted(rng.choice(names, rng.integers(3, 10), replace=False).tolist()))
            for _ in range(N_SUBSETS)
        ]
    said = {
        name: {(d.id, s.start, s.end) for d in documents for s in d.layers[name]} for name in names
    }

    def likeness(group: tuple[str, ...]) -> float:
        shared = [
            len(said[a] & said[b]) / len(said[a] | said[b]) for a, b in combinations(group, 2)
        ]
        return sum(shared)

    triples: list[tuple[str, ...]] = list(combinations(sorted(names), 3))
    groups[f"{N_RELATED} alike"] = sorted(triples, key=likeness)[-N_RELATED:]
    for title, chosen in groups.items():
        columns: dict[str, list[float]] = {"best member": [], "hearts": [], "people": []}
        sure: list[tuple[float, float, float]] = []
        for group in chosen:
            columns["best member"].append(max(single[name] for name in group))
            for by in ("hearts", "people"):
                found = combine(documents, by=by, annotators=group)
                columns[by].append(figures(found, DECIDED).f1)
            sure.append((*sure_names(found), sure_names(found, exact=True)[1]))
        means = "  ".join(f"{name} {np.mean(each):.4f}" for name, each in columns.items())
        told, real, exact = np.array(sure).T
        print(f"\nsubsets of the taggers, {title}: {means}")
        print(
            f"  sure names: {np.nanmean(told):.3f} said, {np.nanmean(real):.3f} right, at worst "
            f"{np.nanmax(told - real):+.3f}; without alternatives {np.nanmean(exact):.3f} right",
            flush=True,
        )


def beds(chosen: Sequence[str]) -> Iterator[tuple[str, list[Document]]]:
    """Yield the sets of documents that are there."""
    for name in ("pico-abstracts", "pico-sentences"):
        path = FOLDER / f"{name}.jsonl.gz"
        if path.is_file() and (not chosen or name in chosen):
            yield name, list(vm.read(str(path)))
    if (CORPORA / "bc2gm" / "taggers-dev").is_dir() and (not chosen or "taggers" in chosen):
        from benchmarks.taggers import load

        yield "taggers", load()[0]
    if (CORPORA / "chem").is_dir():
        for seed in range(N_SEEDS):
            if not chosen or "made-up" in chosen:
                yield f"made-up, seed {seed}", made_crowd(seed=seed)
    if not chosen or "samples" in chosen:
        yield "samples", list(vm.read([samples.GOLD, *samples.ANNOTATORS]))
    if not chosen or "typed-noise" in chosen:
        yield "typed-noise", typed_noise(list(vm.read([samples.GOLD])))


def typed_noise(documents: list[Document], *, n_people: int = 40, seed: int = 0) -> list[Document]:
    """Let five of many people mark each text, who miss, cut and call names in their own ways."""
    rng = np.random.default_rng(seed)
    labels = sorted({span.label for document in documents for span in document.layers[GOLD]})
    finds, cuts, mixes = (
        rng.beta(5, 2, n_people),
        rng.beta(1, 9, n_people),
        rng.beta(1, 7, n_people),
    )
    batch = []
    for document in documents:
        layers: dict[str, list[Span]] = {}
        for person in rng.choice(n_people, 5, replace=False).tolist():
            own = layers.setdefault(f"p{person:02}", [])
            for span in document.layers[GOLD]:
                if rng.random() > finds[person]:
                    continue
                end = span.end
                if rng.random() < cuts[person] and end - span.start > 4:
                    end -= 2
                other = labels[rng.integers(len(labels))]
                own.append(
                    Span(span.start, end, other if rng.random() < mixes[person] else span.label)
                )
        kept = {name: tuple(spans) for name, spans in layers.items()}
        batch.append(document.replace(layers={**kept, GOLD: document.layers[GOLD]}))
    return batch


def methods(
    documents: list[Document], n_annotators: int
) -> Iterator[tuple[str, Callable[[], list[Document]]]]:
    """Yield what is compared."""
    votes = [document.replace(layers=voters(document)) for document in documents]

    def ours(by: str, read: bool | None = None, **parts: object) -> Callable[[], list[Document]]:
        def combined() -> list[Document]:
            with ExitStack() as stack:
                for name, value in parts.items():
                    stack.enter_context(patch.object(model, name, value))
                combined = combine(votes, by=by, options=Options(read=read))
                return with_gold(combined, documents)

        return combined

    yield "people (the default)", ours("people")
    yield "  without reading", ours("people", read=False)
    for part, changed in PARTS.items():
        yield f"  without {part}", ours("people", **changed)
    yield "majority of exact spans", ours("majority")
    if n_annotators <= MOST_DENSE:
        yield "hearts", ours("hearts")
    if n_annotators <= MOST_DENSE:
        yield "dawid-skene over tokens", ours("dawid-skene")
    if n_annotators <= MOST_DENSE and find_spec("crowdkit") is not None:
        from benchmarks.crowd import dawid_skene

        names = sorted({name for document in votes for name in document.layers})
        if all(document.layers.keys() == set(names) for document in votes):
            yield (
                "crowd-kit's Dawid-Skene",
                lambda: renamed(with_gold(dawid_skene(votes, names), documents)),
            )


def row(title: str, documents: list[Document], seconds: float) -> None:
    """Print the figures of one method."""
    marked = [document for document in documents if GOLD in document.layers]
    counts = np.array([_counts(document) for document in marked])
    exact, relaxed, chars = _figures(counts.sum(axis=0))
    rng = np.random.default_rng(0)
    picks = rng.integers(len(counts), size=(N_RESAMPLES, len(counts)))
    low, high = np.quantile(
        [_figures(counts[pick].sum(axis=0))[0] for pick in picks], (0.025, 0.975)
    )
    said, real = sure_names(marked)
    print(
        f"{title:<30}{exact:>9.3f}{f'{low:.3f}-{high:.3f}':>14}{relaxed:>9.3f}{chars:>7.3f}"
        f"{f'{said:.2f}-{real:.2f}':>12}{seconds:>8.1f}"
    )


def halves(documents: list[Document]) -> None:
    """Print exact and relaxed F on the even and on the odd documents with gold."""
    counts = np.array([_counts(document) for document in documents if GOLD in document.layers])
    for title, part in (("even", counts[::2]), ("odd", counts[1::2])):
        exact, relaxed, _ = _figures(part.sum(axis=0))
        print(f"{f'  {title} documents':<30}{exact:>9.3f}{'':>14}{relaxed:>9.3f}")


def voters(document: Document) -> dict[str, tuple[Span, ...]]:
    """Return the layers that vote."""
    return {
        name: layer
        for name, layer in document.layers.items()
        if name != GOLD and not name.endswith(ALTERNATIVES)
    }


def with_gold(combined: Iterable[Document], documents: Iterable[Document]) -> list[Document]:
    """Put gold beside what was decided."""
    kept = (GOLD, GOLD + ALTERNATIVES)
    return [
        one.replace(layers={**one.layers, **{k: v for k, v in other.layers.items() if k in kept}})
        for one, other in zip(combined, documents, strict=True)
    ]


def renamed(documents: list[Document]) -> list[Document]:
    """Call what the rival decided the consensus."""
    return [document.with_layer(DECIDED, document.layers[RIVAL]) for document in documents]


def _counts(document: Document) -> tuple[float, ...]:
    """Count of a document: right, decided, wanted; covered shares of both; characters of all."""
    decided, wanted = (_names(document, layer) for layer in (DECIDED, GOLD))
    right = len(decided & wanted)
    shares, chars = [0.0, 0.0], [0, 0, 0]
    for label in {label for _, _, label in decided | wanted}:
        ours, theirs = _characters(decided, label), _characters(wanted, label)
        for place, (names, others) in enumerate(((decided, theirs), (wanted, ours))):
            for start, end, own in names:
                if own == label:
                    shares[place] += len(others & set(range(start, end))) / (end - start)
        chars = [chars[0] + len(ours & theirs), chars[1] + len(ours), chars[2] + len(theirs)]
    return right, len(decided), len(wanted), *shares, *chars


def _figures(sums: Floats) -> tuple[float, float, float]:
    right, decided, wanted, precise, recalled, both, ours, theirs = sums.tolist()
    exact = 2 * right / (decided + wanted) if decided + wanted else nan
    p = precise / decided if decided else nan
    r = recalled / wanted if wanted else nan
    return exact, 2 * p * r / (p + r) if p + r else nan, 2 * both / (ours + theirs)


def sure_names(documents: Iterable[Document], *, exact: bool = False) -> tuple[float, float]:
    """Return how sure the surest names are said to be, and how many of them are right.

    Where gold has alternatives, these are right, too, unless ``exact``.
    """
    right = (lambda document: _names(document, GOLD)) if exact else _right
    rows = [
        (span.confidence, (span.start, span.end, span.label) in right(document))
        for document in documents
        for span in document.layers[DECIDED]
        if span.confidence is not None and span.confidence >= SURE
    ]
    if not rows:
        return nan, nan
    said, real = np.array(rows, dtype=float).mean(axis=0)
    return float(said), float(real)


def _right(document: Document) -> Set:
    alternatives = GOLD + ALTERNATIVES
    more = _names(document, alternatives) if alternatives in document.layers else set()
    return _names(document, GOLD) | more


def _names(document: Document, layer: str) -> Set:
    return {(span.start, span.end, span.label) for span in document.layers[layer]}


def _characters(names: Set, label: str) -> set[int]:
    return {at for start, end, own in names if own == label for at in range(start, end)}


def _everything(answers: Answers) -> Flags:
    return np.ones((len(answers.annotators), len(answers.labels)), dtype=bool)


if __name__ == "__main__":
    main(sys.argv[1:])
