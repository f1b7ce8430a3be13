"""``vermeil trees compare``: what treebanks are made of, side by side, and where parsers fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from vermeil.cli.options.declaring import argument, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_json
from vermeil.cli.trees.reading import Prepare, TreeReadingOptions, steps_of
from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.columns.tree_table import TreeTable
    from vermeil.scoring.trees.usage import Failures, Usage


def compare(
    inputs: Annotated[list[str], argument("TREES…", "Files of treebanks; name=PATH names one.")],
    *,
    gold: Annotated[
        str | None,
        option(
            "GOLD",
            "Show which sentences of GOLD parsers failed on, by length and complexity.",
            "--failures",
        ),
    ] = None,
    top: Annotated[int, option("N", "Show the N commonest rules.", min=1)] = 25,
    prepare: Prepare = "clegg",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Compare treebanks: sizes, rules, labels, lengths.

    They may hold different sentences. With --failures they are parses of the sentences of GOLD,
    line by line, and GOLD is compared too.
    """
    from vermeil.cli.trees.compare_tables import print_failures, print_usages
    from vermeil.scoring.trees.usage import Usage, describe

    steps = steps_of(prepare)
    paths = [*([gold] if gold is not None else []), *inputs]
    source = reading.of(paths)
    _refuse_namesakes(source.names)
    in_step = [source] if gold is not None else source.apart
    usages: dict[str, Usage] = {}
    failed: dict[str, Failures] = {}
    with keeping.ledger() as ledger:
        for batch in (batch for each in in_step for batch in each.batches(ledger)):
            tables = batch.prepared(steps)
            for name, table in tables.items():
                usages[name] = usages.get(name, Usage()) + describe(table)
            if gold is not None:
                _add_failures(failed, tables)
    for name, each in zip(source.names, source.inputs, strict=True):
        if name not in usages:
            raise UsageError(f"{each.path}: holds no trees")
    if as_json:
        print_json(as_data(usages, failed))
        return
    print_usages(usages, top=top)
    if failed:
        print_failures(failed)


def as_data(usages: Mapping[str, Usage], failed: Mapping[str, Failures]) -> dict[str, Any]:
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


def _refuse_namesakes(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two inputs are called {twice!r}; tell them apart with NAME=PATH")


def _add_failures(failed: dict[str, Failures], tables: Mapping[str, TreeTable]) -> None:
    from vermeil.scoring.trees.usage import Failures, failures

    gold, *parsers = tables
    for parser in parsers:
        failed[parser] = failed.get(parser, Failures()) + failures(tables[gold], tables[parser])


def _usage_data(usage: Usage) -> dict[str, Any]:
    from vermeil.scoring.trees.usage import median, ranked

    return {
        "sentences": usage.n_sentences,
        "failed": usage.n_failed,
        "words": usage.n_words,
        "words_per_sentence": usage.per_sentence(usage.n_words),
        "median_length": median(usage.lengths),
        "productions": usage.n_productions,
        "productions_per_sentence": usage.per_sentence(usage.n_productions),
        "median_complexity": median(usage.complexities),
        "productions_and_tags": usage.n_nodes,
        "productions_and_tags_per_sentence": usage.per_sentence(usage.n_nodes),
        "distinct_rules": len(usage.rules),
        "distinct_rules_per_sentence": usage.rules_per_sentence,
        "distinct_labels_per_sentence": usage.labels_per_sentence,
        "lengths": sorted(usage.lengths.items()),
        "complexities": sorted(usage.complexities.items()),
        "labels": {label: usage.labels[label] for label in ranked(usage.labels)},
        "rules": {rule: usage.rules[rule] for rule in ranked(usage.rules)},
    }


def _against(everything: Mapping[int, int], failed: Mapping[int, int]) -> list[dict[str, int]]:
    return [
        {"value": value, "sentences": n, "failed": failed.get(value, 0)}
        for value, n in sorted(everything.items())
    ]
