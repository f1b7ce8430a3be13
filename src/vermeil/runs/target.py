"""Where the documents of a run go: one file in any format, a file a layer, or a file a shard."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import get_format, guess_format, read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.sink import open_sink
from vermeil.runs.manifest import FINISHED
from vermeil.runs.tasks import Output

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Target:
    """Where documents go: a file, ``-``, or a folder (``path/``) with a file for each shard.

    The format is told by the suffix where none is named. ``layer`` is the only one written;
    ``own`` the one that the stage adds, written alone where the format holds but one.
    """

    path: str
    format: str | None = None
    layer: str | None = None
    own: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_folder(self) -> bool:
        """Whether documents of shards are to stay apart."""
        # What may not be looked at is refused where it is written.
        return self.path.endswith("/") or os.path.isdir(self.path)  # noqa: PTH112

    def refuse_out_of_reach(self) -> None:
        """Refuse a place that may not even be looked at."""
        try:
            (Path(self.path) / FINISHED).exists()
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror}") from error

    @property
    def kind(self) -> str:
        """The format: the one named, or told by the suffix; a folder of shards holds our lines."""
        if self.format is not None:
            return self.format
        return "jsonl" if self.is_folder else guess_format(Path(self.path), exists=False)

    @property
    def only(self) -> str | None:
        """The layer to write: the one asked for, or the stage's own where one is all there is."""
        if self.layer is not None or self.own is None:
            return self.layer
        return None if "layers" in get_format(self.kind).carries else self.own

    def write(
        self,
        documents: Iterable[Document],
        ledger: Ledger,
        *,
        path: str | None = None,
        layer: str | None = None,
    ) -> None:
        """Write documents; ``path`` and ``layer`` are those of one file of several."""
        write(
            documents,
            Path(path or self.path),
            format=self.kind,
            layer=layer or self.only,
            ledger=ledger,
            options=self.options,
        )

    def assemble(self, parts: Sequence[Path], ledger: Ledger) -> None:
        """Write files of JSON Lines as one file of any format, as if they had never been apart.

        Our own lines are copied as they are; for another format the documents are read and written
        one by one, because only all of them show whether it can hold them.
        """
        if self.kind != "jsonl" or self.only is not None:
            self.write(_read(parts), ledger)
            return
        path = Path(self.path)
        with open_sink(path, folder=False, ledger=ledger, options=self.options) as sink:
            for part in parts:
                with part.open("rb") as stream:
                    shutil.copyfileobj(stream, sink.binary, CHUNK)

    def output(self, folder: Path, run: Path) -> Output:
        """Say where the documents of each shard go: to ``folder``, or to stay in the target.

        ``run`` is the folder of the run; where it is not there, the target must be new or finished.
        """
        if not self.is_folder:
            return Output(str(folder))
        path = Path(self.path)
        if get_format(self.kind).folder:
            raise UsageError(
                f"{path}: {self.kind} is a folder itself; choose another format with --to"
            )
        is_finished = (path / FINISHED).exists()
        if not run.exists() and not is_finished and path.is_dir() and any(path.iterdir()):
            raise UsageError(f"{path}: is there already; choose a new folder or empty this one")
        try:
            path.mkdir(exist_ok=True)
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
        return Output(str(path), self.kind, self.only, dict(self.options), "part-")


def _read(parts: Sequence[Path]) -> Iterator[Document]:
    for part in parts:
        yield from read(part, format="jsonl")
