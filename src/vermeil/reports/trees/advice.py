"""What a page says first about parsers: findings in words, with their figures and commands."""

import shlex
from collections.abc import Iterator, Sequence

import numpy as np

from vermeil.reports.drawing.advice import Advice
from vermeil.reports.drawing.elements import figure, name_of, whole
from vermeil.reports.trees.findings import TreeFindings
from vermeil.reports.trees.intervals import Measured, measured
from vermeil.scoring.counts import Counts

AS_GOOD = 0.001
"""A combined tree whose leaf-ancestor score falls by no more than this is as good."""

LEAST_TRUSTED = 0.2
"""The share of the sentences that is called least trusted."""


def tree_advice(findings: TreeFindings, inputs: Sequence[str] = ()) -> Iterator[Advice]:
    """Yield the findings; ``inputs`` are the treebank and the parsers as they were given."""
    parsers = list(findings.scores)
    gold, files = "TREEBANK", {name: shlex.quote(f"{name}=…") for name in parsers}
    if len(inputs) == 1 + len(parsers):
        gold, *rest = (shlex.quote(each) for each in inputs)
        files = dict(zip(parsers, rest, strict=True))
    yield from _trust(findings, gold, files)
    yield from _spare(findings, files)
    yield from _failures(findings, files)
    yield from _missed(findings, gold, files)
    yield from _doubtful(findings, gold, files)


def _trust(findings: TreeFindings, gold: str, files: dict[str, str]) -> Iterator[Advice]:
    if len(files) < 2:
        return
    scores = {
        name: measured(each.all, findings.n_resamples) for name, each in findings.scores.items()
    }
    ranked = sorted(scores, key=lambda name: (-scores[name]["LA"].value, name))
    best, worst = ranked[0], ranked[-1]
    said: list[object] = [
        *(name_of(best), " most, ", name_of(worst), " least: leaf-ancestor score "),
        f"{_within(scores[best]['LA'])} and {_within(scores[worst]['LA'])}.",
    ]
    command = f"vermeil trees score {gold} {' '.join(files.values())}"
    if findings.trust is not None:
        combined = findings.trust.scores.all.leaf_ancestor
        than = "more" if combined > scores[best]["LA"].value else "not more"
        said.append(
            f" The tree that is combined of theirs has {figure(combined)}, {than} than the best."
        )
        command = f"vermeil trees combine {' '.join(files.values())} -o combined.mrg"
    yield Advice("Which parser to trust", tuple(said), command)


def _spare(findings: TreeFindings, files: dict[str, str]) -> Iterator[Advice]:
    if findings.trust is None or not findings.without:
        return
    together = findings.trust.scores.all.leaf_ancestor
    left_out, score = max(findings.without.items(), key=lambda pair: (pair[1], pair[0]))
    change = f"{figure(together)} with all, {figure(score)} without it"
    if score < together - AS_GOOD:
        said: tuple[object, ...] = (
            "None: the combined tree needs all of them. It loses least without ",
            name_of(left_out),
            f": leaf-ancestor score {change}.",
        )
        kept = list(files.values())
    else:
        said = (
            name_of(left_out),
            f": the combined tree is as good, leaf-ancestor score {change}.",
        )
        kept = [file for name, file in files.items() if name != left_out]
    command = f"vermeil trees combine {' '.join(kept)} -o combined.mrg"
    yield Advice("Which parser to drop", said, command)


def _failures(findings: TreeFindings, files: dict[str, str]) -> Iterator[Advice]:
    failed = {name: each.n_failed for name, each in findings.scores.items() if each.n_failed}
    if not failed:
        return
    n = max(len(each.all) for each in findings.scores.values())
    said: list[object] = []
    for name, n_failed in sorted(failed.items(), key=lambda pair: (-pair[1], pair[0])):
        said += [", " if said else "", name_of(name), f" in {whole(n_failed)}"]
    others = sorted(files, key=lambda name: (failed.get(name, 0), name))
    yield Advice(
        "No parse",
        (*said, f" of {whole(n)} sentences, which count as all wrong. Others can stand in."),
        f"vermeil trees combine {' '.join(files[each] for each in others)} --by fallback -o one.mrg"
        if len(files) > 1
        else "",
    )


def _missed(findings: TreeFindings, gold: str, files: dict[str, str]) -> Iterator[Advice]:
    pooled: dict[str, Counts] = {}
    for each in findings.diagnoses.values():
        for rule, counts in each.by_rule.items():
            pooled[rule] = pooled.get(rule, Counts()) + counts
    missed = {rule: counts for rule, counts in pooled.items() if counts.missed}
    if not missed:
        return
    rule = min(missed, key=lambda each: (-missed[each].missed, each))
    counts = missed[rule]
    whose = "they miss" if len(files) > 1 else "it misses"
    yield Advice(
        "What is missed most",
        (
            name_of(rule),
            f": {whose} {whole(counts.missed)} of {whole(counts.wanted)} (recall "
            f"{figure(counts.recall)}).",
        ),
        f"vermeil trees diagnose {gold} {' '.join(files.values())} "
        f"--rule {shlex.quote(rule.replace('→', '->'))}",
    )


def _doubtful(findings: TreeFindings, gold: str, files: dict[str, str]) -> Iterator[Advice]:
    """Say whether the sentences that are trusted least are worth a look."""
    trust = findings.trust
    if trust is None or len(trust.trust) < 2:
        return
    order = np.argsort(trust.trust, kind="stable")
    n = max(1, round(LEAST_TRUSTED * len(order)))
    perfect = trust.scores.all.perfect[order]
    yield Advice(
        "Where to look first",
        (
            f"The {whole(n)} sentences on which parsers agree least: {figure(perfect[:n].mean())} "
            f"of their combined trees are perfect, of the others {figure(perfect[n:].mean())}. "
            f"Trust goes with the true score by r {figure(trust.correlation)} (1: always).",
        ),
        f"vermeil trees trust {' '.join(files.values())} --gold {gold} --top {n}",
    )


def _within(score: Measured) -> str:
    between = score.interval
    if between is None:
        return figure(score.value)
    return f"{figure(score.value)} (95%: {figure(between.low)} to {figure(between.high)})"
