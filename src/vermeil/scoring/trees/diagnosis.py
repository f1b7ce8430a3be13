"""When a parser misses a production, what does it write instead? Answers that add up.

Clegg and Shepherd, sections 2.3 and 6: precision and recall of every rule, and for the missed
productions of each rule how often each other rule, or meta-rule, was the closest match (see
``closest``). Weights of 1/m are kept as fractions, so that no order of sentences or batches changes
a sum.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from vermeil.arrays import Ints
from vermeil.columns.trees.productions import Rules
from vermeil.columns.trees.table import TreeTable
from vermeil.scoring.counts import Counts
from vermeil.scoring.pairing.names import common_codes
from vermeil.scoring.trees.closest import META_RULES, closest_matches
from vermeil.scoring.trees.productions import ProductionMatches, judge
from vermeil.shown import Brief

N_EXAMPLES = 5
"""Sentences remembered for each substitution, the first ones."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """What was ``written`` for productions of a rule: how many, as weighted, and where.

    ``outcome`` is the number of its class in ``closest.OUTCOMES``; ``sentences`` are the numbers
    of the first few where it happens.
    """

    written: str
    outcome: int
    n: Fraction
    sentences: tuple[int, ...]

    def __add__(self, other: "Substitution") -> "Substitution":
        sentences = sorted({*self.sentences, *other.sentences})[:N_EXAMPLES]
        return Substitution(self.written, self.outcome, self.n + other.n, tuple(sentences))


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis(Brief):
    """The productions of a parser against those of a standard. Add two to pool them.

    ``n_sentences`` are scored, ``n_failed`` of them have no parse. ``n_left_out`` are not scored:
    the standard has no tree, the words are not as many, or the parser failed and only what it
    parsed was wanted. ``outcomes`` counts missed productions by the class of their closest match;
    ``substitutions`` are by missed rule and then by what was written for it.
    """

    n_sentences: int = 0
    n_failed: int = 0
    n_left_out: int = 0
    by_rule: Mapping[str, Counts] = field(default_factory=dict)
    outcomes: Counter[int] = field(default_factory=Counter)
    substitutions: Mapping[str, Mapping[str, Substitution]] = field(default_factory=dict)

    def __add__(self, other: "Diagnosis") -> "Diagnosis":
        by_rule, theirs = dict(self.by_rule), other.by_rule
        for rule, counts in theirs.items():
            by_rule[rule] = by_rule.get(rule, Counts()) + counts
        substitutions = {rule: dict(found) for rule, found in self.substitutions.items()}
        for rule, found in other.substitutions.items():
            _add_all(substitutions.setdefault(rule, {}), found)
        return Diagnosis(
            n_sentences=self.n_sentences + other.n_sentences,
            n_failed=self.n_failed + other.n_failed,
            n_left_out=self.n_left_out + other.n_left_out,
            by_rule=by_rule,
            outcomes=self.outcomes + other.outcomes,
            substitutions=substitutions,
        )

    def _told(self) -> str:
        rules = f"{len(self.by_rule):,} rules, F1 {self.counts.f1:.3f}"
        return f"{self.n_sentences:,} sentences, {self.n_failed:,} failed, {rules}"

    @property
    def counts(self) -> Counts:
        """The productions of all rules."""
        return sum(self.by_rule.values(), start=Counts())

    @property
    def commonest(self) -> list[str]:
        """The rules, those that the standard uses most first."""
        return sorted(self.by_rule, key=lambda rule: (-self.by_rule[rule].wanted, rule))

    @property
    def most_missed(self) -> list[str]:
        """The rules that were missed, the most often missed first."""
        return sorted(self.substitutions, key=lambda rule: (-self.by_rule[rule].missed, rule))

    def instead_of(self, rule: str) -> list[Substitution]:
        """List what was written where productions of a rule were missed, the commonest first."""
        found = self.substitutions.get(rule, {}).values()
        return sorted(found, key=lambda each: (-each.n, each.written))


def diagnose(
    gold: TreeTable,
    parsed: TreeTable,
    rules: Rules | None = None,
    *,
    first: int = 1,
    parsed_only: bool = False,
    literal: bool = False,
) -> Diagnosis:
    """Diagnose the trees of a parser, given tables that were prepared alike.

    ``first`` is the number of the first sentence; ``rules`` may be shared by batches with the same
    vocabularies, which saves time and changes nothing. With ``parsed_only``, sentences without a
    parse are left out; otherwise all their productions are missed. With ``literal``, what is right
    elsewhere can stand for what is missed, as the paper's text has it.

    >>> gold = TreeTable.parse(["(S (NP (NN T) (NN cells)) (VP (VBP divide)))"])
    >>> parsed = TreeTable.parse(["(S (NP (JJ T) (NN cells)) (VP (VBP divide)))"], gold.names)
    >>> diagnose(gold, parsed).instead_of("NP → NN NN")
    [Substitution(written='NP → JJ NN', outcome=1, n=Fraction(1, 1), sentences=(1,))]
    """
    judged = judge(gold, parsed, rules, parsed_only=parsed_only)
    n_scored = int(judged.scored.sum())
    n_failed = int((judged.failed & judged.scored).sum())
    outcomes, substitutions = _substitutions(judged, first, literal=literal)
    return Diagnosis(
        n_sentences=n_scored,
        n_failed=n_failed,
        n_left_out=len(gold) - n_scored,
        by_rule=judged.by_rule,
        outcomes=outcomes,
        substitutions=substitutions,
    )


def _substitutions(
    judged: ProductionMatches, first: int, *, literal: bool
) -> tuple[Counter[int], dict[str, dict[str, Substitution]]]:
    """Count the closest matches by outcome, and by missed rule and what was written."""
    matches = closest_matches(judged, literal=literal)
    _, where = np.unique(matches.missed, return_index=True)
    outcomes = Counter(matches.outcome[where].tolist())
    rule = judged.wanted.rule[matches.missed]
    [kind] = common_codes((rule,), (matches.written + len(META_RULES),))
    _, where = np.unique(kind, return_index=True)
    weights = _weights(kind, matches.share)
    sentences = _first_few(kind, judged.wanted.sentence[matches.missed] + first)
    rows = (each[where].tolist() for each in (rule, matches.written, matches.outcome))
    names = judged.wanted.rules.names
    found: dict[str, dict[str, Substitution]] = {}
    for number, (missed, code, outcome) in enumerate(zip(*rows, strict=True)):
        written = META_RULES[code] if code < 0 else names[code]
        found.setdefault(names[missed], {})[written] = Substitution(
            written, outcome, weights[number], tuple(sentences[number])
        )
    return outcomes, found


def _weights(kind: Ints, share: Ints) -> dict[int, Fraction]:
    """Add up 1 / ``share`` for each kind."""
    [code] = common_codes((kind,), (share,))
    _, where, n = np.unique(code, return_index=True, return_counts=True)
    total: dict[int, Fraction] = defaultdict(Fraction)
    columns = (kind[where].tolist(), share[where].tolist(), n.tolist())
    for number, each, times in zip(*columns, strict=True):
        total[number] += Fraction(times, each)
    return total


def _first_few(kind: Ints, sentence: Ints) -> dict[int, list[int]]:
    """List the first sentences of each kind, each once."""
    [code] = common_codes((kind,), (sentence,))
    _, where = np.unique(code, return_index=True)
    kind, sentence = kind[where], sentence[where]
    early = np.arange(len(kind)) - np.searchsorted(kind, kind) < N_EXAMPLES
    found: dict[int, list[int]] = defaultdict(list)
    for number, each in zip(kind[early].tolist(), sentence[early].tolist(), strict=True):
        found[number].append(each)
    return found


def _add_all(found: dict[str, Substitution], more: Mapping[str, Substitution]) -> None:
    for written, each in more.items():
        found[written] = found[written] + each if written in found else each
