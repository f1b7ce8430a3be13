"""The rounds of a self-training, how long names are in them, and the run that keeps them.

The folder of the run has a file for each round, which appears when the round is done: its figures
and the names it added. All else follows from the plan and the documents, so a run that was ended
goes on after its last round as if nothing had happened, and may go on with more rounds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil, nan
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Document, Span
from vermeil.errors import FormatError
from vermeil.formats.files.sink import replacing
from vermeil.runs.folder import claimed
from vermeil.text.tokens import Token, covering

STAGE = "acquire selftrain"

Lengths: TypeAlias = tuple[int, int, int, int]
"""Names of one, two, three and more tokens, the classes of Figure 9."""

N_CLASSES = 4

Added: TypeAlias = tuple[int, Span]
"""A name that a round added, and the number of its document."""


@dataclass(frozen=True, slots=True)
class Round:
    """What the training data are after a round.

    ``lengths`` counts the annotated names by their length, ``added_lengths`` those added in this
    and all earlier rounds. ``f1`` is that of the tagger which did the adding, trained on the data
    of the round before; NaN where there is nothing to score it on.
    """

    number: int
    n_documents: int
    n_tokens: int
    n_names: int
    n_added: int
    lengths: Lengths
    added_lengths: Lengths
    f1: float


@dataclass(slots=True)
class Rounds:
    """The rounds made so far, with what each added; in ``folder``, or nowhere."""

    folder: Path | None = None
    done: list[Round] = field(default_factory=list)
    added: list[list[Added]] = field(default_factory=list)

    def keep(self, done: Round, added: list[Added]) -> None:
        """Keep a round."""
        self.done.append(done)
        self.added.append(added)
        if self.folder is not None:
            with replacing(_path(self.folder, done.number)) as stream:
                content = msgspec.json.encode({"round": done, "added": added})
                stream.write(msgspec.json.format(content, indent=1))

    def take_up(self, n_rounds: int) -> None:
        """Read the rounds that were made before, at most so many."""
        assert self.folder is not None
        for number in range(1, n_rounds + 1):
            path = _path(self.folder, number)
            if not path.exists():
                break
            try:
                kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
                f1 = kept.round.get("f1")  # JSON has no NaN
                figures = {**kept.round, "f1": nan if f1 is None else f1}
                self.done.append(msgspec.convert(figures, Round))
            except msgspec.MsgspecError as error:
                raise FormatError(path, None, f"is no round: {error}") from error
            self.added.append(kept.added)


@contextmanager
def kept_rounds(
    folder: Path | None,
    *,
    options: Mapping[str, Any],
    documents: Mapping[str, Iterable[Document]],
) -> Iterator[Rounds]:
    """Begin a run, or go on with the one in the folder; without a folder nothing is kept.

    The number of rounds may be another than before; all other options and the documents may not.
    """
    if folder is None:
        yield Rounds()
        return
    with claimed(
        folder, stage=STAGE, options=options, documents=documents, may_change=("n_rounds",)
    ):
        rounds = Rounds(folder)
        rounds.take_up(options["n_rounds"])
        yield rounds


def length_classes(lengths: Sequence[int]) -> Ints:
    """Return the class of each length: 0 for one token, up to 3 for four and more.

    >>> length_classes([1, 3, 9]).tolist()
    [0, 2, 3]
    """
    return np.minimum(np.array(lengths, dtype=np.int64), N_CLASSES) - 1


def count_lengths(tokens: Sequence[Token], spans: Iterable[Span]) -> Lengths:
    """Count names by the number of tokens they touch; those that touch none are left out.

    >>> count_lengths([(0, 2), (2, 3), (3, 4)], [Span(0, 2, "Gene"), Span(0, 4, "Gene")])
    (1, 0, 1, 0)
    """
    ranges = (covering(tokens, span.start, span.end) for span in spans)
    lengths = [end - start for start, end in ranges if end > start]
    one, two, three, more = np.bincount(length_classes(lengths), minlength=N_CLASSES).tolist()
    return one, two, three, more


def within_shares(
    of: Ints, score: Sequence[float], annotated: Lengths, *, slack: float
) -> list[int]:
    """Choose names so that no class has more than 1 + slack times its annotated share of them all.

    ``of`` has the class of each name. The highest scores are kept, of equals the first; what is
    chosen stands in its old order. Without annotated names nothing is known and all are kept.

    >>> within_shares(np.array([0, 0, 0, 1]), [1.0, 3.0, 2.0, 1.0], (1, 1, 0, 0), slack=0.0)
    [1, 2, 3]
    """
    n_annotated = sum(annotated)
    if not n_annotated:
        return list(range(len(of)))
    most = [ceil((1 + slack) * own / n_annotated * len(of)) for own in annotated]
    left = dict(enumerate(most))
    kept = []
    for row in sorted(range(len(of)), key=lambda row: -score[row]):
        if left[int(of[row])]:
            left[int(of[row])] -= 1
            kept.append(row)
    return sorted(kept)


class _Kept(msgspec.Struct):
    round: dict[str, Any]
    added: list[Added]


def _path(folder: Path, number: int) -> Path:
    return folder / f"round-{number:03d}.json"
