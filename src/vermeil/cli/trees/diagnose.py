"""``vermeil trees diagnose``: which rules parsers get wrong, and what they write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_json
from vermeil.cli.trees.reading import Prepare, TreeInputs, TreeReadingOptions, steps_of
from vermeil.errors import UnknownNameError, UsageError
from vermeil.tree import escape

if TYPE_CHECKING:
    from vermeil.formats.forests import Forests
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.trees.diagnosis import Diagnosis, Substitution

N_HINTS = 10


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
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Show which rules parsers get wrong, and what they write.

    A production is right if boundaries, parent and daughters are. For one that is missed the
    closest wrong one counts: other daughters, another parent, or other boundaries
    (EXT_: wider, TRUNC_: narrower; ALLMATCH: same rule, PARENTMATCH: same parent).
    """
    from vermeil.cli.trees.diagnose_tables import print_diagnoses, print_rule

    steps = steps_of(prepare)
    source = reading.of([gold, *inputs])
    with keeping.ledger() as ledger:
        name, diagnoses = pooled(source.batches(ledger), steps, parsed_only=parsed_only)
    if not diagnoses:
        raise UsageError(f"{gold}: holds no trees")
    wanted = _known(rule, diagnoses) if rule is not None else None
    if as_json:
        print_json(as_data(diagnoses, name, rule=wanted))
    elif wanted is not None:
        print_rule(diagnoses, name, wanted)
    else:
        print_diagnoses(diagnoses, name, top=top)


def pooled(
    stream: Iterable[Forests], steps: Sequence[str], *, parsed_only: bool
) -> tuple[str, dict[str, Diagnosis]]:
    """Add up the diagnoses of all batches; give the name of the standard too."""
    from vermeil.scoring.trees.diagnosis import Diagnosis
    from vermeil.scoring.trees.diagnosis import diagnose as diagnose_trees
    from vermeil.scoring.trees.productions import Rules

    gold, found, rules = "", dict[str, Diagnosis](), None
    for forests in stream:
        tables = forests.prepared(steps)
        gold, *parsers = tables
        if rules is None:
            rules = Rules(tables[gold].names.labels)
        for parser in parsers:
            found[parser] = found.get(parser, Diagnosis()) + diagnose_trees(
                tables[gold], tables[parser], rules, first=forests.first, parsed_only=parsed_only
            )
    return gold, found


def as_data(
    diagnoses: Mapping[str, Diagnosis], gold: str, *, rule: str | None = None
) -> dict[str, Any]:
    """Return everything, or what concerns one rule, as JSON has it; undefined is null."""
    from vermeil.scoring.trees.closest import OUTCOMES

    return {
        "gold": gold,
        "parsers": {
            parser: {
                "sentences": each.n_sentences,
                "failed": each.n_failed,
                "left_out": each.n_left_out,
                "productions": _counts_data(each.counts),
                "outcomes": {name: each.outcomes[number] for number, name in OUTCOMES.items()},
                "rules": [_rule_data(each, name) for name in ([rule] if rule else each.commonest)],
            }
            for parser, each in diagnoses.items()
        },
    }


def spelt(rule: str) -> str:
    """Spell a rule as tables do, given with either arrow and brackets as such or escaped.

    >>> spelt("PRN->( NP )")
    'PRN → -LRB- NP -RRB-'
    """
    from vermeil.scoring.trees.productions import ARROW

    parent, arrow, daughters = rule.replace("->", "→").partition("→")
    if not (parent.strip() and arrow and daughters.strip()):
        raise UsageError(f"--rule takes 'PARENT -> DAUGHTERS', not {rule!r}")
    return parent.strip() + ARROW + " ".join(map(escape, daughters.split()))


def _known(rule: str, diagnoses: Mapping[str, Diagnosis]) -> str:
    """Spell a rule; refuse one that neither the standard nor a parser uses."""
    name = spelt(rule)
    used = {each for diagnosis in diagnoses.values() for each in diagnosis.by_rule}
    if name not in used:
        commonest = next(iter(diagnoses.values())).commonest
        hints = get_close_matches(name, sorted(used)) or commonest[:N_HINTS]
        raise UnknownNameError("rule", name, hints)
    return name


def _rule_data(diagnosis: Diagnosis, rule: str) -> dict[str, Any]:
    from vermeil.scoring.counts import Counts

    counts = diagnosis.by_rule.get(rule, Counts())
    return {
        "rule": rule,
        **_counts_data(counts),
        "instead": [_substitution_data(each, counts.missed) for each in diagnosis.instead_of(rule)],
    }


def _counts_data(counts: Counts) -> dict[str, float]:
    fields = ("right", "predicted", "wanted", "missed", "precision", "recall", "f1")
    return {name: getattr(counts, name) for name in fields}


def _substitution_data(each: Substitution, n_missed: float) -> dict[str, Any]:
    from vermeil.scoring.trees.closest import OUTCOMES

    return {
        "written": each.written,
        "outcome": OUTCOMES[each.outcome],
        "n": float(each.n),
        "share": float(each.n) / n_missed,
        "sentences": each.sentences,
    }
