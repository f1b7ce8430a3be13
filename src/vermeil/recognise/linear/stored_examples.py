"""Examples in files, a batch of documents each, for a learner that goes through them many times.

Written once and read anew each time, a batch at a time, so memory does not grow with how many
there are. The files are NumPy's arrays, in a folder that is there as long as they are needed.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from vermeil.recognise.linear.examples import Examples
from vermeil.sequences.features.rows import Encoded, FeatureRows


class StoredExamples:
    """The examples in the files of a folder, as often as they are asked for."""

    def __init__(self, folder: Path, made: Iterable[Examples]) -> None:
        self.paths: list[Path] = []
        for number, each in enumerate(made):
            self.paths.append(folder / f"examples-{number:06d}.npz")
            np.savez(
                self.paths[-1],
                row=each.encoded.row,
                first=each.encoded.rows.first,
                features=each.encoded.rows.features,
                tag=each.tag,
                before=each.before,
                weight=each.weight,
            )

    def __iter__(self) -> Iterator[Examples]:
        for path in self.paths:
            with np.load(path, allow_pickle=False) as kept:
                rows = FeatureRows(kept["first"], kept["features"])
                yield Examples(
                    Encoded(kept["row"], rows), kept["tag"], kept["before"], kept["weight"]
                )


@contextmanager
def stored(made: Iterable[Examples]) -> Iterator[StoredExamples]:
    """Store examples as they are made, for as long as somebody learns from them."""
    with TemporaryDirectory(prefix="vermeil-") as folder:
        yield StoredExamples(Path(folder), made)
