"""``vermeil trees diagnose``: which rules parsers get wrong, and what they write instead."""

from __future__ import annotations

from typing import Annotated

from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.reading import Prepare, TreeInputs, TreeReadingOptions, steps_of
from vermeil.errors import UsageError


def diagnose(
    gold: Annotated[str, argument("GOLD", "File of the right trees.")],
    inputs: TreeInputs,
    *,
    rule: Annotated[
        str | None, option("'NP -> NN NN'", "Show all that is written instead of this rule.")
    ] = None,
    top: Annotated[int, option("N", "Show the N commonest rules.", min=1)] = 10,
    prepare: Prepare = "clegg",
    parsed_only: Annotated[
        bool, flag("Leave out sentences without a parse.", "--parsed-only")
    ] = False,
    literal: Annotated[
        bool,
        flag("Let productions that are right elsewhere be matches, as printed.", "--literal"),
    ] = False,
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show which rules parsers get wrong, and what they write.

    A production is right if boundaries, parent and daughters are. For one that is missed the
    closest wrong one counts: other daughters, another parent, or other boundaries
    (EXT_: wider, TRUNC_: narrower; ALLMATCH: same rule, PARENTMATCH: same parent).
    """
    from vermeil.verbs.tables.diagnosis import diagnosis_blocks, diagnosis_data, rule_blocks
    from vermeil.verbs.trees.comparing import known_rule, pooled_diagnoses

    steps = steps_of(prepare)
    source = reading.of([gold, *inputs])
    with keeping.ledger() as ledger:
        name, diagnoses = pooled_diagnoses(
            source.batches(ledger), steps, parsed_only=parsed_only, literal=literal
        )
    if not diagnoses:
        raise UsageError(f"{gold}: holds no trees")
    wanted = known_rule(rule, diagnoses) if rule is not None else None
    if as_json:
        print_json(diagnosis_data(diagnoses, name, rule=wanted))
    elif wanted is not None:
        print_blocks(rule_blocks(diagnoses, name, wanted))
    else:
        print_blocks(diagnosis_blocks(diagnoses, name, top=top))
