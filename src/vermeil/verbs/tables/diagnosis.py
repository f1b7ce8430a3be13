"""What parsers get wrong, as tables and as data."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.closest import OUTCOMES
from vermeil.scoring.trees.diagnosis import Diagnosis, Substitution
from vermeil.verbs.tables.table import Block, Table

N_INSTEAD = 3
"""What is written instead is listed for each rule down to this place."""

WIDTH = 40
"""Rules are cut to so many characters."""


def diagnosis_blocks(diagnoses: Mapping[str, Diagnosis], gold: str, *, top: int) -> Iterator[Block]:
    """Tell what parsers get wrong, over all rules and rule by rule."""
    yield from _totals(diagnoses, gold)
    yield from _outcomes(diagnoses)
    if len(diagnoses) > 1:
        yield from _f_by_rule(diagnoses, gold, top)
    for parser, diagnosis in diagnoses.items():
        yield from _rules(parser, diagnosis, gold, top)
        yield from _instead(parser, diagnosis, top)


def rule_blocks(diagnoses: Mapping[str, Diagnosis], gold: str, rule: str) -> Iterator[Block]:
    """Tell all that parsers write where they miss productions of one rule."""
    for parser, diagnosis in diagnoses.items():
        counts = diagnosis.by_rule.get(rule, Counts())
        precision, recall, f1 = _ratios(counts)
        yield f"{rule}: what {parser} writes where it misses it"
        yield (
            f"{counts.wanted:,} in {gold}, {counts.predicted:,} in {parser}, "
            f"{counts.missed:,} missed; P {precision}, R {recall}, F {f1}"
        )
        rows = [
            [
                each.written,
                OUTCOMES[each.outcome],
                f"{float(each.n):.2f}",
                _percent(float(each.n) / counts.missed),
                ", ".join(map(str, each.sentences)),
            ]
            for each in diagnosis.instead_of(rule)
        ]
        columns = ["written", "what differs", "n", "%", "first in"]
        yield from _table("", columns, rows, wide="written")


def diagnosis_data(
    diagnoses: Mapping[str, Diagnosis], gold: str, *, rule: str | None = None
) -> dict[str, Any]:
    """Return everything, or what concerns one rule, as JSON has it; undefined is null."""
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


def _totals(diagnoses: Mapping[str, Diagnosis], gold: str) -> Iterator[Block]:
    rows = [
        [
            parser,
            *_ratios(each.counts),
            int(each.counts.right),
            int(each.counts.predicted),
            int(each.counts.wanted),
            each.n_sentences,
            each.n_failed,
            each.n_left_out,
        ]
        for parser, each in diagnoses.items()
    ]
    columns = ["parser", "P", "R", "F", "right", "predicted", "wanted"]
    columns += ["sentences", "failed", "left out"]
    yield from _table(f"Productions against {gold}", columns, rows)


def _outcomes(diagnoses: Mapping[str, Diagnosis]) -> Iterator[Block]:
    rows = [
        [number, OUTCOMES[number], *(_share(each, number) for each in diagnoses.values())]
        for number in OUTCOMES
    ]
    title = "% of missed productions, by their closest match"
    yield from _table(title, ["", "match", *diagnoses], rows, n_keys=2)


def _share(diagnosis: Diagnosis, outcome: int) -> str:
    n_missed = diagnosis.outcomes.total()
    return _percent(diagnosis.outcomes[outcome] / n_missed) if n_missed else "–"


def _f_by_rule(diagnoses: Mapping[str, Diagnosis], gold: str, top: int) -> Iterator[Block]:
    first = next(iter(diagnoses.values()))
    rows = [
        [
            _cut(rule),
            int(first.by_rule[rule].wanted),
            *(_percent(each.by_rule.get(rule, Counts()).f1) for each in diagnoses.values()),
        ]
        for rule in first.commonest[:top]
    ]
    yield from _table(f"F of the commonest rules of {gold}", ["rule", gold, *diagnoses], rows)


def _rules(parser: str, diagnosis: Diagnosis, gold: str, top: int) -> Iterator[Block]:
    rows = []
    for rule in diagnosis.commonest[:top]:
        counts = diagnosis.by_rule[rule]
        rows.append([_cut(rule), int(counts.wanted), int(counts.predicted), *_ratios(counts)])
    title = f"{parser}: the commonest rules of {gold}"
    yield from _table(title, ["rule", "wanted", "predicted", "P", "R", "F"], rows)


def _instead(parser: str, diagnosis: Diagnosis, top: int) -> Iterator[Block]:
    rows: list[list[object]] = []
    for rule in diagnosis.most_missed[:top]:
        n_missed = int(diagnosis.by_rule[rule].missed)
        head: list[object] = [_cut(rule), n_missed]
        for each in diagnosis.instead_of(rule)[:N_INSTEAD]:
            rows.append([*head, _cut(each.written), _percent(float(each.n) / n_missed)])
            head = ["", ""]
    if rows:
        title = f"{parser}: what it writes instead of the rules it misses most"
        yield from _table(title, ["rule", "missed", "written", "%"], rows)


def _table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    wide: str = "",
    n_keys: int = 1,
) -> Iterator[Block]:
    yield Table(title, columns, rows, wide, n_keys)
    yield ""


def _ratios(counts: Counts) -> list[str]:
    return [_percent(value) for value in (counts.precision, counts.recall, counts.f1)]


def _percent(value: float) -> str:
    return "–" if isnan(value) else f"{100 * value:.2f}"


def _cut(rule: str) -> str:
    return rule if len(rule) <= WIDTH else rule[: WIDTH - 1] + "…"


def _rule_data(diagnosis: Diagnosis, rule: str) -> dict[str, Any]:
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
    return {
        "written": each.written,
        "outcome": OUTCOMES[each.outcome],
        "n": float(each.n),
        "share": float(each.n) / n_missed,
        "sentences": each.sentences,
    }
