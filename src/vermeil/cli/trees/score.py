"""``vermeil trees score``: how good parsers are, by constituents and by lineages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.chance import Seed
from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.running import EngineOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_json
from vermeil.cli.trees.reading import (
    Cascades,
    Prepare,
    TreeInputs,
    TreeReadingOptions,
    cascades_of,
    steps_of,
)
from vermeil.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from vermeil.columns.lineages import Costs
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.trees.scores import Sentences, TreeScores


def score(
    gold: Annotated[str, argument("GOLD", "File of the right trees.")],
    inputs: TreeInputs,
    *,
    prepare: Prepare = "clegg",
    cascade: Cascades = None,
    per_label: Annotated[bool, flag("Also score each label.", "--per-label")] = False,
    words: Annotated[
        int, option("N", "Show the N words whose place in the trees is most often wrong.", min=0)
    ] = 0,
    worst: Annotated[int, option("N", "Show the N worst sentences of each parser.", min=0)] = 0,
    with_oracle: Annotated[
        bool, flag("Also score the best parser of each sentence.", "--oracle")
    ] = False,
    against: Annotated[
        str | None, option("PARSER", "Test if the others differ from this one by chance.")
    ] = None,
    substitution: Annotated[float, option("COST", "What a wrong label above a word costs.")] = 1.0,
    pairs: Annotated[
        list[str] | None,
        option("A:B=COST", "What the label A costs where B is right, and B for A.", "--pair"),
    ] = None,
    n_resamples: Annotated[
        int,
        option("N", "Test --against with N resamples of the sentences.", "--bootstrap", min=100),
    ] = 1000,
    seed: Seed = 0,
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    running: EngineOptions,
    as_json: AsJson = False,
) -> None:
    """Score parsers against a treebank.

    Files are read sentence by sentence, in step. A sentence without a parse is an empty line or
    (()). It is counted as all wrong in the first table and left out of the second.
    """
    from vermeil.cli.long_runs import work_through
    from vermeil.cli.trees.score_tables import FurtherTables, print_tree_scores
    from vermeil.runs.driver import Job
    from vermeil.scoring.trees.differences import differences
    from vermeil.scoring.trees.stage import TreeScoreStage

    steps, costs = steps_of(prepare), _costs(substitution, pairs)
    source = reading.of([gold, *inputs])
    standard, *parsers = source.names
    cascades = cascades_of(cascade)
    members = (*parsers, *cascades)
    if against is not None and against not in members:
        raise UnknownNameError("parser", against, members)
    if against is not None and len(members) == 1:
        raise UsageError(f"--against {against} needs another parser to compare it with")
    stage = TreeScoreStage(
        standard,
        members,
        cascades=cascades,
        steps=steps,
        substitution=costs.substitution,
        pairs=tuple((*pair, price) for pair, price in costs.pairs.items()),
    )
    with keeping.ledger() as ledger:
        scores = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                engagement=running.engagement(),
            )
        ).known.parsers
    if not scores:
        raise UsageError(f"{gold}: holds no trees")
    best = _oracle(scores) if with_oracle else None
    _say_what_is_left_out(scores, standard)
    _say_what_is_unused(costs, scores)
    compared = (
        {
            name: differences(each.all, scores[against].all, n_resamples=n_resamples, seed=seed)
            for name, each in scores.items()
            if name != against
        }
        if against is not None
        else {}
    )
    if as_json:
        print_json(_as_data(standard, scores, best, against, compared))
        return
    shown = FurtherTables(per_label=per_label, n_words=words, n_worst=worst)
    print_tree_scores(scores, shown, best, against, compared)


def _costs(substitution: float, pairs: Sequence[str] | None) -> Costs:
    from vermeil.columns.lineages import Costs

    prices = {}
    for pair in pairs or ():
        labels, equals, price = pair.partition("=")
        one, colon, other = labels.partition(":")
        try:
            prices[one, other] = float(price)
        except ValueError:
            equals = ""
        if not equals or not colon:
            raise UsageError(f"--pair takes LABEL:LABEL=COST, got {pair!r}")
    if not all(0 <= price < inf for price in (substitution, *prices.values())):
        raise UsageError("a substitution costs a number, and not less than nothing")
    return Costs(substitution, prices)


def _oracle(scores: Mapping[str, TreeScores]) -> Sentences:
    from vermeil.scoring.trees.scores import oracle

    every = [each.all for each in scores.values()]
    if len({tuple(each.number.tolist()) for each in every}) > 1:
        raise UsageError("--oracle needs parsers scored on the same sentences; use --prepare clegg")
    return oracle(every)


def _say_what_is_left_out(scores: Mapping[str, TreeScores], standard: str) -> None:
    first = next(iter(scores.values()))
    if first.n_without_gold:
        typer.echo(
            f"vermeil: {first.n_without_gold:,} sentences have no tree in {standard} and are not "
            "scored",
            err=True,
        )
    for name, each in scores.items():
        if len(each.unequal):
            shown = ", ".join(map(str, each.unequal[:5].tolist()))
            typer.echo(
                f"vermeil: {name} keeps other words than {standard} in {len(each.unequal):,} "
                f"sentences after preparation; they are left out (sentence {shown}"
                f"{', …' if len(each.unequal) > 5 else ''})",
                err=True,
            )


def _say_what_is_unused(costs: Costs, scores: Mapping[str, TreeScores]) -> None:
    there = {label for each in scores.values() for label in each.labels}
    unused = [pair for pair in costs.pairs if not there.issuperset(pair)]
    if unused:
        unknown = sorted({label for pair in unused for label in pair} - there)
        typer.echo(
            f"vermeil: --pair {', '.join(map(':'.join, unused))} changes nothing: after "
            f"preparation no tree has a label {' or '.join(unknown)}",
            err=True,
        )


def _as_data(
    standard: str,
    scores: Mapping[str, TreeScores],
    best: Sentences | None,
    against: str | None,
    compared: Mapping[str, Any],
) -> dict[str, Any]:
    data: dict[str, Any] = {"gold": standard, "parsers": {}}
    for name, each in scores.items():
        data["parsers"][name] = said = {
            "sentences": len(each.all),
            "failed": each.n_failed,
            "without_gold": each.n_without_gold,
            "unequal": each.unequal.tolist(),
            "all": _figures(each.all),
            "parsed": _figures(each.parsed),
            "labels": {label: _counts(counts) for label, counts in each.labels.items()},
            "words": [
                {"word": word, "n": n, "la": mean}
                for word, n, mean in each.hardest_words(100, at_least=1)
            ],
            "by_sentence": _by_sentence(each.all),
        }
        if name in compared:
            said["against"] = {against: compared[name]}
    if best is not None:
        data["oracle"] = _figures(best)
    return data


def _figures(sentences: Sentences) -> dict[str, Any]:
    return {
        "sentences": len(sentences),
        "words": int(sentences.n_words.sum()),
        "la": sentences.leaf_ancestor,
        **_counts(sentences.counts),
        "unlabelled": _counts(sentences.unlabelled_counts),
        "crossing": sentences.mean_crossing,
        "no_crossing": sentences.share_crossing_at_most(0),
        "two_or_less_crossing": sentences.share_crossing_at_most(2),
        "perfect": sentences.share_perfect,
        "tagging": sentences.tagging,
        "mean_over_sentences": sentences.mean_over_sentences,
    }


def _counts(counts: Counts) -> dict[str, float]:
    return {
        "matched": counts.right,
        "predicted": counts.predicted,
        "wanted": counts.wanted,
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
    }


def _by_sentence(sentences: Sentences) -> list[dict[str, Any]]:
    means = {name: column.tolist() for name, column in sentences.means.items()}
    columns = {
        "sentence": sentences.number.tolist(),
        "parsed": sentences.parsed.tolist(),
        "words": sentences.n_words.tolist(),
        "matched": sentences.matched.tolist(),
        "predicted": sentences.predicted.tolist(),
        "wanted": sentences.wanted.tolist(),
        "crossing": sentences.crossing.tolist(),
        **means,
    }
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]
