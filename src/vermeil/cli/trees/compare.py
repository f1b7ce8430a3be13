"""``vermeil trees compare``: what treebanks are made of, side by side, and where parsers fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.reading import From, Options, parsed_options
from vermeil.cli.showing.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json, watched
from vermeil.cli.trees.reading import Prepare, steps_of, tree_inputs
from vermeil.errors import UsageError
from vermeil.formats.corpus import Input
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import stem

if TYPE_CHECKING:
    from vermeil.columns.tree_table import TreeTable
    from vermeil.formats.forests import Forests
    from vermeil.scoring.trees.usage import Failures, Usage


def compare(
    inputs: Annotated[
        list[str], typer.Argument(metavar="TREES…", help="Treebanks; name=PATH names one.")
    ],
    gold: Annotated[
        str | None,
        typer.Option(
            "--failures",
            metavar="GOLD",
            help="Show how long and complex the sentences of GOLD are that parsers failed on.",
        ),
    ] = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="Rules shown in a table.")] = 25,
    prepare: Prepare = "clegg",
    source_format: From = None,
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Compare treebanks: sizes, rules, labels, lengths and complexities of sentences.

    They may hold different sentences. With --failures they are parses of the sentences of GOLD,
    line by line, and GOLD is compared too.
    """
    from vermeil.cli.trees.compare_tables import print_failures, print_usages
    from vermeil.scoring.trees.usage import Usage, describe

    steps = steps_of(prepare)
    paths = [*([gold] if gold is not None else []), *inputs]
    sources = tree_inputs(paths, source_format=source_format)
    _refuse_namesakes(sources)
    usages: dict[str, Usage] = {}
    failed: dict[str, Failures] = {}
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=Path("vermeil.bad.jsonl")) as ledger:
        in_step = [sources] if gold is not None else [[each] for each in sources]
        stream = _batches(in_step, ledger, parsed_options(options))
        for batch in watched(stream, noun="batches of sentences"):
            tables = batch.prepared(steps)
            for name, table in tables.items():
                usages[name] = usages.get(name, Usage()) + describe(table)
            if gold is not None:
                _add_failures(failed, tables)
    for each in sources:
        if _name(each) not in usages:
            raise UsageError(f"{each.path}: holds no trees")
    if as_json:
        print_json(as_data(usages, failed))
        return
    print_usages(usages, top=top)
    if failed:
        print_failures(failed)


def as_data(usages: Mapping[str, Usage], failed: Mapping[str, Failures]) -> dict[str, Any]:
    """Give everything as JSON has it; undefined is null."""
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


def _refuse_namesakes(sources: Sequence[Input]) -> None:
    names = list(map(_name, sources))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two inputs are called {twice!r}; tell them apart with NAME=PATH")


def _name(source: Input) -> str:
    return source.annotator or stem(source.path)


def _batches(
    in_step: Sequence[Sequence[Input]], ledger: Ledger, options: Mapping[str, str]
) -> Iterator[Forests]:
    from vermeil.formats.forests import read_forests

    for sources in in_step:
        yield from read_forests(sources, ledger=ledger, options=options)


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
