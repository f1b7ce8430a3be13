"""The methods of consensus in one table, and what each takes.

A method may first observe all documents (what it observes of two batches adds), learn from that,
and then decides batch by batch; so a corpus of any size streams, twice for methods that learn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from vermeil.arrays import Floats
from vermeil.columns.levels import Levels, levels_of
from vermeil.columns.span_table import SpanTable
from vermeil.consensus import hearts, majority, rivals
from vermeil.consensus.centroids import (
    LIKELY,
    CentroidTable,
    GeneralHearts,
    Settings,
    are_general,
    find_centroids,
    keep_rows,
)
from vermeil.consensus.decision import Decision, without_overlaps
from vermeil.consensus.evidence import Evidence, gather
from vermeil.consensus.kept.blocks import grown
from vermeil.consensus.kept.ids import with_ids
from vermeil.consensus.kept.posteriors import with_posteriors
from vermeil.consensus.people.answers import Answers, each_row
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.evidence import gather as gather_people
from vermeil.consensus.people.evidence import gather_both
from vermeil.consensus.people.heart_texts import CrowdSeen, CrowdTexts, ReadSoFar
from vermeil.consensus.people.judging import JudgedHearts, with_settled_names
from vermeil.consensus.people.known import place_of
from vermeil.consensus.people.reading import judge_reading, learn_reading
from vermeil.consensus.reliability import LEARNABLE, Patterns, Reliability, learn
from vermeil.document import Document, Standard
from vermeil.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Options:
    """What a consensus can be told. Each method takes what it has a use for.

    ``emit`` says which span stands for a centroid: ``modal``, ``heart`` or ``extent``.
    ``weights`` say how much an annotator's vote counts, 1 where not named. ``scope`` says what
    annotators look for, the labels they use where not named. ``settled`` names a layer that does
    not vote but is right (``people/known.py``). ``read`` says whether texts are read; without it,
    that is decided (``people/reading.py``).
    """

    settings: Settings = field(default_factory=Settings)
    emit: str = "modal"
    weights: Mapping[str, float] = field(default_factory=dict)
    by_confidence: bool = False
    scope: Mapping[str, frozenset[str]] = field(default_factory=dict)
    settled: str = ""
    read: bool | None = None


CALLED = {
    "weights": "weight",
    "ignored": "ignore",
    "min_share": "min_votes",
    "tolerance_share": "tolerance",
}
"""What users call options that have another name here; a share is given where votes are."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a method says about a batch: spans, and centroids with confidences if it finds any.

    ``proposed`` are all the spans it considered, from which comes what is contested; ``left_out``
    are the hearts that were only a general term.
    """

    decision: Decision
    centroids: tuple[CentroidTable, Floats] | None
    proposed: Decision
    left_out: GeneralHearts = field(default_factory=GeneralHearts)

    @property
    def n_centroids(self) -> int:
        """How many centroids there are."""
        return 0 if self.centroids is None else len(self.centroids[0])

    @property
    def contested(self) -> Floats:
        """For each document, how many of its decisions are expected to be wrong."""
        sure, n_documents = self.proposed.confidence, len(self.proposed.table.documents)
        doubt = np.minimum(sure, 1 - sure)
        return np.bincount(self.proposed.document, doubt, n_documents).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Method:
    """A row of CONSENSUS. Methods without ``observe`` and ``learn`` need no first pass.

    ``observe`` is told, beside a batch and options, what was observed before, None at first.
    ``takes`` names the settings and options it has a use for. One that ``is_flat`` decides pieces
    of text, of which no two overlap: of nested names it sees the outermost, and it does not know
    that the fragments of a discontinuous name belong together.
    """

    summary: str
    takes: frozenset[str]
    decide: Callable[[SpanTable, Options, Any], Outcome]
    observe: Callable[[SpanTable, Options, Any], Any] | None = None
    learn: Callable[[Any, Options], Any] | None = None
    is_flat: bool = False


def with_outcome(
    documents: Sequence[Document], outcome: Outcome, name: str, *, together: bool = False
) -> Iterator[Document]:
    """Add what a method says of a batch to its documents, with the ids that were voted for."""
    decision, centroids = outcome.decision, outcome.centroids
    held = grown(documents, name, decision, centroids, together=together)
    if held is not None:
        yield from held
        return
    layers = with_ids(decision.table, decision.layers(), together=together)
    standards: Sequence[Standard] = [()] * len(documents)
    if centroids is not None:
        found, sure = centroids
        standards = with_ids(decision.table, found.standards(sure), together=together)
    for document, layer, standard in zip(documents, layers, standards, strict=True):
        document = document.with_layer(name, layer)
        yield document.with_standard(name, standard) if centroids else document


def get_method(name: str) -> Method:
    """Look a method up."""
    if name not in CONSENSUS:
        raise UnknownNameError("consensus method", name, CONSENSUS)
    return CONSENSUS[name]


def _evidence(table: SpanTable, options: Options) -> Evidence:
    settings = options.settings
    levels = _levels(table, options)
    return gather(table, ignored=settings.ignored, together=settings.together, levels=levels)


def _levels(table: SpanTable, options: Options) -> Levels | None:
    return levels_of(table) if options.settings.levels else None


def unused(by: str, options: Options) -> list[str]:
    """Name what was asked for that the method has no use for, as options are called."""
    plain = Options()
    asked = [
        field.name
        for given, usual in ((options.settings, plain.settings), (options, plain))
        for field in fields(given)
        if field.name != "settings" and getattr(given, field.name) != getattr(usual, field.name)
    ]
    return [CALLED.get(name, name) for name in asked if name not in get_method(by).takes]


def takers(options: Sequence[str]) -> list[str]:
    """Name the methods that have a use for all of these options."""
    called = {
        name: {CALLED.get(each, each) for each in row.takes} for name, row in CONSENSUS.items()
    }
    return [name for name, takes in called.items() if takes.issuperset(options)]


def _observe_hearts(table: SpanTable, options: Options, before: Any) -> Patterns:
    return Patterns.of(_evidence(table, options), table.annotators)


def _learn_hearts(patterns: Patterns, options: Options) -> Reliability:
    return learn(patterns)


def _decide_hearts(table: SpanTable, options: Options, learned: Reliability) -> Outcome:
    settings = options.settings
    evidence = _evidence(table, options)
    verdict = hearts.judge(table, evidence, learned)
    plain = settings.plain(together=settings.together)
    found = find_centroids(table, plain, levels=evidence.levels, votes=evidence.votes)
    by_chance = settings.extents != "votes" and len(learned.annotators) >= LEARNABLE
    if by_chance:
        found = with_posteriors(found, evidence, learned.among(table.annotators))
    return _outcome(found, verdict, options, together=settings.together, by_chance=by_chance)


def _observe_people(
    table: SpanTable, options: Options, before: CrowdSeen | ReadSoFar | None
) -> CrowdSeen:
    said = gather_both(
        table,
        ignored=options.settings.ignored,
        levels=_levels(table, options),
        settled=options.settled,
    )
    least = 0 if before is None else before.least
    rows = each_row(said)
    answers = Answers.in_evidence(table, said, rows, least=least)
    if options.read is False:
        return CrowdSeen(answers)
    n_zeros = 0 if before is None else before.n_zeros
    return CrowdSeen(answers, CrowdTexts.of(table, said, rows, n_zeros=n_zeros))


def _learn_people(seen: CrowdSeen, options: Options) -> Crowd:
    return learn_reading(seen, options.scope, settled=options.settled, read=options.read)


def _decide_people(table: SpanTable, options: Options, learned: Crowd) -> Outcome:
    settings, table = options.settings, table.labelled(learned.labels)
    judgement, crowd = judged_people(table, options, learned)
    evidence, place = judgement.evidence, place_of(options.settled, table.annotators)
    by_chance = settings.extents != "votes" and learned.is_learned
    plain = settings.plain(together=crowd.together)
    found = find_centroids(table, plain, levels=evidence.levels, votes=evidence.votes)
    found = judgement.centroids(found, posterior=by_chance)
    verdict = judgement.verdict(table)
    said = _outcome(found, verdict, options, together=crowd.together, by_chance=by_chance)
    if options.emit != "modal":
        return said
    return replace(said, decision=with_settled_names(said.decision, table, place, evidence.levels))


def judged_people(table: SpanTable, options: Options, learned: Crowd) -> tuple[JudgedHearts, Crowd]:
    """Judge a batch that has all labels of what was learned; return its own annotators, too."""
    settled = options.settled
    voters = [name for name in table.annotators if name != settled]
    crowd = learned.among(voters)
    evidence = gather_people(
        table,
        together=crowd.together,
        ignored=options.settings.ignored,
        levels=_levels(table, options),
        settled=settled,
    )
    place = place_of(settled, table.annotators)
    return judge_reading(table, evidence, crowd, settled=place), crowd


def _outcome(
    found: CentroidTable,
    verdict: hearts.Verdict,
    options: Options,
    *,
    together: bool,
    by_chance: bool,
) -> Outcome:
    """Decide on hearts that were judged; ``found`` has a centroid for each."""
    settings = options.settings
    mass = LIKELY if by_chance and settings.mass is None else settings.mass
    found = found.pruned(mass)
    general = are_general(found, settings.general_terms)
    likely = verdict.existence >= 0.5
    left_out = GeneralHearts.of(found, likely & general, likely & ~general, together=together)
    kept = np.flatnonzero(likely & ~general)
    standard, sure = keep_rows(found, kept), verdict.existence[kept]
    verdict = verdict.keep(~general)
    decision = verdict.decided()
    if options.emit != "modal":
        decision = without_overlaps(standard.decided(options.emit, sure))
    return Outcome(decision, (standard, sure), verdict.proposed, left_out)


def _decide_centroids(table: SpanTable, options: Options, learned: None) -> Outcome:
    weight = None
    if options.weights:
        weight = np.array([options.weights.get(name, 1.0) for name in table.annotators])
    settings = options.settings
    every = find_centroids(
        table,
        replace(settings, general_terms=frozenset()),
        annotator_weight=weight,
        by_confidence=options.by_confidence,
        levels=_levels(table, options),
    ).pruned(settings.mass)
    general = are_general(every, settings.general_terms)
    left_out = GeneralHearts.of(every, general, ~general, together=settings.together)
    found = keep_rows(every, np.flatnonzero(~general)) if general.any() else every
    decision = found.decided(options.emit)
    return Outcome(without_overlaps(decision), (found, found.share), decision, left_out)


def _decide_majority(table: SpanTable, options: Options, learned: None) -> Outcome:
    votes, share = _threshold(options)
    levels = _levels(table, options)
    decision = majority.decide(table, min_votes=votes, min_share=share, levels=levels)
    return Outcome(decision, None, decision)


def _decide_tokens(table: SpanTable, options: Options, learned: None) -> Outcome:
    from vermeil.consensus import token_vote

    votes, share = _threshold(options)
    decision = token_vote.decide(table, min_votes=votes, min_share=share)
    return Outcome(decision, None, decision)


def _observe_dawid_skene(
    table: SpanTable, options: Options, before: Any
) -> "rivals.dawid_skene.TagPatterns":
    return rivals.dawid_skene.TagPatterns.of(table)


def _learn_dawid_skene(
    patterns: "rivals.dawid_skene.TagPatterns", options: Options
) -> "rivals.dawid_skene.Confusions":
    return rivals.dawid_skene.learn(patterns)


def _decide_dawid_skene(
    table: SpanTable, options: Options, learned: "rivals.dawid_skene.Confusions"
) -> Outcome:
    decision = rivals.dawid_skene.decide(table, learned)
    return Outcome(decision, None, decision)


def _observe_harmony(
    table: SpanTable, options: Options, before: Any
) -> "rivals.harmony.TokenCounts":
    return rivals.harmony.TokenCounts.of(table)


def _learn_harmony(
    counts: "rivals.harmony.TokenCounts", options: Options
) -> "rivals.harmony.TokenWeights":
    return rivals.harmony.learn(counts)


def _decide_harmony(
    table: SpanTable, options: Options, learned: "rivals.harmony.TokenWeights"
) -> Outcome:
    settings = options.settings
    decision = rivals.harmony.decide(
        table, learned, min_votes=settings.min_votes, min_share=settings.min_share
    )
    return Outcome(decision, None, decision)


def _threshold(options: Options) -> tuple[float, float]:
    """Return the votes and the share needed; half of those who looked where nothing was asked."""
    settings = options.settings
    asked = settings.min_votes or settings.min_share
    return settings.min_votes, settings.min_share if asked else 0.5


_VOTES = frozenset({"min_votes", "min_share"})
_READING = frozenset(
    {"ignored", "together", "emit", "boundaries", "general_terms", "mass", "levels"}
)
_CENTROIDS = frozenset({"tolerance", "tolerance_share", "singles", "weights", "by_confidence"})

CONSENSUS: dict[str, Method] = {
    "hearts": Method(
        "hearts and boundaries, annotators trusted as their agreement teaches",
        _READING - {"together"} | {"extents"},
        _decide_hearts,
        _observe_hearts,
        _learn_hearts,
    ),
    "people": Method(
        "hearts, boundaries and labels, with a model of who sees, cuts and calls how",
        _READING - {"together"} | {"extents", "scope", "settled", "read"},
        _decide_people,
        _observe_people,
        _learn_people,
    ),
    "centroids": Method(
        "hearts by plain or weighted votes, as in the paper",
        _VOTES | _READING | _CENTROIDS,
        _decide_centroids,
    ),
    "majority": Method(
        "spans that enough annotators marked exactly alike", _VOTES | {"levels"}, _decide_majority
    ),
    "tokens": Method(
        "tokens that enough annotators gave the same tag", _VOTES, _decide_tokens, is_flat=True
    ),
    "dawid-skene": Method(
        "tags of tokens by Dawid and Skene's model of annotators",
        frozenset(),
        _decide_dawid_skene,
        _observe_dawid_skene,
        _learn_dawid_skene,
        is_flat=True,
    ),
    "harmony": Method(
        "names aligned by the cosine of their rare tokens, annotator by annotator (2010)",
        _VOTES,
        _decide_harmony,
        _observe_harmony,
        _learn_harmony,
        is_flat=True,
    ),
}
