"""``vermeil trees score``: how good parsers are, by constituents and by lineages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.chance import Seed
from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.running import EngineOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json, say
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
    from vermeil.columns.trees.lineages import Costs
    from vermeil.scoring.trees.scores import TreeScores


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
    tags: Annotated[
        bool, flag("Let parts of speech count as the lowest label above a word.", "--tags")
    ] = False,
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
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.runs.driver import Job
    from vermeil.scoring.trees.differences import differences
    from vermeil.scoring.trees.stage import TreeScoreStage
    from vermeil.verbs.tables.tree_scores import (
        FurtherTables,
        tree_score_blocks,
        tree_score_data,
    )
    from vermeil.verbs.trees.scoring import left_out, oracle_of

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
        with_tags=tags,
    )
    with keeping.ledger() as ledger:
        found = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                engagement=running.engagement(),
            )
        ).known
    scores = found.parsers
    if not scores:
        raise UsageError(f"{gold}: holds no trees")
    best = oracle_of(scores) if with_oracle else None
    for line in left_out(scores, standard):
        say(f"vermeil: {line}")
    _say_what_is_unused(costs, scores, found.tags)
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
        print_json(tree_score_data(standard, scores, best, against, compared))
        return
    shown = FurtherTables(per_label=per_label, n_words=words, n_worst=worst)
    print_blocks(tree_score_blocks(scores, shown, best, against, compared))


def _costs(substitution: float, pairs: Sequence[str] | None) -> Costs:
    from vermeil.columns.trees.lineages import Costs
    from vermeil.verbs.trees.scoring import check_costs

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
    check_costs(substitution, prices)
    return Costs(substitution, prices)


def _say_what_is_unused(
    costs: Costs, scores: Mapping[str, TreeScores], tags: frozenset[str]
) -> None:
    there = {label for each in scores.values() for label in each.labels} | tags
    unused = [pair for pair in costs.pairs if not there.issuperset(pair)]
    if unused:
        unknown = sorted({label for pair in unused for label in pair} - there)
        hint = "" if tags else "; parts of speech take part with --tags"
        say(
            f"vermeil: --pair {', '.join(map(':'.join, unused))} changes nothing: after "
            f"preparation no tree has a label {' or '.join(unknown)}{hint}",
        )
