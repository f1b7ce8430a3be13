"""Agreement by loops over documents, annotators and characters: the twin of the columns."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import nan

from tests.scoring.test_kappa import naive_alpha, naive_pairs
from vermeil import Document, Span
from vermeil.scoring.counts import Counts
from vermeil.scoring.kappa import NO_NAME, NOT_LOOKED


def key(span: Span) -> tuple[object, ...]:
    return span.pieces, span.label


def meets(one: Span, other: Span) -> bool:
    characters = [{k for a, b in span.pieces for k in range(a, b)} for span in (one, other)]
    return one.label == other.label and bool(characters[0] & characters[1])


def naive_counts(layers: Sequence[tuple[Sequence[Span], Sequence[Span]]]) -> tuple[Counts, Counts]:
    """Compare wanted and predicted layers of the same documents, span by span."""
    exact = overlap = Counts()
    for wanted, predicted in layers:
        mine = {key(span): span for span in wanted}
        theirs = {key(span): span for span in predicted}
        n_same = len(mine.keys() & theirs.keys())
        exact += Counts(n_same, len(theirs), n_same, len(mine))
        overlap += Counts(
            sum(any(meets(a, b) for a in mine.values()) for b in theirs.values()),
            len(theirs),
            sum(any(meets(a, b) for b in theirs.values()) for a in mine.values()),
            len(mine),
        )
    return exact, overlap


def scopes(batch: Sequence[Document]) -> dict[str, frozenset[str]]:
    """Say what everybody looks for: the labels used, or all where none is."""
    used: dict[str, set[str]] = {}
    for document in batch:
        for name, layer in document.layers.items():
            used.setdefault(name, set()).update(span.label for span in layer)
    every = frozenset().union(*used.values())
    return {name: frozenset(labels) or every for name, labels in used.items()}


def only_labels(layer: Sequence[Span], labels: frozenset[str]) -> tuple[Span, ...]:
    return tuple(span for span in layer if span.label in labels)


def units(document: Document, names: Sequence[str]) -> list[dict[str, str]]:
    """Say of every character pair what those say of it who looked."""
    rows = naive_pairs([document], tuple(names))
    return [
        {name: str(value) for name, value in zip(names, row, strict=True) if value is not None}
        for row in rows
    ]


def stratified_alpha(batch: Sequence[Document]) -> float:
    """Krippendorff's alpha, pair by pair of values, apart for what each two have in common."""
    looks = scopes(batch)
    found: dict[frozenset[str], Fraction] = {}
    used: dict[frozenset[str], Counter[str]] = {}
    for document in batch:
        common = {
            two: looks[two[0]] & looks[two[1]] for two in combinations(sorted(document.layers), 2)
        }
        for labels in {each for each in common.values() if each}:
            pairs = [two for two in common if common[two] == labels]
            m = len({name for two in pairs for name in two})
            for row in units(document, sorted(document.layers)):
                for two in pairs:
                    a, b = (row[name] if row[name] in labels else "" for name in two)
                    share = Fraction(1, m - 1)
                    found[labels] = found.get(labels, Fraction(0)) + 2 * share * (a != b)
                    values = used.setdefault(labels, Counter())
                    values[a] += share  # type: ignore[assignment]
                    values[b] += share  # type: ignore[assignment]
    expected = Fraction(0)
    for values in used.values():
        total = Fraction(sum(values.values()))
        differing = sum((n * (total - n) for n in values.values()), Fraction(0))
        expected += differing / (total - 1) if differing else 0
    return float(1 - sum(found.values(), Fraction(0)) / expected) if expected else nan


def label_alpha(batch: Sequence[Document], label: str) -> float:
    """Krippendorff's alpha of one label, among those who look for it."""
    names = sorted(name for name, labels in scopes(batch).items() if label in labels)
    rows = []
    for document in batch:
        for row in units(document, names):
            said = [row.get(name) for name in names]
            rows.append(
                [NOT_LOOKED if each is None else NO_NAME + (each == label) for each in said]
            )
    return naive_alpha(rows)


def told_of_names(batch: Sequence[Document]) -> Counter[tuple[str, str, str]]:
    """Count for annotators and labels what the others say there."""
    looks = scopes(batch)
    total: Counter[tuple[str, str, str]] = Counter()
    for document in batch:
        for name, layer in document.layers.items():
            for span in {key(span): span for span in layer}.values():
                for other in document.layers.keys() - {name}:
                    if span.label in looks[other]:
                        candidates = only_labels(document.layers[other], looks[name])
                        total[name, span.label, _said(span, candidates)] += 1
    return total


def _said(span: Span, others: Sequence[Span]) -> str:
    best = (0, False, "")
    for other in others:
        shared = sum(
            max(0, min(end, last) - max(start, first))
            for start, end in span.pieces
            for first, last in other.pieces
        )
        if shared and (shared, other.label == span.label) > best[:2]:
            best = (shared, other.label == span.label, other.label)
    return best[2]
