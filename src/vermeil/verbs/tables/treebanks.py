"""Treebanks side by side, as tables and pictures that fit a terminal, and as data.

Clegg and Shepherd: Tables 1 and 2, Figures 3, 4 and 5.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import Any

from vermeil.scoring.trees.usage import Failures, Usage, binned, median, ranked
from vermeil.verbs.tables.bars import BarRow, abreast, bar_blocks
from vermeil.verbs.tables.table import Block, Table, counted

BIN = 5
"""Lengths and complexities are shown so many to a row."""

LEAST_SHARE = 0.1
"""Labels are shown that make up so many percent of some treebank."""

WIDTH = 30
"""Rules are cut to so many characters."""

RULES = "Commonest rules, in % of productions"

SIZES: tuple[tuple[str, Callable[[Usage], float]], ...] = (
    ("sentences", lambda usage: usage.n_sentences),
    ("  without a tree", lambda usage: usage.n_failed),
    ("words", lambda usage: usage.n_words),
    ("  a sentence", lambda usage: usage.per_sentence(usage.n_words)),
    ("  median", lambda usage: median(usage.lengths)),
    ("productions", lambda usage: usage.n_productions),
    ("  a sentence", lambda usage: usage.per_sentence(usage.n_productions)),
    ("  median", lambda usage: median(usage.complexities)),
    ("  a word", lambda usage: usage.constituents_per_word),
    ("depth of a word, mean", lambda usage: usage.mean_depth),
    ("  of the deepest, median", lambda usage: median(usage.depths)),
    ("productions and parts of speech", lambda usage: usage.n_nodes),
    ("  a sentence", lambda usage: usage.per_sentence(usage.n_nodes)),
    ("distinct rules", lambda usage: len(usage.rules)),
    ("  a sentence", lambda usage: usage.rules_per_sentence),
    ("distinct labels", lambda usage: len(usage.labels)),
    ("  a sentence", lambda usage: usage.labels_per_sentence),
)


def usage_blocks(usages: Mapping[str, Usage], *, top: int) -> Iterator[Block]:
    """Tell what treebanks are made of."""
    rows = [[title, *(_figure(of(usage)) for usage in usages.values())] for title, of in SIZES]
    yield from _table("Sizes", ["", *usages], rows)
    if len(usages) == 2:
        yield from _rules_of_two(usages, top)
    else:
        yield from _rules(usages, top)
    yield from _labels(usages)
    yield from _distribution(
        "length", "words", {name: each.lengths for name, each in usages.items()}
    )
    yield from _distribution(
        "complexity", "constituents", {name: each.complexities for name, each in usages.items()}
    )


def failure_blocks(failed: Mapping[str, Failures]) -> Iterator[Block]:
    """Tell how many of the sentences of each length and complexity parsers failed on."""
    first = next(iter(failed.values()))
    yield from _failed(
        "length",
        "words",
        first.lengths,
        {parser: each.failed_lengths for parser, each in failed.items()},
    )
    yield from _failed(
        "complexity",
        "constituents",
        first.complexities,
        {parser: each.failed_complexities for parser, each in failed.items()},
    )


def treebank_data(usages: Mapping[str, Usage], failed: Mapping[str, Failures]) -> dict[str, Any]:
    """Return everything as JSON has it; undefined is null."""
    data: dict[str, Any] = {
        "treebanks": {name: _usage_data(usage) for name, usage in usages.items()}
    }
    if failed:
        data["failures"] = {
            parser: {
                "failed": each.n_failed,
                "by_length": _against(each.lengths, each.failed_lengths),
                "by_complexity": _against(each.complexities, each.failed_complexities),
            }
            for parser, each in failed.items()
        }
    return data


def _rules_of_two(usages: Mapping[str, Usage], top: int) -> Iterator[Block]:
    """Set the commonest rules of two treebanks side by side, each with its rank in the other."""
    (first, one), (second, other) = usages.items()
    ranks, other_ranks = one.ranks(), other.ranks()
    rules, other_rules = ranked(one.rules)[:top], ranked(other.rules)[:top]
    rows = []
    for place in range(max(len(rules), len(other_rules))):
        left = _ranked_rule(rules[place : place + 1], one, other_ranks)
        right = _ranked_rule(other_rules[place : place + 1], other, ranks)
        rows.append([*left, str(place + 1), *right])
    columns = ["%", first, f"in {second}", "rank", "%", second, f"in {first}"]
    yield from _table(RULES, columns, rows)


def _ranked_rule(rule: Sequence[str], usage: Usage, elsewhere: Mapping[str, int]) -> list[object]:
    if not rule:
        return ["", "", ""]
    [name] = rule
    return [_share(usage.rules[name], usage.n_productions), _cut(name), elsewhere.get(name, "–")]


def _rules(usages: Mapping[str, Usage], top: int) -> Iterator[Block]:
    """List the commonest rules of each treebank with their shares and ranks in all of them."""
    commonest = dict.fromkeys(
        rule for usage in usages.values() for rule in ranked(usage.rules)[:top]
    )
    for part in abreast(len(usages)):
        columns, rows = ["rule"], [[_cut(rule)] for rule in commonest]
        for name, usage in list(usages.items())[part]:
            columns += [name, "rank"]
            ranks = usage.ranks()
            for row, rule in zip(rows, commonest, strict=True):
                share = _share(usage.rules[rule], usage.n_productions)
                row += [share, str(ranks.get(rule, "–"))]
        yield from _table(RULES, columns, rows)


def _labels(usages: Mapping[str, Usage]) -> Iterator[Block]:
    totals = sum((usage.labels for usage in usages.values()), start=Counter[str]())
    shares = {
        label: [_percent(usage.labels[label], usage.n_productions) for usage in usages.values()]
        for label in ranked(totals)
    }
    shown = {label: each for label, each in shares.items() if any(n >= LEAST_SHARE for n in each)}
    yield from _shares("% of constituents by label", "label", list(usages), shown)
    if rare := [label for label in shares if label not in shown]:
        n = sum(totals[label] for label in rare)
        yield (
            f"not shown, below {LEAST_SHARE}% in each: {n:,} constituents with "
            f"{counted(len(rare), 'label')} ({', '.join(rare)})"
        )
        yield ""


def _distribution(what: str, unit: str, counts: Mapping[str, Mapping[int, int]]) -> Iterator[Block]:
    totals = [sum(each.values()) for each in counts.values()]
    shares = {
        f"{each.low}–{each.high}": list(map(_percent, each.n, totals))
        for each in binned(counts.values(), width=BIN)
        if any(each.n)
    }
    yield from _shares(f"% of sentences by {what}", unit, list(counts), shares)


def _failed(
    what: str, unit: str, everything: Mapping[int, int], failed: Mapping[str, Mapping[int, int]]
) -> Iterator[Block]:
    rows = []
    for each in binned([everything, *failed.values()], width=BIN):
        n_sentences, *n_failed = each.n
        if not n_sentences:
            continue
        name = [f"{each.low}–{each.high}", f"{n_sentences:,}"]
        shares = [_percent(n, n_sentences) for n in n_failed]
        rows.append(BarRow(name, [f"{n:,}" for n in n_failed], shares))
    title = f"Sentences without a parse by {what}; bars show their share"
    yield from bar_blocks(title, [unit, "sentences"], list(failed), rows)


def _shares(
    title: str, unit: str, columns: Sequence[str], shares: Mapping[str, Sequence[float]]
) -> Iterator[Block]:
    rows = [
        BarRow([name], [_decimal(each) for each in found], found) for name, found in shares.items()
    ]
    yield from bar_blocks(title, [unit], columns, rows)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[Block]:
    yield Table(title, columns, rows)
    yield ""


def _percent(n: int, total: int) -> float:
    return 100 * n / total if total else nan


def _figure(value: float) -> str:
    if isnan(value):
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _share(n: int, total: int) -> str:
    return _figure(_percent(n, total))


def _decimal(value: float) -> str:
    return "–" if isnan(value) else f"{value:.1f}"


def _cut(rule: str) -> str:
    return rule if len(rule) <= WIDTH else rule[: WIDTH - 1] + "…"


def _usage_data(usage: Usage) -> dict[str, Any]:
    return {
        "sentences": usage.n_sentences,
        "failed": usage.n_failed,
        "words": usage.n_words,
        "words_per_sentence": usage.per_sentence(usage.n_words),
        "median_length": median(usage.lengths),
        "productions": usage.n_productions,
        "productions_per_sentence": usage.per_sentence(usage.n_productions),
        "median_complexity": median(usage.complexities),
        "constituents_per_word": usage.constituents_per_word,
        "mean_depth": usage.mean_depth,
        "median_depth": median(usage.depths),
        "productions_and_tags": usage.n_nodes,
        "productions_and_tags_per_sentence": usage.per_sentence(usage.n_nodes),
        "distinct_rules": len(usage.rules),
        "distinct_rules_per_sentence": usage.rules_per_sentence,
        "distinct_labels_per_sentence": usage.labels_per_sentence,
        "lengths": sorted(usage.lengths.items()),
        "complexities": sorted(usage.complexities.items()),
        "depths": sorted(usage.depths.items()),
        "labels": {label: usage.labels[label] for label in ranked(usage.labels)},
        "rules": {rule: usage.rules[rule] for rule in ranked(usage.rules)},
    }


def _against(everything: Mapping[int, int], failed: Mapping[int, int]) -> list[dict[str, int]]:
    return [
        {"value": value, "sentences": n, "failed": failed.get(value, 0)}
        for value, n in sorted(everything.items())
    ]
