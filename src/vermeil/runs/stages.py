"""What a stage is: a verb as it works on any number of documents, in parts that add.

A stage is a frozen struct. Its fields are its options, which a manifest keeps and workers get as
JSON; its methods are what is done:

    observe   some documents to what was seen in them; what two parts of a corpus show adds
    finish    what was seen in all documents to what the stage knows
    decide    documents, with what is known, to documents with one more layer

A stage observes, decides, or does both. However documents are cut into parts, the outcome has the
same bytes. Runs know no stage: a worker finds it by its module and class.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from importlib import import_module
from operator import add
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar, get_type_hints

import msgspec
import numpy as np

from vermeil.document import Document
from vermeil.errors import VermeilError
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.seen_ids import digest
from vermeil.runs.results import (
    IDS,
    Result,
    new_ledger,
    put_together,
    read_result,
    taken_apart,
    with_ledger,
    write_result,
)
from vermeil.runs.shards import Shard, plan_shards
from vermeil.runs.tasks import Reading, Task, TaskEnd, failed

Seen = TypeVar("Seen")
"""What observing gives; two add."""

Known = TypeVar("Known")
"""What a stage decides by."""

Sums = TypeVar("Sums")
"""What is counted while it decides; two add."""

OBSERVE, DECIDE = "observe", "write"
"""The steps of a run, and the folders their results are in."""

_MEMORY: dict[str, dict[str, Any]] = {}

LEARNED = "learned.npz"
N_ITEMS, WRITTEN = "n_items", "written"


class Material(Protocol):
    """What a stage works on; it can be read any number of times."""

    def read(self, ledger: Ledger) -> Iterator[Any]:
        """Read it from its beginning, one item after the other."""


class Stage(msgspec.Struct, Generic[Seen, Known, Sums], frozen=True):
    """The contract of all stages; each has the methods that ``observes`` and ``decides`` promise.

    ``may_change`` names options that may be others when a run goes on. A stage that ``prepares``
    learns from all documents at once, in the process that leads, what ``known`` then loads. One
    whose work ``is_dear`` is never left to a stream where there is a target to keep it beside.
    One that works on columns reads ``in_columns``, where its source can. Of ``little`` input, so
    many bytes of JSON Lines at most, all is done before workers would have begun.
    """

    name: ClassVar[str]
    observes: ClassVar[bool] = False
    decides: ClassVar[bool] = False
    prepares: ClassVar[bool] = False
    is_dear: ClassVar[bool] = False
    in_columns: ClassVar[bool] = False
    little: ClassVar[int] = 0
    noun: ClassVar[str] = "documents"
    may_change: ClassVar[frozenset[str]] = frozenset()

    def observe(self, items: Iterator[Any]) -> Seen:
        """Go through items once and count what there is to see."""
        raise self._unlike("observe")

    def observe_shard(self, items: Iterator[Any], number: int, memory: dict[str, Any]) -> Seen:
        """Observe one shard of many; ``memory`` is what this process keeps between them.

        What it holds may spare work, but must not change what all shards add up to.
        """
        return self.observe(items)

    def finish(self, seen: Seen) -> Known:
        """Learn from what was seen in all items."""
        raise self._unlike("finish")

    def prepare(self, documents: Iterator[Document], folder: Path | None) -> Known:
        """Learn from all documents, and keep it in the folder of a run where there is one."""
        raise self._unlike("prepare")

    def is_prepared(self, folder: Path) -> bool:
        """Tell whether an earlier run has left there what is prepared."""
        return False

    def known(self, folder: Path | None) -> Known:
        """Load what is decided by, where nothing is observed; in a run, what was prepared."""
        raise self._unlike("known")

    def decide(self, documents: Iterator[Any], known: Known, sums: Sums) -> Iterator[Document]:
        """Pass documents on with one more layer, counting in ``sums``. Streams."""
        raise self._unlike("decide")

    def nothing(self) -> Sums:
        """Make the sums of no document."""
        return None  # type: ignore[return-value]

    def notes(self, known: Known) -> Iterable[tuple[str, str, str]]:
        """Yield what the user would want to know of what was learned, as a ledger takes it."""
        return ()

    def files(self) -> Sequence[str]:
        """Name the files that are read besides the source."""
        return ()

    def shards(self, source: Any, folder: Path, size: int) -> Sequence[Shard]:
        """Cut a source into shards of about ``size`` bytes."""
        assert isinstance(source, CorpusFiles), "only files can be cut into shards"
        return plan_shards(source.inputs, text=source.text, size=size, options=source.options)

    def identity(self, source: Any) -> Mapping[str, Any]:
        """Describe a source, to tell it from others when a run goes on."""
        inputs = [(str(each.path), each.annotator, each.format) for each in source.inputs]
        return {"sources": inputs}

    def read(self, shard: Shard, reading: Reading, ledger: Ledger) -> Iterator[Any]:
        """Read the items of a shard."""
        return reading.documents(shard, ledger, in_columns=self.in_columns)

    def n_in(self, item: Any) -> int:
        """Count an item; one that holds several counts as so many."""
        return 1

    def total(self, parts: Iterable[Seen]) -> Seen:
        """Add up what was seen in parts, in their order."""
        rest = iter(parts)
        first = next(rest, None)
        return self.observe(iter(())) if first is None else reduce(add, rest, first)

    def kept(self, value: Any) -> Result:
        """Lay out what was seen, learned or counted, to be stored."""
        return taken_apart(value)

    def seen_in(self, result: Result) -> Seen:
        """Undo ``kept`` for what was seen."""
        seen: Seen = self._restored("observe", result)
        return seen

    def known_in(self, result: Result) -> Known:
        """Undo ``kept`` for what was learned."""
        known: Known = self._restored("finish", result)
        return known

    def sums_in(self, result: Result) -> Sums:
        """Undo ``kept`` for what was counted."""
        sums: Sums = self._restored("nothing", result)
        return sums

    def _unlike(self, method: str) -> TypeError:
        """Say that a stage was asked for what it does not promise."""
        return TypeError(f"the stage {self.name} has no {method}")

    def _restored(self, method: str, result: Result) -> Any:
        return put_together(get_type_hints(getattr(type(self), method))["return"], result)


AnyStage = Stage[Any, Any, Any]


def place_of(stage: AnyStage) -> str:
    """Say where workers find a stage."""
    kind = type(stage)
    return f"{kind.__module__}:{kind.__name__}"


def stage_at(place: str) -> type[AnyStage]:
    """Find a stage by its module and class."""
    module, _, name = place.partition(":")
    kind: type[AnyStage] = getattr(import_module(module), name)
    assert issubclass(kind, Stage), f"{place} is no stage"
    return kind


def perform(task: Task) -> TaskEnd:
    """Do a task, unless it is done; errors are told, not raised."""
    if task.result.exists():
        return TaskEnd()
    try:
        stage = msgspec.json.decode(task.options, type=stage_at(task.stage))
        ledger = new_ledger(skip_bad=task.reading.skip_bad)
        items = _Counting(stage, stage.read(task.shard, task.reading, ledger))
        written = ""
        if task.step == OBSERVE:
            memory = _memory_of(task)
            result = stage.kept(stage.observe_shard(iter(items), task.number, memory))
        else:
            sums = stage.nothing()
            written = task.write(
                stage.decide(items, _known(stage, Path(task.folder)), sums), ledger
            )
            result = stage.kept(sums)
        ids = np.frombuffer(items.ids, dtype=np.uint64)
        facts = {**result.facts, N_ITEMS: items.n, WRITTEN: written}
        counted = Result(facts, {**result.arrays, IDS: ids})
        task.refuse_changed()
        write_result(with_ledger(counted, ledger), task.result)
    except Exception as error:  # a bug in one shard must not end the others
        return _why(task, error)
    return TaskEnd(items.n)


def _memory_of(task: Task) -> dict[str, Any]:
    """Return what this process keeps between the shards of a run; one run at a time."""
    if task.folder not in _MEMORY:
        _MEMORY.clear()
    return _MEMORY.setdefault(task.folder, {})


def _why(task: Task, error: Exception) -> TaskEnd:
    """Describe an error, or that of a file that has changed, which may be all that is wrong."""
    try:
        task.refuse_changed()
    except VermeilError as changed:
        return failed(changed)
    return failed(error)


def _known(stage: AnyStage, folder: Path) -> Any:
    if not stage.observes:
        return stage.known(folder)
    return stage.known_in(read_result(folder / LEARNED))


class _Counting:
    """Passes items on and counts them, keeping digests of the ids of documents."""

    def __init__(self, stage: AnyStage, items: Iterator[Any]) -> None:
        self._stage, self._items, self.n = stage, items, 0
        self.ids = array("Q")

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        item = next(self._items)
        self.n += self._stage.n_in(item)
        if isinstance(item, Document):
            self.ids.append(digest(item.id))
        return item
