"""Why a name is as sure as it is: who said what, what that is worth, and what it comes to.

Worth is in log-odds: so much does what an annotator says add to, or take from, the odds that there
is a name. What is known beforehand and all worths add up to the model's log-odds; those are scaled
down to what is said (``judging.py``).
"""

from dataclasses import dataclass, replace

import numpy as np

from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.crowd import Crowd, Replies
from vermeil.consensus.people.evidence import Testimony
from vermeil.consensus.people.judging import JudgedHearts
from vermeil.consensus.people.known import NOT_THERE
from vermeil.document import Span
from vermeil.errors import UsageError

EXACT, WIDER, NARROWER = "exact", "wider", "narrower"


@dataclass(frozen=True, slots=True)
class Voice:
    """What one annotator says about a heart: the name around it, if any, and what it is worth.

    ``left`` and ``right`` tell how that name is cut beside the one decided on. Who does not look
    for the label (``looks``) is worth nothing.
    """

    annotator: str
    span: Span | None
    looks: bool
    worth: float
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Reasons:
    """How the confidence of ``span`` comes about.

    ``before`` are the log-odds before anybody is heard, those of the text where it is read;
    ``naming`` is what the names' labels add, ``log_odds`` all together;
    ``chance`` is the model's chance that there is a name of this label, ``existence`` what is said
    of that, ``left`` and ``right`` how sure the edges are. The product of the last three is the
    confidence. A heart that was ``settled`` has its confidence from that.
    """

    document: str
    text: str
    span: Span
    heart: tuple[int, int]
    voices: tuple[Voice, ...]
    before: float
    naming: float
    log_odds: float
    chance: float
    existence: float
    left: float
    right: float
    settled: bool


def reasons_for(
    table: SpanTable, judged: JudgedHearts, crowd: Crowd, start: int, end: int, *, settled: str = ""
) -> Reasons:
    """Explain the name at some place of the only document of a table.

    Of several hearts there it is the one whose name shares most with the place.
    """
    [document] = table.documents
    verdict = judged.verdict(table)
    proposed = verdict.proposed
    shared = np.minimum(proposed.end, end) - np.maximum(proposed.start, start)
    if not len(shared) or shared.max() <= 0:
        raise UsageError(f"nobody marked anything at {start}-{end} of document {document.id!r}")
    excess = proposed.end - proposed.start
    row = int(np.lexsort((-verdict.existence, excess, -shared))[0])
    evidence = judged.evidence
    label = int(proposed.label[row])
    span = Span(
        int(proposed.start[row]),
        int(proposed.end[row]),
        table.labels[label],
        float(proposed.confidence[row]),
    )
    entries = range(evidence.first[row], evidence.first[row + 1])
    voters = [at for at in entries if table.annotators[evidence.annotator[at]] != settled]
    names = [table.annotators[evidence.annotator[at]] for at in voters]
    place = {name: number for number, name in enumerate(crowd.annotators)}
    codes = np.array([place[name] for name in names], dtype=np.int64)
    first = np.array([0, len(voters)])
    replies = Replies.of(first, codes, evidence.label[voters], evidence.step[voters])
    temper = float(replies.temper(crowd)[0, label])
    looks = crowd.looks_for[codes, label]
    worth = replies.gains(crowd) * looks * temper * crowd.voice[codes]
    prior = judged.prior
    if prior is not None:
        prior = replace(prior, labels=prior.labels[row : row + 1])
    log_odds = float(replies.log_odds(crowd, prior)[0, label])
    is_choice = crowd.together and len(crowd.labels) > 1
    naming = float(replies.naming(crowd)[0, label]) if is_choice else 0.0
    voices = [
        _voice(table, evidence, at, span, name, bool(looking), float(each))
        for at, name, looking, each in zip(voters, names, looks, worth, strict=True)
    ]
    there = max(float(judged.chance[row].sum()), 1e-300)
    hearts = evidence.hearts.keep(slice(row, row + 1))
    bounds = [int(each[0]) for each in evidence.axis.bounds(hearts.first, hearts.end)]
    edges = [side.sober(judged.sure_of_edges)[row] for side in (judged.left, judged.right)]
    return Reasons(
        document.id,
        document.text[span.start : span.end],
        span,
        (bounds[0], bounds[1]),
        tuple(voices),
        before=log_odds - naming - float(worth.sum()),
        naming=naming,
        log_odds=log_odds,
        chance=float(judged.chance[row, label]),
        existence=float(verdict.existence[row] * judged.chance[row, label] / there),
        left=float(edges[0]),
        right=float(edges[1]),
        settled=len(voters) < len(entries),
    )


def parsed_place(given: str) -> tuple[str, int, int]:
    """Take ``ID:START-END`` apart.

    >>> parsed_place("sample-001:17-30")
    ('sample-001', 17, 30)
    """
    id, colon, place = given.rpartition(":")
    start, dash, end = place.partition("-")
    if not (id and colon and dash and start.isdecimal() and end.isdecimal()):
        raise UsageError(f"--why takes ID:START-END, got {given!r}")
    if int(start) >= int(end):
        raise UsageError(f"--why: the place {place} ends before it begins")
    return id, int(start), int(end)


def _voice(
    table: SpanTable,
    evidence: Testimony,
    at: int,
    decided: Span,
    name: str,
    looks: bool,
    worth: float,
) -> Voice:
    if evidence.label[at] == NOT_THERE:
        return Voice(name, None, looks, worth, "", "")
    heart = int(np.searchsorted(evidence.first, at, side="right")) - 1
    first = evidence.hearts.first[heart : heart + 1] - evidence.left[at]
    last = evidence.hearts.end[heart : heart + 1] + evidence.right[at]
    start, end = (int(each[0]) for each in evidence.axis.bounds(first, last))
    return Voice(
        name,
        Span(start, end, table.labels[evidence.label[at]]),
        looks,
        worth,
        _cut(decided.start - start),
        _cut(end - decided.end),
    )


def _cut(beyond: int) -> str:
    return EXACT if not beyond else WIDER if beyond > 0 else NARROWER
