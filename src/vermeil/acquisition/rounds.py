"""The rounds of a self-training, how long names are in them, and the run that keeps them.

The folder of the run has a file for each round, which appears when the round is done: its figures
and the names it added. All else follows from the plan and the documents, so a run that was ended
goes on after its last round as if nothing had happened, and may go on with more rounds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Document, Span
from vermeil.errors import FormatError
from vermeil.formats.files.replacement import replacing
from vermeil.runs.folder import claimed

STAGE = "acquire selftrain"

Lengths: TypeAlias = tuple[int, int, int, int]
"""Names of one, two, three and more words, the classes of Figure 9.

Words are what stands between white space. Over tokens that end at hyphens the figure comes out the
other way round: what a database spells BCL3 is annotated nowhere as *Bcl-3*, so of the names that
are found missing a third have a hyphen, of those annotated a tenth.
"""

N_CLASSES = 4
EPSILON = 1e-9

Added: TypeAlias = tuple[int, Span]
"""A name that a round added, and the number of its document."""


@dataclass(frozen=True, slots=True)
class Round:
    """What the training data are after a round.

    Round 0 is the seed. ``lengths`` counts the annotated names by their length, ``added_lengths``
    those added in this and all earlier rounds. ``f1`` is that of the tagger trained on these data,
    which finds what the next round adds; NaN where there is nothing to score it on.
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
        """Read the rounds that were made before, the seed and at most so many."""
        assert self.folder is not None
        for number in range(n_rounds + 1):
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


def length_class(name: str) -> int:
    """Return the class of a name by its words: 0 for one, up to 3 for four and more.

    >>> length_class("IL-2"), length_class("IL-2 receptor alpha chain precursor")
    (0, 3)
    """
    return min(max(1, len(name.split())), N_CLASSES) - 1


def count_lengths(text: str, spans: Iterable[Span]) -> Lengths:
    """Count names by how many words they have.

    >>> count_lengths("IL-2 receptor", [Span(0, 4, "Gene"), Span(0, 13, "Gene")])
    (1, 1, 0, 0)
    """
    classes = [length_class(text[span.start : span.end]) for span in spans]
    one, two, three, more = (classes.count(each) for each in range(N_CLASSES))
    return one, two, three, more


def within_shares(
    of: Ints, score: Sequence[float], annotated: Lengths, *, slack: float
) -> list[int]:
    """Choose as many names as keep the ratio of lengths that the annotated ones have.

    Of those chosen, no class has more than 1 + slack times its annotated share, but for less than
    one name. ``of`` has the class of each name. The highest scores are kept, of equals the first;
    what is chosen stands in its old order. Without annotated names nothing is known and all are
    kept.

    >>> classes, score = np.array([0, 0, 0, 0, 1]), [1.0, 3.0, 2.0, 0.0, 1.0]
    >>> within_shares(classes, score, (3, 1, 0, 0), slack=0.0)
    [0, 1, 2, 3, 4]
    >>> within_shares(classes, score, (1, 1, 0, 0), slack=0.0)
    [1, 2, 4]
    """
    n_annotated = sum(annotated)
    if not n_annotated:
        return list(range(len(of)))
    there = np.bincount(of, minlength=N_CLASSES)
    share = (1 + slack) * np.array(annotated) / n_annotated
    # Rounding must not make a share of 3 in 10 of 10 names four.
    total = np.arange(len(of) + 1)[:, None]
    room = np.minimum(np.ceil(share * total - EPSILON), there)
    left = room[np.flatnonzero(room.sum(axis=1) >= total[:, 0])[-1]].astype(int).tolist()
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
