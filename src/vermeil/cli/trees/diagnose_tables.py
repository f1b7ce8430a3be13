"""A diagnosis of parsers as tables that fit a terminal."""

from collections.abc import Mapping
from math import isnan

import typer

from vermeil.cli.showing.terminal import print_blocks
from vermeil.scoring.counts import Counts
from vermeil.scoring.trees.closest import OUTCOMES
from vermeil.scoring.trees.diagnosis import Diagnosis
from vermeil.verbs.tables.table import Table

N_INSTEAD = 3
"""What is written instead is listed for each rule down to this place."""

WIDTH = 40
"""Rules are cut to so many characters."""


def print_diagnoses(diagnoses: Mapping[str, Diagnosis], gold: str, *, top: int) -> None:
    """Print what parsers get wrong, over all rules and rule by rule."""
    _print_totals(diagnoses, gold)
    _print_outcomes(diagnoses)
    if len(diagnoses) > 1:
        _print_f_by_rule(diagnoses, gold, top)
    for parser, diagnosis in diagnoses.items():
        _print_rules(parser, diagnosis, gold, top)
        _print_instead(parser, diagnosis, top)


def print_rule(diagnoses: Mapping[str, Diagnosis], gold: str, rule: str) -> None:
    """Print all that parsers write where they miss productions of one rule."""
    for parser, diagnosis in diagnoses.items():
        counts = diagnosis.by_rule.get(rule, Counts())
        precision, recall, f1 = _ratios(counts)
        typer.secho(f"{rule}: what {parser} writes where it misses it", bold=True)
        typer.echo(
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
        _print(Table("", columns, rows, wide="written"))


def _print_totals(diagnoses: Mapping[str, Diagnosis], gold: str) -> None:
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
    _print(
        Table(f"Productions against {gold}", [*columns, "sentences", "failed", "left out"], rows)
    )


def _print_outcomes(diagnoses: Mapping[str, Diagnosis]) -> None:
    rows = [
        [number, OUTCOMES[number], *(_share(each, number) for each in diagnoses.values())]
        for number in OUTCOMES
    ]
    title = "% of missed productions, by their closest match"
    _print(Table(title, ["", "match", *diagnoses], rows, n_keys=2))


def _share(diagnosis: Diagnosis, outcome: int) -> str:
    n_missed = diagnosis.outcomes.total()
    return _percent(diagnosis.outcomes[outcome] / n_missed) if n_missed else "–"


def _print_f_by_rule(diagnoses: Mapping[str, Diagnosis], gold: str, top: int) -> None:
    first = next(iter(diagnoses.values()))
    rows = [
        [
            _cut(rule),
            int(first.by_rule[rule].wanted),
            *(_percent(each.by_rule.get(rule, Counts()).f1) for each in diagnoses.values()),
        ]
        for rule in first.commonest[:top]
    ]
    _print(Table(f"F of the commonest rules of {gold}", ["rule", gold, *diagnoses], rows))


def _print_rules(parser: str, diagnosis: Diagnosis, gold: str, top: int) -> None:
    rows = []
    for rule in diagnosis.commonest[:top]:
        counts = diagnosis.by_rule[rule]
        rows.append([_cut(rule), int(counts.wanted), int(counts.predicted), *_ratios(counts)])
    title = f"{parser}: the commonest rules of {gold}"
    _print(Table(title, ["rule", "wanted", "predicted", "P", "R", "F"], rows))


def _print_instead(parser: str, diagnosis: Diagnosis, top: int) -> None:
    rows: list[list[object]] = []
    for rule in diagnosis.most_missed[:top]:
        n_missed = int(diagnosis.by_rule[rule].missed)
        head: list[object] = [_cut(rule), n_missed]
        for each in diagnosis.instead_of(rule)[:N_INSTEAD]:
            rows.append([*head, _cut(each.written), _percent(float(each.n) / n_missed)])
            head = ["", ""]
    if rows:
        title = f"{parser}: what it writes instead of the rules it misses most"
        _print(Table(title, ["rule", "missed", "written", "%"], rows))


def _print(table: Table) -> None:
    print_blocks([table, ""])


def _ratios(counts: Counts) -> list[str]:
    return [_percent(value) for value in (counts.precision, counts.recall, counts.f1)]


def _percent(value: float) -> str:
    return "–" if isnan(value) else f"{100 * value:.2f}"


def _cut(rule: str) -> str:
    return rule if len(rule) <= WIDTH else rule[: WIDTH - 1] + "…"
