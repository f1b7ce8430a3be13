"""How much parsers lose from one treebank to another, as tables and as data."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from vermeil.scoring.significance import Interval
from vermeil.scoring.trees.portability import Loss, Portability
from vermeil.scoring.trees.porting import Ported
from vermeil.scoring.trees.usage import Usage, median
from vermeil.verbs.tables.table import UNDEFINED, Block, Table, defined

N_TAGS = 12
"""Parts of speech are shown down to this place."""

WIDTH = 32
"""Rules are cut to so many characters."""

SAID = {
    "la": "leaf-ancestor",
    "precision": "precision",
    "recall": "recall",
    "f1": "F",
    "tags": "words tagged rightly",
    "parsed": "sentences parsed",
    "perfect": "perfect sentences",
    "la_right": "LA of words tagged rightly",
    "la_wrong": "LA of words tagged wrongly",
}
SAID_OF_PARTS = {
    "failures": "sentences without a parse",
    "tags": "more words tagged wrongly",
    "structure": "trees over words tagged alike",
}


def portability_blocks(found: Ported, *, top: int) -> Iterator[Block]:
    """Tell what is lost from the second of two treebanks to the first, parser by parser."""
    parsers, usages = found.parsers, found.treebanks
    here, there = usages
    yield f"Lost on {here} against {there}: differences in points, with 95% intervals"
    yield ""
    yield from _sizes(usages)
    for parser, each in parsers.items():
        rows = [_row(SAID[name], loss) for name, loss in each.figures.items()]
        yield from _table(f"{parser}", ["%", there, here, "lost", "from", "to"], rows)
        rows = [_row(cause, loss, sign=-1) for cause, loss in each.missed.items()]
        title = f"{parser}: constituents missed, in % of those wanted, by cause"
        yield from _table(title, ["cause", there, here, "more", "from", "to"], rows)
        parts = [[SAID_OF_PARTS[name], *_interval(one)] for name, one in each.parts.items()]
        title = f"{parser}: what the loss in leaf-ancestor score is made of"
        yield from _table(title, ["", "lost", "from", "to"], parts)
    yield from _tags(parsers, here, there)
    for parser, each in parsers.items():
        yield from _rules(parser, each, here, there, top)


def portability_data(found: Ported) -> dict[str, Any]:
    """Return everything as JSON has it; undefined is null, shares are from 0 to 1."""
    here, there = found.treebanks
    return {
        "here": here,
        "versus": there,
        "treebanks": {name: _size_data(usage) for name, usage in found.treebanks.items()},
        "parsers": {
            parser: {
                "figures": {name: loss_data(loss) for name, loss in each.figures.items()},
                "missed": {cause: loss_data(loss) for cause, loss in each.missed.items()},
                "parts_of_la": {name: _interval_data(one) for name, one in each.parts.items()},
                "tags": [
                    {
                        "tag": tag,
                        "words": n,
                        "right": defined(right),
                        "words_versus": m,
                        "right_versus": defined(there),
                    }
                    for tag, (n, right, m, there) in each.tags.items()
                ],
                "rules": [
                    {
                        "rule": rule,
                        "share": defined(each.shares[rule][0]),
                        "share_versus": defined(each.shares[rule][1]),
                        "f1": loss_data(loss),
                    }
                    for rule, loss in each.rules.items()
                ],
            }
            for parser, each in found.parsers.items()
        },
    }


def loss_data(loss: Loss) -> dict[str, Any]:
    """Return a figure on both treebanks and what is lost; undefined is null."""
    sides = {"here": defined(loss.here), "versus": defined(loss.there)}
    return {**sides, "lost": _interval_data(loss.drop)}


def _sizes(usages: Mapping[str, Usage]) -> Iterator[Block]:
    here, there = usages
    rows = [
        [said, *(_number(_size_data(usages[name])[key]) for name in (there, here))]
        for key, said in (
            ("sentences", "sentences"),
            ("median_length", "words a sentence, median"),
            ("median_complexity", "constituents a sentence, median"),
            ("constituents_per_word", "constituents a word"),
            ("mean_depth", "depth of a word, mean"),
            ("distinct_rules", "distinct rules"),
        )
    ]
    yield from _table("The two treebanks", ["", there, here], rows)


def _size_data(usage: Usage) -> dict[str, Any]:
    return {
        "sentences": usage.n_sentences,
        "words": usage.n_words,
        "median_length": median(usage.lengths),
        "median_complexity": median(usage.complexities),
        "constituents_per_word": usage.constituents_per_word,
        "mean_depth": usage.mean_depth,
        "distinct_rules": len(usage.rules),
    }


def _tags(parsers: Mapping[str, Portability], here: str, there: str) -> Iterator[Block]:
    first = next(iter(parsers.values()))
    rows = []
    for tag, (n, _, m, _) in list(first.tags.items())[:N_TAGS]:
        row: list[object] = [tag, m, n]
        for each in parsers.values():
            _, right, _, right_there = each.tags.get(tag, (0, float("nan"), 0, float("nan")))
            row += [_percent(right_there), _percent(right)]
        rows.append(row)
    columns = ["tag", f"in {there}", f"in {here}"]
    columns += [f"{parser}, {where}" for parser in parsers for where in (there, here)]
    yield from _table("% of words tagged rightly, by the tag they should have", columns, rows)


def _rules(parser: str, of: Portability, here: str, there: str, top: int) -> Iterator[Block]:
    rows = [
        [
            rule if len(rule) <= WIDTH else rule[: WIDTH - 1] + "…",
            *(_percent(share) for share in reversed(of.shares[rule])),
            *_row("", loss)[1:],
        ]
        for rule, loss in list(of.rules.items())[:top]
    ]
    title = f"{parser}: the commonest rules of {here}, in % of all, and their F"
    columns = ["rule", f"% {there}", f"% {here}", f"F {there}", f"F {here}", "lost", "from", "to"]
    yield from _table(title, columns, rows)


def _row(said: str, loss: Loss, *, sign: int = 1) -> list[str]:
    return [said, _percent(loss.there), _percent(loss.here), *_interval(loss.drop, sign)]


def _interval(one: Interval, sign: int = 1) -> list[str]:
    low, high = sorted((sign * one.low, sign * one.high)) if not isnan(one.low) else (one.low,) * 2
    return [_signed(sign * one.value), _signed(low), _signed(high)]


def _interval_data(one: Interval) -> dict[str, float | None]:
    return {name: defined(getattr(one, name)) for name in ("value", "low", "high")}


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[Block]:
    yield Table(title, columns, rows)
    yield ""


def _percent(share: float) -> str:
    return UNDEFINED if isnan(share) else f"{100 * share:.2f}"


def _signed(share: float) -> str:
    # Adding 0 makes -0.00 read 0.00.
    return UNDEFINED if isnan(share) else f"{round(100 * share, 2) + 0:.2f}"


def _number(value: float) -> str:
    return UNDEFINED if isnan(value) else f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
