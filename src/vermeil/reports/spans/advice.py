"""What a page says first: findings in words, each with its figure and the command that gives it.

Levels of agreement are those of Krippendorff 2004 (chapter 11): from .8 on conclusions can be
drawn, between .667 and .8 tentative ones, below that none.
"""

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from vermeil.arrays import Floats
from vermeil.consensus.methods import Options, get_method
from vermeil.consensus.voters import tables, voting
from vermeil.reports.drawing.advice import Advice
from vermeil.reports.drawing.elements import figure, name_of, whole
from vermeil.reports.spans.commands import PageCommands
from vermeil.reports.spans.findings import CONSENSUS, SpanFindings

RELIABLE, TENTATIVE = 0.8, 0.667
AS_GOOD = 0.001
"""A consensus whose F falls by no more than this is as good."""

MENDED = 0.9
"""The share of the expected errors after which a review is nearly done."""

CLEAR = 0.1
"""A label is unclear whose agreement is so much below that of all names."""

FEWEST_NAMES = 10
"""Names that pairs must have of a label before it is called unclear."""

ENOUGH_NAMES = 30
"""Names, found and wanted, by which somebody is said to be trusted most or least."""


def advice(findings: SpanFindings, inputs: Sequence[str] = ()) -> Iterator[Advice]:
    """Yield the findings, whom to trust first and what to do next last."""
    commands = PageCommands.about(findings, inputs)
    yield from _trust(findings, commands)
    yield from _spare(findings, commands)
    yield from _agreement(findings, commands)
    yield from _labels(findings, commands)
    yield from _decisions(findings, commands)


def expected_errors(findings: SpanFindings) -> Floats:
    """Return for each heart the errors that are expected in it, the most doubtful heart first."""
    voters = (voting(each, findings.annotators) for each in findings.documents)
    method, options = get_method("people"), Options()
    sure = [
        method.decide(table, options, findings.learned).proposed.confidence
        for table in tables(each.replace(standards={}, meta={}) for each in voters)
    ]
    doubt: Floats = np.concatenate([np.zeros(0), *(np.minimum(each, 1 - each) for each in sure)])
    return np.sort(doubt)[::-1]


def _trust(findings: SpanFindings, commands: PageCommands) -> Iterator[Advice]:
    if len(findings.annotators) < 2:
        return
    counts = {name: findings.scores[name].counts("exact") for name in findings.annotators}
    n_names = {name: own.predicted + own.wanted for name, own in counts.items()}
    judged = [name for name, n in n_names.items() if n >= ENOUGH_NAMES]
    is_enough = len(judged) > 1
    compared = judged if is_enough else [name for name, n in n_names.items() if n] or list(counts)
    ranked = sorted(
        ((counts[name].f1, name) for name in compared),
        key=lambda pair: (-pair[0] if not isnan(pair[0]) else 1.0, pair[1]),
    )
    (best, first), (worst, last) = ranked[0], ranked[-1]
    against = "gold" if findings.gold else "the consensus of all"
    yield Advice(
        "Whom to trust",
        (
            name_of(first),
            " most, ",
            name_of(last),
            f" least: exact F against {against} ",
            _within(findings, first, best),
            " and ",
            _within(findings, last, worst),
            ".",
            _left_aside(len(counts) - len(compared), is_enough=is_enough),
            _of_consensus(findings, best),
        ),
        commands.score(),
    )


def _left_aside(n: int, *, is_enough: bool) -> str:
    if not n:
        return ""
    few = f"fewer than {ENOUGH_NAMES} names" if is_enough else "nothing"
    return f" {n:,} with {few} to be judged by {'is' if n == 1 else 'are'} left aside."


def _of_consensus(findings: SpanFindings, best: float) -> str:
    if CONSENSUS not in findings.scores:
        return ""
    f1 = findings.scores[CONSENSUS].counts("exact").f1
    if f1 > best:
        return f" Their consensus has {figure(f1)}, more than any of them."
    if f1 == best:
        return f" Their consensus has {figure(f1)}, as good as the best of them."
    return f" Their consensus has {figure(f1)}, less than the best of them."


def _within(findings: SpanFindings, system: str, value: float) -> str:
    found = findings.intervals.get((system, "exact", "f1"))
    between = f" (95%: {figure(found.low)} to {figure(found.high)})" if found else ""
    return f"{figure(value)}{between}"


def _spare(findings: SpanFindings, commands: PageCommands) -> Iterator[Advice]:
    if not findings.without:
        return
    best = findings.without[0]
    is_part = best.n_documents < len(findings.documents)
    tried = f" It was tried on {whole(best.n_documents)} documents." if is_part else ""
    if findings.learned.text is not None:
        tried += " Texts were not read for this."
    command = commands.score_without(best.annotator)
    if findings.gold is None:
        same = (
            "The consensus needs least ",
            name_of(best.annotator),
            f". What the others say has an exact F of {figure(best.f1)} against what all say.",
            tried,
        )
        yield Advice("Whom to drop", same, command)
        return
    change = f"{figure(best.all_f1)} with all, {figure(best.f1)} without it"
    if best.f1 < best.all_f1 - AS_GOOD:
        nobody = (
            "Nobody: the consensus needs everybody. It loses least without ",
            name_of(best.annotator),
            f": exact F {change}.",
            tried,
        )
        yield Advice("Whom to drop", nobody, command)
        return
    n = sum(each.f1 >= each.all_f1 - AS_GOOD for each in findings.without)
    others = f" ({n} could be, but one at a time)" if n > 1 else ""
    said = (
        name_of(best.annotator),
        f": the consensus is as good, exact F {change}{others}.",
        tried,
    )
    yield Advice("Whom to drop", said, command)


def _agreement(findings: SpanFindings, commands: PageCommands) -> Iterator[Advice]:
    found = findings.agreement
    if found is None or isnan(found.alpha):
        return
    alpha = found.alpha
    if alpha >= RELIABLE:
        said = "Reliable: what follows from these annotations can be built on"
    elif alpha >= TENTATIVE:
        said = (
            "Tentative: good enough to train on or to begin a review with, not to draw firm "
            "conclusions from"
        )
    else:
        said = (
            "Below what is usable: annotators do not mean the same by these labels; agree on the "
            "guidelines before annotating more"
        )
    yield Advice(
        "Agreement",
        (
            f"{said}. Krippendorff's alpha is {figure(alpha)} (0: as by chance, 1: always; "
            f"{RELIABLE:g} is wanted, {TENTATIVE:g} the least), exact F of pairs "
            f"{figure(found.exact)}.",
        ),
        commands.agree("--bootstrap 1000"),
    )


def _labels(findings: SpanFindings, commands: PageCommands) -> Iterator[Advice]:
    found = findings.agreement
    if found is None or len(found.labels) < 2:
        return
    unclear = sorted(
        (
            each
            for each in found.labels
            if each.exact.wanted >= FEWEST_NAMES and each.exact.f1 < found.exact - CLEAR
        ),
        key=lambda each: each.exact.f1,
    )
    if not unclear:
        said: tuple[object, ...] = (
            f"None: no label has an agreement of {CLEAR:g} less than all names together "
            f"({figure(found.exact)}).",
        )
    else:
        named: list[object] = []
        for each in unclear[:3]:
            named += [", " if named else "", name_of(each.label), f" ({figure(each.exact.f1)})"]
        more = f" and {len(unclear) - 3} more" if len(unclear) > 3 else ""
        said = (
            *named,
            f"{more}: exact F of pairs, against {figure(found.exact)} for all names. "
            "Look at where annotators differ on it, and say so in the guidelines.",
        )
    yield Advice("Unclear labels", said, commands.agree("--show 10"))


def _decisions(findings: SpanFindings, commands: PageCommands) -> Iterator[Advice]:
    doubts = expected_errors(findings)
    total = float(doubts.sum())
    if not len(doubts):
        return
    # Nine in ten of the errors, not of the names: most names are sure.
    n_mended = int(np.searchsorted(np.cumsum(doubts), MENDED * total)) + 1 if total else 0
    yield Advice(
        "Decisions to gold",
        (
            f"About {whole(n_mended)} of {whole(len(doubts))} ({n_mended / len(doubts):.0%}): "
            f"{figure(total, 0)} errors are expected in the consensus, and nine in ten of them are "
            f"where it is least sure. A review asks about those first and learns from each "
            "answer.",
        ),
        commands.review(),
    )
