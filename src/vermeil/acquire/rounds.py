"""The rounds of a self-training, how long names are in them, and a folder that keeps them.

The folder has ``plan.json`` and one file a round, which appears when the round is done: its figures
and the names it added. All else follows from the plan and the documents, so a run that was ended
goes on after its last round as if nothing had happened.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import ceil, nan
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np

from vermeil.arrays import Ints
from vermeil.document import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.sink import replacing
from vermeil.text.tokens import Token, covering

if TYPE_CHECKING:
    from vermeil.acquire.self_training import SelfTrainingPlan

Lengths: TypeAlias = tuple[int, int, int, int]
"""Names of one, two, three and more tokens, the classes of Figure 9."""

N_CLASSES = 4

Added: TypeAlias = tuple[int, Span]
"""A name that a round added, and the number of its document."""

PLAN, VERSION = "plan.json", 1


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

    folder: Path | None
    done: list[Round] = field(default_factory=list)
    added: list[list[Added]] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        folder: Path | None,
        plan: "SelfTrainingPlan",
        documents: Iterable[Document],
        development: Iterable[Document],
    ) -> "Rounds":
        """Begin a folder, or find the rounds that it keeps of this plan and these documents."""
        rounds = cls(folder)
        if folder is None:
            return rounds
        wanted = {
            "version": VERSION,
            "plan": _steady(plan),
            "documents": _digest(documents),
            "development": _digest(development),
        }
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / PLAN
        if not path.exists():
            _write(path, wanted)
            return rounds
        rounds._refuse_other(path, wanted)
        rounds._read(plan.n_rounds)
        return rounds

    def keep(self, done: Round, added: list[Added]) -> None:
        """Keep a round."""
        self.done.append(done)
        self.added.append(added)
        if self.folder is not None:
            _write(_path(self.folder, done.number), {"round": done, "added": added})

    def _refuse_other(self, path: Path, wanted: object) -> None:
        try:
            there = msgspec.json.decode(path.read_bytes(), type=dict)
        except msgspec.MsgspecError as error:
            raise FormatError(path, None, f"is no plan: {error}") from error
        if there != msgspec.json.decode(msgspec.json.encode(wanted)):
            raise UsageError(
                f"{self.folder}: holds the rounds of another plan or of other documents; "
                "choose a new folder"
            )

    def _read(self, n_rounds: int) -> None:
        assert self.folder is not None
        for number in range(1, n_rounds + 1):
            path = _path(self.folder, number)
            if not path.exists():
                break
            try:
                kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
            except msgspec.MsgspecError as error:
                raise FormatError(path, None, f"is no round: {error}") from error
            f1 = nan if kept.round.f1 is None else kept.round.f1
            self.done.append(Round(**{**msgspec.structs.asdict(kept.round), "f1": f1}))
            self.added.append(kept.added)


def length_classes(lengths: Sequence[int]) -> Ints:
    """Give the class of each length: 0 for one token, up to 3 for four and more.

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

    ``of`` gives the class of each name. The highest scores are kept, of equals the first; what is
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


class _Figures(msgspec.Struct):
    """A round as JSON holds it, which has no NaN."""

    number: int
    n_documents: int
    n_tokens: int
    n_names: int
    n_added: int
    lengths: Lengths
    added_lengths: Lengths
    f1: float | None


class _Kept(msgspec.Struct):
    round: _Figures
    added: list[Added]


def _steady(plan: "SelfTrainingPlan") -> dict[str, object]:
    """Give what must stay the same from one run to the next; there may be more rounds."""
    return {name: value for name, value in asdict(plan).items() if name != "n_rounds"}


def _digest(documents: Iterable[Document]) -> str:
    digest = sha256()
    encode = msgspec.json.Encoder(order="sorted").encode
    for each in documents:
        digest.update(encode((each.id, each.text, each.layers)))
    return digest.hexdigest()


def _write(path: Path, content: object) -> None:
    with replacing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(content), indent=1))


def _path(folder: Path, number: int) -> Path:
    return folder / f"round-{number:03d}.json"
