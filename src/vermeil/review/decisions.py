"""What a decision does: changes of a curator's answers, as pure functions.

The work of a curator on a document is a set of answers, one a place. The place of an answer is
the heart (or the added span) it was given for; hearts move when annotators are added, answers do
not. A decision lists for each place the answer before and after it, so undo is the same list the
other way round, nothing is overwritten, and a decision made on an older state is noticed.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from vermeil.document import Layer, Span, reading_order
from vermeil.errors import UsageError

Place: TypeAlias = tuple[int, int, str]
"""Start and end of a heart, and its label."""

WHOLE: Place = (0, 0, "")
"""The place of what is said about the document as a whole."""

MOST_CHANGES = 20_000
LONGEST_LABEL = 200
LONGEST_COMMENT = 10_000

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

ACTIONS = frozenset(
    {
        *("accept", "accept agreed", "add", "alternative", "boundary", "comment", "done", "label"),
        *("opinion", "reject", "reject all", "remove", "reopen", "skip"),
    }
)
"""What the page can do; undo and redo are recorded by ``history`` alone."""


class ConflictError(UsageError):
    """A decision was made on answers that have changed since."""


class Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A name as a curator wants it, with the other spans that are as good.

    One with a gap lists its ``fragments``; its start and end are then its whole extent.
    """

    start: int
    end: int
    label: str
    alternatives: tuple[tuple[int, int], ...] = ()
    fragments: tuple[tuple[int, int], ...] = ()


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a curator says about a place.

    A ``name`` is there exactly where the verdict is accepted. Of the document as a whole is said
    ``looked``: there is nothing more in it, or ``reopened``: it is not settled after all.
    ``opinion`` asks for a second one.
    """

    place: Place
    verdict: Literal["open", "accepted", "rejected", "skipped", "looked", "reopened"] = "open"
    name: Name | None = None
    opinion: bool = False
    comment: str = ""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer at a place before and after a decision; None where there is none."""

    place: Place
    before: Answer | None
    after: Answer | None


Work: TypeAlias = tuple[Answer, ...]
"""The answers of one layer on one document, in order of place."""


class LabelledPlace(Protocol):
    """A heart: its place, and the level on which names voted for it where names nest."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def label(self) -> str: ...  # noqa: D102
    @property
    def level(self) -> int: ...  # noqa: D102


def apply(work: Work, changes: Iterable[Change]) -> Work:
    """Carry out a decision; ConflictError where it was made on other answers than these.

    >>> accepted = Answer((0, 5, "Gene"), "accepted", Name(0, 5, "Gene"))
    >>> change = Change((0, 5, "Gene"), None, accepted)
    >>> apply(apply((), [change]), inverse([change]))
    ()
    """
    answers = {answer.place: answer for answer in work}
    for change in changes:
        if answers.get(change.place) != change.before:
            raise ConflictError(
                f"the answer at {change.place[0]}-{change.place[1]} has changed since this page "
                "read it; the page shows it as it is now"
            )
        if change.after is None:
            del answers[change.place]
        else:
            answers[change.place] = change.after
    return tuple(answers[place] for place in sorted(answers))


def inverse(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Make the decision that undoes one."""
    return tuple(Change(change.place, change.after, change.before) for change in reversed(changes))


def check(changes: Sequence[Change], *, action: str, length: int) -> None:
    """Refuse what no page of ours would send for a text of ``length`` characters."""
    if action not in ACTIONS:
        raise UsageError(f"no action named {action!r}")
    if not 0 < len(changes) <= MOST_CHANGES:
        raise UsageError(f"a decision has 1 to {MOST_CHANGES} changes, not {len(changes)}")
    for change in changes:
        if change.before is None and change.after is None:
            raise UsageError("a change has an answer before or after it")
        if change.after is not None:
            _check_answer(change.after, change.place, length)


def is_one_line(text: str) -> bool:
    r"""Tell whether a label or a name has neither line breaks nor tabs, nor any such character.

    >>> is_one_line("Gene or protein"), is_one_line("Gene\tx"), is_one_line("a\u2028b")
    (True, False, False)
    """
    return not _BREAKS.search(text)


def answered(hearts: Sequence[LabelledPlace], work: Work) -> list[int | None]:
    """Find for each heart the index of the answer that speaks of it, or None.

    That is the answer at its very place; or else, because hearts move when annotators come, one
    that settles a place of the same label which shares a character with it; or a name that does. A
    nested heart needs an answer of its own: an answer speaks of hearts of one level only, that of
    the heart at its place, or of the heart that is most like it.
    """
    exact = {answer.place: number for number, answer in enumerate(work)}
    settled = _Settled(hearts, work)
    found: list[int | None] = []
    for heart in hearts:
        number = exact.get((heart.start, heart.end, heart.label))
        if number is None or not _settles(work[number]):
            meeting = settled.meeting(heart)
            number = number if meeting is None else meeting
        found.append(number)
    return found


def n_open(hearts: Sequence[LabelledPlace], work: Work) -> int:
    """Count the hearts that are neither accepted nor rejected."""
    return sum(number is None or not _settles(work[number]) for number in answered(hearts, work))


def is_done(hearts: Sequence[LabelledPlace], work: Work) -> bool:
    """Tell whether a document is settled: something was decided, and nothing is open."""
    if any(answer.verdict == "reopened" for answer in work):
        return False
    return any(_decides(answer) for answer in work) and not n_open(hearts, work)


def asks(work: Work) -> bool:
    """Tell whether a second opinion is wanted."""
    return any(answer.opinion for answer in work)


def layers_of(work: Work) -> tuple[Layer, Layer]:
    """Collect the names of a curator and the alternatives to them, each once."""
    names: dict[Span, None] = {}
    others: dict[Span, None] = {}
    for answer in work:
        if (name := answer.name) is not None:
            names[Span(name.start, name.end, name.label, fragments=name.fragments)] = None
            others |= {Span(*span, name.label): None for span in name.alternatives}
    in_order = sorted(names, key=reading_order), sorted(others.keys() - names, key=reading_order)
    return tuple(in_order[0]), tuple(in_order[1])


def _check_answer(answer: Answer, place: Place, length: int) -> None:
    if answer.place != place:
        raise UsageError("an answer stands at the place of its change")
    if place != WHOLE and not (0 <= place[0] < place[1] <= length):
        raise UsageError(f"the place {place[0]}-{place[1]} is not in the text")
    if len(place[2]) > LONGEST_LABEL or len(answer.comment) > LONGEST_COMMENT:
        raise UsageError(
            f"a label has up to {LONGEST_LABEL} characters and a comment {LONGEST_COMMENT:,}"
        )
    if (answer.verdict == "accepted") != (answer.name is not None):
        raise UsageError("an accepted answer has a name, and only that")
    if answer.verdict in ("looked", "reopened") and place != WHOLE:
        raise UsageError("only a document as a whole is looked at")
    if (name := answer.name) is None:
        return
    if place == WHOLE or not name.label.strip() or len(name.label) > LONGEST_LABEL:
        raise UsageError("a name needs a place and a label")
    if not is_one_line(name.label):
        raise UsageError("a label stands on one line, without tabs")
    spans = ((name.start, name.end), *name.alternatives)
    if len(set(spans)) < len(spans) or len(spans) > 100:
        raise UsageError("the spans of a name differ, and there are up to 100")
    for start, end in spans:
        if not 0 <= start < end <= length:
            raise UsageError(f"the span {start}-{end} is not in the text")
    _check_fragments(name)


def _check_fragments(name: Name) -> None:
    if not name.fragments:
        return
    edges = [edge for fragment in name.fragments for edge in fragment]
    is_whole = (edges[0], edges[-1]) == (name.start, name.end)
    if len(name.fragments) < 2 or not is_whole or sorted(set(edges)) != edges:
        raise UsageError(
            "the fragments of a name are two or more, apart and in order, from its start to its end"
        )


class _Settled:
    """What settled answers speak of, by label and level, so that a long text is quickly asked."""

    def __init__(self, hearts: Sequence[LabelledPlace], work: Work) -> None:
        self._hearts = _Stretches((each.start, each.end, each.label, each.level) for each in hearts)
        self._levels = {(each.start, each.end, each.label): each.level for each in hearts}
        self._spoken = _Stretches(
            (start, end, (label, level), number)
            for number, answer in enumerate(work)
            if _settles(answer)
            for start, end, label in _stretches(answer)
            if (level := self._level(answer.place, (start, end, label))) is not None
        )

    def meeting(self, heart: LabelledPlace) -> int | None:
        """Find the first answer that speaks of a stretch which shares a character with a heart."""
        found = self._spoken.meeting(heart.start, heart.end, (heart.label, heart.level))
        return min((number for _, _, number in found), default=None)

    def _level(self, place: Place, stretch: Place) -> int | None:
        """Find the level of a stretch that an answer given for a place speaks of."""
        if stretch[2] == place[2] and place in self._levels:
            return self._levels[place]
        return self._hearts.most_like(*stretch)


class _Stretches:
    """Stretches with a number each, by a key, in order of their start."""

    def __init__(self, rows: Iterable[tuple[int, int, Any, int]]) -> None:
        self._rows: dict[Any, list[tuple[int, int, int]]] = {}
        for start, end, key, number in rows:
            self._rows.setdefault(key, []).append((start, end, number))
        self._reach: dict[Any, list[int]] = {}
        for key, some in self._rows.items():
            some.sort()
            self._reach[key] = list(accumulate((end for _, end, _ in some), max))

    def meeting(self, start: int, end: int, key: Any) -> Iterator[tuple[int, int, int]]:
        """Yield those of a key that share a character with this stretch, the last first."""
        rows, reach = self._rows.get(key, []), self._reach.get(key, [])
        place = bisect_left(rows, (end,)) - 1
        while place >= 0 and reach[place] > start:
            if rows[place][1] > start:
                yield rows[place]
            place -= 1

    def most_like(self, start: int, end: int, key: Any) -> int | None:
        """Find the number of the stretch that shares most with this one; of equals the first."""

        def worth(row: tuple[int, int, int]) -> tuple[float, int]:
            shared = min(end, row[1]) - max(start, row[0])
            return shared / (max(end, row[1]) - min(start, row[0])), -row[0]

        best = max(self.meeting(start, end, key), key=worth, default=None)
        return None if best is None else best[2]


def _stretches(answer: Answer) -> Iterable[Place]:
    yield answer.place
    if answer.name is not None:
        yield answer.name.start, answer.name.end, answer.name.label


def _settles(answer: Answer) -> bool:
    return answer.verdict in ("accepted", "rejected")


def _decides(answer: Answer) -> bool:
    return answer.verdict in ("accepted", "rejected", "looked")
