"""A stage at work in this process, on a stream: nothing is kept, and nothing is cut."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.states import State, states_of, unchanged
from vermeil.runs.engines import end_work
from vermeil.runs.progress import Progress, Watch
from vermeil.runs.stages import DECIDE, OBSERVE, Known, Material, Seen, Stage, Sums

EVERY = 64
"""Items from one report of progress to the next."""


class Held:
    """Items in memory as a source; an iterator can be read once."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items
        self._is_read = False

    def read(self, ledger: Ledger) -> Iterator[Any]:
        """Pass the items on."""
        items = iter(self._items)
        if self._is_read and items is self._items:
            raise UsageError(
                "this goes through the documents twice, and an iterator gives them once; "
                "make a list of it first"
            )
        self._is_read = True
        return items


class Streaming(Generic[Seen, Known, Sums]):
    """A stage on a source: what it knows, what it decides, and what it counted.

    The source is read once to learn, where the stage learns, and once to decide.
    """

    def __init__(
        self,
        stage: Stage[Seen, Known, Sums],
        source: Material,
        *,
        ledger: Ledger | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.stage, self.source = stage, source
        self.ledger = ledger or Ledger()
        self.sums: Sums | None = None
        self._watch = watch
        self._files: list[State] | None = None

    @cached_property
    def known(self) -> Known:
        """What the stage decides by, learned when it is first asked for."""
        stage = self.stage
        if not (stage.observes or stage.prepares):
            return stage.known(None)
        # Where the source is read again, what is noted now would be noted twice.
        ledger = Ledger(skip_bad=self.ledger.skip_bad) if stage.decides else self.ledger
        items = self._watched(OBSERVE, self._read(ledger))
        known = self._observed(items) if stage.observes else stage.prepare(items, None)
        for note in stage.notes(known):
            self.ledger.note(*note)
        return known

    def documents(self) -> Iterator[Document]:
        """Yield the documents with what was decided; ``sums`` counts them on their way."""
        known, self.sums = self.known, self.stage.nothing()
        items = self._watched(DECIDE, self._read(self.ledger))
        return self.stage.decide(items, known, self.sums)

    def _read(self, ledger: Ledger) -> Iterator[Any]:
        """Read the source, which must stay what it was when it was first read."""
        if self._files is None:
            paths: list[Path] = self.source.paths() if isinstance(self.source, CorpusFiles) else []
            self._files = states_of([*paths, *map(Path, self.stage.files())])
        source = self.source
        if self.stage.in_columns and isinstance(source, CorpusFiles):
            source = replace(source, in_columns=True)
        return unchanged(source.read(ledger), self._files)

    def _observed(self, items: Iterator[Any]) -> Known:
        try:
            return self.stage.finish(self.stage.observe(items))
        finally:
            end_work(at_once=False)

    def _watched(self, step: str, items: Iterator[Any]) -> Iterator[Any]:
        if self._watch is None:
            return items
        return self._telling(step, items, self._watch)

    def _telling(self, step: str, items: Iterator[Any], watch: Watch) -> Iterator[Any]:
        n = 0
        for number, item in enumerate(items):
            n += self.stage.n_in(item)
            if number % EVERY == 0:
                watch(Progress(step, n_items=n))
            yield item
