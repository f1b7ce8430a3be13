"""The rounds of a self-training, and a folder that keeps them as they are made.

The folder has ``plan.json`` and one file a round, which appears when the round is done: its figures
and the names it added. All else follows from the plan and the documents, so a run that was ended
goes on after its last round as if nothing had happened.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from vermeil.acquire.name_lengths import Lengths
from vermeil.document import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.sink import replacing

if TYPE_CHECKING:
    from vermeil.acquire.self_training import Plan

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
        plan: "Plan",
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


def _steady(plan: "Plan") -> dict[str, object]:
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
