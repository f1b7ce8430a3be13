"""What came of trying a model: a threshold, and why a span got its confidence."""

import re
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.replacement import replacing
from vermeil.verbs.checking import path_given
from vermeil.verbs.tables.table import Block, Tabled

if TYPE_CHECKING:
    from vermeil.recognise.judging.explanation import Explanation, Opinions
    from vermeil.recognise.judging.tuning import Choice, Trial
    from vermeil.scoring.counts import Counts


class Tuned(Tabled):
    """A threshold and what it gives; ``trial`` has the ranking and the calibration."""

    def __init__(self, trial: "Trial", choice: "Choice") -> None:
        self.trial, self._choice = trial, choice

    @property
    def threshold(self) -> float:
        """The threshold that was chosen; give it to ``tag``."""
        return self._choice.threshold

    @property
    def counts(self) -> "Counts":
        """What is right and found at this threshold."""
        return self._choice.counts

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.tuning import trial_blocks

        return trial_blocks(self.trial, self._choice)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a step of the curve."""
        ranking = self.trial.ranking
        names = ("threshold", "precision", "recall", "f1")
        columns = [getattr(ranking, name).tolist() for name in names]
        for row in zip(*columns, strict=True):
            yield dict(zip(names, row, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        from vermeil.verbs.tables.tuning import trial_data

        return trial_data(self.trial, self._choice)

    def draw(self) -> str:
        """Draw reliability and curve as SVG."""
        from vermeil.reports.drawing.reliability import draw_reliability

        trial = self.trial
        return draw_reliability(trial.calibration(), trial.ranking, threshold=self.threshold)

    def __repr__(self) -> str:
        counts = self.counts
        said = f"precision {counts.precision:.3f}, recall {counts.recall:.3f}, F1 {counts.f1:.3f}"
        return f"<Tuned: threshold {self.threshold:g}, {said}>"


class Explained(Tabled):
    """Why a span got its confidence: ``found`` has the reasons, stage by stage."""

    def __init__(self, found: "Explanation | Opinions", n_shown: int) -> None:
        self.found, self._n_shown = found, n_shown

    @property
    def confidence(self) -> float:
        """How sure the model is."""
        from vermeil.recognise.judging.explanation import Opinions

        if isinstance(self.found, Opinions):
            return self.found.confidence
        return self.found.span.confidence or 0.0

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.recognise.judging.explanation import Opinions
        from vermeil.verbs.tables.explanation import explanation_blocks, opinion_blocks

        if isinstance(self.found, Opinions):
            return opinion_blocks(self.found, n_shown=self._n_shown)
        return explanation_blocks(self.found, n_shown=self._n_shown)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a feature of a token, of every member."""
        from vermeil.recognise.judging.explanation import Opinions

        found = self.found
        members = found.members if isinstance(found, Opinions) else (("", found),)
        for tokens, each in members:
            for token in each.tokens if each is not None else ():
                for feature in token.features:
                    told = msgspec.to_builtins(feature)
                    yield {"tokens": tokens, "token": token.word, "tag": token.tag, **told}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        told: dict[str, Any] = msgspec.to_builtins(self.found)
        return told


def place_of(
    document: Document, name: str, occurrence: int | None, *, tokeniser: str
) -> tuple[int, int, int]:
    """Find where a name stands in a text, and how often it does."""
    starts = _occurrences(document.text, name, tokeniser)
    n = len(starts)
    if not n:
        raise UsageError(f"{name!r} does not occur in document {document.id!r}")
    if occurrence is not None and not 1 <= occurrence <= n:
        times = "once" if n == 1 else f"{n} times"
        raise UsageError(f"{name!r} occurs {times}, and --occurrence {occurrence} was wanted")
    start = starts[(occurrence or 1) - 1]
    return start, start + len(name), n


def _occurrences(text: str, name: str, tokeniser: str) -> list[int]:
    """Find where a name begins: where it is made of whole tokens, or else anywhere."""
    from vermeil.text.tokens import tokenise

    starts = [each.start() for each in re.finditer(f"(?={re.escape(name)})", text)] if name else []
    tokens = tokenise(text, by=tokeniser)
    begins, ends = {start for start, _ in tokens}, {end for _, end in tokens}
    whole = [start for start in starts if start in begins and start + len(name) in ends]
    return whole or starts


def bounds_of(span: Any) -> tuple[int, int]:
    """Take a span as a pair of offsets, as text (``13-20``), or as a span itself."""
    if isinstance(span, str):
        start, _, end = span.partition("-")
        if start.isdecimal() and end.isdecimal():
            return int(start), int(end)
    elif hasattr(span, "start") and hasattr(span, "end"):
        return int(span.start), int(span.end)
    elif hasattr(span, "__len__") and len(span) == 2:
        return int(span[0]), int(span[1])
    raise UsageError(f"a span is a pair of offsets, as in (13, 20), not {span!r:.40}")


def write_picture(path: str | PathLike[str], picture: str) -> None:
    """Write a picture; the file appears when it is complete."""
    with replacing(path_given(path)) as stream:
        stream.write(picture.encode())
